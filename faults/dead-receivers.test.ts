import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Workbench } from '../test/deployment-hooks/workbench.ts'

setDefaultTimeout(150_000)

const MOST = 20
/** More than the half of the requests that they share. */
const DEAD = 12

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({
    environment: { DELIVERY_IN_FLIGHT: String(MOST), HOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1' },
  })
})

afterAll(() => bench.close())

const slow = async () => (await bench.box.sql`select lane_id from lane_health where timed_out`).length

test('receivers that time out get one request at a time, and half of a worker together, until one succeeds', async () => {
  const dead = bench.receiver()
  const hold = Promise.withResolvers<void>()
  dead.answer = async () => {
    await hold.promise
    return new Response('ok')
  }
  const hooks = await Promise.all(Array.from({ length: DEAD }, (_, index) => bench.hookTo(`${dead.url}/${index}`)))
  for (const { hook } of hooks) for (let index = 0; index < 12; index++) await bench.ask(hook, 'trigger')
  // All that one tenant may have.
  await dead.waitFor(MOST * 0.9)
  await bench.box.until('all are known to be slow', async () => (await slow()) === DEAD, 40_000)
  // What was sent before that hangs for 15 seconds.
  await Bun.sleep(15_500)

  const live = await bench.hooked()
  const seen = dead.requests.length
  let most = 0
  for (let look = 0; look < 350; look++) {
    most = Math.max(most, dead.inFlight)
    if (look % 50 === 0)
      expect((await bench.ask(live.hook, 'trigger', undefined, { Prefer: 'wait=10' })).body.status).toBe('succeeded')
    await Bun.sleep(50)
  }
  expect(most).toBeWithin(1, MOST / 2 + 1)
  const requests = dead.requests.slice(seen)
  expect(requests.length).toBeWithin(1, MOST + MOST / 2 + 1)
  // Each of them hangs for 15 seconds: one of a hook that comes sooner is a second one at a time.
  for (const ofHook of Map.groupBy(requests, ({ path }) => path).values()) {
    const pauses = ofHook.slice(1).map(({ at }, index) => at - (ofHook[index]?.at ?? 0))
    expect(pauses.filter((ms) => ms < 14_000)).toEqual([])
  }

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
