import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({
    environment: { CHANNEL_RETRY_SECONDS: Array(30).fill('0.01').join(','), CHANNEL_DISABLE_SECONDS: '0' },
  })
})

afterAll(() => bench.close())

test.each([
  ['webhook', 410, {}],
  ['webhook', 500, { 'X-Signalbox-Control': 'stop' }],
  ['webhook', 503, { 'Retry-After': '3600' }],
  ['slack', 410, {}],
  ['teams', 404, {}],
])('a late response from the previous URL of a %s channel decides only its own attempt: %d', async (type, status, headers) => {
  const late = Promise.withResolvers<Response>()
  const [before, after] = [bench.receiver(), bench.receiver()]
  before.answer = () => late.promise
  const field = type === 'webhook' ? 'url' : 'webhook_url'
  const { channel, project } = await bench.subscribedChannel(type, { [field]: before.url })
  await bench.openGate(project)
  await before.waitFor(1)
  const change = await bench.admin.put(`${bench.path}/${channel.id}`, { config: { [field]: after.url } })
  expect(change.status).toBe(200)
  late.resolve(new Response('', { status, headers }))

  expect(await bench.settled(channel)).toMatchObject({ status: 'succeeded', attempt_count: 2, error: null })
  expect([before.requests.length, after.requests.length]).toEqual([1, 1])
  expect((await bench.admin.get(`${bench.path}/${channel.id}`)).body).toMatchObject({ enabled: true, disabled_reason: null })
  expect(await bench.health(channel)).toEqual({ failures: 0, held_until: null })
})
