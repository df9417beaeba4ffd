/** How long documents of a large project take. */
import { median, rounded } from './figures.ts'
import type { Part } from './part.ts'
import { createProjects, type Stage, settle } from './stage.ts'

const REQUIREMENTS = 10_000
const FEW = 100
const TYPES = ['changelog', 'project_summary'] as const
const roundsIn = (quick: boolean): number => (quick ? 2 : 7)

/** Fills a project with requirements that were completed over the last year, with an execution each. */
async function fill({ sql, tenant }: Stage, project_id: string, count: number): Promise<void> {
  const place = sql`${tenant.organization.id}::uuid, ${tenant.workspace.id}::uuid, ${project_id}::uuid`
  await sql`
    insert into requirements (
      organization_id, workspace_id, project_id, number, title, description, kind, status, completed_at, created_by, created_at
    )
    select
      ${place}, n, 'Requirement ' || n, repeat('What it is for, and how to use it. ', 6),
      (array['feature', 'change', 'fix', 'security', 'docs', 'deprecation'])[1 + n % 6], 'done', at, ${tenant.user_id},
      at - interval '3 days'
    from generate_series(1, ${count}::integer) as n
    cross join lateral (select now() - (${count}::integer - n) * interval '365 days' / ${count}::integer as at) as completed
  `
  await sql`
    insert into executions (
      organization_id, workspace_id, project_id, requirement_id, agent, status, cost_usd, created_by, started_by, started_at,
      finished_at
    )
    select
      ${place}, id, 'claude-code', 'completed', 1.25, ${tenant.user_id}, ${tenant.user_id}, completed_at - interval '1 day',
      completed_at
    from requirements
    where project_id = ${project_id}
      and organization_id = ${tenant.organization.id}
  `
}

/** @returns the median of the milliseconds until a document is generated */
async function timeOf({ api }: Stage, project_id: string, deliverable_type: string, count: number): Promise<number> {
  const samples: number[] = []
  for (let number = 0; number < count; number++) {
    const begun = performance.now()
    const path = `/projects/${project_id}/deliverables/generate`
    const { status } = await api.post<{ id: string; status: string }>(path, { deliverable_type }, { Prefer: 'wait=25' })
    if (status !== 'draft') throw new Error(`The document is ${status}.`)
    samples.push(performance.now() - begun)
  }
  return median(samples)
}

export const documents: Part = {
  name: 'documents',
  describe: (quick) =>
    `documents  From the request of a document to its end, one after another, of a project with ${REQUIREMENTS.toLocaleString('en')} requirements; baseline: one with ${FEW}. Median of ${roundsIn(quick)}.`,
  async run(stage, quick) {
    const [few, many] = await createProjects(stage, 2)
    await fill(stage, few?.id ?? '', FEW)
    await fill(stage, many?.id ?? '', REQUIREMENTS)
    await settle(stage.sql)
    const rows = []
    for (const type of TYPES) {
      const baseline = await timeOf(stage, few?.id ?? '', type, roundsIn(quick))
      const value = await timeOf(stage, many?.id ?? '', type, roundsIn(quick))
      const name = `${type.replace('_', ' ')} of a large project`
      rows.push({ name, value: rounded(value), unit: 'ms' as const, baseline: rounded(baseline), atMost: 1_000 })
    }
    return rows
  },
}
