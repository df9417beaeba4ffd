/** What it costs to receive telemetry: spans per second, and the processor time of each. */
import { cpuOf, postmasterOf } from './cpu.ts'
import { createProjects, type Part, type Stage } from './stage.ts'
import { spanExport } from './telemetry.ts'

/** What exporters send in one request by default. */
const SPANS = 512
const SENDERS = 4

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

export const usage: Part = {
  name: 'usage',
  about: `4 senders of exports of ${SPANS} spans in Protocol Buffers, each about an execution of its own, with prices and a budget; 100,000 spans.`,
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
    const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from usage_records`
    if (count !== spans + SENDERS * SPANS) throw new Error(`${count} records of ${spans + SENDERS * SPANS} spans`)
    const each = (cpu: number): number => (cpu * 1000) / spans
    return [
      { name: 'spans received', value: spans / seconds, unit: '/s', target: '≥ 5000 /s' },
      {
        name: 'PostgreSQL CPU of a span',
        value: each((await cpuOf([postmaster])) - before.postgres),
        unit: 'ms',
        target: '≤ 0.06 ms',
      },
      { name: 'API CPU of a span', value: each((await cpuOf([web.pid])) - before.api), unit: 'ms' },
    ]
  },
}
