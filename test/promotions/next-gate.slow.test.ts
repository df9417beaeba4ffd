/** The gate of the next environment opens by itself, when the soak of a subject ends. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { letExpire } from '../sql/gate-expiry.ts'
import { type Body, type Chain, PromotionWorkbench, subjectOf, V1, V2 } from './workbench.ts'

let bench: PromotionWorkbench

beforeAll(async () => {
  bench = await PromotionWorkbench.open({ workers: 2 })
})
afterAll(() => bench.close())

const OPENS = { open_gate: true }

/** Waits until the sweep has seen what changed. */
const swept = ({ project }: { project: Body }): Promise<void> =>
  bench.box.until('no environment is due', async () => {
    const [{ idle }] = await bench.box.sql<[{ idle: boolean }]>`
      select not exists (select 1 from promotions where project_id = ${project.id} and due_at <= now()) as idle
    `
    return idle
  })

const EVIDENCE = {
  summary: 'Customers can pay by invoice.',
  metrics: { coverage: 81.2 },
  checks: [{ name: 'Unit tests', state: 'passed', detail: '418 passed' }],
  links: [{ label: 'Pull request', url: 'https://git.example.com/acme/checkout/pull/12' }],
}

/** Something approved for staging with evidence, and rolled out there. */
async function promoted(chain: Chain, of: Body = V1, report: object = {}): Promise<Body> {
  const gate = await bench.approved(chain.project, of, {
    environment: 'staging',
    subject: subjectOf(of, 'v1.5.0'),
    evidence: EVIDENCE,
  })
  const found = await bench.dispatches(chain.staging, (all) =>
    all.some((each) => each.status === 'succeeded' && !each.rollout.reported_at),
  )
  const dispatch = found.find(({ rollout }) => rollout.reported_at === null)
  const { status, body } = await bench.report(dispatch, { state: 'succeeded', url: 'https://ci.example.com/runs/7', ...report })
  expect(status).toBe(200)
  return { ...body, gate }
}

test('with the subject, the evidence of the gate before, and one check more', async () => {
  const chain = await bench.chain(OPENS)
  await promoted(chain)
  const gate = await bench.next(chain)
  expect(gate).toMatchObject({
    name: 'Promote to production',
    environment: 'production',
    execution_id: null,
    created_by: null,
    actor: { type: 'system' },
    subject: subjectOf(V1, 'v1.5.0'),
    evidence: { summary: EVIDENCE.summary, metrics: EVIDENCE.metrics, links: EVIDENCE.links, artifacts: [] },
  })
  const [first, second, ...more] = gate.evidence.checks
  expect([first.name, more]).toEqual(['Unit tests', []])
  expect(second).toMatchObject({ state: 'passed', url: 'https://ci.example.com/runs/7' })
  expect(second.name).toMatch(/^staging for \d+ seconds?$/)
  const { body: log } = await bench.admin.get(
    `/api/v1/organizations/${bench.site.organization.id}/audit-logs?action=gate.pending&page_size=100`,
  )
  const entry = log.items.find(({ resource_id }: Body) => resource_id === gate.id)
  expect(entry).toMatchObject({ action: 'gate.pending', actor_type: 'system', actor_name: 'Signalbox' })
  const events = await bench.events(chain.project, 'environment.ready')
  expect(events.map(({ data }) => data)).toEqual([{ environment: 'production', subject: subjectOf(V1, 'v1.5.0') }])
  expect((await bench.titles()).some((title) => title.includes('Promote to production'))).toBe(true)
  // It can be approved as any other, by anyone who may, and is sent at once.
  await bench.approveGate(gate)
  expect((await bench.settled(chain.production)).status).toBe('succeeded')
})

test('not before the soak ends, and within two seconds of it', async () => {
  const chain = await bench.chain({ ...OPENS, soak_seconds: 3 })
  const { rollout } = await bench.run(chain.staging, V1)
  const gate = await bench.next(chain)
  const late = Date.parse(gate.created_at) - Date.parse(rollout.reported_at) - 3000
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThan(2000)
  expect(gate.evidence.checks[0].name).toMatch(/^staging for [3-5] seconds$/)
})

test('where the policy ends the soak, or says so for the first time', async () => {
  const chain = await bench.chain({ soak_seconds: 3600 })
  await bench.run(chain.staging, V1)
  await swept(chain)
  expect(await bench.events(chain.project, 'environment.ready')).toEqual([])
  await bench.policy(chain.project, { soak_seconds: 0 })
  await bench.box.until('it is ready', async () => (await bench.events(chain.project, 'environment.ready')).length === 1)
  expect(await bench.opened(chain.project)).toEqual([])
  await bench.policy(chain.project, OPENS)
  await bench.next(chain)
  expect(await bench.events(chain.project, 'environment.ready')).toHaveLength(1)
})

test('of a rollout that comes from no gate: with what is known of it', async () => {
  const chain = await bench.chain(OPENS)
  const { id } = await bench.run(chain.staging, V1, 'succeeded', { version: 'v9' })
  const gate = await bench.next(chain)
  expect(gate.subject).toMatchObject({ digest: V1, version: 'v9' })
  expect(gate.evidence).toMatchObject({ summary: null, metrics: {}, links: [] })
  expect(gate.evidence.checks).toHaveLength(1)
  expect(gate.evidence.checks[0].url).toEndWith(`/app/dispatches/${id}`)
})

test('never with the name or the evidence of a gate that was not approved', async () => {
  const chain = await bench.chain(OPENS)
  await bench.open(chain.project, V1, {
    environment: 'staging',
    subject: { ...subjectOf(V1), uri: 'https://evil.example.com/' },
    evidence: EVIDENCE,
  })
  await bench.run(chain.staging, V1)
  const gate = await bench.next(chain)
  expect(gate.subject.uri).not.toContain('evil')
  expect(gate.evidence.summary).toBeNull()
})

describe('It does not open', () => {
  /** Nothing is opened for the subject after another look. */
  const stays = async (chain: { project: Body }, count: number): Promise<void> => {
    await bench.box.sql`update promotions set due_at = now() where project_id = ${chain.project.id}`
    await swept(chain)
    expect(await bench.opened(chain.project)).toHaveLength(count)
  }

  test('if the digest runs there already', async () => {
    const chain = await bench.chain(OPENS)
    await bench.run(chain.production, V1)
    await bench.run(chain.staging, V1)
    await stays(chain, 0)
    expect(await bench.events(chain.project, 'environment.ready')).toEqual([])
  })

  test('if a gate for it is pending, approved, rejected or withdrawn, or changes were requested', async () => {
    const decisions: ((gate: Body) => Promise<unknown>)[] = [
      async () => {},
      bench.approveGate,
      ({ id }) => bench.admin.make(`/api/v1/gates/${id}/reject`, {}),
      ({ id }) => bench.admin.make(`/api/v1/gates/${id}/cancel`),
      ({ id }) => bench.admin.make(`/api/v1/gates/${id}/request-changes`, { comment: 'Split it.' }),
    ]
    for (const decide of decisions) {
      const chain = await bench.chain()
      await bench.run(chain.staging, V1)
      const { body: gate } = await bench.open(chain.project, V1)
      await decide(gate)
      await bench.policy(chain.project, OPENS)
      await stays(chain, 0)
    }
  })

  test('twice; but again if the approval was revoked', async () => {
    const chain = await bench.chain(OPENS)
    await bench.run(chain.staging, V1)
    const gate = await bench.next(chain)
    await stays(chain, 1)
    await bench.approveGate(gate)
    await stays(chain, 1)
    await bench.admin.make(`/api/v1/gates/${gate.id}/revoke`, { reason: 'Mistake' })
    await bench.box.until('another is open', async () => (await bench.opened(chain.project)).length === 2)
  })

  test('if the subject failed, or was rolled back', async () => {
    const chain = await bench.chain({ ...OPENS, soak_seconds: 3600 })
    await bench.run(chain.staging, V1)
    await bench.run(chain.staging, V1, 'failed')
    await bench.policy(chain.project, { soak_seconds: 0 })
    await stays(chain, 0)
    await bench.run(chain.staging, V1)
    await bench.rollback(chain.project, 'staging')
    await swept(chain)
    expect((await bench.opened(chain.project)).length).toBeLessThanOrEqual(1)
  })

  test('for an older subject, once a newer one has run there', async () => {
    const chain = await bench.chain({ ...OPENS, soak_seconds: 3600 })
    await bench.run(chain.staging, V1)
    await bench.run(chain.staging, V2)
    await bench.run(chain.staging, V1)
    await bench.hour(chain.project)
    await bench.next(chain, V2)
    await stays(chain, 1)
  })
})

describe('It opens again', () => {
  const reopened = (project: Body, count: number): Promise<void> =>
    bench.box.until('another gate is open', async () => (await bench.opened(project)).length === count)

  test('once the subject runs there again, if a newer one had replaced its gate', async () => {
    const chain = await bench.chain(OPENS)
    await bench.run(chain.staging, V1)
    const first = await bench.next(chain)
    await bench.run(chain.staging, V2)
    await bench.next(chain, V2)
    await bench.rollback(chain.project, 'staging')
    await bench.run(chain.staging, V1)
    await reopened(chain.project, 3)
    const [newest] = await bench.opened(chain.project)
    expect([newest.subject.digest, newest.id === first.id]).toEqual([V1, false])
  })

  test('when something changes after it expired, and not before', async () => {
    const chain = await bench.chain({ ...OPENS, expires_in_seconds: 3600 })
    await bench.run(chain.staging, V1)
    const gate = await bench.next(chain)
    await letExpire(bench.box, gate.id)
    await swept(chain)
    expect(await bench.opened(chain.project)).toHaveLength(1)
    await bench.run(chain.staging, V1)
    await reopened(chain.project, 2)
  })
})

test('that of a newer subject replaces it, and approvals do not carry over', async () => {
  const chain = await bench.chain({ ...OPENS, required_approvals: 2 })
  await promoted(chain)
  const first = await bench.next(chain)
  await bench.approveGate(first)
  await promoted(chain, V2)
  const second = await bench.next(chain, V2)
  const { body } = await bench.admin.get(`/api/v1/gates/${first.id}`)
  expect(body).toMatchObject({ status: 'cancelled', superseded_by: second.id })
  expect(second.approvals).toEqual([])
})

describe('What forbids it', () => {
  const obstacle = async (project: Body): Promise<string | null> => {
    const [row] = await bench.box.sql`select obstacle from promotions where project_id = ${project.id}`
    return row?.obstacle ?? null
  }
  const forbidden = (project: Body): Promise<void> =>
    bench.box.until('an obstacle is known', async () => (await obstacle(project)) !== null)

  test('is kept, and it opens when the policy changes', async () => {
    const chain = await bench.chain({ ...OPENS, require_checks: true })
    const gate = await bench.approved(chain.project, V1, {
      environment: 'staging',
      evidence: { checks: [{ name: 'Load test', state: 'failed' }] },
    })
    await bench.rolledOutFirst(chain.staging, { state: 'succeeded' })
    await forbidden(chain.project)
    expect(await obstacle(chain.project)).toContain('not passed: Load test')
    const [shown] = await bench.box.sql`select * from ops.blocked_promotions_detail where project_id = ${chain.project.id}`
    expect(shown).toMatchObject({ environment: 'production', promotes_from: 'staging' })
    expect(gate.evidence.checks).toHaveLength(1)
    // It waits for a change. Meanwhile it is looked at once more, after a minute.
    const due = async () => {
      const [{ due_in }] = await bench.box.sql<[{ due_in: number | null }]>`
        select extract(epoch from due_at - now())::float8 as due_in from promotions where project_id = ${chain.project.id}
      `
      return due_in
    }
    expect(await due()).toBeGreaterThan(30)
    await bench.box.sql`update promotions set due_at = now() where project_id = ${chain.project.id}`
    await bench.box.until('it was looked at again', async () => (await due()) === null)
    await bench.policy(chain.project, { require_checks: false })
    await bench.next(chain)
    expect(await obstacle(chain.project)).toBeNull()
  })

  test('such as missing checks: those that Signalbox adds itself are none', async () => {
    const chain = await bench.chain(OPENS)
    const dev = await bench.hookIn(chain.project, 'dev')
    await bench.policy(chain.project, { promotes_from: 'dev', ...OPENS }, 'staging')
    await bench.policy(chain.project, { require_checks: true })
    await bench.run(dev, V1)
    await bench.box.until('staging asks', async () => (await bench.gates(chain.project)).length === 1)
    const [gate] = await bench.gates(chain.project)
    expect(gate.evidence.checks).toHaveLength(1)
    await bench.approveGate(gate)
    await bench.rolledOutFirst(chain.staging, { state: 'succeeded' })
    await forbidden(chain.project)
    expect(await obstacle(chain.project)).toBe(
      'The checks of the gate before are required, at least one, as the policy of the environment says.',
    )
  })

  test('such as too many pending gates, and it opens when one is decided', async () => {
    const chain = await bench.chain(OPENS)
    const gates = await Promise.all(
      Array.from({ length: 100 }, (_, index) => bench.open(chain.project, V2, { name: `Gate ${index}`, environment: null })),
    )
    await bench.run(chain.staging, V1)
    await forbidden(chain.project)
    expect(await obstacle(chain.project)).toContain('at most 100 pending gates')
    await bench.admin.make(`/api/v1/gates/${gates[0]?.body.id}/reject`, {})
    await bench.next(chain)
  })
})

test('one after the other, through a chain of three', async () => {
  const project = await bench.project()
  const [dev, staging, production] = [
    await bench.hookIn(project, 'dev'),
    await bench.hookIn(project, 'staging'),
    await bench.hookIn(project, 'production'),
  ]
  await bench.policy(project, { promotes_from: 'dev', ...OPENS }, 'staging')
  await bench.policy(project, { promotes_from: 'staging', ...OPENS })
  await bench.run(dev, V1)
  await bench.box.until('staging asks', async () => (await bench.gates(project)).length === 1)
  const [gate] = await bench.gates(project)
  expect(gate.name).toBe('Promote to staging')
  await bench.approveGate(gate)
  await bench.rolledOutFirst(staging, { state: 'succeeded', version: 'v1' })
  const last = await bench.next({ project })
  expect(last.evidence.checks.map(({ name }: Body) => name.split(' ')[0])).toEqual(['dev', 'staging'])
  await bench.approveGate(last)
  await bench.rolledOutFirst(production, { state: 'succeeded', version: 'v1' })
  const environments = await bench.environments(project)
  expect(environments.map(({ environment }: Body) => environment)).toEqual(['dev', 'staging', 'production'])
  expect(environments.map(({ candidate }: Body) => candidate)).toEqual([null, null, null])
})
