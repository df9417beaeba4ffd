/** Every number here is computed by hand. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { wilsonInterval } from '../../api/agent-standings/standings.ts'
import { RolloutWorkbench } from '../rollouts/workbench.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})
afterAll(() => bench.close())

const requirementIn = (project: Body): Promise<Body> =>
  bench.admin.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Pay by invoice' })

/** Starts an execution of a requirement. */
const begin = (requirement: Body, agent: string, input: object = {}): Promise<Body> =>
  bench.admin.make(`/api/v1/requirements/${requirement.id}/executions`, { agent, start: true, ...input })

const act = (of: Body, action: string, body: object = {}): Promise<Body> =>
  bench.admin.make(`/api/v1/executions/${of.id}/${action}`, body)

const done = (requirement: Body) => bench.admin.put(`/api/v1/requirements/${requirement.id}`, { status: 'done' })

/** Opens a gate and decides it. */
async function decide(execution: Body, decision: string, name = 'Review'): Promise<Body> {
  const gate = await act(execution, 'gates', { name })
  return bench.admin.make(`/api/v1/gates/${gate.id}/${decision}`, { comment: 'As it should be.' })
}

/** The dispatch that the approval of a gate causes, once it is delivered. */
async function dispatchOf(gate: Body): Promise<Body> {
  let found: Body
  await bench.box.until('the dispatch is delivered', async () => {
    ;[found] = await bench.box.sql`select id from dispatches where gate_id = ${gate.id} and status = 'succeeded'`
    return found !== undefined
  })
  return found
}

async function standings(organization: Body, query = ''): Promise<Body> {
  const { status, body } = await bench.admin.get(`/api/v1/organizations/${organization.id}/agent-standings${query}`)
  expect(status).toBe(200)
  return body
}

/** An organization of its own, with a project. */
async function place(name: string) {
  const { organization, workspace, project } = await bench.box.site(bench.admin, name)
  return { organization, workspace, project }
}

const none = { count: 0, of: 0, rate: null, low: null, high: null, rank: null }

describe('The intervals', () => {
  test.each([
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [2, 3, 0.2077, 0.9385],
    [1, 2, 0.0945, 0.9055],
    [19, 20, 0.7639, 0.9911],
    [81, 263, 0.2553, 0.3662],
  ])('of %p of %p are those of Wilson', (count, of, low, high) => {
    const interval = wilsonInterval(count, of)
    expect([interval.low, interval.high].map((bound) => Math.round(bound * 1e4) / 1e4)).toEqual([low, high])
  })
})

test('an organization without executions has no agents, and the answer says what it cannot know', async () => {
  const { organization } = await place('Empty')
  const month = new Date().toISOString().slice(0, 7)
  const body = await standings(organization)
  expect(body).toMatchObject({ to: month, total: 0, agents: [] })
  expect(body.caveats.join(' ')).toContain('Requirements differ in difficulty')
  expect(await standings(organization, '?to=2026-03')).toMatchObject({ from: '2025-04', to: '2026-03' })
  expect(await standings(organization, '?to=9999-12')).toMatchObject({ from: '9999-01' })
  expect(await standings(organization, '?to=1000-01')).toMatchObject({ from: '1000-01' })
})

test('the outcomes of executions, gates, comparisons and requirements are counted by agent', async () => {
  const { organization, project } = await place('Story')
  const [first, second, third] = [await requirementIn(project), await requirementIn(project), await requirementIn(project)]

  // Alpha needs changes for its first requirement, and two executions for the second one.
  const changed = await begin(first, 'alpha')
  await decide(changed, 'request-changes')
  await decide(changed, 'approve')
  await decide(changed, 'approve', 'Security')
  await act(changed, 'complete', { cost_usd: 2 })
  await act(await begin(second, 'alpha'), 'fail', { cost_usd: 1 })
  const again = await begin(second, 'alpha')
  const revoked = await decide(again, 'approve')
  await bench.admin.make(`/api/v1/gates/${revoked.id}/revoke`, { reason: 'Not what was asked for.' })
  await act(again, 'complete', { cost_usd: 3 })
  await Promise.all([done(first), done(second)])
  // Neither done nor decided; cancelled; not completed by this agent.
  await act(await begin(third, 'alpha'), 'complete', { cost_usd: 100 })
  await act(await begin(third, 'alpha'), 'cancel')
  await act(await begin(third, 'alpha'), 'gates', { name: 'Review' })

  // Beta reports no cost for one of its two done requirements, and is rejected once.
  const [fourth, fifth] = [await requirementIn(project), await requirementIn(project)]
  await act(await begin(fourth, 'beta'), 'complete', { cost_usd: 0.5 })
  await act(await begin(fifth, 'beta'), 'complete')
  await decide(await begin(third, 'beta'), 'reject')
  await Promise.all([done(fourth), done(fifth)])

  const compare = async (agents: string[], winner: string) => {
    const { id } = await bench.admin.make(`/api/v1/projects/${project.id}/dual-track`, {
      work_item_id: third.id,
      ...(await tracksOf(third, agents)),
    })
    await bench.admin.make(`/api/v1/dual-track/${id}/decide`, { winner })
  }
  await compare(['alpha', 'beta'], 'a')
  await compare(['beta', 'alpha'], 'a')
  await compare(['alpha', 'beta'], 'tie')
  await compare(['alpha', 'alpha'], 'b')

  const { agents, total } = await standings(organization)
  const [alpha, beta] = agents
  expect([total, agents.length]).toEqual([2, 2])
  // Six of its own, and five for the comparisons: alpha four, and beta three.
  expect(alpha).toMatchObject({
    agent: 'alpha',
    executions: 11,
    completed: { count: 3, of: 4, rate: 0.75, low: 0.3006, high: 0.9544, rank: null },
    // Review, first asked: changes; Security: approved; Review of another execution: approved, and revoked.
    gates_approved: { count: 1, of: 3, rate: 0.3333, low: 0.0615, high: 0.7923, rank: null },
    comparisons_won: { count: 1, of: 2, rate: 0.5, low: 0.0945, high: 0.9055, rank: null },
    rollouts_failed: none,
    cost_usd_per_done: { mean: 3, of: 2, rank: null },
  })
  expect(alpha.seconds_per_done).toMatchObject({ of: 2, rank: null })
  expect(beta).toMatchObject({
    agent: 'beta',
    executions: 6,
    completed: { count: 2, of: 3, rate: 0.6667, low: 0.2077, high: 0.9385 },
    gates_approved: { count: 0, of: 1, rate: 0, low: 0, high: 0.7935 },
    comparisons_won: { count: 1, of: 2 },
    cost_usd_per_done: { mean: 0.5, of: 1 },
    seconds_per_done: { of: 2 },
  })
})

/** Two tracks that wait in the queue. */
async function tracksOf(requirement: Body, [a, b]: string[]) {
  const queued = (agent?: string) => bench.admin.make(`/api/v1/requirements/${requirement.id}/executions`, { agent })
  const [one, other] = [await queued(a), await queued(b)]
  return { track_a_graph_id: one.graph_id, track_b_graph_id: other.graph_id, track_a_agent: a, track_b_agent: b }
}

test('the time of a requirement is that of all executions of the agent, from start to end', async () => {
  const { organization, project } = await place('Time')
  const requirement = await requirementIn(project)
  await act(await begin(requirement, 'alpha'), 'fail')
  await act(await begin(requirement, 'alpha'), 'complete')
  await act(await begin(requirement, 'beta'), 'fail')
  await done(requirement)
  const ended = Date.now()
  await bench.box.sql`
    update executions
    set started_at = ${new Date(ended - 90_000)}, finished_at = ${new Date(ended)}
    where organization_id = ${organization.id}
  `
  const { agents } = await standings(organization)
  expect(agents.map(({ agent, seconds_per_done }: Body) => [agent, seconds_per_done])).toEqual([
    ['alpha', { mean: 180, of: 1, rank: null }],
    ['beta', { mean: null, of: 0, rank: null }],
  ])
})

test('a use of a model without a price makes the cost of a requirement unknown', async () => {
  const { organization, project } = await place('Unpriced')
  const requirement = await requirementIn(project)
  const execution = await begin(requirement, 'alpha')
  await act(execution, 'usage', { model: 'unknown', output_tokens: 10 })
  await act(execution, 'complete', { cost_usd: 1 })
  await done(requirement)
  const { agents } = await standings(organization)
  expect(agents[0].cost_usd_per_done).toEqual({ mean: null, of: 0, rank: null })
})

test('rollouts count for the agents whose work they deploy, and are bad if they fail or are rolled back', async () => {
  const { project, hook } = await bench.reporting()
  const organization = bench.site.organization
  const deployed = async (agent: string, state: string) => {
    const dispatch = await dispatchOf(await decide(await begin(await requirementIn(project), agent), 'approve'))
    expect((await bench.report(dispatch, { state })).status).toBe(200)
  }
  await deployed('alpha', 'failed')
  await deployed('alpha', 'succeeded')
  await deployed('beta', 'succeeded')
  await bench.admin.make(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version: 'v1' })
  await deployed('alpha', 'succeeded')
  // Not because of anyone's work.
  await bench.rolledOut(hook, { state: 'failed' })
  const { agents } = await standings(organization)
  expect(agents.map(({ agent, rollouts_failed }: Body) => [agent, rollouts_failed])).toEqual([
    ['alpha', { count: 1, of: 3, rate: 0.3333, low: 0.0615, high: 0.7923, rank: null }],
    ['beta', { count: 1, of: 1, rate: 1, low: 0.2065, high: 1, rank: null }],
  ])
})

test('a completed workflow that is deployed counts once for each agent in it', async () => {
  const before = (await standings(bench.site.organization)).agents
  const { project } = await bench.reporting({ trigger_on: 'workflow_done' })
  const first = await begin(await requirementIn(project), 'gamma')
  const graph = { graph_id: first.graph_id }
  const others = [
    await begin(await requirementIn(project), 'gamma', graph),
    await begin(await requirementIn(project), 'delta', graph),
  ]
  for (const execution of [first, ...others]) await act(execution, 'complete')
  let dispatch: Body
  await bench.box.until('the dispatch is delivered', async () => {
    ;[dispatch] = await bench.box.sql`select id from dispatches where graph_id = ${graph.graph_id} and status = 'succeeded'`
    return dispatch !== undefined
  })
  await bench.report(dispatch, { state: 'failed' })
  const { agents } = await standings(bench.site.organization)
  const counted = agents.filter(({ agent }: Body) => !before.some((each: Body) => each.agent === agent))
  expect(counted.map(({ agent, rollouts_failed: { count, of } }: Body) => [agent, count, of])).toEqual([
    ['gamma', 1, 1],
    ['delta', 1, 1],
  ])
})

test('agents are ranked from 20 cases on, by what is certain of their rate', async () => {
  const { organization, project } = await place('Ranks')
  const requirement = await requirementIn(project)
  const run = async (agent: string, completed: number, failed = 0) => {
    for (let each = 0; each < completed; each++) await act(await begin(requirement, agent), 'complete', { cost_usd: 1 })
    for (let each = 0; each < failed; each++) await act(await begin(requirement, agent), 'fail')
  }
  await Promise.all([run('best', 20), run('second', 19, 1), run('equal', 19, 1), run('few', 19)])
  const { agents } = await standings(organization)
  const ranks = agents.map(({ agent, completed: { rate, rank } }: Body) => [agent, rate, rank])
  expect(ranks).toEqual([
    ['best', 1, 1],
    ['equal', 0.95, 2],
    ['second', 0.95, 2],
    ['few', 1, null],
  ])
})

test('only executions that were created in the months count', async () => {
  const { organization, project } = await place('Months')
  await act(await begin(await requirementIn(project), 'alpha'), 'complete')
  const { id } = await act(await begin(await requirementIn(project), 'alpha'), 'fail')
  await bench.box.sql`update executions set created_at = '2026-02-28T23:59:59.999Z' where id = ${id}`
  const counted = async (query: string) =>
    (await standings(organization, query)).agents.map(({ executions, completed: { count, of } }: Body) => [executions, count, of])
  const month = new Date().toISOString().slice(0, 7)
  expect(await counted('?to=2026-02')).toEqual([[1, 0, 1]])
  expect(await counted('?from=2026-03&to=2026-03')).toEqual([])
  expect(await counted(`?from=2026-02&to=${month}`)).toEqual([[2, 1, 2]])
  expect(await counted(`?from=${month}`)).toEqual([[1, 1, 1]])
  for (const [query, pointer] of [
    ['from=2026-03&to=2026-02', '/from'],
    ['from=2026-13', '/from'],
    ['to=yesterday', '/to'],
    ['agent=alpha', '/agent'],
  ]) {
    const answer = await bench.admin.get(`/api/v1/organizations/${organization.id}/agent-standings?${query}`)
    expect([query, answer.status, answer.body.errors?.[0].pointer]).toEqual([query, 422, pointer])
  }
})

test('admins of the organization read them, and no one else', async () => {
  const [member, stranger] = [await bench.box.user('Grace'), await bench.box.user('Eve')]
  await bench.box.join(member, bench.site, 'member', 'admin')
  const path = `/api/v1/organizations/${bench.site.organization.id}/agent-standings`
  expect([(await member.get(path)).status, (await stranger.get(path)).status]).toEqual([403, 404])
})
