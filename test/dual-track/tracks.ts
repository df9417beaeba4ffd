/** Creates two tracks to compare, as agents would. */
import type { Actor, Answer, Box, Site } from '../support/signalbox.ts'

/** One execution of a track. */
export interface Run {
  agent?: string
  /** How it ends; `queued` and `running` leave it open. */
  ends?: 'complete' | 'fail' | 'cancel' | 'running' | 'queued'
  /** What it reports on completion or failure. */
  report?: object
  /** Gates opened while it runs, with the decision on each. */
  gates?: ('approve' | 'reject' | 'leave' | 'revoke')[]
}

async function runOne(actor: Actor, requirement_id: string, graph_id: string, agent: string, run: Run): Promise<void> {
  const { ends = 'complete', report, gates = [] } = run
  const { id } = await actor.make(`/api/v1/requirements/${requirement_id}/executions`, { agent: run.agent ?? agent, graph_id })
  if (ends === 'queued') return
  const act = (action: string, body?: object) => actor.make(`/api/v1/executions/${id}/${action}`, body)
  if (ends !== 'cancel' || gates.length > 0) await act('start')
  for (const decision of gates) {
    const gate = await act('gates', { name: 'Review' })
    if (decision === 'revoke') await actor.make(`/api/v1/gates/${gate.id}/approve`)
    const reason = decision === 'revoke' ? { reason: 'It is vulnerable.' } : undefined
    if (decision !== 'leave') await actor.make(`/api/v1/gates/${gate.id}/${decision}`, reason)
  }
  if (ends !== 'running' && !gates.includes('reject')) await act(ends, report)
}

/** The executions of both tracks. */
export interface Tracks {
  a?: Run[]
  b?: Run[]
  agents?: [string, string]
  requirement?: object
}

/** Creates a requirement and the executions of both tracks. Returns the body of a comparison. */
export async function tracks(actor: Actor, project_id: string, given: Tracks = {}): Promise<Answer['body']> {
  const { a = [{}], b = [{}], agents = ['alpha-coder', 'beta-coder'] } = given
  const requirement = await actor.make(`/api/v1/projects/${project_id}/requirements`, {
    title: 'Pay by invoice',
    ...given.requirement,
  })
  const body = {
    work_item_id: requirement.id,
    track_a_graph_id: crypto.randomUUID(),
    track_b_graph_id: crypto.randomUUID(),
    track_a_agent: agents[0],
    track_b_agent: agents[1],
  }
  for (const run of a) await runOne(actor, requirement.id, body.track_a_graph_id, agents[0], run)
  for (const run of b) await runOne(actor, requirement.id, body.track_b_graph_id, agents[1], run)
  return body
}

/** Creates a comparison of two tracks. */
export async function comparison(actor: Actor, project_id: string, given: Tracks = {}): Promise<Answer['body']> {
  return actor.make(`/api/v1/projects/${project_id}/dual-track`, await tracks(actor, project_id, given))
}

/** Runs a comparison and waits for its outcome. */
export async function compare(actor: Actor, comparison_id: string): Promise<Answer['body']> {
  const answer = await actor.post(`/api/v1/dual-track/${comparison_id}/compare`, undefined, { Prefer: 'wait=25' })
  if (answer.status !== 200) throw new Error(`Comparing answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** The events and audit entries of a comparison, in order. */
export async function eventsAndAudit(box: Box, comparison_id: string): Promise<{ events: string[]; audit: string[] }> {
  const events = await box.sql<{ name: string }[]>`
    select name from outbox where data -> 'comparison' ->> 'id' = ${comparison_id} order by id
  `
  const audit = await box.sql<{ action: string }[]>`
    select action from audit_log_entries where resource_id = ${comparison_id} order by id
  `
  return { events: events.map(({ name }) => name), audit: audit.map(({ action }) => action) }
}

/** The spend of the organization and the workspace in this month. */
export async function fetchSpend(actor: Actor, { organization, workspace }: Site): Promise<[number, number]> {
  const [ofOrganization, ofWorkspace] = await Promise.all([
    actor.get(`/api/v1/organizations/${organization.id}`),
    actor.get(`/api/v1/workspaces/${workspace.id}`),
  ])
  return [ofOrganization.body.budget_used_usd, ofWorkspace.body.budget_used_usd]
}
