/** What the demo makes of finished work: a judgement between two agents, and a changelog. */
import type { ApiClient, Resource } from '../support/api-client.ts'
import { dim, tell } from '../support/timeline.ts'

/** Two agents at one task: the figures recommend, a person decides. */
export async function decideBetween(api: ApiClient, project: Resource, requirement: Resource): Promise<void> {
  const execution = await api.post<Resource & { graph_id: string }>(`/requirements/${requirement.id}/executions`, {
    agent: 'codex',
  })
  await api.post(`/executions/${execution.id}/start`, {})
  await api.post(`/executions/${execution.id}/complete`, {
    metrics: { tests_passed: 40, tests_failed: 2, lines_added: 500, lines_removed: 10 },
  })
  tell('ada', 'lets codex do the same, and compares the two')
  const { items } = await api.get<{ items: { agent: string; graph_id: string }[] }>(`/requirements/${requirement.id}/executions`)
  const first = items.find(({ agent }) => agent === 'claude-code')
  const { id } = await api.post(`/projects/${project.id}/dual-track`, {
    work_item_id: requirement.id,
    track_a_graph_id: first?.graph_id,
    track_a_agent: 'claude-code',
    track_b_graph_id: execution.graph_id,
    track_b_agent: 'codex',
  })
  const { result } = await api.post<{ result: { recommendation: string; rationale: string } }>(
    `/dual-track/${id}/compare`,
    {},
    { Prefer: 'wait=10' },
  )
  tell('signalbox', `recommends track ${result.recommendation}: ${dim(result.rationale)}`)
  await api.post(`/dual-track/${id}/decide`, { winner: result.recommendation })
  tell('ada', `decides for track ${result.recommendation}`)
}

/** A document from what the project did, as Markdown. */
export async function writeChangelog(api: ApiClient, project: Resource, requirement: Resource): Promise<void> {
  await api.put(`/requirements/${requirement.id}`, { status: 'done' })
  const { content } = await api.post<{ content: string }>(
    `/projects/${project.id}/deliverables/generate`,
    { deliverable_type: 'changelog' },
    { Prefer: 'wait=10' },
  )
  tell('ada', `has a changelog written ${dim('also to be had as HTML')}`)
  for (const line of content.split('\n').filter((each) => /^(##|-) /.test(each))) {
    tell('signalbox', dim(line.replaceAll(/\\|\(<[^>]+>\)/g, '')))
  }
}
