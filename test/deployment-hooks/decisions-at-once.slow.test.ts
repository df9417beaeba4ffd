/** Approvals, overrides, revocations and freezes at once: what is sent follows from what the gates then are. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Actor } from '../support/signalbox.ts'
import { type Body, guardedHooks } from './guarded-hooks.ts'
import { Workbench } from './workbench.ts'

const ROUNDS = 8

let bench: Workbench
let grace: Actor

beforeAll(async () => {
  bench = await Workbench.open()
  grace = await bench.box.user('Grace')
  await bench.box.join(grace, bench.site, 'admin')
})
afterAll(() => bench.close())

const { policy, guarded, gates, settled } = guardedHooks(() => bench)

const FREEZES = [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }]

/** What can become of the dispatch of a gate that triggers hooks: after two revocations, the first one cancels it. */
function expectedOf(gate: Body, others: Body[]): string | string[] {
  const since = gate.decided_via === 'override' ? gate.decided_at : gate.created_at
  const lacks = others.some(({ revoked_at }) => revoked_at && revoked_at >= since)
  if (gate.revoked_at) return lacks ? ['approval_revoked', 'not_approved'] : 'approval_revoked'
  if (lacks) return 'not_approved'
  const passes = [gate, ...others].some((each) => each.decided_via === 'override' && !each.revoked_at)
  return passes ? 'sent' : 'held'
}

test('whatever comes first', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { project, hook } = await guarded({ paused: true })
    const execution = await bench.box.running(bench.admin, project.id)
    const opened = await gates(execution, ...['First', 'Second', 'Third'].map((name) => ({ name, environment: 'production' })))
    const [first, second, third] = opened.map(({ id }) => `/api/v1/gates/${id}`)
    const revocation = { reason: 'It is vulnerable.' }
    const overridden = { reason: 'Checkout is down.' }
    await bench.admin.post(`${first}/approve`)
    const answers = await Promise.all([
      bench.admin.post(`${first}/revoke`, revocation),
      grace.post(`${second}/approve`),
      bench.admin.post(`${second}/override`, overridden),
      round % 2 === 0 ? grace.post(`${third}/override`, overridden) : grace.post(`${third}/approve`),
      bench.admin.post(`${third}/approve`),
      bench.admin.post(`${second}/revoke`, revocation),
      policy(project, { freezes: FREEZES }).then(() => ({ status: 200 })),
    ])
    for (const { status } of answers) expect(status).toBeOneOf([200, 409])
    await settled()
    await bench.change(hook, { paused: false })
    const now = await Promise.all(opened.map(async ({ id }) => (await bench.admin.get(`/api/v1/gates/${id}`)).body))
    expect(now.map(({ status }) => status)).toEqual(['approved', 'approved', 'approved'])
    const fired = now.filter(({ triggers_hooks }) => triggers_hooks)
    expect(fired).toHaveLength(1)
    const [gate] = fired
    const expected = expectedOf(
      gate,
      now.filter(({ id }) => id !== gate.id),
    )
    const [dispatch] = await bench.dispatches(hook, ([only]) => only && (only.status !== 'pending' || only.held_until !== null))
    const { error, held_until } = dispatch
    expect([expected].flat()).toContain(error?.code ?? (held_until === null ? 'sent' : 'held'))
    expect((await bench.listed(hook)).total).toBe(1)
    expect((await bench.dispatch(dispatch.id)).payload).toContain(gate.id)
  }
})
