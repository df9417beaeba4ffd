import { afterEach, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, type Process, type Site, signalbox } from '../support/signalbox.ts'
import { fill, remainsOf } from './remains.ts'

let box: Box
let receiver: Receiver | undefined

afterEach(async () => {
  await box.close()
  await receiver?.stop()
  receiver = undefined
})

/** A hook of a project, to a receiver or to nowhere. */
const hookOf = (actor: Actor, { project }: Site, url = 'http://127.0.0.1:9/') =>
  actor.make(`/api/v1/projects/${project.id}/deployment-hooks`, { name: 'Deploy', url, trigger_on: 'gate_approved' })

const gone = (site: Site) =>
  box.until('nothing of it is left', async () => Object.keys(await remainsOf(box, site.organization.id)).length === 0)

test('an organization of 20,000 rows goes in the background, while another tenant works on', async () => {
  box = await signalbox({ workers: 1 })
  const [ada, bob] = [await box.user('Ada'), await box.user('Bob')]
  const [doomed, other] = [await box.site(ada, 'Doomed'), await box.site(bob, 'Working')]
  await fill(box, doomed, (await hookOf(ada, doomed)).id, 3_000)
  await fill(box, other, (await hookOf(bob, other)).id, 50)
  // What waits for its seal gets fewer by itself.
  const { audit_log_unsealed: _, ...before } = await remainsOf(box, other.organization.id)

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
  await gone(doomed)
  working = false
  await work
  expect(statuses).toEqual(new Set([201]))
  const after = await remainsOf(box, other.organization.id)
  // What waits to be sealed becomes less by itself.
  for (const [table, rows] of Object.entries(before)) {
    if (table !== 'audit_log_unsealed') expect([table, (after[table] ?? 0) >= rows]).toEqual([table, true])
  }
})

test('a worker that is killed in the middle of it is taken over, and nothing is left', async () => {
  box = await signalbox({ workers: 1 })
  const ada = await box.user('Ada')
  const doomed = await box.site(ada, 'Doomed')
  await fill(box, doomed, (await hookOf(ada, doomed)).id, 4_000)
  await ada.delete(`/api/v1/organizations/${doomed.organization.id}`)
  await box.until('it has begun', async () => ((await remainsOf(box, doomed.organization.id)).dispatches ?? 0) < 4_000)
  await box.end(box.workers[0] as Process, 'SIGKILL')
  expect((await remainsOf(box, doomed.organization.id)).organizations).toBe(1)
  await box.startWorker()
  await gone(doomed)
})

test('one whose purge was given up is taken away by the nightly job', async () => {
  box = await signalbox({ workers: 0 })
  const ada = await box.user('Ada')
  const doomed = await box.site(ada, 'Doomed')
  await ada.delete(`/api/v1/organizations/${doomed.organization.id}`)
  await box.sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
  await box.sql`select graphile_worker.add_job('forget_expired', '{}')`
  await box.startWorker()
  await gone(doomed)
})

test('a delivery in flight records nothing and raises nothing, and nothing more is sent', async () => {
  box = await signalbox({ workers: 1 })
  const held = Promise.withResolvers<void>()
  receiver = new Receiver()
  const [ada, bob] = [await box.user('Ada'), await box.user('Bob')]
  const [doomed, other] = [await box.site(ada, 'Doomed'), await box.site(bob, 'Living')]
  const hook = await hookOf(ada, doomed, `${receiver.url}/doomed`)
  await hookOf(bob, other, `${receiver.url}/living`)
  receiver.answer = async ({ path }, number) => {
    if (number === 1) await held.promise
    return new Response('', { status: path === '/doomed' ? 500 : 200 })
  }
  await ada.subscribeToOutcomes(doomed.workspace.id, `${receiver.url}/outcomes`)
  await bob.subscribeToOutcomes(other.workspace.id, `${receiver.url}/outcomes`)
  await box.approval(ada, (await box.running(ada, doomed.project.id)).id)
  await receiver.waitFor(1)
  const rows = () => box.sql`
    select dispatch.status, dispatch.attempt_count, (select count(*) from dispatch_attempts where dispatch_id = dispatch.id) as kept
    from dispatches as dispatch
    where dispatch.organization_id = ${doomed.organization.id}
  `
  // Marked as the request does it, but without the purge, so that what is recorded could be seen.
  await box.sql.begin(async (tx) => {
    await tx`update organizations set deleted_at = now() where id = ${doomed.organization.id}`
    await tx`delete from organization_members where organization_id = ${doomed.organization.id}`
  })
  await box.sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    values (${doomed.organization.id}, ${doomed.workspace.id}, ${doomed.project.id}, 'gate.approved', '{}')
  `
  held.resolve()
  await box.workers[0]?.said('"message":"dispatch"')
  expect((await rows()).map((row) => ({ ...row }))).toEqual([{ status: 'pending', attempt_count: 0, kept: 0 }])

  // Its lane is left without an alarm, and whoever wakes it finds nothing to send.
  const laneIsLeft = () => {
    let quiet = 0
    return box.until('nobody serves its lane, and it has no job, and gets none', async () => {
      const [{ isLeft }] = await box.sql<[{ isLeft: boolean }]>`
        select not exists (select from graphile_worker.jobs where key = ${`dispatch_hook:${hook.id}`})
          and not exists (select from lanes where id = ${hook.id} and owner_id is not null) as "isLeft"
      `
      quiet = isLeft ? quiet + 1 : 0
      return quiet === 10
    })
  }
  await laneIsLeft()
  await box.sql`
    select graphile_worker.add_job(
      'dispatch_hook', ${box.sql.json({ organization_id: doomed.organization.id, lane_id: hook.id })}::json,
      job_key := ${`dispatch_hook:${hook.id}`}
    )
  `
  await laneIsLeft()

  // The drain and the lanes go on for the other tenant, past what waits for this one.
  await box.approval(bob, (await box.running(bob, other.project.id)).id)
  await receiver.waitFor(1, ({ path }) => path === '/living')
  await box.until(
    'it is on record',
    async () =>
      (await box.sql`select from outbox where organization_id = ${other.organization.id} and name = 'deployment.succeeded'`)
        .length === 1,
  )
  const told = await box.sql<{ name: string }[]>`
    select name from outbox where organization_id = ${doomed.organization.id} and drained_at is null
  `
  expect(told.map(({ name }) => name)).toEqual(['gate.approved'])
  expect(receiver.requests.filter(({ path }) => path === '/doomed')).toHaveLength(1)
  expect(await rows()).toHaveLength(1)
})
