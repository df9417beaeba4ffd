/** What a long history costs: the same questions in an organization with little of it, and in one with much. */
import { type ApiClient, apiClient, type Thing } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import { median, milliseconds, perSecond, type Row, rounded } from './figures.ts'
import type { Part } from './part.ts'
import { type Stage, until } from './stage.ts'

const LIMIT = 2
const LITTLE = 1_000
const much = (quick: boolean): number => (quick ? 50_000 : 1_000_000)
const rounds = (quick: boolean): number => (quick ? 30 : 300)
const WARM_UP = 20
const SEAL_MS = 300_000
/** Short enough for the time limit of a statement. */
const BATCH = 100_000

interface Tenant {
  api: ApiClient
  organization: Thing
}

/** A tenant of its own, with so many audit entries and executions, spread over a year. */
async function makeTenant({ url, sql }: Stage, name: string, entries: number): Promise<Tenant> {
  const api = apiClient(url)
  const session = await api.post<{ access_token: string; user: Thing }>('/auth/register', {
    email: `${name}@example.com`,
    password: 'correct horse battery staple',
    name,
  })
  api.authorization = `Bearer ${session.access_token}`
  const organization = await api.post('/organizations', { name })
  const workspace = await api.post(`/organizations/${organization.id}/workspaces`, { name })
  const project = await api.post(`/workspaces/${workspace.id}/projects`, { name })
  const requirement = await api.post(`/projects/${project.id}/requirements`, { title: name })
  const execution = await api.post(`/requirements/${requirement.id}/executions`, { agent: 'bench' })
  await api.post(`/executions/${execution.id}/start`, {})
  await api.post(`/executions/${execution.id}/usage`, { cost_usd: 1 })
  for (let from = 0; from < entries; from += BATCH) {
    const to = Math.min(entries, from + BATCH)
    await sql`
      insert into audit_log_entries (
        organization_id, workspace_id, workspace_name, actor_type, actor_id, actor_name, action, resource_type,
        resource_id, detail, ip_address, created_at
      )
      select
        ${organization.id}, ${workspace.id}, ${name}, 'human', ${session.user.id}, ${name},
        (array['execution.created', 'execution.started', 'execution.completed', 'gate.approved', 'member.added'])[1 + number % 5],
        'execution', gen_random_uuid(), 'Entry number ' || number, '127.0.0.1', now() - number * interval '1 year' / ${entries}
      from generate_series(${from + 1}::integer, ${to}::integer) as number
    `
    await sql`
      insert into executions (
        organization_id, workspace_id, project_id, requirement_id, agent, status, cost_usd, created_by, finished_at, created_at
      )
      select
        ${organization.id}, ${workspace.id}, ${project.id}, ${requirement.id}, 'bench', 'completed', 0.1, ${session.user.id}, now(),
        now() - number * interval '1 year' / ${entries}
      from generate_series(${from + 1}::integer, ${to}::integer) as number
    `
  }
  return { api, organization }
}

/** Waits until the worker has sealed it all. @returns entries a second */
async function seal({ sql }: Stage): Promise<number> {
  const waiting = async () => {
    const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from audit_log_unsealed`
    return count
  }
  const begun = performance.now()
  const all = await waiting()
  await until('Everything is sealed', async () => (await waiting()) === 0, SEAL_MS, 200)
  return all / ((performance.now() - begun) / 1000)
}

const QUESTIONS: Record<string, (organization_id: string) => string> = {
  audit_log_page: (id) => `/organizations/${id}/audit-logs`,
  audit_log_total: (id) => `/organizations/${id}/audit-logs?page_size=1`,
  audit_log_prefix: (id) => `/organizations/${id}/audit-logs?action=member.*&start_date=2020-01-01T00:00:00Z`,
  budget_report: (id) => `/organizations/${id}/budget`,
  my_role: (id) => `/organizations/${id}/my-role`,
  organization_list: () => '/organizations',
}

async function time({ api, organization }: Tenant, question: (id: string) => string): Promise<number> {
  const begun = performance.now()
  await api.get(question(organization.id))
  return performance.now() - begun
}

/** Both in turns, so that whatever else this machine does meets both. @returns medians, in milliseconds */
async function compare(little: Tenant, large: Tenant, question: (id: string) => string, count: number) {
  const samples = { little: [] as number[], much: [] as number[] }
  for (let round = 0; round < WARM_UP + count; round++) {
    const [a, b] = [await time(little, question), await time(large, question)]
    if (round < WARM_UP) continue
    samples.little.push(a)
    samples.much.push(b)
  }
  return { little: median(samples.little), much: median(samples.much) }
}

/** A figure of something that is not counted would be of no worth. */
async function checkTotal({ api, organization }: Tenant, entries: number): Promise<void> {
  const { total } = await api.get<{ total: number }>(`/organizations/${organization.id}/audit-logs?action=member.*`)
  if (total !== entries / 5) throw new Failure(`${entries / 5} entries are member.added, but the total says ${total}.`)
}

export const history: Part = {
  name: 'history',
  thorough: true,
  conditions: (quick) =>
    [
      `history   two tenants in one database: the baseline has ${LITTLE.toLocaleString('en')} audit entries and as many executions, ours ${much(quick).toLocaleString('en')} of each, spread over a year.`,
      `          Each question ${rounds(quick)} times, one after another, in turns; medians. Sealing: by one worker, from the last insert on.`,
    ].join('\n'),
  async run(stage, quick) {
    const little = await makeTenant(stage, 'little', LITTLE)
    const large = await makeTenant(stage, 'much', much(quick))
    const sealed = await seal(stage)
    await stage.sql`analyze`
    for (const table of ['audit_log_entries', 'audit_log_seals', 'audit_log_unsealed', 'audit_log_counts', 'executions']) {
      await stage.sql`vacuum ${stage.sql(table)}`
    }
    await checkTotal(large, much(quick))
    const rows: Row[] = []
    const figures: Record<string, unknown> = {}
    for (const [name, question] of Object.entries(QUESTIONS)) {
      const measured = await compare(little, large, question, rounds(quick))
      const ratio = measured.much / measured.little
      rows.push({
        name: `history, ${name.replaceAll('_', ' ')}`,
        ours: milliseconds(measured.much),
        baseline: milliseconds(measured.little),
        ratio,
        limit: `≤ ${LIMIT}`,
      })
      figures[name] = { ours_ms: rounded(measured.much), baseline_ms: rounded(measured.little), ratio: rounded(ratio) }
    }
    rows.push({ name: 'history, sealed', ours: perSecond(sealed) })
    return { rows, figures: { history: { ...figures, sealed_per_second: rounded(sealed) } } }
  },
}
