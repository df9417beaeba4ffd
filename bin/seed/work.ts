/** Plays the work of agents and reviewers through the API. */
import type { ApiClient, Resource } from '../support/api-client.ts'
import type { Clients } from './accounts.ts'
import { CHECKOUT_API, CHECKOUT_API_BEFORE } from './api-description.ts'
import { CHECKOUT, FIRST_RELEASE } from './checkout-tasks.ts'
import type { Site } from './organization.ts'
import { type Attempt, DUAL_TRACK, IDENTITY, MODELS, type Task, VISION } from './tasks.ts'

interface Execution extends Resource {
  graph_id: string
}

/** Everything that agents did: executions, gates and a comparison of two tracks. */
export async function playWork(clients: Clients, { checkout, identity, vision, runtimes }: Site): Promise<void> {
  const { grace, alan, margaret } = clients
  const [buildFarm, workstation] = runtimes
  await grace.put(`/projects/${checkout.id}/api-description`, CHECKOUT_API_BEFORE)
  for (const task of FIRST_RELEASE) await play(task, alan, grace, checkout, buildFarm)
  for (const type of ['changelog', 'api_docs']) await publish(clients, checkout, type)
  await grace.put(`/projects/${checkout.id}/api-description`, CHECKOUT_API)
  for (const task of CHECKOUT) await play(task, alan, grace, checkout, buildFarm)
  for (const task of IDENTITY) await play(task, margaret, grace, identity, buildFarm)
  for (const task of VISION) await play(task, margaret, grace, vision, workstation)
  await compareTracks(clients, checkout)
}

type Wanted = Pick<Task, 'title' | 'kind' | 'description' | 'acceptance_criteria'>

async function createRequirement(author: ApiClient, project: Resource, wanted: Wanted) {
  const { title, kind = 'feature', description, acceptance_criteria } = wanted
  return await author.post(`/projects/${project.id}/requirements`, {
    title,
    kind,
    description,
    acceptance_criteria: acceptance_criteria ?? ['All tests pass.', 'The change is described in the changelog.'],
  })
}

async function startExecution(author: ApiClient, requirement: Resource, agent: string, runtime?: Resource): Promise<Execution> {
  const input = { agent, ...(runtime && { runtime_id: runtime.id }) }
  const execution = await author.post<Execution>(`/requirements/${requirement.id}/executions`, input)
  await author.post(`/executions/${execution.id}/start`, {})
  return execution
}

/** Reports what an execution cost, by model. */
async function reportUsage(author: ApiClient, id: string, agent: Attempt['agent'], cost_usd: number): Promise<void> {
  for (const { model, share } of MODELS[agent]) {
    const usd = Math.round(cost_usd * share * 100) / 100
    const input_tokens = Math.round(usd * 190_000)
    await author.post(`/executions/${id}/usage`, {
      model,
      cost_usd: usd,
      input_tokens,
      cached_input_tokens: Math.round(input_tokens * 0.7),
      output_tokens: Math.round(usd * 8_000),
    })
  }
}

/** What a reviewer of a waiting gate sees: what would be deployed, and how well it is tested. */
function reviewOf({ title, metrics = {} }: Task): object {
  const sha256 = new Bun.CryptoHasher('sha256').update(title).digest('hex')
  const ci = 'https://ci.northwind.example.com/runs/4711'
  return {
    environment: 'production',
    subject: {
      uri: 'pkg:oci/checkout?repository_url=registry.northwind.example.com/checkout',
      digest: { sha256 },
      version: 'v1.5.0',
    },
    evidence: {
      summary: 'Rolled out to staging an hour ago. The load test needs a look before production.',
      metrics,
      checks: [
        { name: 'Unit tests', state: 'passed', url: ci },
        { name: 'Integration tests', state: 'passed', url: ci },
        { name: 'Dependency audit', state: 'passed' },
        { name: 'Load test', state: 'failed', url: ci, detail: 'The 99th percentile is 640 ms; the limit is 500 ms.' },
      ],
      links: [{ label: 'Pull request', url: 'https://git.northwind.example.com/checkout/pull/118' }],
    },
  }
}

async function play(task: Task, author: ApiClient, reviewer: ApiClient, project: Resource, runtime?: Resource): Promise<void> {
  const { title, agent, cost_usd, outcome, gate, changes, comment, metrics, artifacts, attempts = [] } = task
  const requirement = await createRequirement(author, project, task)
  if (outcome === 'open') return
  await author.put(`/requirements/${requirement.id}`, { status: 'in_progress' })
  for (const { agent, cost_usd, error } of attempts) {
    const { id } = await startExecution(author, requirement, agent, runtime)
    await author.post(`/executions/${id}/fail`, { cost_usd, error })
  }
  const { id } = await startExecution(author, requirement, agent, runtime)
  await reportUsage(author, id, agent, cost_usd)
  if (gate) {
    const input = {
      name: gate,
      description: `May "${title}" be released?`,
      ...(outcome === 'waiting' ? reviewOf(task) : {}),
    }
    const open = () => author.post(`/executions/${id}/gates`, input)
    if (changes) await reviewer.post(`/gates/${(await open()).id}/request-changes`, { comment: changes })
    const { id: gate_id } = await open()
    if (outcome === 'waiting') return
    const decision = outcome === 'rejected' ? 'reject' : 'approve'
    await reviewer.post(`/gates/${gate_id}/${decision}`, comment ? { comment } : {})
    if (outcome === 'rejected') return
  }
  if (outcome === 'running') return
  if (outcome === 'failed') {
    await author.post(`/executions/${id}/fail`, {
      metrics,
      error: task.error ?? 'Seven tests fail: the dates of the spreadsheet have no time zone.',
    })
    return
  }
  const result = { metrics, artifacts, summary: `${title}: implemented and tested.` }
  await author.post(`/executions/${id}/complete`, result)
  await author.put(`/requirements/${requirement.id}`, { status: 'done' })
}

/** Two agents implement one requirement; the metrics recommend a track and Ada decides. */
async function compareTracks({ ada, alan }: Clients, project: Resource): Promise<void> {
  const requirement = await createRequirement(alan, project, DUAL_TRACK)
  const executions: Execution[] = []
  for (const { agent, cost_usd, metrics } of DUAL_TRACK.tracks) {
    const execution = await startExecution(alan, requirement, agent)
    await alan.post(`/executions/${execution.id}/complete`, { cost_usd, metrics, summary: 'Implemented and tested.' })
    executions.push(execution)
  }
  const [a, b] = DUAL_TRACK.tracks
  const { id } = await alan.post(`/projects/${project.id}/dual-track`, {
    work_item_id: requirement.id,
    track_a_graph_id: executions[0]?.graph_id,
    track_a_agent: a.agent,
    track_b_graph_id: executions[1]?.graph_id,
    track_b_agent: b.agent,
  })
  const { result } = await ada.post<{ result: { recommendation: string } }>(
    `/dual-track/${id}/compare`,
    {},
    { Prefer: 'wait=10' },
  )
  await ada.post(`/dual-track/${id}/decide`, { winner: result.recommendation })
  await alan.put(`/requirements/${requirement.id}`, { status: 'done' })
}

const generate = (api: ApiClient, project: Resource, deliverable_type: string) =>
  api.post(`/projects/${project.id}/deliverables/generate`, { deliverable_type }, { Prefer: 'wait=10' })

/** Publishes a document about what is done so far; a changelog makes it a release. */
async function publish({ ada, alan }: Clients, project: Resource, deliverable_type: string): Promise<void> {
  const { id } = await generate(alan, project, deliverable_type)
  await ada.post(`/deliverables/${id}/publish`, {})
}

/** Documents about the work. */
export async function writeDocuments({ ada, alan }: Clients, { checkout, vision }: Site): Promise<void> {
  await generate(alan, checkout, 'deployment_guide')
  await generate(ada, vision, 'project_summary')
}
