/** What documents cost: one of a large project, and what many in a queue do to another tenant's dispatches. */
import type { Thing } from '../support/api-client.ts'
import { milliseconds, percentile, rounded } from './figures.ts'
import type { Part } from './part.ts'
import { idle, makeProjects, type Stage, until } from './stage.ts'

const REQUIREMENTS = 10_000
const QUEUED = 200
const LIMIT_SECONDS = 2
const LIMIT_MB = 150
const LIMIT_DELAY_MS = 100

const countOf = (quick: boolean): number => (quick ? 1_000 : REQUIREMENTS)
const gatesOf = (quick: boolean): number => (quick ? 5 : 30)

async function fill({ sql, tenant }: Stage, project_id: string, count: number): Promise<void> {
  await sql`
    with made as (
      insert into requirements (
        organization_id, workspace_id, project_id, number, title, description, kind, status, completed_at, created_by
      )
      select
        organization_id, workspace_id, id, number, 'Requirement ' || number || ' of a large project',
        repeat('What it is about, in a sentence. ', 10),
        (array['feature', 'change', 'fix', 'security', 'docs', 'chore'])[1 + number % 6], 'done', now(), ${tenant.user_id}
      from projects
      cross join generate_series(1, ${count}::integer) as number
      where id = ${project_id}
      returning id, organization_id, project_id, created_by
    )
    insert into requirement_changes (organization_id, requirement_id, project_id, from_status, to_status, changed_by)
    select organization_id, id, project_id, 'open', 'done', created_by from made
  `
  await sql`update projects set requirement_count = ${count} where id = ${project_id}`
  await sql`vacuum (analyze) requirements, requirement_changes`
}

/** Milliseconds from the approval of a gate to the arrival of its dispatch, one after another. */
async function approvals(stage: Stage, gates: Thing[], arrived: Map<string, number>): Promise<number[]> {
  const samples: number[] = []
  for (const gate of gates) {
    await stage.api.post(`/gates/${gate.id}/approve`, {})
    const answered = performance.now()
    await until('The dispatch arrives', async () => arrived.has(gate.id), 10_000, 1)
    samples.push((arrived.get(gate.id) ?? Number.NaN) - answered)
  }
  return samples
}

async function measure(stage: Stage, count: number, gateCount: number) {
  const { api, sql } = stage
  const [large, busy] = await makeProjects(stage, 2)
  if (!large || !busy) throw new Error('No project was made')
  await fill(stage, large.id, count)
  const before = await stage.worker.memory()
  const begun = performance.now()
  const { id } = await api.post(`/projects/${large.id}/deliverables/generate`, { deliverable_type: 'changelog' })
  await made(stage, id)
  const seconds = (performance.now() - begun) / 1000
  const memory = await stage.worker.memory()

  // The other tenant's, in an organization of its own.
  const organization = await api.post('/organizations', { name: 'Other' })
  const workspace = await api.post(`/organizations/${organization.id}/workspaces`, { name: 'Other' })
  const project = await api.post(`/workspaces/${workspace.id}/projects`, { name: 'Beside' })
  const arrived = new Map<string, number>()
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const now = performance.now()
      const { data } = (await request.json()) as { data: { gate: Thing } }
      arrived.set(data.gate.id, now)
      return new Response('ok')
    },
  })
  try {
    const hook = { name: 'Beside', url: receiver.url.href, trigger_on: 'gate_approved' }
    await api.post(`/projects/${project.id}/deployment-hooks`, hook)
    const requirement = await api.post(`/projects/${project.id}/requirements`, { title: 'Beside' })
    const execution = await api.post(`/requirements/${requirement.id}/executions`, { agent: 'bench' })
    await api.post(`/executions/${execution.id}/start`, {})
    const gates: Thing[] = []
    for (let index = 0; index < gateCount * 2; index++)
      gates.push(await api.post(`/executions/${execution.id}/gates`, { name: 'Gate' }))
    await fill(stage, busy.id, Math.ceil(count / 10))
    await idle(sql)
    const alone = await approvals(stage, gates.slice(0, gateCount), arrived)
    await Promise.all(
      Array.from({ length: QUEUED }, () =>
        api.post(`/projects/${busy.id}/deliverables/generate`, { deliverable_type: 'project_summary' }),
      ),
    )
    const beside = await approvals(stage, gates.slice(gateCount), arrived)
    const [{ left }] = await sql<[{ left: number }]>`select count(*) as left from deliverables where status = 'generating'`
    await until('All documents are made', async () => !(await anyGenerating(stage)), 60_000)
    return { seconds, before, memory, alone, beside, left }
  } finally {
    await receiver.stop(true)
  }
}

const made = ({ sql }: Stage, id: string) =>
  until(
    'The document is made',
    async () => {
      const [found] = await sql<{ status: string }[]>`select status from deliverables where id = ${id}`
      return found?.status === 'draft'
    },
    60_000,
    5,
  )

async function anyGenerating({ sql }: Stage): Promise<boolean> {
  const [{ busy }] = await sql<[{ busy: boolean }]>`select exists (select from deliverables where status = 'generating') as busy`
  return busy
}

export const documents: Part = {
  name: 'documents',
  thorough: true,
  conditions: (quick) =>
    [
      `document  a changelog over ${countOf(quick).toLocaleString('en')} requirements, from the request to the finished record; memory is the worker's, after it.`,
      `beside    from an approval to its dispatch, on an idle worker and while ${QUEUED} documents of another organization wait; ${gatesOf(quick)} each, median.`,
    ].join('\n'),
  async run(stage, quick) {
    // A worker of its own: what a flood of another part has left in one's memory is not this part's.
    await stage.withoutWorker(async () => {})
    const { seconds, before, memory, alone, beside, left } = await measure(stage, countOf(quick), gatesOf(quick))
    const delay = percentile(beside, 0.5) - percentile(alone, 0.5)
    return {
      rows: [
        { name: 'large changelog', ours: `${rounded(seconds)} s`, limit: `< ${LIMIT_SECONDS} s` },
        {
          name: 'memory, worker after it',
          ours: `${memory ?? '?'} MB`,
          baseline: `${before ?? '?'} MB`,
          limit: `< ${LIMIT_MB} MB`,
        },
        {
          name: `what ${QUEUED} documents delay a dispatch by`,
          ours: milliseconds(delay),
          baseline: `${milliseconds(percentile(alone, 0.5))} without`,
          limit: `< ${LIMIT_DELAY_MS} ms`,
        },
        { name: 'the slowest of them', ours: milliseconds(Math.max(...beside)), baseline: milliseconds(Math.max(...alone)) },
      ],
      figures: {
        large_changelog_seconds: rounded(seconds),
        large_changelog_worker_mb: memory,
        dispatch_beside_documents_ms: {
          alone: rounded(percentile(alone, 0.5)),
          beside: rounded(percentile(beside, 0.5)),
          delay: rounded(delay),
          still_waiting: left,
        },
      },
    }
  },
}
