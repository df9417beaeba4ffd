/** Gates for an environment that promotes from another one: their subject must run there. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { errorsOf } from '../deployment-hooks/workbench.ts'
import { digest, PromotionWorkbench, subjectOf, V1, V2 } from './workbench.ts'

let bench: PromotionWorkbench

beforeAll(async () => {
  bench = await PromotionWorkbench.open()
})
afterAll(() => bench.close())

const NOT_PROMOTED = [422, '/subject not_promoted']

/** Why a gate is refused. */
const reason = async (...args: Parameters<PromotionWorkbench['open']>): Promise<string> => {
  const answer = await bench.open(...args)
  expect(errorsOf(answer)).toEqual(NOT_PROMOTED)
  return answer.body.errors[0].detail
}

test('needs a subject, which has run there', async () => {
  const { project, staging } = await bench.chain()
  expect(errorsOf(await bench.open(project, null))).toEqual([422, '/subject required'])
  expect(await reason(project, V1)).toContain('it never ran in staging')
  await bench.run(staging, V1)
  expect((await bench.open(project, V1)).status).toBe(201)
  expect(await reason(project, V2)).toContain('it never ran in staging')
  // Others are not concerned.
  for (const environment of ['staging', null])
    expect((await bench.open(project, V2, { name: `For ${environment}`, environment })).status).toBe(201)
})

test('a digest of another kind is another subject', async () => {
  const { project, staging } = await bench.chain()
  await bench.run(staging, { sha256: '1'.repeat(64) })
  await reason(project, { gitCommit: '1'.repeat(64) })
  expect((await bench.open(project, { sha256: '1'.repeat(64) })).status).toBe(201)
})

describe('A subject does not run there', () => {
  test('if its rollout failed, before and after it succeeded, until it succeeds again', async () => {
    const { project, staging } = await bench.chain()
    await bench.run(staging, V1, 'failed')
    expect(await reason(project, V1)).toContain('its last rollout there failed on 20')
    await bench.run(staging, V1)
    expect((await bench.open(project, V1)).status).toBe(201)
    await bench.run(staging, V1, 'failed')
    expect(await reason(project, V1, { name: 'Another' })).toContain('its last rollout there failed')
    await bench.run(staging, V1)
    expect((await bench.open(project, V1, { name: 'Another' })).status).toBe(201)
  })

  test('if the environment was rolled back, or all were; another one does not count', async () => {
    const { project, staging } = await bench.chain()
    await bench.run(staging, V1)
    await bench.rollback(project, 'production')
    expect((await bench.open(project, V1, { name: 'First' })).status).toBe(201)
    await bench.rollback(project, 'staging')
    expect(await reason(project, V1)).toContain('the environment was rolled back on 20')
    await bench.run(staging, V1)
    expect((await bench.open(project, V1, { name: 'Second' })).status).toBe(201)
    await bench.rollback(project)
    await reason(project, V1)
  })

  test('if its rollout is in progress, or unknown', async () => {
    const { project, staging } = await bench.chain()
    const dispatch = await bench.triggered(staging)
    await bench.report(dispatch, { state: 'in_progress', digest: V1 })
    await reason(project, V1)
    await bench.expire(dispatch)
    await reason(project, V1)
    await bench.report(dispatch, { state: 'succeeded' })
    expect((await bench.open(project, V1)).status).toBe(201)
  })

  test('if nothing was sent, whatever is reported about it', async () => {
    const { project, staging } = await bench.chain()
    await bench.policy(project, { gate_required: true }, 'staging')
    await bench.approved(project, V1, { environment: null })
    const [cancelled] = await bench.dispatches(staging, ([found]) => found?.status === 'cancelled')
    expect(cancelled.error.code).toBe('not_approved')
    expect((await bench.report(cancelled, { state: 'succeeded', digest: V1 })).body.rollout.state).toBe('succeeded')
    await reason(project, V1)
  })

  test('if the digest of its rollout is not known', async () => {
    const { project, staging } = await bench.chain()
    await bench.rolledOut(staging, { state: 'succeeded', version: 'v1' })
    await reason(project, V1)
  })
})

test('what did not fail there is not concerned by another subject that did', async () => {
  const { project, staging } = await bench.chain()
  await bench.run(staging, V1)
  await bench.run(staging, V2, 'failed')
  expect((await bench.open(project, V1)).status).toBe(201)
})

describe('What a dispatch deployed', () => {
  test('is what its gate approved, if its receiver does not say it', async () => {
    const { project, staging } = await bench.chain()
    await bench.approved(project, V1, { environment: 'staging' })
    await bench.rolledOutFirst(staging, { state: 'succeeded' })
    expect((await bench.open(project, V1)).status).toBe(201)
  })

  test('is what its receiver reports, also if something else was approved', async () => {
    const { project, staging } = await bench.chain()
    await bench.approved(project, V1, { environment: 'staging' })
    await bench.rolledOutFirst(staging, { state: 'succeeded', digest: V2 })
    await reason(project, V1)
    expect((await bench.open(project, V2)).status).toBe(201)
  })

  test('of a workflow is what its deciding gate approved', async () => {
    const project = await bench.project()
    const staging = await bench.hookIn(project, 'staging', { trigger_on: 'workflow_done' })
    await bench.policy(project, { promotes_from: 'staging' })
    const execution = await bench.box.running(bench.admin, project.id)
    const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, {
      name: 'Release',
      environment: 'staging',
      subject: subjectOf(V1),
    })
    await bench.approveGate(gate)
    await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
    await bench.rolledOutFirst(staging, { state: 'succeeded' })
    expect((await bench.open(project, V1)).status).toBe(201)
  })
})

test('rollouts of one digest in two environments at once are counted apart', async () => {
  const { project, staging, production } = await bench.chain()
  const [here, there] = [await bench.triggered(staging), await bench.triggered(production)]
  await Promise.all([
    bench.report(here, { state: 'failed', digest: V1 }),
    bench.report(there, { state: 'succeeded', digest: V1 }),
  ])
  await reason(project, V1)
  const [again, back] = [await bench.triggered(staging), await bench.triggered(production)]
  await Promise.all([
    bench.report(again, { state: 'succeeded', digest: V1 }),
    bench.report(back, { state: 'failed', digest: V1 }),
  ])
  expect((await bench.open(project, V1)).status).toBe(201)
})

test('the later environment of three asks the one before it, and no other', async () => {
  const { project, staging, production } = await bench.chain()
  const dev = await bench.hookIn(project, 'dev')
  await bench.policy(project, { promotes_from: 'dev' }, 'staging')
  const later = digest('a')
  await bench.run(dev, later)
  await reason(project, later)
  expect((await bench.open(project, later, { environment: 'staging' })).status).toBe(201)
  await bench.run(staging, later)
  expect((await bench.open(project, later)).status).toBe(201)
  await bench.run(production, later)
})
