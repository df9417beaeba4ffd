/** What it costs to receive telemetry: spans per second, and the processor time of each. */
import { randomBytes } from 'node:crypto'
import { delimited, varint } from '../../api/otlp/wire.ts'
import { costOf } from './cpu.ts'
import { ms, perSecond } from './figures.ts'
import { createProject, inParallel, type Part, type Stage } from './stage.ts'

/** What exporters send in one request by default. */
const SPANS = 512
const SENDERS = 4

type Bytes = Uint8Array<ArrayBuffer>

/** A field of a message of Protocol Buffers: a text, or fields. */
const field = (number: number, value: string | Uint8Array[]): Uint8Array =>
  delimited(number, typeof value === 'string' ? Buffer.from(value) : Buffer.concat(value))

/** Fields of `KeyValue` and of `AnyValue`. */
const attribute = (number: number, key: string, value: string | number): Uint8Array =>
  field(number, [field(1, key), field(2, [typeof value === 'string' ? field(1, value) : new Uint8Array([24, ...varint(value)])])])

const ATTRIBUTES = Object.entries({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-5',
  'gen_ai.response.model': 'gpt-5-2026-01-01',
  'gen_ai.response.id': 'chatcmpl-0123456789abcdef',
  'gen_ai.usage.input_tokens': 12_345,
  'gen_ai.usage.output_tokens': 678,
  'gen_ai.usage.cache_read.input_tokens': 10_000,
  'server.address': 'api.example.com',
}).map(([key, value]) => attribute(9, key, value))

/** A span of an inference with ids of its own. */
function span(): Uint8Array {
  const now = Buffer.alloc(9)
  now[0] = (8 << 3) | 1
  now.writeBigUInt64LE(BigInt(Date.now()) * 1_000_000n, 1)
  return field(2, [field(1, [randomBytes(16)]), field(2, [randomBytes(8)]), field(5, 'chat gpt-5'), now, ...ATTRIBUTES])
}

/** An export of spans of one execution. */
function spanExport(execution_id: string): Bytes {
  const resource = field(1, [attribute(1, 'signalbox.execution_id', execution_id)])
  return new Uint8Array(field(1, [resource, field(2, Array.from({ length: SPANS }, span))]))
}

/** A running execution whose cost is that of its telemetry. */
async function startExecution(stage: Stage): Promise<string> {
  const project = await createProject(stage)
  const { id } = await stage.api.post(`/projects/${project.id}/requirements`, { title: 'Measure' })
  const input = { agent: 'bench', cost_from: 'telemetry', start: true }
  return (await stage.api.post(`/requirements/${id}/executions`, input)).id
}

async function send(url: string, token: string, body: Bytes): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-protobuf' }
  const response = await fetch(`${url}/otlp/v1/traces`, { method: 'POST', headers, body })
  const { length } = await response.bytes()
  if (response.status !== 200 || length > 0) throw new Error(`An export was answered with ${response.status}, or rejected`)
}

export const part: Part = {
  about: `${SENDERS} senders of exports of ${SPANS} spans in Protocol Buffers, made before they are measured, each about an execution of its own, with prices and a budget; 100,000 spans.`,
  async run(stage) {
    const { api, url, sql, quick, organization } = stage
    const exports = quick ? 8 : 200
    const price = { model: 'gpt-5*', from: '2020-01-01T00:00:00Z', input: 1.25, cached_input: 0.125, output: 10 }
    await api.put(`/organizations/${organization.id}/model-prices`, [price])
    const { token } = await api.post<{ token: string }>('/auth/tokens', { name: 'bench' })
    const ids = await Promise.all(Array.from({ length: SENDERS }, () => startExecution(stage)))
    const bodiesFor = (count: number) => Array.from({ length: count }, (_, index) => spanExport(ids[index % SENDERS] ?? ''))
    const sendAll = (bodies: Bytes[]) => inParallel(SENDERS, bodies, (body) => send(url, token, body))
    await sendAll(bodiesFor(SENDERS))
    const bodies = bodiesFor(exports)
    const spans = await costOf(stage, exports * SPANS, () => sendAll(bodies))
    const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from usage_records`
    const expected = (exports + SENDERS) * SPANS
    if (count !== expected) throw new Error(`${count} records of ${expected} spans`)
    return [
      perSecond('spans received', spans.perSecond, '≥ 5000 /s'),
      ms('PostgreSQL CPU of a span', spans.postgres, '≤ 0.06 ms'),
      ms('API CPU of a span', spans.api),
    ]
  },
}
