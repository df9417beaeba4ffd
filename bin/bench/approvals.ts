/** What evidence and policies cost: opening a gate, and the fan-out of what approvals fire. */
import { median, medians, ms, timeOf, times } from './figures.ts'
import { untilDrained } from './flood.ts'
import { createHook, createProject, type Part, type Stage, settle } from './stage.ts'

const checks = Array.from({ length: 50 }, (_, index) => ({ name: `Check ${index}`, state: 'passed', detail: 'x'.repeat(900) }))
const subject = { uri: 'https://git.example.com/acme/checkout', digest: { gitCommit: 'a'.repeat(40) } }
const FULL = { environment: 'production', subject, evidence: { summary: 'Passed. '.repeat(1_000), checks } }

/** A project with a requirement, paused hooks, and completed executions with an approved gate each. */
async function prepare(stage: Stage, gate_required: boolean, count: number) {
  const { api, sql } = stage
  const { id } = await createProject(stage)
  const requirement = await api.post(`/projects/${id}/requirements`, { title: 'Pay by invoice' })
  await sql`
    with copy as (
      insert into executions (organization_id, workspace_id, project_id, requirement_id, agent, status, finished_at, created_by)
      select organization_id, workspace_id, project_id, id, 'coder', 'completed', now(), created_by
      from requirements cross join generate_series(1, ${count}::integer)
      where project_id = ${id}
      returning id, organization_id, workspace_id, project_id, created_by
    )
    insert into gates (
      organization_id, workspace_id, project_id, execution_id, name, environment, status, triggers_hooks, created_by
    )
    select organization_id, workspace_id, project_id, id, 'Review', 'production', 'approved', true, created_by
    from copy
  `
  for (const trigger_on of ['gate_approved', 'workflow_done'])
    await createHook(stage, id, { url: 'http://127.0.0.1:1', trigger_on, paused: true })
  if (gate_required) await api.put(`/projects/${id}/environments/production/policy`, { gate_required })

  /** Milliseconds to open a gate of an execution of the requirement. */
  async function open(input: object): Promise<number> {
    const execution = await api.post(`/requirements/${requirement.id}/executions`, { agent: 'coder', start: true })
    const name = async () => crypto.randomUUID()
    return median(await times(30, name, (name) => api.post(`/executions/${execution.id}/gates`, { name, ...input })))
  }

  /** Milliseconds to fan out an approval and a completed workflow for each gate, to a paused hook each. */
  async function fanOut(): Promise<number> {
    await settle(sql)
    return timeOf(async () => {
      await sql`
        with event as (
          insert into outbox (organization_id, workspace_id, project_id, name, data)
          select
            gate.organization_id, gate.workspace_id, gate.project_id, event.name,
            jsonb_build_object(
              'graph_id', graph_id,
              'gate', jsonb_build_object('id', gate.id, 'environment', environment, 'triggers_hooks', true)
            )
          from gates as gate
          join executions as execution on execution.id = execution_id
          cross join (values ('gate.approved'), ('workflow.completed')) as event (name)
          where gate.project_id = ${id} and gate.status = 'approved'
          returning id, name, data ->> 'graph_id' as graph_id
        )
        update executions set completion_id = event.id
        from event where name = 'workflow.completed' and executions.graph_id = event.graph_id::uuid
      `
      void sql`select pg_notify('signalbox_outbox', '')`.execute()
      await untilDrained(sql)
    })
  }
  return { open, fanOut }
}

export const part: Part = {
  about:
    'opening a gate with 50 KB of evidence, against one without; the fan-out of 1,000 approvals and 1,000 completed workflows where gates are required, against where not. Medians of 5, in turns.',
  async run(stage) {
    const [rounds, count] = stage.quick ? [1, 100] : [5, 1_000]
    const [free, gated] = [await prepare(stage, false, count), await prepare(stage, true, count)]
    const opened = await medians(rounds, { value: () => free.open(FULL), baseline: () => free.open({}) })
    const fannedOut = await medians(rounds, { value: gated.fanOut, baseline: free.fanOut })
    return [
      ms('opening a gate with evidence, to one without', opened, '≤ 2'),
      ms('fan-out where gates are required, to where not', fannedOut, '≤ 1.1'),
    ]
  },
}
