/** What it costs to receive telemetry: spans per second, and the processor time of each. */
import type { Sql } from '../../sql/index.ts'
import { costOf } from './cpu.ts'
import { medians, ms, perSecond, timeOf } from './figures.ts'
import { createProject, createTenant, inParallel, type Part, type Stage, type Tenant } from './stage.ts'
import { spanExport } from './telemetry.ts'

/** What exporters send in one request by default. */
const SPANS = 512
const SENDERS = 4
/** Records that a statement writes in a few seconds. */
const BATCH = 200_000

/** A running execution whose cost is that of its telemetry. */
async function startExecution(tenant: Tenant): Promise<string> {
  const project = await createProject(tenant)
  const { id } = await tenant.api.post(`/projects/${project.id}/requirements`, { title: 'Measure' })
  const input = { agent: 'bench', cost_from: 'telemetry', start: true }
  return (await tenant.api.post(`/requirements/${id}/executions`, input)).id
}

async function send(url: string, token: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-protobuf' }
  const response = await fetch(`${url}/otlp/v1/traces`, { method: 'POST', headers, body })
  const { length } = await response.bytes()
  if (response.status !== 200 || length > 0) throw new Error(`An export was answered with ${response.status}, or rejected`)
}

/** Writes usage records beside those that were reported. */
const insertRecords = (sql: Sql, execution_id: string, count: number) => sql`
  insert into usage_records (
    organization_id, execution_id, id, source, model, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens,
    reasoning_tokens, cost_usd, used_at
  )
  select organization_id, id, gen_random_uuid(), 'telemetry', 'gpt-5', 1000, 0, 0, 100, 0, 0.01, now()
  from executions
  cross join generate_series(1, ${count}::integer)
  where id = ${execution_id}
`

/** Milliseconds to read the spend by model of an organization with many usage records, and of one with few, in turns. */
async function readSpend({ sql, quick, url }: Stage) {
  const [many, few, reads, rounds] = quick ? [100_000, 1_000, 20, 3] : [10_000_000, 10_000, 100, 7]
  const prepare = async (records: number) => {
    const tenant = await createTenant(url)
    const { api, organization } = tenant
    const id = await startExecution(tenant)
    for (let model = 0; model < 20; model++) await api.post(`/executions/${id}/usage`, { model: `model-${model}`, cost_usd: 1 })
    for (let left = records; left > 0; left -= BATCH) await insertRecords(sql, id, Math.min(left, BATCH))
    const read = () => api.get(`/organizations/${organization.id}/budget/history?group_by=model`)
    return () =>
      timeOf(() =>
        inParallel(
          1,
          Array.from({ length: reads }, () => true),
          read,
        ),
      ).then((ms) => ms / reads)
  }
  const [value, baseline] = [await prepare(many), await prepare(few)]
  await sql`analyze usage_records`
  return medians(rounds, { value, baseline })
}

export const part: Part = {
  about: `4 senders of exports of ${SPANS} spans in Protocol Buffers, each about an execution of its own, with prices and a budget; 100,000 spans. The spend by model of an organization with 10,000,000 usage records, and of one with 10,000.`,
  async run(stage) {
    const { api, url, sql, quick, organization } = stage
    const exports = quick ? 8 : 200
    const price = { model: 'gpt-5*', from: '2020-01-01T00:00:00Z', input: 1.25, cached_input: 0.125, output: 10 }
    await api.put(`/organizations/${organization.id}/model-prices`, [price])
    const { token } = await api.post<{ token: string }>('/auth/tokens', { name: 'bench' })
    const ids = await Promise.all(Array.from({ length: SENDERS }, () => startExecution(stage)))
    const bodiesFor = (count: number) =>
      Array.from({ length: count }, (_, index) => spanExport(ids[index % SENDERS] ?? '', SPANS))
    const sendAll = (bodies: Uint8Array<ArrayBuffer>[]) => inParallel(SENDERS, bodies, (body) => send(url, token, body))
    await sendAll(bodiesFor(SENDERS))
    const bodies = bodiesFor(exports)
    const spans = await costOf(stage, exports * SPANS, () => sendAll(bodies))
    const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from usage_records`
    const expected = (exports + SENDERS) * SPANS
    if (count !== expected) throw new Error(`${count} records of ${expected} spans`)
    const spend = await readSpend(stage)
    return [
      perSecond('spans received', spans.perSecond, { target: '≥ 5000 /s' }),
      ms('PostgreSQL CPU of a span', spans.postgres, { target: '≤ 0.06 ms' }),
      ms('API CPU of a span', spans.api),
      ms('spend by model with many records, to few', spend.value, { ...spend, target: '≤ 1.1' }),
    ]
  },
}
