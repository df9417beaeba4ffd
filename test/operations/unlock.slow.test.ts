import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { onCitus } from '../support/databases.ts'
import { ops, paste } from './support.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
})
afterAll(() => bench.close())

test('jobs and lanes of a killed worker are stuck until unlock_sql is run, then other workers continue them', async () => {
  const { box } = bench
  const { project, hook, receiver } = await bench.hooked()
  const first = Promise.withResolvers<Response>()
  receiver.answer = (_, number) => (number === 1 ? first.promise : new Response('ok'))
  await bench.approve(project)
  await receiver.waitFor(1)
  const [worker] = box.workers
  if (!worker) throw new Error('There is a worker')
  const end = await box.longJob((await bench.hooked()).hook.id)
  await box.until(
    'it runs nothing else',
    async () => (await box.sql`select from ops.workers_detail where jobs = 1 and hooks = 1`).length === 1,
  )
  expect(await box.sql`select from ops.stuck_jobs`).toHaveLength(0)

  await box.end(worker, 'SIGKILL')
  // As if 40 seconds had passed.
  await box.sql`update workers set seen_at = seen_at - interval '40 seconds'`
  const [dead] = await box.sql`select status, unlock_sql from ops.workers`
  expect(dead?.status).toBe('dead')
  const [stuck] = await box.sql`select task, organization_id, why, unlock_sql from ops.stuck_jobs_detail`
  expect(stuck).toEqual({
    task: 'dispatch_hook',
    organization_id: bench.site.organization.id,
    why: 'its worker is dead',
    unlock_sql: dead?.unlock_sql,
  })
  const health = await box.sql`select "check", status from ops.health where status <> 'ok'`
  expect(health).toEqual([
    { check: 'workers', status: 'critical' },
    { check: 'jobs_stuck', status: 'warning' },
  ] as never)

  const [freed] = await paste(box, stuck?.unlock_sql)
  await end()
  expect([freed.jobs, freed.lanes]).toEqual([1, 1])
  expect(await box.sql`select from ops.stuck_jobs`).toHaveLength(0)
  expect(await box.sql`select from ops.workers`).toHaveLength(0)
  expect(await box.sql`select from graphile_worker.jobs where locked_at is not null`).toHaveLength(0)
  await box.startWorker()
  await receiver.waitFor(2)
  expect((await bench.settled(hook)).status).toBe('succeeded')
  const [action] = await box.sql`select action, affected from ops.action_log`
  expect(action).toEqual({ action: 'unlock_dead_workers', affected: 1 })
})

test('a job locked by an unknown worker is stuck, and `ops unlock` frees it', async () => {
  const { box } = bench
  const { sql } = box
  await sql`
    select
    from graphile_worker.add_job(
      'mail_verification', '{"user_id": "00000000-0000-4000-8000-000000000000"}', run_at := now() + interval '1 hour'
    )
  `
  await sql`
    update graphile_worker._private_jobs
    set locked_at = now() - interval '2 minutes', locked_by = 'pool-of-nobody', run_at = now()
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'mail_verification')
  `
  expect(await sql`select why from ops.stuck_jobs`).toEqual([{ why: 'no worker has it' }] as never)
  const { code, output } = await ops(box.environment, 'unlock')
  expect([code, output]).toEqual([0, 'unknown: 1 jobs, 0 hooks and channels unlocked'])
  await box.until('it has run', async () => (await sql`select from ops.jobs where task = 'mail_verification'`).length === 0)
  expect((await ops(box.environment, 'unlock')).output).toBe('No dead worker holds any jobs, hooks or channels.')
})

// On a cluster, no foreign key prevents it from leasing lanes until then.
test.skipIf(onCitus)(
  'a worker that was wrongly declared dead exits, and completes no job that was added for others',
  async () => {
    const { box } = bench
    const { project, hook, receiver } = await bench.hooked()
    const first = Promise.withResolvers<Response>()
    receiver.answer = (_, number) => (number === 1 ? first.promise : new Response('ok'))
    await bench.approve(project)
    await receiver.waitFor(1)
    const worker = box.workers.pop()
    if (!worker) throw new Error('There is a worker')
    const { hook: idle } = await bench.hooked()
    const end = await box.longJob(idle.id)
    const job = ({ id }: { id: string }) => box.sql<{ id: string }[]>`
    select id::text from graphile_worker.jobs where key = ${`dispatch_hook:${id}`}
  `
    const [lockedJob] = await job(idle)
    // No other worker may take the unlocked job before this one is done with it.
    await box.sql`select ops.pause('task:dispatch_hook', 'a test')`
    await worker.said('"task:dispatch_hook"')
    // The worker exits with the heartbeat that notices, at most five seconds after this one.
    const heartbeats = async () =>
      (await box.sql<{ seen_at: string }[]>`select seen_at from workers`).map(({ seen_at }) => seen_at).join()
    const last = await heartbeats()
    await box.until('there was a heartbeat', async () => (await heartbeats()) !== last)
    await box.sql.begin(async (tx) => {
      await tx`update workers set seen_at = seen_at - interval '40 seconds'`
      await tx`select from ops.unlock_dead_workers()`
      await tx`select ops.wake_lanes(array[organization_id], array[id]) from lanes where id = ${idle.id}`
    })
    first.resolve(new Response('busy', { status: 503 }))
    await end()
    await worker.said(`"hook":"${hook.id}"`)
    await worker.said('violates foreign key')
    expect(lockedJob?.id).not.toBe((await job(idle))[0]?.id)
    expect(await job(hook)).toHaveLength(1)
    expect(await job(idle)).toHaveLength(1)
    expect(await worker.exited).toBe(1)
    expect([(await job(hook)).length, (await job(idle)).length]).toEqual([1, 1])

    await box.sql`select ops.resume('task:dispatch_hook')`
    await box.startWorker()
    await receiver.waitFor(2)
    expect((await bench.settled(hook)).status).toBe('succeeded')
  },
)

test('a live worker keeps its locks', async () => {
  const { box } = bench
  const { project, hook, receiver } = await bench.hooked()
  const answers = Promise.withResolvers<Response>()
  receiver.answer = () => answers.promise
  await bench.approve(project)
  await receiver.waitFor(1)
  const other = await bench.hooked()
  const end = await box.longJob(other.hook.id)
  const lockedFor = (time: string) => box.sql`
    update graphile_worker._private_jobs
    set locked_at = now() - ${time}::interval
    where key = ${`dispatch_hook:${other.hook.id}`}
      and locked_at is not null
  `
  await lockedFor('2 minutes')
  expect(await box.sql`select * from ops.unlock_dead_workers()`).toHaveLength(0)
  expect(await box.sql`select from ops.stuck_jobs`).toHaveLength(0)
  await lockedFor('31 minutes')
  expect(await box.sql`select why, unlock_sql from ops.stuck_jobs`).toEqual([
    { why: 'it has run for over 30 minutes', unlock_sql: null },
  ] as never)
  await end()
  answers.resolve(new Response('ok'))
  expect((await bench.settled(hook)).attempts).toHaveLength(1)
})
