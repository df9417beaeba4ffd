/** What must have run in the environment before, and what need not; and what happens to what waits for its soak. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Body, PromotionWorkbench, subjectOf, V1, V2 } from './workbench.ts'

let bench: PromotionWorkbench

beforeAll(async () => {
  bench = await PromotionWorkbench.open()
})
afterAll(() => bench.close())

/** A subject that soaks in staging, for an hour, and is approved for production. */
async function waiting(policy: object = {}, hook: object = {}) {
  const chain = await bench.chain({ soak_seconds: 3600, ...policy }, hook)
  const { rollout } = await bench.run(chain.staging, V1)
  const gate = await bench.approved(chain.project, V1)
  return { ...chain, gate, since: rollout.reported_at as string, dispatch: await bench.first(chain.production) }
}

describe('Rules do not hold for', () => {
  test('rollbacks, tests and manual triggers', async () => {
    const { production } = await bench.chain({ soak_seconds: 3600 })
    const { body } = await bench.admin.get(`/api/v1/deployment-hooks/${production.id}`)
    await bench.rollback({ id: body.project_id })
    await bench.triggered(production)
    await bench.ask(production, 'test')
    expect((await bench.outcomes(production)).every((each) => each === 'succeeded')).toBe(true)
  })

  test('manual triggers that override a missing approval', async () => {
    const { production } = await bench.chain({ soak_seconds: 3600, gate_required: true })
    const { body } = await bench.ask(production, 'trigger', { override: { reason: 'Fire' } }, { Prefer: 'wait=20' })
    expect(body).toMatchObject({ status: 'succeeded', override_reason: 'Fire' })
  })

  test('an overridden gate', async () => {
    const { project, staging, production } = await bench.chain({ soak_seconds: 3600 })
    await bench.run(staging, V1)
    const { body: gate } = await bench.open(project, V1)
    await bench.run(staging, V1, 'failed')
    await bench.admin.make(`/api/v1/gates/${gate.id}/override`, { reason: 'Fire' })
    expect((await bench.settled(production)).status).toBe('succeeded')
    expect((await bench.clearance(gate)).state).toBe('clear')
    await bench.box.until('verify allows it', async () => (await bench.verify(project, V1)).allowed)
  })
})

test('a gate without an environment follows the rule by its subject, where it has one', async () => {
  const { project, staging, production } = await bench.chain({ soak_seconds: 3600 })
  await bench.approved(project, V1, { environment: null })
  expect(await bench.outcomes(production)).toEqual(['not_promoted'])
  await bench.run(staging, V2)
  await bench.approved(project, V2, { environment: null })
  expect(await bench.outcomes(production)).toEqual(['not_promoted', 'pending'])
  const execution = await bench.box.running(bench.admin, project.id)
  await bench.box.approval(bench.admin, execution.id)
  expect(await bench.outcomes(production)).toEqual(['not_promoted', 'pending', 'succeeded'])
})

test('a gate that was opened before the policy asked for a subject sends nothing', async () => {
  const { project, production } = await bench.chain({ promotes_from: null })
  const { body: gate } = await bench.open(project, null)
  await bench.policy(project, { promotes_from: 'staging' })
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, {})
  expect(await bench.outcomes(production)).toEqual(['not_promoted'])
})

test('a completed workflow waits for the subject of its deciding gate', async () => {
  const { project, staging, production } = await bench.chain(
    { soak_seconds: 3600, gate_required: true },
    { trigger_on: 'workflow_done' },
  )
  await bench.run(staging, V1)
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, {
    name: 'Release',
    environment: 'production',
    subject: subjectOf(V1),
  })
  await bench.approveGate(gate)
  await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
  expect((await bench.first(production)).held_until).not.toBeNull()
  await bench.run(staging, V1, 'failed')
  expect(await bench.outcomes(production)).toEqual(['not_promoted'])
})

describe('What soaks', () => {
  test('replaces nothing before it may be sent itself', async () => {
    const { project, staging, production } = await bench.chain({ soak_seconds: 3600 }, { supersede: true, paused: true })
    await bench.run(staging, V1)
    await bench.hour(project)
    await bench.approved(project, V1)
    await bench.first(production)
    await bench.run(staging, V2)
    await bench.approved(project, V2)
    await bench.dispatches(production, (found) => found.length === 2)
    await bench.change(production, { paused: false })
    await bench.box.until('the first was sent', async () => (await bench.outcomes(production))[0] !== 'pending')
    expect(await bench.outcomes(production)).toEqual(['succeeded', 'pending'])
    await bench.policy(project, { soak_seconds: 0 })
    await bench.box.until('the second was sent', async () => (await bench.outcomes(production))[1] !== 'pending')
  })

  test('waits on if its hook leaves the environment, or the one before is left by its own', async () => {
    const { staging, production, dispatch } = await waiting()
    await bench.change(staging, { environment: 'other' })
    expect((await bench.admin.delete(`/api/v1/deployment-hooks/${staging.id}`)).status).toBe(204)
    expect((await bench.first(production)).held_until).toBe(dispatch.held_until)
    await bench.change(production, { environment: 'other' })
    expect((await bench.first(production)).held_until).toBe(dispatch.held_until)
  })

  test('waits on if the approval in the environment before is revoked', async () => {
    const chain = await bench.chain({ soak_seconds: 3600 })
    const earlier = await bench.approved(chain.project, V1, { environment: 'staging' })
    await bench.rolledOutFirst(chain.staging, { state: 'succeeded' })
    await bench.approved(chain.project, V1)
    const { held_until } = await bench.first(chain.production)
    await bench.admin.make(`/api/v1/gates/${earlier.id}/revoke`, { reason: 'Mistake' })
    expect((await bench.first(chain.production)).held_until).toBe(held_until)
  })

  test('cannot be freed by redelivering it', async () => {
    const { dispatch, production } = await waiting()
    await bench.act(dispatch, 'cancel')
    const { status, body } = await bench.act(dispatch, 'redeliver')
    expect([status, body.held_until]).toEqual([202, dispatch.held_until])
    expect(await bench.outcomes(production)).toEqual(['cancelled', 'pending'])
  })
})

test('a sent dispatch is not redelivered once its subject failed in the environment before', async () => {
  const { project, staging, production, dispatch } = await waiting()
  await bench.policy(project, { soak_seconds: 0 })
  await bench.settled(production)
  expect((await bench.act(dispatch, 'redeliver')).status).toBe(202)
  await bench.outcomes(production)
  await bench.run(staging, V1, 'failed')
  expect((await bench.act(dispatch, 'redeliver')).body.code).toBe('approval_required')
})

const withScope = async (scope: string) => {
  const { token } = await bench.admin.make('/api/v1/auth/tokens', { name: 'Agent', scope })
  return bench.admin.as(token)
}

test('an agent with the token of an admin changes none of it', async () => {
  const { project, production } = await waiting()
  const agent = await withScope('write')
  const refusals: Body[] = [
    await agent.put(bench.policyOf(project, 'production'), { soak_seconds: 0 }),
    await agent.delete(bench.policyOf(project, 'production')),
    await agent.put(`/api/v1/deployment-hooks/${production.id}`, { environment: 'other' }),
  ]
  expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([403, 'person_required']))
})

test('a token that decides for a person shortens the soak, as a session does', async () => {
  const { project, production } = await waiting()
  const decider = await withScope('decide')
  const { status, body } = await decider.put(bench.policyOf(project, 'production'), { soak_seconds: 0 })
  expect([status, body.soak_seconds]).toEqual([200, 0])
  expect((await bench.settled(production)).status).toBe('succeeded')
})
