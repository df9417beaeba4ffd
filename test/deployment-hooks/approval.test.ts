/** An environment whose policy requires an approved gate: each way in which a dispatch is made, with and without one. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { moveExpiry } from '../support/fixed-gates.ts'
import { PageClient } from '../support/page-client.ts'
import { type Body, guardedHooks, policyOf, YES } from './guarded-hooks.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})
afterAll(() => bench.close())

const { policy, guarded, gates, settled, outcomes } = guardedHooks(() => bench)

describe('automatic dispatches', () => {
  test('of gates need an approved gate for the environment: one without an environment does not count', async () => {
    const { project, hook, receiver } = await guarded()
    await gates(await bench.box.running(bench.admin, project.id), { name: 'Yes, anywhere' })
    await gates(await bench.box.running(bench.admin, project.id), YES)
    expect(await outcomes(hook)).toEqual(['not_approved', 'succeeded'])
    expect(receiver.requests).toHaveLength(1)
    const { items } = await bench.listed(hook)
    expect(items[1]).toMatchObject({ status: 'cancelled', attempt_count: 0, error: { code: 'not_approved' } })
    expect(items[1].error.detail).toContain('Open a gate for the environment')
  })

  test('of another environment, and of a policy that requires no gate, are sent', async () => {
    const { project, hook } = await guarded({ environment: 'staging' })
    await gates(await bench.box.running(bench.admin, project.id), { name: 'Yes' })
    expect(await outcomes(hook)).toEqual(['succeeded'])
    const free = await bench.hooked()
    await policy(free.project, { required_approvals: 2 })
    await bench.box.approval(bench.admin, (await bench.box.running(bench.admin, free.project.id)).id)
    expect(await outcomes(free.hook)).toEqual(['succeeded'])
  })

  test('of workflows are decided by the last gate for the environment that one of their executions opened', async () => {
    const { project, hook } = await guarded({ trigger_on: 'workflow_done' })
    const finish = async (...inputs: object[]) => {
      const execution = await bench.box.running(bench.admin, project.id)
      const opened = await gates(execution, ...inputs)
      await bench.admin.make(`/api/v1/executions/${execution.id}/complete`, {})
      return opened
    }
    await finish()
    await finish({ name: 'Yes' }, { ...YES, environment: 'staging' })
    await finish(YES)
    await finish(YES, { name: 'Yes', environment: 'staging' })
    expect(await outcomes(hook)).toEqual(['not_approved', 'not_approved', 'succeeded', 'succeeded'])
  })

  test('of workflows whose execution was rejected after it was approved are not sent', async () => {
    const { project, hook } = await guarded({ trigger_on: 'workflow_done' })
    const requirement = await bench.admin.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Pay by invoice' })
    const graph_id = Bun.randomUUIDv7()
    const start = async () => {
      const execution = await bench.admin.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'coder', graph_id })
      return bench.admin.make(`/api/v1/executions/${execution.id}/start`, {})
    }
    const first = await start()
    const [, second] = (await gates(first, YES, { name: 'No', environment: 'production' })) as [Body, Body]
    await bench.admin.make(`/api/v1/gates/${second.id}/reject`, {})
    await bench.admin.make(`/api/v1/executions/${(await start()).id}/complete`, {})
    expect(await outcomes(hook)).toEqual(['not_approved'])
    const third = await start()
    await gates(third, YES)
    await bench.admin.make(`/api/v1/executions/${third.id}/complete`, {})
    expect(await outcomes(hook)).toEqual(['not_approved', 'succeeded'])
  })

  test('of workflows with a newer gate that has expired, or at which changes were requested, are not sent', async () => {
    const { project, hook } = await guarded({ trigger_on: 'workflow_done' })
    const requirement = await bench.admin.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Pay by invoice' })
    const start = async (graph_id: string) => {
      const execution = await bench.admin.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'coder', graph_id })
      return bench.admin.make(`/api/v1/executions/${execution.id}/start`, {})
    }
    const complete = ({ id }: Body) => bench.admin.make(`/api/v1/executions/${id}/complete`, {})
    const changed = await start(Bun.randomUUIDv7())
    const [, asked] = (await gates(changed, YES, { name: 'No', environment: 'production' })) as [Body, Body]
    await bench.admin.make(`/api/v1/gates/${asked.id}/request-changes`, { comment: 'Split it.' })
    await complete(changed)
    expect(await outcomes(hook)).toEqual(['not_approved'])
    // The execution of a gate that expires fails: another one of the graph completes it.
    const graph_id = Bun.randomUUIDv7()
    const approved = await start(graph_id)
    await gates(approved, YES)
    await complete(approved)
    const late = await start(graph_id)
    await gates(late, { name: 'No', environment: 'production', expires_in_seconds: 60 })
    const [{ id }] = await bench.box.sql<[{ id: string }]>`select id from gates where execution_id = ${late.id}`
    await bench.box.sql`update gates set created_at = now() - interval '1 day' where id = ${id}`
    await moveExpiry(bench.box.sql, id, -1)
    await bench.box.until('it is expired', async () => (await bench.admin.get(`/api/v1/gates/${id}`)).body.status === 'expired')
    await complete(await start(graph_id))
    expect(await outcomes(hook)).toEqual(['not_approved', 'succeeded', 'not_approved'])
  })

  test('of a hook that the service disabled are not approved either, so that recover does not send them', async () => {
    const { project, hook, receiver } = await guarded()
    receiver.answer = () => new Response('gone', { status: 410 })
    await gates(await bench.box.running(bench.admin, project.id), YES)
    await settled()
    await gates(await bench.box.running(bench.admin, project.id), { name: 'Yes, anywhere' })
    await gates(await bench.box.running(bench.admin, project.id), YES)
    const found = await outcomes(hook)
    expect(found.slice(1)).toEqual(['not_approved', 'hook_disabled'])
    receiver.answer = () => new Response('ok')
    await bench.change(hook, { enabled: true })
    const { body } = await bench.ask(hook, 'recover', { since: '2020-01-01T00:00:00Z' })
    expect(body).toEqual({ redelivered: 2 })
  })
})

describe('requested dispatches', () => {
  test('an override is overridden again by the person who redelivers it', async () => {
    const { hook, receiver } = await guarded()
    receiver.answer = () => new Response('stop', { status: 400, headers: { 'X-Signalbox-Control': 'stop' } })
    const override = { override: { reason: 'Checkout is down.' } }
    const { body } = await bench.ask(hook, 'trigger', override, { Prefer: 'wait=20' })
    expect(body.status).toBe('failed')
    const max = await bench.box.user('Max')
    await bench.box.join(max, bench.site, 'member', 'admin')
    const { status, body: problem } = await max.post(`/api/v1/dispatches/${body.id}/redeliver`)
    expect([status, problem.code]).toEqual([409, 'approval_required'])
    const since = { since: '2020-01-01T00:00:00Z' }
    const recover = `/api/v1/deployment-hooks/${hook.id}/recover`
    expect((await max.post(recover, since)).body).toEqual({ redelivered: 0 })
    const { token } = await bench.admin.make('/api/v1/auth/tokens', { name: 'CI', scope: 'write' })
    const byScript = await bench.box.request('POST', recover, since, { Authorization: `Bearer ${token}` })
    expect(byScript.body).toEqual({ redelivered: 0 })
    expect((await bench.ask(hook, 'recover', since)).body).toEqual({ redelivered: 1 })
  })

  test('the reason of an override can be seen, and is one line in the audit log', async () => {
    const { hook } = await guarded()
    for (const reason of [' \n ', '\u200b']) {
      const { status, body } = await bench.ask(hook, 'trigger', { override: { reason } })
      expect([status, body.errors[0].pointer]).toEqual([422, '/override/reason'])
    }
    const { body } = await bench.ask(hook, 'trigger', { override: { reason: `  Down.\nRolled back. ${'x'.repeat(900)}` } })
    expect(body.override_reason).toStartWith('Down.\nRolled back. xxx')
    const { detail } = await bench.lastEntry(hook.id)
    expect(detail).toEndWith(`without an approval: Down. Rolled back. ${'x'.repeat(900)}`)
  })

  test('a manual trigger needs an override, whose reason is on the dispatch and audited', async () => {
    const { hook, receiver } = await guarded()
    const refused = await bench.ask(hook, 'trigger')
    expect([refused.status, refused.body.code]).toEqual([409, 'approval_required'])
    expect((await bench.listed(hook)).total).toBe(0)
    const { status, body } = await bench.ask(
      hook,
      'trigger',
      { override: { reason: 'Checkout is down.' } },
      { Prefer: 'wait=20' },
    )
    expect([status, body.status, body.override_reason, body.sequence]).toEqual([200, 'succeeded', 'Checkout is down.', 1])
    expect(receiver.requests).toHaveLength(1)
    expect((await bench.lastEntry(hook.id)).detail).toContain('without an approval: Checkout is down.')
    const again = await bench.act(body, 'redeliver')
    expect([again.status, again.body.override_reason]).toEqual([202, 'Checkout is down.'])
  })

  test('only an admin of the organization overrides, not with a token that cannot decide', async () => {
    const { hook } = await guarded()
    const override = { override: { reason: 'Checkout is down.' } }
    const max = await bench.box.user('Max')
    await bench.box.join(max, bench.site, 'member', 'admin')
    const path = `/api/v1/deployment-hooks/${hook.id}/trigger`
    expect((await max.post(path, override)).status).toBe(403)
    expect((await max.post(path)).body.code).toBe('approval_required')
    const { token } = await bench.admin.make('/api/v1/auth/tokens', { name: 'CI', scope: 'write' })
    const byScript = await bench.box.request('POST', path, override, { Authorization: `Bearer ${token}` })
    expect([byScript.status, byScript.body.code]).toEqual([403, 'person_required'])
  })

  test('a hook leaves the environment by a person, not by an agent with the token of an admin', async () => {
    const { hook, project } = await guarded()
    const path = `/api/v1/deployment-hooks/${hook.id}`
    const agent = bench.admin.as((await bench.admin.make('/api/v1/auth/tokens', { name: 'Agent', scope: 'write' })).token)
    const { status, body } = await agent.put(path, { environment: 'elsewhere' })
    expect([status, body.code]).toEqual([403, 'person_required'])
    expect((await agent.put(path, { environment: 'production', name: 'Deploy' })).status).toBe(200)
    await policy(project, {
      gate_required: false,
      freezes: [{ name: 'Party', from: '2020-01-01T00:00:00Z', until: '2090-01-01T00:00:00Z' }],
    })
    expect((await agent.put(path, { environment: 'elsewhere' })).status).toBe(403)
    expect((await bench.admin.put(path, { environment: 'elsewhere' })).body.environment).toBe('elsewhere')
    expect((await agent.put(path, { environment: 'production' })).status).toBe(200)
  })

  test('tests and rollbacks pass', async () => {
    const { project, hook } = await guarded()
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=20' })
    await bench.admin.make(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version: 'v1.4.2' })
    expect(await outcomes(hook)).toEqual(['succeeded', 'succeeded'])
  })

  test('what was not approved is neither redelivered nor recovered, also after the policy was deleted', async () => {
    const { project, hook } = await guarded()
    await gates(await bench.box.running(bench.admin, project.id), { name: 'Yes, anywhere' })
    expect(await outcomes(hook)).toEqual(['not_approved'])
    const { items } = await bench.listed(hook)
    const redeliver = async () => (await bench.act(items[0], 'redeliver')).body.code
    expect(await redeliver()).toBe('approval_required')
    expect((await bench.ask(hook, 'recover', { since: '2020-01-01T00:00:00Z' })).body).toEqual({ redelivered: 0 })
    expect((await bench.admin.delete(policyOf(project))).status).toBe(204)
    expect(await redeliver()).toBe('approval_required')
  })

  test('a policy that requires a gate later also holds for redeliveries of what was sent before', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('stop', { status: 400, headers: { 'X-Signalbox-Control': 'stop' } })
    await gates(await bench.box.running(bench.admin, project.id), { name: 'Yes, anywhere' })
    await settled()
    await gates(await bench.box.running(bench.admin, project.id), YES)
    await settled()
    await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=20' })
    await policy(project, { gate_required: true })
    receiver.answer = () => new Response('ok')
    const { items } = await bench.listed(hook)
    const codes = await Promise.all([items[0], items[2]].map(async (item) => (await bench.act(item, 'redeliver')).body.code))
    expect(codes).toEqual(['approval_required', 'approval_required'])
    expect((await bench.ask(hook, 'recover', { since: '2020-01-01T00:00:00Z' })).body).toEqual({ redelivered: 1 })
    await settled()
    expect(receiver.requests.at(-1)?.headers['x-signalbox-event']).toBe('gate.approved')
  })
})

describe('the page of a hook', () => {
  test('lets an admin of the organization trigger it with a reason, and no one else', async () => {
    const { hook, receiver } = await guarded()
    const path = `/app/deployment-hooks/${hook.id}`
    const admin = await PageClient.signedIn(bench.box, bench.admin)
    const refused = await admin.post(`${path}/trigger`)
    expect(refused.status).toBe(409)
    const done = await admin.press(await admin.open(path), 'Trigger', { 'override/reason': 'Checkout is down.' })
    expect(done.text).toContain('The hook was triggered.')
    await receiver.waitFor(1)
    const { items } = await bench.listed(hook)
    expect(items.map(({ override_reason }: Body) => override_reason)).toEqual(['Checkout is down.'])
    const max = await bench.box.user('Max')
    await bench.box.join(max, bench.site, 'member', 'admin')
    const { text, document } = await (await PageClient.signedIn(bench.box, max)).open(path)
    expect(text).toContain('Only owners and admins of the organization can trigger the hook without one.')
    expect(document.querySelector('[name="override/reason"]')).toBeNull()
  })

  test('triggers at once where no gate is required', async () => {
    const { hook } = await bench.hooked()
    const admin = await PageClient.signedIn(bench.box, bench.admin)
    const done = await admin.press(await admin.open(`/app/deployment-hooks/${hook.id}`), 'Trigger')
    expect(done.text).toContain('The hook was triggered.')
  })
})
