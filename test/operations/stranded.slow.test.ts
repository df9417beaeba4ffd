import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { onCitus } from '../support/databases.ts'
import { paste } from './support.ts'

let bench: Workbench

// A test starts a worker when its jobs are to run.
beforeAll(async () => {
  bench = await Workbench.open({ own: true, workers: 0 })
})
afterAll(() => bench.close())
afterEach(async () => {
  const { box } = bench
  await Promise.all(box.workers.splice(0).map((worker) => box.end(worker, 'SIGKILL')))
  await box.sql`delete from workers`
  await box.sql`delete from dispatches`
  await box.sql`delete from channel_messages`
  await box.sql`delete from waiting_events`
  await box.sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
})

const stranded = async () => [
  ...(await bench.box.sql<{ id: string; why: string; wake_sql: string | null }[]>`
    select id, why, wake_sql from ops.stranded_detail order by id
  `),
]

const healthCheck = async (name: string) =>
  (await bench.box.sql`select status, value, detail, hint from ops.health_detail where "check" = ${name}`)[0]

async function makeChannel() {
  const { admin, site } = bench
  const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  const receiver = bench.receiver()
  const config = { url: receiver.url, secret: 'a-secret' }
  const channel = await admin.make(path, { name: 'Room', channel_type: 'webhook', config })
  return { channel, receiver, test: () => admin.post(`${path}/${channel.id}/test`) }
}

/** Makes all deliveries due for this long, with their events drained. */
async function makeDue(time: string): Promise<void> {
  const { sql } = bench.box
  await sql`delete from waiting_events`
  await sql`update deliveries set due_at = now() - ${time}::interval`
}

const dropJobs = () => bench.box.sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`

describe('a hook or channel with due work and no job', () => {
  test('is listed, not reported as a lack of workers, and served once its wake_sql is run', async () => {
    const { box } = bench
    const { hook, receiver } = await bench.hooked()
    const room = await makeChannel()
    await bench.ask(hook, 'trigger')
    await room.test()
    await makeDue('2 minutes')
    // The channel has the job that its test message added.
    expect(await stranded()).toEqual([{ id: hook.id, why: 'not_woken', wake_sql: 'select * from ops.wake_stranded();' }])
    await dropJobs()
    expect((await stranded()).map(({ id }) => id).sort()).toEqual([hook.id, room.channel.id].sort())
    expect(await healthCheck('destinations_stranded')).toEqual({
      status: 'warning',
      value: 2,
      detail: expect.stringMatching(/^2 hooks or channels have due work and no job to serve it; the oldest for 00:02:\d\d.*: /),
      hint: expect.stringContaining('select * from ops.wake_stranded();'),
    })
    expect((await healthCheck('dispatches_waiting'))?.status).toBe('ok')
    expect((await healthCheck('messages_waiting'))?.status).toBe('ok')
    await makeDue('6 minutes')
    expect((await healthCheck('destinations_stranded'))?.status).toBe('critical')

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

  test('is also listed when its job is due much later, failed for good, or is locked for a worker that is gone', async () => {
    const { sql } = bench.box
    const { hook } = await bench.hooked()
    await bench.ask(hook, 'trigger')
    await makeDue('2 minutes')
    await sql`select from ops.wake_stranded()`
    const isStranded = async () => (await stranded()).length === 1
    expect(await isStranded()).toBeFalse()
    const set = (change: ReturnType<typeof sql>) => sql`update graphile_worker._private_jobs set ${change}`
    await set(sql`run_at = now() + interval '2 minutes'`)
    expect(await isStranded()).toBeTrue()
    await set(sql`run_at = now(), attempts = max_attempts`)
    expect(await isStranded()).toBeTrue()
    await set(sql`attempts = 0, locked_at = now(), locked_by = 'pool-of-nobody'`)
    expect(await isStranded()).toBeTrue()
    await sql`insert into workers (id, hostname, pid, pool_id) values (gen_random_uuid(), 'elsewhere', 1, 'pool-of-nobody')`
    expect(await isStranded()).toBeFalse()
    await set(sql`locked_at = null, locked_by = null`)
    expect(await isStranded()).toBeFalse()
  })

  test('is not listed while it is leased, paused, waits for the drain, or belongs to a deleted organization', async () => {
    const { sql } = bench.box
    const { hook } = await bench.hooked()
    await bench.ask(hook, 'trigger')
    await makeDue('2 minutes')
    const isStranded = async () => (await stranded()).length === 1
    expect(await isStranded()).toBeTrue()
    const [worker] = await sql`insert into workers (id, hostname, pid) values (gen_random_uuid(), 'elsewhere', 1) returning id`
    await sql`update lanes set owner_id = ${worker?.id}`
    expect(await isStranded()).toBeFalse()
    await sql`delete from workers`
    // On a cluster, no foreign key does it.
    if (onCitus) await sql`update lanes set owner_id = null`
    await sql`update deployment_hooks set paused = true`
    expect(await isStranded()).toBeFalse()
    await bench.ask(hook, 'test')
    await makeDue('2 minutes')
    expect(await isStranded()).toBeTrue()
    await sql`update deployment_hooks set paused = false`
    await sql`
      insert into waiting_events (id, organization_id, created_at)
      select id, organization_id, now() - interval '3 minutes' from outbox where name = 'test.ping'
    `
    expect(await isStranded()).toBeFalse()
    await sql`delete from waiting_events`
    await sql`update organizations set deleted_at = now()`
    expect(await isStranded()).toBeFalse()
    await sql`update organizations set deleted_at = null`
    expect(await isStranded()).toBeTrue()
  })
})

test('a worker serves a lane that it leased in a commit whose result was lost', async () => {
  const { box } = bench
  const { hook, receiver } = await bench.hooked()
  await bench.ask(hook, 'trigger')
  await makeDue('0 seconds')
  await box.startWorker()
  await box.sql`update lanes set owner_id = (select id from workers) where id = ${hook.id}`
  await receiver.waitFor(1)
  expect((await bench.settled(hook)).status).toBe('succeeded')
})

test('hooks and channels whose secret cannot be decrypted are listed until the key is back', async () => {
  const { box } = bench
  const { hook, receiver } = await bench.hooked({ secret: 'a-secret' })
  const room = await makeChannel()
  const { SECRETS_KEY: key = '' } = box.environment
  box.environment.SECRETS_KEY = Buffer.alloc(32, 8).toString('base64')
  await box.startWorker()
  await bench.ask(hook, 'trigger')
  await room.test()
  await box.until('both are detected', async () => {
    return (await box.sql`select from lanes where error_code is not null`).length === 2
  })
  await makeDue('2 minutes')
  expect(await healthCheck('secrets_unreadable')).toEqual({
    status: 'warning',
    value: 2,
    detail: expect.stringContaining('a secret that no key decrypts'),
    hint: expect.stringContaining('SECRETS_KEY'),
  })
  expect((await healthCheck('dispatches_waiting'))?.status).toBe('ok')
  expect((await healthCheck('destinations_stranded'))?.status).toBe('ok')
  expect((await stranded()).map(({ why }) => why)).toEqual(['secret_unreadable', 'secret_unreadable'])

  const [worker] = box.workers.splice(0)
  if (worker) await box.end(worker, 'SIGTERM')
  box.environment.SECRETS_KEY = key
  await box.startWorker()
  await receiver.waitFor(1)
  await room.receiver.waitFor(1)
  await box.until(
    'no error code is left',
    async () => (await box.sql`select from lanes where error_code is not null`).length === 0,
  )
  expect((await healthCheck('secrets_unreadable'))?.status).toBe('ok')
})
