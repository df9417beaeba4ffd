/** What a person approved by an override is sent although a freeze holds, also where another gate or the workflow triggers the hook. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Actor } from '../support/signalbox.ts'
import { type Body, guardedHooks, YES } from './guarded-hooks.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})
afterAll(() => bench.close())

const { policy, gates } = guardedHooks(() => bench)

const FROZEN = { freezes: [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }] }
const REASON = 'Checkout is down.'

/** A hook of a frozen environment, and an execution. */
async function frozen(hookInput: object = {}, policyInput: object = {}) {
  const { project, hook } = await bench.hooked(hookInput)
  await policy(project, { ...FROZEN, ...policyInput })
  return { project, hook, execution: await bench.box.running(bench.admin, project.id) }
}

const decide = ({ id }: Body, how: string, body: object = {}): Promise<Body> =>
  bench.admin.make(`/api/v1/gates/${id}/${how}`, body)
const override = (gate: Body) => decide(gate, 'override', { reason: REASON })
const complete = ({ id }: Body) => bench.admin.make(`/api/v1/executions/${id}/complete`, {})
const heldUntil = async ({ id }: Body) => (await bench.admin.get(`/api/v1/gates/${id}/effects`)).body.held_until

/** Waits until the only dispatch of a hook is finished, or held. @returns its state, and why it passed */
async function outcome(hook: Body): Promise<(string | null)[]> {
  const [found] = await bench.dispatches(
    hook,
    ([first]) => first !== undefined && (first.status !== 'pending' || first.held_until !== null),
  )
  return [found.held_until === null ? found.status : 'held', found.override_reason]
}

const PASSED = ['succeeded', REASON]
const HELD = ['held', null]

test('the overridden gate itself', async () => {
  const { hook, execution } = await frozen()
  const [gate] = await gates(execution, { name: 'No', environment: 'production' })
  await override(gate)
  expect(await outcome(hook)).toEqual(PASSED)
})

for (const gate_required of [false, true]) {
  describe(`where gates are ${gate_required ? '' : 'not '}required, a completed workflow`, () => {
    test('whose deciding gate was overridden', async () => {
      const { hook, execution } = await frozen({ trigger_on: 'workflow_done' }, { gate_required })
      const [gate] = await gates(execution, { name: 'No', environment: 'production' })
      await override(gate)
      await complete(execution)
      expect(await outcome(hook)).toEqual(PASSED)
    })

    test('not where only a gate for another environment was', async () => {
      const { hook, execution } = await frozen({ trigger_on: 'workflow_done' }, { gate_required })
      const [other] = await gates(execution, { name: 'No', environment: 'staging' }, YES)
      await override(other)
      await complete(execution)
      expect(await outcome(hook)).toEqual(HELD)
    })
  })
}

describe('of two gates that were open at once, the one that is approved last', () => {
  const digest = (letter: string) => ({ uri: 'pkg:oci/checkout', digest: { sha256: letter.repeat(64) } })

  async function twins(first: object, second: object) {
    const made = await frozen()
    const [one, other] = (await gates(
      made.execution,
      { name: 'First', environment: 'production', ...first },
      { name: 'Second', environment: 'production', ...second },
    )) as [Body, Body]
    return { ...made, one, other }
  }

  test('where the other one was overridden; its effects say so', async () => {
    const { hook, one, other } = await twins({ subject: digest('a') }, { subject: digest('a') })
    expect(await heldUntil(other)).not.toBeNull()
    await override(one)
    expect(await heldUntil(other)).toBeNull()
    await decide(other, 'approve', { binding: other.binding })
    expect(await outcome(hook)).toEqual(PASSED)
  })

  test('not about another subject', async () => {
    const { hook, one, other } = await twins({ subject: digest('a') }, { subject: digest('b') })
    await override(one)
    expect(await heldUntil(other)).not.toBeNull()
    await decide(other, 'approve', { binding: other.binding })
    expect(await outcome(hook)).toEqual(HELD)
  })

  test('not once the override was revoked', async () => {
    const { hook, one, other } = await twins({}, {})
    await override(one)
    await decide(one, 'revoke', { reason: 'It is vulnerable.' })
    await decide(other, 'approve')
    expect(await outcome(hook)).toEqual(HELD)
  })

  test('not once the override is revoked while the dispatch waits, nor if that is sent again', async () => {
    const { hook, one, other } = await twins({}, {})
    await bench.change(hook, { paused: true })
    await override(one)
    await decide(other, 'approve')
    const [waiting] = await bench.dispatches(hook, (found) => found.length === 1)
    await decide(one, 'revoke', { reason: 'It is vulnerable.' })
    await bench.change(hook, { paused: false })
    expect(await outcome(hook)).toEqual(['held', REASON])
    await bench.act(waiting, 'cancel')
    await bench.once(waiting, ({ status }) => status === 'cancelled')
    const { body: again } = await bench.act(waiting, 'redeliver')
    expect(await bench.once(again, ({ held_until }) => held_until !== null)).toMatchObject({
      status: 'pending',
      attempt_count: 0,
    })
  })
})

test('a redelivery by someone who may override, and by no one else', async () => {
  const { hook, execution } = await frozen()
  const [gate] = await gates(execution, { name: 'No', environment: 'production' })
  await override(gate)
  expect(await outcome(hook)).toEqual(PASSED)
  const [sent] = await bench.dispatches(hook, (found) => found.length === 1)
  const lead = await bench.box.user('Lead')
  await bench.box.join(lead, bench.site, 'member', 'admin')
  const redelivered = async (by: Actor) => (await by.make(`/api/v1/dispatches/${sent.id}/redeliver`, {})).override_reason
  expect([await redelivered(lead), await redelivered(bench.admin)]).toEqual([null, REASON])
  const found = await bench.dispatches(hook, ([, first, second]) => first?.held_until != null && second?.status === 'succeeded')
  expect(found.map(({ status }) => status)).toEqual(['succeeded', 'pending', 'succeeded'])
})

test('not a gate that was opened after the override', async () => {
  const { hook, execution } = await frozen({ filter: { '/data/gate/name': 'Yes' } })
  const [gate] = await gates(execution, { name: 'No', environment: 'production' })
  await override(gate)
  await gates(execution, YES)
  expect(await outcome(hook)).toEqual(HELD)
})

describe('although the freeze was added after the override,', () => {
  test.each(['gate_approved', 'workflow_done'])('what a hook with %s was to be sent', async (trigger_on) => {
    const { project, hook } = await bench.hooked({ trigger_on, paused: true })
    const execution = await bench.box.running(bench.admin, project.id)
    const [gate] = await gates(execution, { name: 'No', environment: 'production' })
    await override(gate)
    await complete(execution)
    await bench.dispatches(hook, ([first]) => first !== undefined)
    await policy(project, FROZEN)
    await bench.change(hook, { paused: false })
    expect((await outcome(hook))[0]).toBe('succeeded')
  })

  test('but not what another gate fires that was approved before', async () => {
    const { project, hook } = await bench.hooked({ paused: true })
    const execution = await bench.box.running(bench.admin, project.id)
    await gates(execution, YES)
    await bench.dispatches(hook, ([first]) => first !== undefined)
    const [gate] = await gates(execution, { name: 'No', environment: 'production' })
    await override(gate)
    await bench.dispatches(hook, ([, second]) => second !== undefined)
    await policy(project, FROZEN)
    await bench.change(hook, { paused: false })
    const found = await bench.dispatches(
      hook,
      (all) => all.some(({ status }) => status === 'succeeded') && all.some(({ held_until }) => held_until !== null),
    )
    expect(found.map(({ status }) => status)).toEqual(['pending', 'succeeded'])
  })
})

test('and is not superseded by what the freeze holds back, before that is sent', async () => {
  const { project, hook, execution } = await frozen({ supersede: true, paused: true })
  const [gate] = await gates(execution, { name: 'No', environment: 'production' })
  await override(gate)
  await bench.dispatches(hook, ([first]) => first !== undefined)
  await gates(await bench.box.running(bench.admin, project.id), YES)
  const isHeld = ({ held_until }: Body) => held_until !== null
  expect((await bench.dispatches(hook, ([, second]) => second !== undefined && isHeld(second)))[0].status).toBe('pending')
  await bench.change(hook, { paused: false })
  const [first, second] = await bench.dispatches(hook, ([first]) => first.status !== 'pending')
  expect([first.status, second.status, isHeld(second)]).toEqual(['succeeded', 'pending', true])
  await policy(project, { freezes: [] })
  await bench.dispatches(hook, ([, second]) => second.status === 'succeeded')
})
