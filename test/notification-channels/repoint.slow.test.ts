import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ChannelType } from '../../core/notification-channels/types.ts'
import { CONFIGS } from './configs.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({
    environment: { CHANNEL_RETRY_SECONDS: Array(30).fill('0.01').join(','), CHANNEL_DISABLE_SECONDS: '0' },
  })
})

afterAll(() => bench.close())

type Answer = [status: number, headers: object]
/** At least one. */
type Late = [Answer, ...Answer[]]

/** Responses that say something about the channel of a type, and what says that a message was delivered. */
const RESPONSES: { [Type in Exclude<ChannelType, 'email'>]: { late: Late; delivered: string } } = {
  webhook: {
    late: [
      [410, {}],
      [500, { 'X-Signalbox-Control': 'stop' }],
      [503, { 'Retry-After': '3600' }],
    ],
    delivered: '',
  },
  slack: { late: [[410, {}]], delivered: 'ok' },
  teams: { late: [[404, {}]], delivered: '' },
  feishu: { late: [[404, {}]], delivered: '{"code":0}' },
}

const cases = Object.entries(RESPONSES).flatMap(([type, { late, delivered }]) =>
  late.map(([status, headers]) => [type as keyof typeof RESPONSES, status, headers, delivered] as const),
)

const SENDING = 'a late response from the previous URL of a %s channel decides only its own attempt: %d'

test.each(cases)(SENDING, async (type, status, headers, delivered) => {
  const late = Promise.withResolvers<Response>()
  const [before, after] = [bench.receiver(), bench.receiver()]
  before.answer = () => late.promise
  after.answer = () => new Response(delivered)
  const configAt = (url: string): object => CONFIGS[type](url, (field) => field)[0] ?? {}
  const { channel, project } = await bench.subscribedChannel(type, configAt(before.url))
  await bench.openGate(project)
  await before.waitFor(1)
  const change = await bench.admin.put(`${bench.path}/${channel.id}`, { config: configAt(after.url) })
  expect(change.status).toBe(200)
  late.resolve(new Response('', { status, headers: new Headers(Object.entries(headers)) }))

  expect(await bench.settled(channel)).toMatchObject({ status: 'succeeded', attempt_count: 2, error: null })
  expect([before.requests.length, after.requests.length]).toEqual([1, 1])
  expect((await bench.admin.get(`${bench.path}/${channel.id}`)).body).toMatchObject({ enabled: true, disabled_reason: null })
  expect(await bench.health(channel)).toEqual({ failures: 0, held_until: null })
})
