import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Workbench } from '../test/deployment-hooks/workbench.ts'

setDefaultTimeout(150_000)

const CONCURRENCY = 4
const DEAD = 3

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({
    environment: { WORKER_CONCURRENCY: String(CONCURRENCY), HOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1' },
  })
})

afterAll(() => bench.close())

const slow = async () => (await bench.box.sql`select hook_id from hook_receivers where is_slow`).length

test('receivers that time out get one request at a time, and half of a worker together, until one succeeds', async () => {
  const dead = bench.receiver()
  const hold = Promise.withResolvers<void>()
  dead.answer = async () => {
    await hold.promise
    return new Response('ok')
  }
  const hooks = await Promise.all(Array.from({ length: DEAD }, (_, index) => bench.hookTo(`${dead.url}/${index}`)))
  for (const { hook } of hooks) for (let index = 0; index < 12; index++) await bench.ask(hook, 'trigger')
  await dead.waitFor(DEAD * 10)
  await bench.box.until('all are known to be slow', async () => (await slow()) === DEAD, 40_000)
  await bench.box.until('what hung is over', async () => dead.inFlight <= CONCURRENCY / 2, 40_000)

  const live = await bench.hooked()
  const seen = dead.requests.length
  let most = 0
  for (let look = 0; look < 350; look++) {
    most = Math.max(most, dead.inFlight)
    if (look % 50 === 0)
      expect((await bench.ask(live.hook, 'trigger', undefined, { Prefer: 'wait=10' })).body.status).toBe('succeeded')
    await Bun.sleep(50)
  }
  expect(most).toBeWithin(1, CONCURRENCY / 2 + 1)
  const paths = dead.requests.slice(seen).map(({ path }) => path)
  expect(paths.length).toBeWithin(1, 7)

  hold.resolve()
  await bench.box.settled(60_000)
  expect(await slow()).toBe(0)
  // Restored: ten at once again.
  const again = Promise.withResolvers<void>()
  dead.answer = async () => {
    await again.promise
    return new Response('ok')
  }
  const [first] = hooks
  const before = dead.requests.length
  for (let index = 0; index < 12; index++) await bench.ask(first?.hook, 'trigger')
  await dead.waitFor(before + 10)
  again.resolve()
  await bench.box.settled()
})
