/** What it costs to receive telemetry: spans per second, and the processor time of each. */
import type { Sql } from '../../sql/index.ts'
import { costOf } from './cpu.ts'
import { medians, ms, perSecond, timeOf } from './figures.ts'
import { createProject, createTenant, inParallel, type Part, type Stage, type Tenant } from './stage.ts'
import { spanExport } from './telemetry.ts'

/** What exporters send in one request by default. */
const SPANS = 512
const SENDERS = 4

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

/** Writes usage records of an execution over a year, and the sums of their amounts. */
const insertRecords = (sql: Sql, execution_id: string, count: number) =>
  sql.begin(async (tx) => {
    await tx`
      insert into usage_records (
        organization_id, execution_id, id, source, model, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens,
        reasoning_tokens, cost_usd, used_at
      )
      select
        organization_id, id, lpad(to_hex(number), 32, '0')::uuid, 'telemetry', 'model-' || number % 20, 1000, 0, 0, 100, 0, 0.01,
        now() - number / 20 % 12 * interval '1 month'
      from executions
      cross join generate_series(1, ${count}::integer) as number
      where id = ${execution_id}
    `
    await tx`
      insert into model_spend (organization_id, month, workspace_id, project_id, agent, model, used_usd)
      select organization_id, month, workspace_id, project_id, agent, model, used_usd
      from (
        select execution_id, date_trunc('month', used_at)::date as month, model, sum(cost_usd) as used_usd
        from usage_records
        where execution_id = ${execution_id}
        group by 1, 2, 3
      ) as used
      join executions on executions.id = used.execution_id
    `
    await tx`
      insert into agent_spend (organization_id, month, workspace_id, project_id, agent, used_usd)
      select organization_id, month, workspace_id, project_id, agent, sum(used_usd)
      from model_spend
      where organization_id = (select organization_id from executions where id = ${execution_id})
      group by 1, 2, 3, 4, 5
    `
  })

/** Milliseconds to read the spend by model of an organization with many usage records, and of one with few, in turns. */
async function readSpend({ sql, quick, url }: Stage) {
  const [many, few, reads, rounds] = quick ? [100_000, 1_000, 20, 3] : [10_000_000, 10_000, 100, 7]
  // The log and the check of keys would take longer than the records. The database is removed afterwards.
  await sql`
    alter table usage_records
      drop constraint usage_records_execution,
      set unlogged,
      set (autovacuum_enabled = false)
  `
  const prepare = async (records: number) => {
    const tenant = await createTenant(url)
    await insertRecords(sql, await startExecution(tenant), records)
    const path = `/organizations/${tenant.organization.id}/budget/history?group_by=model&limit=100`
    const read = async () => {
      const { length } = await tenant.api.get<unknown[]>(path)
      if (length !== 100) throw new Error(`The spend by model has ${length} entries`)
    }
    return async () => {
      const all = Array.from({ length: reads }, () => true)
      return (await timeOf(() => inParallel(1, all, read))) / reads
    }
  }
  const [value, baseline] = [await prepare(many), await prepare(few)]
  await sql`analyze usage_records, model_spend, agent_spend`
  return medians(rounds, { value, baseline })
}

export const part: Part = {
  about: `4 senders of exports of ${SPANS} spans in Protocol Buffers, each about an execution of its own, with prices and a budget; 100,000 spans. The spend by model of an organization with 10,000,000 usage records, and of one with 10,000, by 20 models in 12 months.`,
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
      perSecond('spans received', spans.perSecond, '≥ 5000 /s'),
      ms('PostgreSQL CPU of a span', spans.postgres, '≤ 0.06 ms'),
      ms('API CPU of a span', spans.api),
      ms('spend by model with many records, to few', spend, '≤ 1.1'),
    ]
  },
}
