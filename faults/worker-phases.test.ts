/**
 * kill -9 of a worker in every phase of a dispatch. The phase is reached by a lock that the worker waits for, or by a
 * receiver that kills it. A statement that the killed worker has sent may still be executed afterwards, so each case is
 * tried both ways, and with a successor that was started before.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Workbench } from '../test/deployment-hooks/workbench.ts'
import type { Receiver } from '../test/support/receiver.ts'
import type { Answer } from '../test/support/signalbox.ts'

/** What happens to the statement that the killed worker left waiting. */
type Aftermath = 'is terminated' | 'runs nevertheless' | 'runs after another has taken over'

const AFTERMATHS: Aftermath[] = ['is terminated', 'runs nevertheless', 'runs after another has taken over']

let bench: Workbench
let hook: Answer['body']
let receiver: Receiver

beforeEach(async () => {
  bench = await Workbench.open({ own: true, workers: 0 })
  ;({ hook, receiver } = await bench.hooked())
  await bench.admin.subscribeToOutcomes(bench.site.workspace.id, null)
})

afterEach(() => bench.close())

const trigger = async (): Promise<Answer['body']> => (await bench.ask(hook, 'trigger')).body

async function kill(): Promise<void> {
  const [worker] = bench.box.workers.splice(0)
  worker?.kill('SIGKILL')
  await worker?.exited
}

/** What is locked against the worker: all rows of a table, to block updates, or the table, to block reads. */
type Lock = 'rows of lanes' | 'rows of deliveries' | 'deliveries'

/** Holds a lock while work is done. */
async function withLock(lock: Lock, work: () => Promise<void>): Promise<void> {
  await bench.box.sql.begin(async (tx) => {
    if (lock === 'deliveries') await tx`lock table deliveries in access exclusive mode`
    else await tx`select from ${tx(lock.replace('rows of ', ''))} for no key update`
    await work()
  })
}

/** Waits until a number of backends wait for a lock in this statement; returns the pid of the newest. */
async function waitForBlocked(statement: string, count = 1): Promise<number> {
  let pid = 0
  await bench.box.until(`"${statement}" waits`, async () => {
    const backends = await bench.box.sql<{ pid: number }[]>`
      select pid
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'
        and strpos(query, ${statement}) > 0
      order by query_start desc
    `
    pid = backends[0]?.pid ?? 0
    return backends.length >= count
  })
  return pid
}

/** Kills the worker while its statement waits for the lock, and starts another one. */
async function killWhileBlocked(statement: string, lock: Lock, aftermath: Aftermath): Promise<void> {
  let backend = 0
  await withLock(lock, async () => {
    await bench.box.startWorker()
    backend = await waitForBlocked(statement)
    await kill()
    if (aftermath === 'is terminated') await bench.box.sql`select pg_terminate_backend(${backend})`
    if (aftermath === 'runs after another has taken over') {
      await bench.box.startWorker()
      // It has reached the same statement, and waits behind the statement of the killed one.
      await waitForBlocked(statement, 2)
    }
  })
  await bench.box.until(
    'the statement has ended',
    async () => (await bench.box.sql`select from pg_stat_activity where pid = ${backend}`).length === 0,
  )
  if (bench.box.workers.length === 0) await bench.box.startWorker()
}

/** Checks the requests, the recorded attempts and the single event of a dispatch. */
async function expectEnded({ id }: Answer['body'], attempts: string[], recorded = 1): Promise<void> {
  await bench.box.settled()
  const dispatch = await bench.dispatch(id)
  expect(dispatch).toMatchObject({ status: 'succeeded', attempt_count: recorded })
  expect(dispatch.attempts).toHaveLength(recorded)
  const requests = receiver.requests.filter(({ headers }) => headers['x-signalbox-delivery'] === id)
  expect(requests.map(({ headers }) => headers['x-signalbox-attempt'])).toEqual(attempts)
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
  const events = await bench.box
    .sql`select from outbox where name = 'deployment.succeeded' and data -> 'dispatch' ->> 'id' = ${id}`
  expect(events).toHaveLength(1)
}

/** Checks that the lane still works: the next dispatch is sent once. */
async function expectLaneWorks(): Promise<void> {
  await expectEnded(await trigger(), ['1'])
}

describe('a worker that is killed', () => {
  test('while it fans out an event leaves it to the next worker, once and with the first sequence', async () => {
    const { project } = await bench.hookTo(receiver.url)
    await bench.approve(project)
    await killWhileBlocked('select id, owner_id, sequence', 'rows of lanes', 'runs nevertheless')
    await bench.box.settled()
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-sequence'])).toEqual(['1'])
    await expectLaneWorks()
  })

  // No other worker drains before the statement of the killed one has ended.
  test.each(AFTERMATHS.slice(0, 2))('before its drain leases the lane has sent nothing; the lease %s', async (aftermath) => {
    const dispatch = await trigger()
    await killWhileBlocked('select id, owner_id, sequence', 'rows of lanes', aftermath)
    await expectEnded(dispatch, ['1'])
    await expectLaneWorks()
  })

  test.each(AFTERMATHS)('before its job leases the lane has sent nothing; the lease %s', async (aftermath) => {
    const dispatch = await trigger()
    await bench.box.sql`delete from waiting_events`
    await bench.box.sql`select ops.wake_lanes(array[organization_id], array[id]) from lanes where id = ${hook.id}`
    await killWhileBlocked('set owner_id = $1', 'rows of lanes', aftermath)
    await expectEnded(dispatch, ['1'])
    await expectLaneWorks()
  })

  test.each(AFTERMATHS)(
    'between leasing the lane and fetching due dispatches has sent nothing; the fetch %s',
    async (aftermath) => {
      const dispatch = await trigger()
      await killWhileBlocked('hook.id, hook.url, hook.target_since', 'deliveries', aftermath)
      await expectEnded(dispatch, ['1'])
      await expectLaneWorks()
    },
  )

  test('with a request in flight leads to a repeated one, with the same id and number', async () => {
    const killed = Promise.withResolvers<void>()
    receiver.answer = async (_, number) => {
      if (number === 1) await kill().finally(killed.resolve)
      return new Response('ok')
    }
    const dispatch = await trigger()
    await bench.box.startWorker()
    await killed.promise
    await bench.box.startWorker()
    await expectEnded(dispatch, ['1', '1'])
    await expectLaneWorks()
  })

  // The effect of the statement is rolled back: its connection was closed before the commit.
  test.each(AFTERMATHS)('between response and record leads to a repeated request, although the record %s', async (aftermath) => {
    const dispatch = await trigger()
    await killWhileBlocked('with attempt as materialized', 'rows of deliveries', aftermath)
    await expectEnded(dispatch, ['1', '1'])
    await expectLaneWorks()
  })

  test('between a failure and its record does not count the failure', async () => {
    receiver.answer = (_, number) => new Response('', { status: number === 1 ? 500 : 200 })
    const dispatch = await trigger()
    await killWhileBlocked('with attempt as materialized', 'rows of deliveries', 'runs nevertheless')
    await expectEnded(dispatch, ['1', '1'])
    await expectLaneWorks()
  })

  test.each<[string, number, string[]]>([
    ['a success is not repeated', 200, ['1']],
    ['a failure is retried, although no wake-up job was added', 500, ['1', '2']],
  ])('between record and release of the lane: %s', async (_, status, attempts) => {
    const dispatch = await trigger()
    const response = Promise.withResolvers<void>()
    receiver.answer = async (_, number) => {
      if (number === 1) await response.promise
      return new Response('', { status: number === 1 ? status : 200 })
    }
    await bench.box.startWorker()
    await receiver.waitFor(1)
    await withLock('rows of lanes', async () => {
      response.resolve()
      // The first statement of the release.
      await waitForBlocked('select id, owner_id, sequence')
      expect(await bench.dispatch(dispatch.id)).toMatchObject({ attempt_count: 1, response_status: status })
      await kill()
    })
    await bench.box.startWorker()
    await expectEnded(dispatch, attempts, attempts.length)
    await expectLaneWorks()
  })
})
