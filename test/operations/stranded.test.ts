import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { paste } from './support.ts'

let bench: Workbench

// Jobs run where a test starts a worker.
beforeAll(async () => {
  bench = await Workbench.open({ workers: 0 })
})
afterAll(() => bench.close())
afterEach(async () => {
  const { box } = bench
  await Promise.all(box.workers.splice(0).map((worker) => box.end(worker, 'SIGKILL')))
  await box.sql`delete from workers`
  await box.sql`delete from dispatches`
  await box.sql`delete from channel_messages`
  await box.sql`update outbox set drained_at = now() where drained_at is null`
  await box.sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
})

const stranded = async () => [
  ...(await bench.box.sql<{ id: string; why: string; wake_sql: string | null }[]>`
    select id, why, wake_sql from ops.stranded_detail order by id
  `),
]

const check = async (name: string) =>
  (await bench.box.sql`select status, value, detail, hint from ops.health_detail where "check" = ${name}`)[0]

async function makeChannel() {
  const { admin, site } = bench
  const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  const receiver = bench.receiver()
  const config = { url: receiver.url, secret: 'a-secret' }
  const channel = await admin.make(path, { name: 'Room', channel_type: 'webhook', config })
  return { channel, receiver, test: () => admin.post(`${path}/${channel.id}/test`) }
}

/** What waits is due for so long, and its events are drained. */
async function dueFor(time: string): Promise<void> {
  const { sql } = bench.box
  await sql`update outbox set drained_at = now() where drained_at is null`
  await sql`update deliveries set due_at = now() - ${time}::interval`
}

const dropJobs = () => bench.box.sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`

describe('a hook or channel that is due without a job', () => {
  test('is named, not taken for a lack of workers, and served once its wake_sql is pasted', async () => {
    const { box } = bench
    const { hook, receiver } = await bench.hooked()
    const room = await makeChannel()
    await bench.ask(hook, 'trigger')
    await room.test()
    await dueFor('2 minutes')
    // The channel has the job that its test added.
    expect(await stranded()).toEqual([{ id: hook.id, why: 'not_woken', wake_sql: 'select * from ops.wake_stranded();' }])
    await dropJobs()
    expect((await stranded()).map(({ id }) => id).sort()).toEqual([hook.id, room.channel.id].sort())
    expect(await check('destinations_stranded')).toEqual({
      status: 'warning',
      value: 2,
      detail: expect.stringMatching(/^2 hooks or channels have work due and no job to serve it; the oldest for 00:02:\d\d.*: /),
      hint: expect.stringContaining('select * from ops.wake_stranded();'),
    })
    expect((await check('dispatches_waiting'))?.status).toBe('ok')
    expect((await check('messages_waiting'))?.status).toBe('ok')
    await dueFor('6 minutes')
    expect((await check('destinations_stranded'))?.status).toBe('critical')

    const woken = await paste(box, (await stranded())[0]?.wake_sql ?? null)
    expect(woken).toEqual(
      expect.arrayContaining([
        { kind: 'hook', id: hook.id, name: 'Deploy' },
        { kind: 'channel', id: room.channel.id, name: 'Room' },
      ]),
    )
    expect(await stranded()).toEqual([])
    const [action] = await box.sql`select action, targets, affected from ops.action_log order by at desc limit 1`
    expect(action).toMatchObject({ action: 'wake_stranded', affected: 2 })
    await box.startWorker()
    await receiver.waitFor(1)
    await room.receiver.waitFor(1)
  })

  test('has none because its only job is due much later, was given up, or is locked for a worker that is gone', async () => {
    const { sql } = bench.box
    const { hook } = await bench.hooked()
    await bench.ask(hook, 'trigger')
    await dueFor('2 minutes')
    await sql`select from ops.wake_stranded()`
    const is = async () => (await stranded()).length === 1
    expect(await is()).toBeFalse()
    const set = (change: ReturnType<typeof sql>) => sql`update graphile_worker._private_jobs set ${change}`
    await set(sql`run_at = now() + interval '2 minutes'`)
    expect(await is()).toBeTrue()
    await set(sql`run_at = now(), attempts = max_attempts`)
    expect(await is()).toBeTrue()
    await set(sql`attempts = 0, locked_at = now(), locked_by = 'pool-of-nobody'`)
    expect(await is()).toBeTrue()
    await sql`insert into workers (id, hostname, pid, pool_id) values (gen_random_uuid(), 'elsewhere', 1, 'pool-of-nobody')`
    expect(await is()).toBeFalse()
    await set(sql`locked_at = null, locked_by = null`)
    expect(await is()).toBeFalse()
  })

  test('is none while it is served, paused, or waits for the drain, and none of a deleted organization', async () => {
    const { sql } = bench.box
    const { hook } = await bench.hooked()
    await bench.ask(hook, 'trigger')
    await dueFor('2 minutes')
    const is = async () => (await stranded()).length === 1
    expect(await is()).toBeTrue()
    const [worker] = await sql`insert into workers (id, hostname, pid) values (gen_random_uuid(), 'elsewhere', 1) returning id`
    await sql`update lanes set owner_id = ${worker?.id}`
    expect(await is()).toBeFalse()
    await sql`delete from workers`
    await sql`update deployment_hooks set paused = true`
    expect(await is()).toBeFalse()
    await bench.ask(hook, 'test')
    await dueFor('2 minutes')
    expect(await is()).toBeTrue()
    await sql`update deployment_hooks set paused = false`
    await sql`update outbox set drained_at = null, created_at = now() - interval '3 minutes' where name = 'test.ping'`
    expect(await is()).toBeFalse()
    await sql`update outbox set drained_at = now()`
    await sql`update organizations set deleted_at = now()`
    expect(await is()).toBeFalse()
    await sql`update organizations set deleted_at = null`
    expect(await is()).toBeTrue()
  })
})

test('a lane that a worker leased by a commit whose answer was lost is served by it', async () => {
  const { box } = bench
  const { hook, receiver } = await bench.hooked()
  await bench.ask(hook, 'trigger')
  await dueFor('0 seconds')
  await box.startWorker()
  await box.sql`update lanes set owner_id = (select id from workers) where id = ${hook.id}`
  await receiver.waitFor(1)
  expect((await bench.settled(hook)).status).toBe('succeeded')
})

test('what waits because no key opens its secret is named, until the key is back', async () => {
  const { box } = bench
  const { hook, receiver } = await bench.hooked({ secret: 'a-secret' })
  const room = await makeChannel()
  const { SECRETS_KEY: key = '' } = box.environment
  box.environment.SECRETS_KEY = Buffer.alloc(32, 8).toString('base64')
  await box.startWorker()
  await bench.ask(hook, 'trigger')
  await room.test()
  await box.until('both are found out', async () => {
    return (await box.sql`select from lanes where fault is not null`).length === 2
  })
  await dueFor('2 minutes')
  expect(await check('secrets_unreadable')).toEqual({
    status: 'warning',
    value: 2,
    detail: expect.stringContaining('a secret that no key opens'),
    hint: expect.stringContaining('SECRETS_KEY'),
  })
  expect((await check('dispatches_waiting'))?.status).toBe('ok')
  expect((await check('destinations_stranded'))?.status).toBe('ok')
  expect((await stranded()).map(({ why }) => why)).toEqual(['secret_unreadable', 'secret_unreadable'])

  const [worker] = box.workers.splice(0)
  if (worker) await box.end(worker, 'SIGTERM')
  box.environment.SECRETS_KEY = key
  await box.startWorker()
  await receiver.waitFor(1)
  await room.receiver.waitFor(1)
  await box.until(
    'nothing is wrong any more',
    async () => (await box.sql`select from lanes where fault is not null`).length === 0,
  )
  expect((await check('secrets_unreadable'))?.status).toBe('ok')
})
