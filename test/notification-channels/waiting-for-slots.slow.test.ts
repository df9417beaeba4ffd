import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ environment: { DELIVERY_IN_FLIGHT: '1' } })
})

afterAll(() => bench.close())

/** Messages fetched longer ago than this are fetched again before they are sent. */
const STALE_MS = 1_000

describe('messages that a worker has fetched and that wait for a slot', () => {
  test('are not sent once their channel is disabled', async () => {
    const [receiver, busy] = [bench.receiver(), bench.receiver()]
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    receiver.answer = () => first.promise.then(() => new Response('ok'))
    busy.answer = () => second.promise.then(() => new Response('ok'))
    const { channel, project } = await bench.subscribedChannel('webhook', { url: receiver.url })
    const { channel: waiting, project: other } = await bench.subscribedChannel('webhook', { url: busy.url })
    await Promise.all(Array.from({ length: 4 }, () => bench.openGate(project)))
    await receiver.waitFor(1)
    await bench.logged(channel, (entries) => entries.length === 4)
    await bench.openGate(other)
    await bench.box.until(
      'the other lane waits for the slot',
      async () => (await bench.box.sql`select from lanes where id = ${waiting.id} and owner_id is not null`).length === 1,
    )
    // The only slot goes to the lane that has waited longest.
    first.resolve()
    await busy.waitFor(1)
    await bench.admin.put(`${bench.path}/${channel.id}`, { enabled: false })
    const cancelled = (await bench.log(channel)).filter(({ status }) => status === 'cancelled').length
    expect(cancelled).toBeGreaterThan(0)
    await Bun.sleep(STALE_MS + 100)
    second.resolve()
    // A test message is sent after everything that would be sent.
    await bench.tested(channel)
    expect(receiver.requests).toHaveLength(4 - cancelled + 1)
  })
})
