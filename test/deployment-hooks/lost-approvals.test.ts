/** Dispatches that lose their approval while they wait: by a revocation, a policy or a new environment. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})
afterAll(() => bench.close())

const policyOf = ({ id }: Body) => `/api/v1/projects/${id}/environments/production/policy`

/** Changes the policy of production. */
async function policy(project: Body, input: object): Promise<void> {
  expect((await bench.admin.put(policyOf(project), input)).status).toBe(200)
}

/** A hook whose environment requires an approved gate. */
async function guarded(input: object = {}) {
  const made = await bench.hooked(input)
  await policy(made.project, { gate_required: true })
  return made
}

/** Opens gates of one execution, and approves those whose name begins with "Yes". @returns the gates */
async function gates(execution: Body, ...inputs: object[]): Promise<Body[]> {
  const opened: Body[] = []
  for (const input of inputs) opened.push(await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, input))
  for (const gate of opened) if (gate.name.startsWith('Yes')) await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, {})
  return opened
}

const YES = { name: 'Yes', environment: 'production' }

/** Waits until nothing is to be done but what paused hooks keep. */
const settled = (): Promise<void> =>
  bench.box.until('nothing waits but for paused hooks', async () => {
    const [{ idle }] = await bench.box.sql<[{ idle: boolean }]>`
      select not exists (select 1 from outbox where drained_at is null)
        and not exists (select 1 from deliveries where cancel_requested)
        and not exists (
          select 1
          from dispatches as dispatch
          join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
          where dispatch.status = 'pending'
            and not hook.paused
        ) as idle
    `
    return idle
  })

/** The outcome of each dispatch of a hook, oldest first: its status, or the code of its error. */
async function outcomes(hook: Body): Promise<string[]> {
  await settled()
  const { items } = await bench.listed(hook)
  return items.map(({ status, error }: Body) => error?.code ?? status).reverse()
}

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
