import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from '../test/deployment-hooks/workbench.ts'

const MAX_IN_FLIGHT = 20
/** More than half of the slots, which is what they may share. */
const DEAD = 12

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({
    environment: { DELIVERY_IN_FLIGHT: String(MAX_IN_FLIGHT), HOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1' },
  })
})

afterAll(() => bench.close())

const countTimedOut = async () => (await bench.box.sql`select lane_id from lane_health where timed_out`).length

test('receivers that time out get one request at a time, and half of the slots together, until one succeeds', async () => {
  const dead = bench.receiver()
  const firstHold = Promise.withResolvers<void>()
  dead.answer = async () => {
    await firstHold.promise
    return new Response('ok')
  }
  const hooks = await Promise.all(Array.from({ length: DEAD }, (_, index) => bench.hookTo(`${dead.url}/${index}`)))
  for (const { hook } of hooks) for (let index = 0; index < 12; index++) await bench.ask(hook, 'trigger')
  // All slots that one tenant may hold.
  await dead.waitFor(MAX_IN_FLIGHT * 0.9)
  await bench.box.until('all have timed out', async () => (await countTimedOut()) === DEAD, 40_000)
  // Requests sent before that hang for 15 seconds.
  await Bun.sleep(15_500)

  const live = await bench.hooked()
  const seen = dead.requests.length
  let maximum = 0
  for (let sample = 0; sample < 350; sample++) {
    maximum = Math.max(maximum, dead.inFlight)
    if (sample % 50 === 0)
      expect((await bench.ask(live.hook, 'trigger', undefined, { Prefer: 'wait=10' })).body.status).toBe('succeeded')
    await Bun.sleep(50)
  }
  expect(maximum).toBeWithin(1, MAX_IN_FLIGHT / 2 + 1)
  const requests = dead.requests.slice(seen)
  expect(requests.length).toBeWithin(1, MAX_IN_FLIGHT + MAX_IN_FLIGHT / 2 + 1)
  // Each request hangs for 15 seconds: one that comes sooner would be a second one at a time.
  for (const ofHook of Map.groupBy(requests, ({ path }) => path).values()) {
    const pauses = ofHook.slice(1).map(({ at }, index) => at - (ofHook[index]?.at ?? 0))
    expect(pauses.filter((ms) => ms < 14_000)).toEqual([])
  }

  firstHold.resolve()
  await bench.box.settled(60_000)
  expect(await countTimedOut()).toBe(0)
  // Recovered: ten at once again.
  const secondHold = Promise.withResolvers<void>()
  dead.answer = async () => {
    await secondHold.promise
    return new Response('ok')
  }
  const [first] = hooks
  const before = dead.requests.length
  for (let index = 0; index < 12; index++) await bench.ask(first?.hook, 'trigger')
  await dead.waitFor(before + 10)
  secondHold.resolve()
  await bench.box.settled()
})
