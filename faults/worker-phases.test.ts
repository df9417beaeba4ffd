/**
 * kill -9 of a worker in every phase of a dispatch. Each is reached by what the worker itself waits for: a lock that
 * is held against it, or a receiver that kills it. What the dead one asked the database for may still come to pass
 * there afterwards; so it is tried both ways, and with a successor that is there before.
 */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Workbench } from '../test/deployment-hooks/workbench.ts'
import type { Receiver } from '../test/support/receiver.ts'
import type { Answer } from '../test/support/signalbox.ts'

setDefaultTimeout(60_000)

/** What becomes of the statement that the dead worker left waiting. */
type Legacy = 'dies with it' | 'is carried out all the same' | 'is carried out when another has taken over'

const LEGACIES: Legacy[] = ['dies with it', 'is carried out all the same', 'is carried out when another has taken over']

let bench: Workbench
let hook: Answer['body']
let receiver: Receiver

beforeEach(async () => {
  bench = await Workbench.open({ workers: 0 })
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

/** What is held against a worker: all rows of a table, so that it cannot change them, or the whole, so that it cannot read it. */
type Held = 'rows of lanes' | 'rows of deliveries' | 'deliveries'

/** Holds something for as long as something else is done. */
async function holding(held: Held, work: () => Promise<void>): Promise<void> {
  await bench.box.sql.begin(async (tx) => {
    if (held === 'deliveries') await tx`lock table deliveries in access exclusive mode`
    else await tx`select from ${tx(held.replace('rows of ', ''))} for no key update`
    await work()
  })
}

/** The backend in which a statement waits for a lock; the newest, once there are so many. */
async function waiting(statement: string, count = 1): Promise<number> {
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

/** Kills the worker where its statement waits for what is held, and starts another. */
async function killedAt(statement: string, held: Held, legacy: Legacy): Promise<void> {
  let backend = 0
  await holding(held, async () => {
    await bench.box.startWorker()
    backend = await waiting(statement)
    await kill()
    if (legacy === 'dies with it') await bench.box.sql`select pg_terminate_backend(${backend})`
    if (legacy === 'is carried out when another has taken over') {
      await bench.box.startWorker()
      // It has come as far, and is behind the dead one.
      await waiting(statement, 2)
    }
  })
  await bench.box.until(
    'the statement has ended',
    async () => (await bench.box.sql`select from pg_stat_activity where pid = ${backend}`).length === 0,
  )
  if (bench.box.workers.length === 0) await bench.box.startWorker()
}

/** What came and what is on record of a dispatch, and how often its end was told. */
async function expectEnded({ id }: Answer['body'], attempts: string[], recorded = 1): Promise<void> {
  await bench.box.settled()
  const dispatch = await bench.dispatch(id)
  expect(dispatch).toMatchObject({ status: 'succeeded', attempt_count: recorded })
  expect(dispatch.attempts).toHaveLength(recorded)
  const requests = receiver.requests.filter(({ headers }) => headers['x-signalbox-delivery'] === id)
  expect(requests.map(({ headers }) => headers['x-signalbox-attempt'])).toEqual(attempts)
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
  const told = await bench.box.sql`select from outbox where name = 'deployment.succeeded' and data -> 'dispatch' ->> 'id' = ${id}`
  expect(told).toHaveLength(1)
}

/** The lane is nobody's prisoner: what comes next goes out once. */
async function expectAlive(): Promise<void> {
  await expectEnded(await trigger(), ['1'])
}

describe('a worker that is killed', () => {
  test('while it fans an event out leaves it to the next, once and with the first number', async () => {
    const { project } = await bench.hookTo(receiver.url)
    await bench.approve(project)
    await killedAt('select id, owner_id, sequence', 'rows of lanes', 'is carried out all the same')
    await bench.box.settled()
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-sequence'])).toEqual(['1'])
    await expectAlive()
  })

  // No other worker drains before the dead one's statement has ended.
  test.each(LEGACIES.slice(0, 2))('before its drain has leased the lane has sent nothing; the lease %s', async (legacy) => {
    const dispatch = await trigger()
    await killedAt('select id, owner_id, sequence', 'rows of lanes', legacy)
    await expectEnded(dispatch, ['1'])
    await expectAlive()
  })

  test.each(LEGACIES)('before its job has leased the lane has sent nothing; the lease %s', async (legacy) => {
    const dispatch = await trigger()
    await bench.box.sql`update outbox set drained_at = now()`
    await bench.box.sql`select ops.wake_lanes(array[organization_id], array[id]) from lanes where id = ${hook.id}`
    await killedAt('set owner_id = $1', 'rows of lanes', legacy)
    await expectEnded(dispatch, ['1'])
    await expectAlive()
  })

  test.each(LEGACIES)(
    'after it has leased the lane and before it has read what is due has sent nothing; the reading %s',
    async (legacy) => {
      const dispatch = await trigger()
      await killedAt('from lanes as lane\n    join deployment_hooks', 'deliveries', legacy)
      await expectEnded(dispatch, ['1'])
      await expectAlive()
    },
  )

  test('while its request is under way leaves a repeat, under the same id and number', async () => {
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
    await expectAlive()
  })

  // What the statement does is undone: its connection died before the commit.
  test.each(LEGACIES)('after the answer and before the record leaves a repeat, though the record %s', async (legacy) => {
    const dispatch = await trigger()
    await killedAt('with attempt as materialized', 'rows of deliveries', legacy)
    await expectEnded(dispatch, ['1', '1'])
    await expectAlive()
  })

  test('after a failure and before its record has not counted it', async () => {
    receiver.answer = (_, number) => new Response('', { status: number === 1 ? 500 : 200 })
    const dispatch = await trigger()
    await killedAt('with attempt as materialized', 'rows of deliveries', 'is carried out all the same')
    await expectEnded(dispatch, ['1', '1'])
    await expectAlive()
  })

  test.each<[string, number, string[]]>([
    ['a success is not repeated', 200, ['1']],
    ['a failure is tried again, though no alarm was set', 500, ['1', '2']],
  ])('after the record and before the lane is left: %s', async (_, status, attempts) => {
    const dispatch = await trigger()
    const held = Promise.withResolvers<void>()
    receiver.answer = async (_, number) => {
      if (number === 1) await held.promise
      return new Response('', { status: number === 1 ? status : 200 })
    }
    await bench.box.startWorker()
    await receiver.waitFor(1)
    await holding('rows of lanes', async () => {
      held.resolve()
      await waiting('set owner_id = null')
      expect(await bench.dispatch(dispatch.id)).toMatchObject({ attempt_count: 1, response_status: status })
      await kill()
    })
    await bench.box.startWorker()
    await expectEnded(dispatch, attempts, attempts.length)
    await expectAlive()
  })
})
