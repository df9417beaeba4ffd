/** Dispatches that lose their approval while they wait: by a revocation, a policy or a new environment. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Body, guardedHooks, YES } from './guarded-hooks.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})
afterAll(() => bench.close())

const { policy, guarded, gates, settled, outcomes } = guardedHooks(() => bench)

/** Revokes the approval of a gate. */
const revoke = ({ id }: Body): Promise<Body> => bench.admin.make(`/api/v1/gates/${id}/revoke`, { reason: 'It is vulnerable.' })

/** An execution that completed after its gate for production was approved. @returns the gate */
async function completed(project: Body): Promise<Body> {
  const execution = await bench.box.running(bench.admin, project.id)
  const [gate] = await gates(execution, YES)
  await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
  return gate
}

describe('an approval that is revoked', () => {
  test('cancels the dispatch of its workflow, and no other', async () => {
    const { project, hook } = await guarded({ trigger_on: 'workflow_done' })
    await bench.change(hook, { paused: true })
    await completed(project)
    const gate = await completed(project)
    expect(await outcomes(hook)).toEqual(['pending', 'pending'])
    await revoke(gate)
    expect(await outcomes(hook)).toEqual(['pending', 'approval_revoked'])
  })

  test('does not cancel the dispatch of a workflow where no gate is required', async () => {
    const { project, hook } = await bench.hooked({ trigger_on: 'workflow_done' })
    await bench.change(hook, { paused: true })
    const gate = await completed(project)
    await settled()
    await revoke(gate)
    expect(await outcomes(hook)).toEqual(['pending'])
  })

  test('leaves nothing of a workflow that waits, whichever comes first', async () => {
    const { project, hook } = await guarded({ trigger_on: 'workflow_done' })
    await bench.change(hook, { paused: true })
    for (let index = 0; index < 6; index++) await revoke(await completed(project))
    const found = await outcomes(hook)
    expect(found).toHaveLength(6)
    expect(found.filter((each) => each !== 'approval_revoked' && each !== 'not_approved')).toEqual([])
  })

  test('holds back what another gate of its execution fires that was open then; one that was opened later is sent', async () => {
    const { project, hook } = await guarded()
    const execution = await bench.box.running(bench.admin, project.id)
    const [first, second] = (await gates(execution, { ...YES, name: 'First' }, { ...YES, name: 'Second' })) as [Body, Body]
    await bench.admin.make(`/api/v1/gates/${first.id}/approve`, {})
    await revoke(first)
    await bench.admin.make(`/api/v1/gates/${second.id}/approve`, {})
    await gates(execution, YES)
    expect(await outcomes(hook)).toEqual(['not_approved', 'succeeded'])
  })

  test('of a gate for another environment holds nothing back', async () => {
    const { project, hook } = await guarded()
    const execution = await bench.box.running(bench.admin, project.id)
    const [staging, production] = (await gates(
      execution,
      { name: 'Staging', environment: 'staging' },
      { ...YES, name: 'Production' },
    )) as [Body, Body]
    await bench.admin.make(`/api/v1/gates/${staging.id}/approve`, {})
    await revoke(staging)
    await bench.admin.make(`/api/v1/gates/${production.id}/approve`, {})
    expect(await outcomes(hook)).toEqual(['succeeded'])
  })

  test('does not hold back what an override fires that came later, and cancels that of an earlier one', async () => {
    for (const later of [true, false]) {
      const { project, hook } = await guarded({ paused: true })
      const execution = await bench.box.running(bench.admin, project.id)
      const [first, second] = (await gates(execution, { ...YES, name: 'First' }, { ...YES, name: 'Second' })) as [Body, Body]
      await bench.admin.make(`/api/v1/gates/${first.id}/approve`, {})
      const override = () => bench.admin.make(`/api/v1/gates/${second.id}/override`, { reason: 'Checkout is down.' })
      for (const step of later ? [() => revoke(first), override] : [override, () => revoke(first)]) {
        await step()
        await settled()
      }
      expect(await outcomes(hook)).toEqual([later ? 'pending' : 'not_approved'])
    }
  })
})

describe('what waits without an approval', () => {
  const made = async () => {
    const { project, hook } = await bench.hooked({ environment: 'staging' })
    await bench.change(hook, { paused: true })
    const execution = await bench.box.running(bench.admin, project.id)
    await gates(execution, { name: 'Yes, anywhere' })
    await settled()
    return { project, hook }
  }

  test('is cancelled when the policy requires a gate', async () => {
    const { project, hook } = await made()
    await bench.change(hook, { environment: 'production' })
    expect(await outcomes(hook)).toEqual(['pending'])
    await policy(project, { gate_required: true })
    expect(await outcomes(hook)).toEqual(['not_approved'])
  })

  test('is cancelled when its hook gets an environment that requires one', async () => {
    const { project, hook } = await made()
    await policy(project, { gate_required: true })
    expect(await outcomes(hook)).toEqual(['pending'])
    await bench.change(hook, { environment: 'production' })
    expect(await outcomes(hook)).toEqual(['not_approved'])
  })

  test('supersedes nothing', async () => {
    const { project, hook } = await guarded({ supersede: true })
    await bench.change(hook, { paused: true })
    await gates(await bench.box.running(bench.admin, project.id), YES)
    await settled()
    await gates(await bench.box.running(bench.admin, project.id), { name: 'Yes, anywhere' })
    expect(await outcomes(hook)).toEqual(['pending', 'not_approved'])
    await bench.change(hook, { paused: false })
    expect(await outcomes(hook)).toEqual(['succeeded', 'not_approved'])
  })
})
