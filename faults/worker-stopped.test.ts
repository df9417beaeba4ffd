import { afterEach, expect, test } from 'bun:test'
import { Receiver } from '../test/support/receiver.ts'
import { type Box, signalbox } from '../test/support/signalbox.ts'
import { approveAll, makeHooks, openGates, waitUntilIdle } from './support.ts'

let box: Box
let receiver: Receiver

afterEach(async () => {
  await box.close()
  await receiver.stop()
})

test('a worker that is stopped, declared dead and continued takes no job, and others continue its work', async () => {
  receiver = new Receiver()
  const first = Promise.withResolvers<void>()
  receiver.answer = async (_, number) => {
    if (number === 1) await first.promise
    return new Response('busy', { status: number === 1 ? 503 : 200 })
  }
  box = await signalbox({ own: true, environment: { HOOK_RETRY_SECONDS: '1,1' } })
  const actor = await box.user('Ada Lovelace')
  const site = await box.site(actor)
  await makeHooks(actor, site, receiver.url, 1)
  await approveAll(actor, await openGates(box, actor, site.project.id, 1), [])
  await receiver.waitFor(1)
  const [worker] = box.workers.splice(0)
  if (!worker) throw new Error('There is a worker')

  worker.kill('SIGSTOP')
  await box.until('it is dead', async () => (await box.sql`select from ops.workers where status = 'dead'`).length === 1, 60_000)
  await box.sql`select * from ops.unlock_dead_workers()`
  first.resolve()
  worker.kill('SIGCONT')
  expect(await worker.exited).toBe(1)

  expect(await box.sql`select from graphile_worker.jobs where locked_at is not null`).toHaveLength(0)
  expect(await box.sql`select from lanes where owner_id is not null`).toHaveLength(0)
  await box.startWorker()
  await waitUntilIdle(box)
  expect(receiver.requests).toHaveLength(2)
})

test('destinations with due work and no job, and jobs of a worker that is gone, are found', async () => {
  receiver = new Receiver()
  box = await signalbox({ own: true })
  const actor = await box.user('Ada Lovelace')
  const site = await box.site(actor)
  await makeHooks(actor, site, receiver.url, 1)
  const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  const channel = await actor.make(path, { name: 'Room', channel_type: 'webhook', config: { url: receiver.url } })
  await actor.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: 'gate.approved' })
  receiver.answer = () => new Response('busy', { status: 503, headers: { 'Retry-After': '3600' } })
  await approveAll(actor, await openGates(box, actor, site.project.id, 1), [])
  await box.until('both wait for their retry', async () => {
    const retried = await box.sql<{ kind: string }[]>`select kind from deliveries where attempt_count = 1 order by kind`
    return retried.map(({ kind }) => kind).join() === 'dispatch,message'
  })
  await box.until('nothing runs', async () => {
    const [{ idle }] = await box.sql<[{ idle: boolean }]>`
      select not exists (select from graphile_worker.jobs where locked_at is not null)
        and not exists (select from lanes where owner_id is not null) as idle
    `
    return idle
  })
  receiver.answer = () => new Response('ok')

  await box.sql.begin(async (tx) => {
    await tx`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
    await tx`update deliveries set due_at = now() - case kind when 'dispatch' then interval '7 minutes' else '6 minutes' end`
    await tx`update lane_health set held_until = null`
  })
  await box.sql`
    select from graphile_worker.add_job(
      'mail_verification', '{"user_id": "00000000-0000-4000-8000-000000000000"}', run_at := now() + interval '1 hour'
    )
  `
  await box.sql`
    update graphile_worker._private_jobs
    set locked_at = now() - interval '2 minutes', locked_by = 'pool-of-nobody', run_at = now()
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'mail_verification')
  `
  const [check] = await box.sql`select status, value, detail, hint from ops.health_detail where "check" = 'destinations_stranded'`
  expect(check).toEqual({
    status: 'critical',
    value: 2,
    detail: expect.stringContaining('hook Hook 0 of acme-robotics'),
    hint: expect.stringContaining('select * from ops.wake_stranded()'),
  })
  expect(
    await box.sql`select from ops.health where "check" in ('dispatches_waiting', 'messages_waiting') and status <> 'ok'`,
  ).toHaveLength(0)
  await box.until('both are delivered', async () => receiver.requests.length === 4, 100_000)
  await box.until(
    'the job has run',
    async () => (await box.sql`select from ops.jobs where task = 'mail_verification'`).length === 0,
  )
  await waitUntilIdle(box)
  expect(await box.sql`select from ops.stranded`).toHaveLength(0)
  await box.until('both are counted', async () => {
    const { body } = await box.request('GET', '/metrics')
    return ['hook', 'channel'].every((kind) => body.includes(`signalbox_stranded_destinations_total{kind="${kind}"} 1`))
  })
})
