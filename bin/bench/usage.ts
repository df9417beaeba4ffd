/** What it costs to receive telemetry: spans per second, and the processor time of each. */
import type { Sql } from '../../sql/index.ts'
import { cpuOf, postmasterOf } from './cpu.ts'
import { medians } from './figures.ts'
import { createOrganization, createProjects, type Part, type Stage } from './stage.ts'
import { spanExport } from './telemetry.ts'

/** What exporters send in one request by default. */
const SPANS = 512
const SENDERS = 4
/** Records that a statement writes in a few seconds. */
const BATCH = 200_000

/** A running execution whose cost is that of its telemetry. */
async function startExecution({ api }: Stage, project_id: string): Promise<string> {
  const { id } = await api.post(`/projects/${project_id}/requirements`, { title: 'Measure' })
  const input = { agent: 'bench', cost_from: 'telemetry', start: true }
  return (await api.post(`/requirements/${id}/executions`, input)).id
}

async function send(url: string, token: string, body: Uint8Array): Promise<void> {
  const response = await fetch(`${url}/otlp/v1/traces`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-protobuf' },
    body: Buffer.from(body),
  })
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
async function readSpend(stage: Stage) {
  const { api, sql, quick } = stage
  const [many, few, reads, rounds] = quick ? [100_000, 1_000, 20, 3] : [10_000_000, 10_000, 100, 7]
  const prepare = async (records: number) => {
    const tenant = await createOrganization(api)
    const [project = { id: '' }] = await createProjects({ api, tenant }, 1)
    const id = await startExecution(stage, project.id)
    for (let model = 0; model < 20; model++) await api.post(`/executions/${id}/usage`, { model: `model-${model}`, cost_usd: 1 })
    for (let left = records; left > 0; left -= BATCH) await insertRecords(sql, id, Math.min(left, BATCH))
    return `/organizations/${tenant.organization.id}/budget/history?group_by=model`
  }
  const [large, small] = [await prepare(many), await prepare(few)]
  await sql`analyze usage_records`
  const time = (path: string) => async () => {
    const begun = performance.now()
    for (let read = 0; read < reads; read++) await api.get(path)
    return (performance.now() - begun) / reads
  }
  return medians(rounds, { value: time(large), baseline: time(small) })
}

export const usage: Part = {
  name: 'usage',
  about: `4 senders of exports of ${SPANS} spans in Protocol Buffers, each about an execution of its own, with prices and a budget; 100,000 spans. The spend by model of an organization with 10,000,000 usage records, and of one with 10,000.`,
  async run(stage) {
    const { api, url, sql, process: web, quick, tenant } = stage
    const exports = quick ? 8 : 200
    const price = { model: 'gpt-5*', from: '2020-01-01T00:00:00Z', input: 1.25, cached_input: 0.125, output: 10 }
    await api.put(`/organizations/${tenant.organization.id}/model-prices`, [price])
    const [project = { id: '' }] = await createProjects(stage, 1)
    const { token } = await api.post<{ id: string; token: string }>('/auth/tokens', { name: 'bench' })
    const ids = await Promise.all(Array.from({ length: SENDERS }, () => startExecution(stage, project.id)))
    for (const id of ids) await send(url, token, spanExport(id, SPANS))
    const bodies = ids.map((id) => Array.from({ length: exports / SENDERS }, () => spanExport(id, SPANS)))
    const postmaster = await postmasterOf(sql)
    const before = { postgres: await cpuOf([postmaster]), api: await cpuOf([web.pid]), at: performance.now() }
    await Promise.all(
      bodies.map(async (own) => {
        for (const body of own) await send(url, token, body)
      }),
    )
    const seconds = (performance.now() - before.at) / 1000
    const spans = exports * SPANS
    const each = (cpu: number): number => (cpu * 1000) / spans
    const apiCpu = each((await cpuOf([web.pid])) - before.api)
    const postgresCpu = each((await cpuOf([postmaster])) - before.postgres)
    const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from usage_records`
    if (count !== spans + SENDERS * SPANS) throw new Error(`${count} records of ${spans + SENDERS * SPANS} spans`)
    return [
      { name: 'spans received', value: spans / seconds, unit: '/s', target: '≥ 5000 /s' },
      { name: 'PostgreSQL CPU of a span', value: postgresCpu, unit: 'ms', target: '≤ 0.06 ms' },
      { name: 'API CPU of a span', value: apiCpu, unit: 'ms' },
      { name: 'spend by model with many records, to few', ...(await readSpend(stage)), unit: 'ms', target: '≤ 1.1' },
    ]
  },
}
