/** How long documents of a large project take, and how much memory. */
import { Failure } from '../support/failure.ts'
import { peakDuring } from './cpu.ts'
import { median, type Row } from './figures.ts'
import { createProjects, type Part, type Stage, settle } from './stage.ts'

const TYPES = ['changelog', 'project_summary', 'user_manual', 'deployment_guide', 'api_docs'] as const
const SMALL = { requirements: 100, operations: 5 }
const LARGE = { requirements: 10_000, operations: 500 }

/** Creates a project with requirements that were completed over the last year, with an execution each, and with an API. */
async function createProject(stage: Stage, { requirements, operations }: typeof SMALL): Promise<string> {
  const { api, sql, user_id, tenant } = stage
  const [project] = await createProjects(stage, 1)
  const scope = sql`${tenant.organization.id}::uuid, ${tenant.workspace.id}::uuid, ${project?.id ?? ''}::uuid`
  await sql`
    with created as (
      insert into requirements (
        organization_id, workspace_id, project_id, number, title, description, kind, status, completed_at, created_by, created_at
      )
      select
        ${scope}, n, 'Requirement ' || n, repeat('What it is for, and how to use it. ', 6),
        (array['feature', 'change', 'fix', 'security', 'docs', 'deprecation'])[1 + n % 6], 'done', at, ${user_id},
        at - interval '3 days'
      from generate_series(1, ${requirements}::integer) as n
      cross join lateral (select now() - (${requirements}::integer - n) * interval '365 days' / ${requirements}::integer as at) as done
      returning id, completed_at
    )
    insert into executions (
      organization_id, workspace_id, project_id, requirement_id, agent, status, cost_usd, created_by, started_by, started_at,
      finished_at
    )
    select
      ${scope}, id, 'claude-code', 'completed', 1.25, ${user_id}, ${user_id}, completed_at - interval '1 day',
      completed_at
    from created
  `
  await api.put(`/projects/${project?.id}/api-description`, description(operations))
  return project?.id ?? ''
}

/** An API with operations that use schemas within schemas, one of them within itself. */
function description(count: number): object {
  const ref = (n: number) => ({ $ref: `#/components/schemas/Thing${n % count}` })
  const id = { type: 'string', format: 'uuid' }
  const operation = (n: number) => {
    const content = { 'application/json': { schema: ref(n) } }
    return {
      summary: `Operation ${n}`,
      description: 'What it does, and when to use it. '.repeat(4),
      parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
      requestBody: { content },
      responses: { '200': { description: 'Done.', content }, '404': { description: 'Unknown.' } },
    }
  }
  const name = { type: 'string', maxLength: 200, description: 'What it is called.' }
  const schema = (n: number) => ({
    type: 'object',
    required: ['name'],
    properties: { id, name, parts: { type: 'array', items: ref(n) }, next: ref(n + 1) },
  })
  const numbers = Array.from({ length: count }, (_, n) => n)
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1.0.0' },
    paths: Object.fromEntries(numbers.map((n) => [`/things-${n}/{id}`, { post: operation(n) }])),
    components: { schemas: Object.fromEntries(numbers.map((n) => [`Thing${n}`, schema(n)])) },
  }
}

/** @returns the median of the milliseconds until a document is generated, and the highest memory of the worker in MiB */
async function measure({ api, worker, quick }: Stage, project_id: string, deliverable_type: string) {
  const samples: number[] = []
  const peak = await peakDuring(worker.pid, async () => {
    for (let number = 0; number < (quick ? 2 : 7); number++) {
      const begun = performance.now()
      const path = `/projects/${project_id}/deliverables/generate`
      const { status } = await api.post<{ status: string }>(path, { deliverable_type }, { Prefer: 'wait=25' })
      if (status !== 'draft') throw new Failure(`The document is ${status}.`)
      samples.push(performance.now() - begun)
    }
  })
  return { time: median(samples), peak }
}

export const documents: Part = {
  name: 'documents',
  about: `from the request of a document to its end, one after another, of a project with ${LARGE.requirements.toLocaleString('en')} requirements and ${LARGE.operations} operations; baseline: one with ${SMALL.requirements} and ${SMALL.operations}. Median of 7; the highest resident memory of the worker meanwhile.`,
  async run(stage) {
    const [small, large] = [await createProject(stage, SMALL), await createProject(stage, LARGE)]
    await settle(stage.sql)
    const rows: Row[] = []
    for (const type of TYPES) {
      const [before, after] = [await measure(stage, small, type), await measure(stage, large, type)]
      const name = `${type.replace('_', ' ')} of a large project`
      const target = type === 'changelog' ? '≤ 1000 ms' : '≤ 2000 ms'
      rows.push({ name, value: after.time, unit: 'ms', baseline: before.time, target })
      rows.push({ name: '  memory', value: after.peak, unit: 'MiB', baseline: before.peak ?? undefined, target: '≤ 200 MiB' })
    }
    return rows
  },
}
