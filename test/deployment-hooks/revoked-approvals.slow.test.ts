/** What a revoked approval does to dispatches: what waits is cancelled, and nothing of it is sent again. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'
import { WITH_LATE_RETRIES, Workbench } from './workbench.ts'

type Body = Answer['body']

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open(WITH_LATE_RETRIES)
})
afterAll(() => bench.close())

const revoke = async ({ id }: Body): Promise<Body> =>
  bench.admin.make(`/api/v1/gates/${id}/revoke`, { reason: 'The image is vulnerable.' })

const REVOKED = { status: 'cancelled', error: { code: 'approval_revoked', detail: 'The approval of its gate was revoked.' } }

/** The gate that a dispatch tells of. */
const gateIn = ({ payload }: Body): string => JSON.parse(payload).data.gate.id

describe('Revoking an approval', () => {
  test('cancels a dispatch that waits for its retry, and nothing else', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('', { status: 500 })
    const kept = await bench.approve(project)
    const gate = await bench.approve(project)
    await bench.dispatches(hook, (found) => found.length === 2 && found.every(({ attempt_count }) => attempt_count === 1))
    expect(await revoke(gate)).toMatchObject({ revoked_in_flight: [] })
    const [first, second] = await bench.dispatches(hook, (found) => found.length === 2)
    expect([gateIn(first), first.status]).toEqual([kept.id, 'pending'])
    expect(second).toMatchObject({ ...REVOKED, attempt_count: 1, next_attempt_at: null })
    expect(receiver.requests).toHaveLength(2)
  })

  test('cancels what waits behind requests in flight, which it lets finish; nothing else is sent after the response', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const answer = Promise.withResolvers<number>()
    receiver.answer = async () => new Response('', { status: await answer.promise })
    const gate = await bench.approve(project)
    await receiver.waitFor(1)
    const [sent] = await bench.dispatches(hook, (found) => found.length === 1)
    // Copies of the dispatch wait for a place: ten requests are in flight.
    await bench.box.sql`
      insert into dispatches (
        id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, max_attempts,
        redelivery_of, made_after_sequence, gate_id, body
      )
      select
        uuidv7(), organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, 2, id, sequence,
        gate_id, body
      from dispatches
      cross join generate_series(1, 40)
      where id = ${sent.id}
    `
    await bench.ask(hook, 'test')
    await receiver.waitFor(10)
    await revoke(gate)
    // The test is not of the gate, and is sent when there is a place.
    const sentOfGate = () => receiver.requests.filter(({ headers }) => headers['x-signalbox-event'] === 'gate.approved').length
    const inFlight = sentOfGate()
    answer.resolve(500)
    await bench.box.until('nothing of the hook waits', async () => (await bench.listed(hook, '?status=pending')).total === 0)
    expect([inFlight >= 9, sentOfGate()]).toEqual([true, inFlight])
    const { items, total } = await bench.listed(hook, '?page_size=100')
    expect(total).toBe(42)
    const ofGate = items.filter(({ event }: Body) => event === 'gate.approved')
    expect(ofGate.length).toBeGreaterThan(0)
    expect(ofGate.every(({ status, error }: Body) => status === 'cancelled' && error.code === 'approval_revoked')).toBe(true)
    expect(ofGate.filter(({ attempt_count }: Body) => attempt_count === 1).length).toBeLessThanOrEqual(10)
  })

  test('lets a request in flight succeed', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const answer = Promise.withResolvers<number>()
    receiver.answer = async () => new Response('', { status: await answer.promise })
    const gate = await bench.approve(project)
    await receiver.waitFor(1)
    const { revoked_in_flight } = await revoke(gate)
    answer.resolve(200)
    const dispatch = await bench.settled(hook)
    expect(dispatch).toMatchObject({ status: 'succeeded', attempt_count: 1 })
    expect(revoked_in_flight).toEqual([{ id: dispatch.id, hook_id: hook.id, hook_name: hook.name }])
  })

  test('tells the person and the gate page of what may still arrive', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const answer = Promise.withResolvers<number>()
    receiver.answer = async () => new Response('', { status: await answer.promise })
    const gate = await bench.approve(project)
    await receiver.waitFor(1)
    const visitor = await PageClient.signedIn(bench.box, bench.admin)
    const page = await visitor.press(await visitor.open(`/app/gates/${gate.id}`), 'Revoke', {
      reason: 'The image is vulnerable.',
    })
    answer.resolve(200)
    const { id } = await bench.settled(hook)
    expect(page.text).toContain(`You revoked the approval. What was in flight to “${hook.name}” may still arrive.`)
    expect(page.text).toContain('These dispatches were in flight, or about to be sent. They may still arrive:')
    expect(page.html).toContain(`/app/dispatches/${id}`)
  })

  test('cancels what a paused hook holds back', async () => {
    const { project, hook, receiver } = await bench.hooked()
    await bench.change(hook, { paused: true })
    const gate = await bench.approve(project)
    await bench.dispatches(hook, (found) => found.length === 1)
    await revoke(gate)
    expect(await bench.settled(hook)).toMatchObject({ ...REVOKED, attempt_count: 0 })
    await bench.change(hook, { paused: false })
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect(receiver.requests).toHaveLength(1)
  })

  test('cancels what a claimer has not claimed, and lets a lease finish', async () => {
    const { project, hook } = await pulled()
    const claim = async () => (await bench.ask(hook, 'claim', { limit: 10, wait: 10 })).body
    const gate = await bench.approve(project)
    const [leased] = await claim()
    const waiting = await bench.approve(project)
    await bench.dispatches(hook, (found) => found.length === 2)
    expect(await revoke(waiting)).toMatchObject({ revoked_in_flight: [] })
    expect(await revoke(gate)).toMatchObject({ revoked_in_flight: [{ id: leased.dispatch.id, hook_id: hook.id }] })
    const [first, second] = await bench.dispatches(hook, (found) => found.length === 2)
    expect([first.status, second.status, second.error.code]).toEqual(['pending', 'cancelled', 'approval_revoked'])
    const acknowledged = await bench.admin.post(`/api/v1/dispatches/${leased.dispatch.id}/acknowledge`, {
      lease_until: leased.lease_until,
      outcome: 'retry',
    })
    expect(acknowledged.body).toMatchObject({ ...REVOKED, attempt_count: 1 })
    expect((await bench.ask(hook, 'claim', {})).body).toEqual([])
  })
})

/** A project with a pull hook. */
async function pulled(): Promise<{ project: Body; hook: Body }> {
  const project = await bench.project()
  const input = { name: 'Deploy', mode: 'pull', trigger_on: 'gate_approved' }
  return { project, hook: await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, input) }
}

describe('A dispatch of a revoked approval', () => {
  test('is not redelivered, whether it waited, succeeded or failed, and recover leaves it out', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const gate = await bench.approve(project)
    const succeeded = await bench.settled(hook)
    receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
    const { body: failed } = await bench.act(succeeded, 'redeliver', { Prefer: 'wait=10' })
    expect([succeeded.status, failed.status]).toEqual(['succeeded', 'failed'])
    const other = await bench.approve(project)
    await bench.dispatches(hook, (found) => found.length === 3 && found.every(({ status }) => status !== 'pending'))
    await bench.change(hook, { paused: true })
    await bench.act(succeeded, 'redeliver')
    await revoke(gate)
    const found = await bench.dispatches(hook, (all) => all.length === 4 && all.every(({ status }) => status !== 'pending'))
    const ofGate = found.filter((dispatch) => gateIn(dispatch) === gate.id)
    expect(ofGate.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'cancelled'])
    for (const dispatch of ofGate) {
      const { status, body } = await bench.act(dispatch, 'redeliver')
      expect([status, body.code]).toEqual([409, 'approval_required'])
    }
    const recover = { since: '2020-01-01T00:00:00Z', dry_run: true }
    expect((await bench.ask(hook, 'recover', recover)).body).toEqual({ redelivered: 1 })
    await revoke(other)
    expect((await bench.ask(hook, 'recover', recover)).body).toEqual({ redelivered: 0 })
  })
})

describe('An approval that is revoked before its event is fanned out', () => {
  test('makes cancelled dispatches, which supersede nothing', async () => {
    const { project, hook, receiver } = await bench.hooked({ supersede: true })
    receiver.answer = () => new Response('', { status: 500 })
    const kept = await bench.approve(project)
    await bench.tried(hook)
    // The drain locks the hook: the revocation comes first.
    const release = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = bench.box.sql.begin(async (tx) => {
      await tx`select from deployment_hooks where id = ${hook.id} and organization_id = ${bench.site.organization.id} for update`
      held.resolve()
      await release.promise
    })
    await held.promise
    const gate = await bench.approve(project)
    await revoke(gate)
    release.resolve()
    await holding
    const [first, second] = await bench.dispatches(hook, (found) => found.length === 2)
    expect(second).toMatchObject({ ...REVOKED, attempt_count: 0, sequence: 2 })
    expect(gateIn(second)).toBe(gate.id)
    await bench.act(first, 'retry')
    const tried = await bench.once(first, ({ attempt_count }) => attempt_count === 2)
    expect([gateIn(tried), tried.status]).toEqual([kept.id, 'pending'])
    expect(receiver.requests).toHaveLength(2)
  })

  test('has no dispatch that waits, whichever comes first', async () => {
    const { project, hook } = await bench.hooked()
    await bench.change(hook, { paused: true })
    const gates = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const gate = await bench.approve(project)
        if (index % 2 === 1) await bench.box.until('it is fanned out', async () => (await bench.listed(hook)).total > 0)
        return revoke(gate)
      }),
    )
    const found = await bench.dispatches(hook, (all) => all.length === gates.length)
    expect(found.map(({ status, error }) => [status, error?.code])).toEqual(gates.map(() => ['cancelled', 'approval_revoked']))
  })
})
