/** The demo's last steps: it compares two agents and generates a changelog. */
import type { ApiClient, Resource } from '../support/api-client.ts'
import { dim, printStep } from '../support/timeline.ts'

/** Compares two agents at one task: the metrics recommend a track, a person decides. */
export async function compareAgents(api: ApiClient, project: Resource, requirement: Resource): Promise<void> {
  const execution = await api.post<Resource & { graph_id: string }>(`/requirements/${requirement.id}/executions`, {
    agent: 'codex',
  })
  await api.post(`/executions/${execution.id}/start`, {})
  await api.post(`/executions/${execution.id}/complete`, {
    metrics: { tests_passed: 40, tests_failed: 2, lines_added: 500, lines_removed: 10 },
  })
  printStep('ada', 'has codex do the same task, and compares the two')
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
  printStep('signalbox', `recommends track ${result.recommendation}: ${dim(result.rationale)}`)
  await api.post(`/dual-track/${id}/decide`, { winner: result.recommendation })
  printStep('ada', `decides for track ${result.recommendation}`)
}

/** Generates the project's changelog as Markdown. */
export async function writeChangelog(api: ApiClient, project: Resource, requirement: Resource): Promise<void> {
  await api.put(`/requirements/${requirement.id}`, { status: 'done' })
  const { content } = await api.post<{ content: string }>(
    `/projects/${project.id}/deliverables/generate`,
    { deliverable_type: 'changelog' },
    { Prefer: 'wait=10' },
  )
  printStep('ada', `generates a changelog ${dim('also available as HTML')}`)
  for (const line of content.split('\n').filter((each) => /^(##|-) /.test(each))) {
    printStep('signalbox', dim(line.replaceAll(/\\|\(<[^>]+>\)/g, '')))
  }
}
