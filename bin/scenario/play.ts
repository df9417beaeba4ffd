/** Plays the scenario through the API, as any client would. */
import { checked, out } from '../../cli/support/terminal.js'
import type { ApiClient, Resource } from '../support/api-client.ts'
import { Failure } from '../support/command.ts'
import { approveByTwo, approveInBrowser } from './decide.ts'
import { arrivalOf, PEOPLE, type Site, type Stage, waitFor } from './stage.ts'
import { type Hook, PRODUCTION, STAGING, STORY, type Task } from './story.ts'

export type Named = Resource & { name: string }
type Execution = Resource & { graph_id: string }

/** Answers once it is done. */
const WAIT = { Prefer: 'wait=10' }

/** Creates the organization with its members, workspaces, projects and a runtime. */
export async function createSite(
  { clients, say }: Stage,
  organization: { name: string },
  budget: { budget_monthly_limit_usd: number; budget_alert_threshold: number },
): Promise<Site> {
  const { ada, grace } = clients
  const made: Partial<Site> = { organization: await ada.post('/organizations', organization) }
  const home = `/organizations/${made.organization?.id}`
  say('ada', `creates the organization ${organization.name}`)
  await ada.put(home, budget)
  say('ada', `gives it a budget of ${budget.budget_monthly_limit_usd} USD a month`)
  for (const person of ['grace', 'alan', 'margaret'] as const)
    await ada.post(`${home}/members`, { email: clients[person].email, role: PEOPLE[person].role })
  say('ada', 'adds Grace as an admin, Alan and Margaret as members')
  for (const { workspace, members, projects } of STORY.workspaces) {
    const { id } = await grace.post(`${home}/workspaces`, workspace)
    made.platform ??= { id }
    for (const person of members) await grace.post(`/workspaces/${id}/members`, { user_id: clients[person].id, role: 'member' })
    for (const [key, project] of Object.entries(projects)) {
      const repository_url = `https://git.example.com/northwind/${key}`
      const fields = { support: 'https://help.northwind.example.com/', version_scheme: 'semver', repository_url }
      made[key as keyof Site] = await grace.post(`/workspaces/${id}/projects`, { ...project, ...fields })
      say('grace', `creates the project ${project.name} in the workspace ${workspace.name}`)
    }
  }
  const runtime = { name: 'Build farm', hostname: 'build-1.northwind.example.com', agents: ['claude-code', 'codex'] }
  made.farm = await ada.post(`${home}/runtimes`, runtime)
  return made as Site
}

/** Creates a hook, which leads to the receiver if it has a path there. */
export async function createHook({ clients, receiver, say }: Stage, site: Site, hook: Hook): Promise<Named> {
  const { project, path = '', ...fields } = hook
  const url = `${receiver.url}${path}`
  const input = path ? { url, ...fields } : fields
  const made = await clients.grace.post<Named & { secret?: string }>(`/projects/${site[project].id}/deployment-hooks`, input)
  if (path && made.secret) receiver.secrets[path] = made.secret
  say('grace', `creates the hook ${made.name} → ${url}`)
  return made
}

/** Requires one approval from each group for production. @returns the rule, for other policies */
export async function requireTwoGroups({ clients, say }: Stage, { organization, checkout }: Site): Promise<object[]> {
  const approvers: object[] = []
  for (const { members, ...group } of STORY.groups) {
    const { id } = await clients.ada.post(`/organizations/${organization.id}/groups`, group)
    for (const person of members) await clients.ada.put(`/groups/${id}/members/${clients[person].id}`, {})
    approvers.push({ group_id: id, count: 1 })
  }
  const policy = { approvers, require_subject: true, require_checks: true }
  await clients.ada.put(`/projects/${checkout.id}/environments/${PRODUCTION}/policy`, policy)
  say('ada', `requires one approval each from ${STORY.groups.map(({ name }) => name).join(' and ')} for production`)
  return approvers
}

const metricsOf = (metrics: number[] = []): Record<string, number> =>
  Object.fromEntries(['tests_passed', 'tests_failed', 'lines_added', 'lines_removed'].map((name, at) => [name, metrics[at] ?? 0]))

/** Starts an execution, which reports what it costs by model. */
async function execute(author: ApiClient, requirement: Resource, farm: Resource, agent: Task['agent'], cost_usd: number) {
  const execution = await author.post<Execution>(`/requirements/${requirement.id}/executions`, { agent, runtime_id: farm.id })
  await author.post(`/executions/${execution.id}/start`, {})
  for (const [model, share] of Object.entries(STORY.models[agent])) {
    const usd = Math.round(cost_usd * share * 100) / 100
    const input_tokens = Math.round(usd * 190_000)
    const tokens = { input_tokens, cached_input_tokens: Math.round(input_tokens * 0.7), output_tokens: Math.round(usd * 8_000) }
    await author.post(`/executions/${execution.id}/usage`, { model, cost_usd: usd, ...tokens })
  }
  return execution
}

/** A commit as gates name it. @param content what its digest is made of */
const subjectOf = (project: string, content: string, version: string) => ({
  uri: `git+https://git.northwind.example.com/${project}`,
  digest: { gitCommit: new Bun.CryptoHasher('sha1').update(content).digest('hex') },
  version,
})

/** What a reviewer sees: what would be deployed to production, and how well it is tested. */
function reviewOf({ title, project, metrics, outcome, version = '' }: Task, commit = ''): object {
  const { evidence, load_tests } = STORY
  const checks = [...evidence.checks, load_tests[outcome === 'waiting' ? 'failed' : 'passed']]
  return {
    environment: PRODUCTION,
    subject: subjectOf(project, title + commit, version),
    evidence: { ...evidence, checks, metrics: metricsOf(metrics) },
  }
}

/** The agent opens the gate, and is answered. @returns whether it was approved */
async function passGate(stage: Stage, author: ApiClient, { id }: Resource, task: Task): Promise<boolean> {
  const { ada, grace } = stage.clients
  const { title, gate: name, outcome, changes, comment = '', rival } = task
  const open = (review: object = {}) =>
    author.post(`/executions/${id}/gates`, { name, description: `May “${title}” be released?`, ...review })
  if (rival) {
    const first = await open(reviewOf(task, 'first'))
    stage.say('agent', `opens the gate ${name} for a commit in production, with its checks`)
    const second = await open(reviewOf(task, 'second'))
    stage.say('agent', 'pushes another commit and opens the gate again')
    const { status, superseded_by } = await ada.get<{ status: string; superseded_by: string }>(`/gates/${first.id}`)
    if (status !== 'cancelled' || superseded_by !== second.id) throw new Failure(`The first gate is ${status}.`)
    stage.say('signalbox', 'cancels the first gate: an approval is for one commit')
    await approveByTwo(stage, second, comment)
    return true
  }
  if (changes) await grace.post(`/gates/${(await open()).id}/request-changes`, { comment: changes })
  const gate = await open(outcome === 'waiting' ? reviewOf(task) : {})
  if (outcome === 'waiting') return false
  await grace.post(`/gates/${gate.id}/${outcome === 'rejected' ? 'reject' : 'approve'}`, comment ? { comment } : {})
  return outcome !== 'rejected'
}

/** Plays a task from the requirement to its outcome. @param onCompleted before another agent does the same */
export async function playTask(stage: Stage, site: Site, task: Task, onCompleted = async () => {}): Promise<void> {
  const { clients, say } = stage
  const { project, title, kind = 'feature', description, outcome, failed, agent, cost_usd, error } = task
  const person = project === 'checkout' ? 'alan' : 'margaret'
  const author = clients[person]
  const acceptance_criteria = task.criteria ?? ['All tests pass.', 'The change is described in the changelog.']
  const wanted = { title, kind, description, acceptance_criteria }
  const requirement = await author.post(`/projects/${site[project].id}/requirements`, wanted)
  say(person, `writes the requirement ${title}`)
  if (outcome === 'open') return
  await author.put(`/requirements/${requirement.id}`, { status: 'in_progress' })
  if (failed) {
    const { id } = await execute(author, requirement, site.farm, failed[0], failed[1])
    await author.post(`/executions/${id}/fail`, { error: failed[2] })
  }
  const execution = await execute(author, requirement, site.farm, agent, cost_usd)
  say('agent', `${agent} works on it, and reports what it costs: ${cost_usd} USD, by model`)
  if (task.gate && !(await passGate(stage, author, execution, task))) return
  if (outcome === 'running') return
  const metrics = metricsOf(task.metrics)
  if (outcome === 'failed') return void (await author.post(`/executions/${execution.id}/fail`, { metrics, error }))
  await author.post(`/executions/${execution.id}/complete`, { metrics, summary: `${title}: implemented and tested.` })
  say('agent', `completes the execution: ${metrics.tests_passed} tests passed`)
  await onCompleted()
  if (task.rival) await compareAgents(stage, site, requirement, execution, agent, task.rival)
  await author.put(`/requirements/${requirement.id}`, { status: 'done' })
}

/** Another agent does the same task; the metrics recommend a track and Ada decides. */
async function compareAgents(
  { clients: { ada, alan }, say }: Stage,
  { checkout, farm }: Site,
  requirement: Resource,
  { graph_id: track_a_graph_id }: Execution,
  track_a_agent: string,
  { agent: track_b_agent, cost_usd, metrics }: NonNullable<Task['rival']>,
): Promise<void> {
  const { id: other, graph_id: track_b_graph_id } = await execute(alan, requirement, farm, track_b_agent, cost_usd)
  await alan.post(`/executions/${other}/complete`, { metrics: metricsOf(metrics), summary: 'Implemented and tested.' })
  say('alan', `has ${track_b_agent} do the same task, and compares the two`)
  const tracks = { track_a_graph_id, track_a_agent, track_b_graph_id, track_b_agent }
  const { id } = await alan.post(`/projects/${checkout.id}/dual-track`, { work_item_id: requirement.id, ...tracks })
  type Compared = { result: { recommendation: string; rationale: string } }
  const { recommendation, rationale } = (await ada.post<Compared>(`/dual-track/${id}/compare`, {}, WAIT)).result
  say('signalbox', `recommends track ${recommendation}: ${out.dim(rationale.replaceAll('\n', ' '))}`)
  await ada.post(`/dual-track/${id}/decide`, { winner: recommendation })
  say('ada', `decides for track ${recommendation}`)
}

/** Generates a document. */
export async function generate(stage: Stage, { id }: Resource, deliverable_type: string) {
  const { clients, say } = stage
  const path = `/projects/${id}/deliverables/generate`
  const { id: document_id } = await clients.alan.post(path, { deliverable_type }, WAIT)
  // A busy machine may need longer than that.
  const document = await waitFor(stage, `The ${deliverable_type} was not generated`, async () => {
    const { status, ...made } = await clients.alan.get<Resource & { status: string; content: string }>(
      `/deliverables/${document_id}`,
    )
    return status === 'generating' ? undefined : made
  })
  say('alan', `generates a ${deliverable_type.replace('_', ' ')}`)
  return document
}

/** What runs in production. @throws Failure unless the last rollout there had this state */
export async function production({ clients, say }: Stage, { checkout }: Site, state: string): Promise<string | undefined> {
  type Environment = {
    environment: string
    current?: { version: string }
    latest?: { state: string }
    change_failure_rate_30d?: number
  }
  const environments = await clients.ada.get<Environment[]>(`/projects/${checkout.id}/environments`)
  const found = environments.find(({ environment }) => environment === PRODUCTION)
  if (found?.latest?.state !== state) throw new Failure(`The last rollout to production ${found?.latest?.state}: not ${state}.`)
  const rate = (found.change_failure_rate_30d ?? 0).toLocaleString('en', { style: 'percent' })
  say('signalbox', `${checked(true, `${PRODUCTION} runs ${found.current?.version}`)}  ${out.dim(`change failure rate ${rate}`)}`)
  return found.current?.version
}

/** A deployment to production has failed: what ran before is rolled out again, by each hook of the project. */
export async function rollBack(stage: Stage, site: Site, failing: number): Promise<void> {
  const { clients, receiver, say } = stage
  await arrivalOf(stage, 'workflow.completed', ({ path, sequence }) => path === '/production' && sequence === failing)
  await receiver.reported()
  const target_version = await production(stage, site, 'failed')
  say('grace', `rolls back to ${target_version} ${out.dim('Prefer: wait=10')}`)
  const rollback = { target_version, reason: 'Invoices are sent twice.' }
  const path = `/projects/${site.checkout.id}/deployment-rollback`
  const { dispatches } = await clients.grace.post<{ dispatches: { status: string }[] }>(path, rollback, WAIT)
  say('signalbox', `answers: ${dispatches.map(({ status }) => status).join(' and ')}, once for each hook of the project`)
  await arrivalOf(stage, 'deployment.rollback', (each) => each.path === '/production')
  await receiver.reported()
  const version = await production(stage, site, 'succeeded')
  if (version !== target_version) throw new Failure(`${version} runs in production instead of ${target_version}.`)
}

type OpenGate = Resource & { name: string; binding: string; evidence: { checks: { name: string }[] } }

/**
 * From now on, production gets what has run in staging. A fix is deployed there; Signalbox asks for it when its soak has ended, and a person
 * approves it with one click.
 * @param approvers who decides that
 */
export async function promoteFix(stage: Stage, site: Site, deployments: Named, approvers: object[]): Promise<void> {
  const { clients, receiver, say } = stage
  const { ada, grace, alan } = clients
  const { evidence, load_tests, fix, release } = STORY
  const project = `/projects/${site.checkout.id}`
  const { soak_seconds } = fix
  await grace.put(`/deployment-hooks/${deployments.id}`, { trigger_on: 'gate_approved' })
  const policy = { approvers, promotes_from: STAGING, soak_seconds, open_gate: true }
  await ada.put(`${project}/environments/${PRODUCTION}/policy`, policy)
  say(
    'ada',
    `lets ${PRODUCTION} follow ${STAGING}: Signalbox asks a release manager about what has run there for ${soak_seconds} s`,
  )

  const { id, binding } = await alan.post<OpenGate>(`${project}/gates`, {
    name: release.gate,
    environment: STAGING,
    subject: subjectOf(release.project, fix.summary, fix.version),
    evidence: { ...evidence, summary: fix.summary, checks: [...evidence.checks, load_tests.passed] },
  })
  say('agent', `opens the gate ${release.gate} for the fix in ${STAGING}`)
  await grace.post(`/gates/${id}/approve`, { binding })
  say('grace', 'approves it')
  await arrivalOf(stage, 'gate.approved', ({ path }) => path === '/staging')
  await receiver.reported()

  const found = await waitFor(stage, 'The next gate was not opened', async () =>
    (await ada.get<OpenGate[]>(`${project}/gates`)).find(({ name }) => name === `Promote to ${PRODUCTION}`),
  )
  const gate = await ada.get<OpenGate>(`/gates/${found.id}`)
  const checks = gate.evidence.checks.map(({ name }) => name).join(', ')
  say('signalbox', `opens the gate ${gate.name} by itself: ${checked(true, checks)}`)
  const page = await approveInBrowser(stage, gate, 'grace', '')
  say('grace', `approves it with one click ${out.dim(page)}`)
  await arrivalOf(stage, 'gate.approved', ({ path }) => path === '/production')
  await receiver.reported()
  const version = await production(stage, site, 'succeeded')
  if (version !== fix.version) throw new Failure(`${version} runs in production instead of ${fix.version}.`)
}
