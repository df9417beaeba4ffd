import { afterEach, expect, test } from 'bun:test'
import { fill as fillInbox, inboxOf } from '../notifications/inbox.ts'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, type Process, type Site, signalbox } from '../support/signalbox.ts'
import { fill, remainingRows } from './remaining-rows.ts'

let box: Box
let receiver: Receiver | undefined

afterEach(async () => {
  await box.close()
  await receiver?.stop()
  receiver = undefined
})

/** A hook of a project, to a receiver or an unused port. */
const hookOf = (actor: Actor, { project }: Site, url = 'http://127.0.0.1:9/') =>
  actor.make(`/api/v1/projects/${project.id}/deployment-hooks`, { name: 'Deploy', url, trigger_on: 'gate_approved' })

const waitUntilPurged = (site: Site) =>
  box.until('nothing of it is left', async () => Object.keys(await remainingRows(box, site.organization.id)).length === 0)

test('an organization with 20,000 rows is purged in the background while another tenant works', async () => {
  box = await signalbox({ own: true, workers: 1 })
  const [ada, bob] = [await box.user('Ada'), await box.user('Bob')]
  const [doomed, other] = [await box.site(ada, 'Doomed'), await box.site(bob, 'Working')]
  await fill(box, doomed, (await hookOf(ada, doomed)).id, 3_000)
  await fill(box, other, (await hookOf(bob, other)).id, 50)
  // What waits for the worker decreases on its own.
  const { audit_log_unsealed: _, waiting_events: __, ...before } = await remainingRows(box, other.organization.id)

  let working = true
  const statuses = new Set<number>()
  const work = (async () => {
    while (working) {
      const { status } = await bob.post(`/api/v1/projects/${other.project.id}/requirements`, { title: 'On we go' })
      statuses.add(status)
    }
  })()
  expect((await ada.delete(`/api/v1/organizations/${doomed.organization.id}`)).status).toBe(204)
  expect((await ada.get(`/api/v1/projects/${doomed.project.id}`)).status).toBe(404)
  await waitUntilPurged(doomed)
  working = false
  await work
  expect(statuses).toEqual(new Set([201]))
  const after = await remainingRows(box, other.organization.id)
  for (const [table, rows] of Object.entries(before)) {
    expect([table, (after[table] ?? 0) >= rows]).toEqual([table, true])
  }
})

test('when a worker is killed during a purge, another one completes it', async () => {
  box = await signalbox({ own: true, workers: 1 })
  const ada = await box.user('Ada')
  const doomed = await box.site(ada, 'Doomed')
  await fill(box, doomed, (await hookOf(ada, doomed)).id, 4_000)
  await ada.delete(`/api/v1/organizations/${doomed.organization.id}`)
  await box.until('the purge has begun', async () => ((await remainingRows(box, doomed.organization.id)).dispatches ?? 0) < 4_000)
  await box.end(box.workers[0] as Process, 'SIGKILL')
  expect((await remainingRows(box, doomed.organization.id)).organizations).toBe(1)
  await box.startWorker()
  await waitUntilPurged(doomed)
})

test('an organization whose purge failed is purged by the nightly job', async () => {
  box = await signalbox({ own: true, workers: 0 })
  const ada = await box.user('Ada')
  const doomed = await box.site(ada, 'Doomed')
  await ada.delete(`/api/v1/organizations/${doomed.organization.id}`)
  await box.sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
  await box.sql`select graphile_worker.add_job('forget_expired', '{}')`
  await box.startWorker()
  await waitUntilPurged(doomed)
})

test('a delivery in flight records nothing and raises nothing, and nothing more is sent', async () => {
  box = await signalbox({ own: true, workers: 1 })
  const answered = Promise.withResolvers<void>()
  receiver = new Receiver()
  const [ada, bob] = [await box.user('Ada'), await box.user('Bob')]
  const [doomed, other] = [await box.site(ada, 'Doomed'), await box.site(bob, 'Living')]
  const hook = await hookOf(ada, doomed, `${receiver.url}/doomed`)
  await hookOf(bob, other, `${receiver.url}/living`)
  receiver.answer = async ({ path }, number) => {
    if (number === 1) await answered.promise
    return new Response('', { status: path === '/doomed' ? 500 : 200 })
  }
  await ada.subscribeToOutcomes(doomed.workspace.id, `${receiver.url}/outcomes`)
  await bob.subscribeToOutcomes(other.workspace.id, `${receiver.url}/outcomes`)
  await box.approval(ada, (await box.running(ada, doomed.project.id)).id)
  await receiver.waitFor(1)
  const rows = () => box.sql`
    select
      dispatch.status, dispatch.attempt_count,
      (
        select count(*)
        from dispatch_attempts as attempt
        where attempt.dispatch_id = dispatch.id
          and attempt.organization_id = dispatch.organization_id
      ) as kept
    from dispatches as dispatch
    where dispatch.organization_id = ${doomed.organization.id}
  `
  // Marked as the request does, without the purge job, so that any recorded outcome would be visible.
  await box.sql.begin(async (tx) => {
    await tx`update organizations set deleted_at = now() where id = ${doomed.organization.id}`
    await tx`delete from organization_members where organization_id = ${doomed.organization.id}`
  })
  await box.sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    values (${doomed.organization.id}, ${doomed.workspace.id}, ${doomed.project.id}, 'gate.approved', '{}')
  `
  answered.resolve()
  await box.workers[0]?.said('"message":"dispatch"')
  expect((await rows()).map((row) => ({ ...row }))).toEqual([{ status: 'pending', attempt_count: 0, kept: 0 }])

  // Its lane is released without a wake-up job, and waking it sends nothing.
  const waitUntilLaneIsIdle = () => {
    let idleSamples = 0
    return box.until('its lane is not leased, and has no job for a while', async () => {
      const [{ isLeft }] = await box.sql<[{ isLeft: boolean }]>`
        select not exists (select 1 from graphile_worker.jobs where key = ${`dispatch_hook:${hook.id}`})
          and not exists (select 1 from lanes where id = ${hook.id} and owner_id is not null) as "isLeft"
      `
      idleSamples = isLeft ? idleSamples + 1 : 0
      return idleSamples === 10
    })
  }
  await waitUntilLaneIsIdle()
  await box.sql`
    select graphile_worker.add_job(
      'dispatch_hook', ${box.sql.json({ organization_id: doomed.organization.id, lane_id: hook.id })}::json,
      job_key := ${`dispatch_hook:${hook.id}`}
    )
  `
  await waitUntilLaneIsIdle()

  // The drain and the lanes continue for the other tenant.
  await box.approval(bob, (await box.running(bob, other.project.id)).id)
  await receiver.waitFor(1, ({ path }) => path === '/living')
  await box.until(
    'the outcome is recorded',
    async () =>
      (await box.sql`select from outbox where organization_id = ${other.organization.id} and name = 'deployment.succeeded'`)
        .length === 1,
  )
  const undrained = await box.sql<{ name: string }[]>`
    select name
    from waiting_events
    join outbox using (id, organization_id)
    where organization_id = ${doomed.organization.id}
  `
  expect(undrained.map(({ name }) => name)).toEqual(['gate.approved'])
  expect(receiver.requests.filter(({ path }) => path === '/doomed')).toHaveLength(1)
  expect(await rows()).toHaveLength(1)
})

test('the notifications of a deleted organization vanish before its other rows', async () => {
  box = await signalbox({ own: true, workers: 1 })
  const [ada, bob] = [await box.user('Ada'), await box.user('Bob')]
  const doomed = await box.site(ada, 'Doomed')
  await box.join(bob, doomed, 'admin')
  await box.settled()
  await fillInbox(box, bob, doomed, 3)
  expect((await inboxOf(bob)).unread_count).toBeGreaterThanOrEqual(3)
  await box.sql.begin(async (tx) => {
    await tx`
      select from projects where id = ${doomed.project.id} and organization_id = ${doomed.organization.id} for update
    `
    await ada.delete(`/api/v1/organizations/${doomed.organization.id}`)
    await box.until('nothing in the inbox is of it', async () => (await inboxOf(bob)).total === 0)
    expect((await remainingRows(box, doomed.organization.id)).projects).toBe(1)
  })
  await waitUntilPurged(doomed)
})
