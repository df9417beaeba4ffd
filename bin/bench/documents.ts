/** How long documents of a large project take, and how much memory. */
import { median, type Row, rounded } from './figures.ts'
import type { Part } from './part.ts'
import { createProjects, type Stage, settle } from './stage.ts'

const REQUIREMENTS = 10_000
const FEW = 100
const OPERATIONS = 500
const TYPES = ['changelog', 'project_summary', 'user_manual', 'deployment_guide', 'api_docs'] as const
const SAMPLE_EVERY_MS = 10
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

/** An API with operations that use schemas within schemas, one of them within itself. */
function description(count: number): object {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const content = (schema: object) => ({ 'application/json': { schema } })
  const operation = (n: number) => ({
    summary: `Operation ${n}`,
    description: 'What it does, and when to use it. '.repeat(4),
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
    requestBody: { content: content(ref(`Thing${n}`)) },
    responses: { '200': { description: 'Done.', content: content(ref(`Thing${n}`)) }, '404': { description: 'Unknown.' } },
  })
  const schema = (n: number) => ({
    type: 'object',
    required: ['name'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      name: { type: 'string', maxLength: 200, description: 'What it is called.' },
      parts: { type: 'array', items: ref(`Thing${n}`) },
      next: ref(`Thing${(n + 1) % count}`),
    },
  })
  const numbers = Array.from({ length: count }, (_, n) => n)
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1.0.0' },
    paths: Object.fromEntries(numbers.map((n) => [`/things-${n}/{id}`, { post: operation(n) }])),
    components: { schemas: Object.fromEntries(numbers.map((n) => [`Thing${n}`, schema(n)])) },
  }
}

/** The highest resident memory of the worker while something is done, in MiB; null on systems without /proc. */
async function peakDuring({ worker }: Stage, action: () => Promise<void>): Promise<number | null> {
  let peak = 0
  const timer = setInterval(async () => {
    peak = Math.max(peak, (await worker.memory()) ?? 0)
  }, SAMPLE_EVERY_MS)
  try {
    await action()
  } finally {
    clearInterval(timer)
  }
  return peak || null
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
    `documents  From the request of a document to its end, one after another, of a project with ${REQUIREMENTS.toLocaleString('en')} requirements and ${OPERATIONS} operations; baseline: one with ${FEW} and 5. Median of ${roundsIn(quick)}; the highest resident memory of the worker meanwhile.`,
  async run(stage, quick) {
    const [few, many] = await createProjects(stage, 2)
    await fill(stage, few?.id ?? '', FEW)
    await fill(stage, many?.id ?? '', REQUIREMENTS)
    await stage.api.put(`/projects/${few?.id}/api-description`, description(5))
    await stage.api.put(`/projects/${many?.id}/api-description`, description(OPERATIONS))
    await settle(stage.sql)
    const rows: Row[] = []
    for (const type of TYPES) {
      const samples: number[] = []
      const peakOf = (project_id = '') =>
        peakDuring(stage, async () => {
          samples.push(await timeOf(stage, project_id, type, roundsIn(quick)))
        })
      const [few_peak, peak] = [await peakOf(few?.id), await peakOf(many?.id)]
      const [baseline = 0, value = 0] = samples
      const name = `${type.replace('_', ' ')} of a large project`
      const atMost = type === 'changelog' ? 1_000 : 2_000
      rows.push({ name, value: rounded(value), unit: 'ms', baseline: rounded(baseline), atMost })
      rows.push({ name: `memory, ${name}`, value: peak, unit: 'MiB', baseline: few_peak ?? undefined, atMost: 200 })
    }
    return rows
  },
}
