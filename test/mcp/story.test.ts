/** An agent finds work, does it, asks for approval, waits, and reports: with the official client of each generation. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { apiRequest, sendLogs } from '../usage/otlp.ts'
import { GENERATIONS, recordOf } from './agents.ts'

let box: Box
let ada: Actor
let site: Site
let token: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  token = (await ada.make('/api/v1/auth/tokens', { name: 'Agent', scope: 'write' })).token
})
afterAll(() => box.close())

describe.each(Object.entries(GENERATIONS))('The %s client', (_, connect) => {
  test('plays the whole story', async () => {
    const project_id = site.project.id
    const wanted = await ada.make(`/api/v1/projects/${project_id}/requirements`, {
      title: 'Pay by invoice',
      acceptance_criteria: ['An invoice has a due date.'],
    })
    await using agent = await connect(box.base, token)
    expect(agent.instructions()).toContain('list_work')
    // From now on the client checks results by the schemas of the tools.
    await agent.tools()

    const work = await agent.call('list_work', { project_id, status: 'open' })
    expect(recordOf(work, 'requirements').map(({ id }: { id: string }) => id)).toContain(wanted.id)
    const read = await agent.call('get_requirement', { requirement_id: wanted.id })
    expect(recordOf(read, 'requirement')).toEqual(wanted)

    const began = await agent.call('start_execution', {
      requirement_id: wanted.id,
      agent: 'claude-code',
      idempotency_key: wanted.id,
    })
    const execution = recordOf(began, 'execution')
    expect(execution).toMatchObject({ status: 'running', agent: 'claude-code', started_by: ada.id })
    // Both are the time of one transaction.
    expect(execution.started_at).toBe(execution.created_at)
    const again = await agent.call('start_execution', {
      requirement_id: wanted.id,
      agent: 'claude-code',
      idempotency_key: wanted.id,
    })
    expect(recordOf(again, 'execution')).toEqual(execution)

    const execution_id = execution.id
    const spent = await agent.call('report_usage', { execution_id, cost_usd: 1.25 })
    expect(recordOf(spent, 'execution').cost_usd).toBe(1.25)

    const asked = await agent.call('open_gate', { execution_id, name: 'Deploy 1.4.2', description: 'Sends it to production.' })
    const gate = recordOf(asked, 'gate')
    expect(gate).toMatchObject({ status: 'pending', execution_id, created_by: ada.id })
    const early = await agent.call('complete_execution', { execution_id })
    expect([early.isError, early.content[0]?.text]).toEqual([true, expect.stringContaining('invalid_transition: ')])

    const waiting = agent.call('wait_for_gate', { gate_id: gate.id })
    await ada.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Ship it.' })
    const decided = await waiting
    expect(recordOf(decided, 'gate')).toMatchObject({ id: gate.id, status: 'approved', comment: 'Ship it.', decided_via: 'api' })
    expect(decided.content[0]?.text).toContain('The gate is approved')
    expect(recordOf(await agent.call('get_gate', { gate_id: gate.id }), 'gate').status).toBe('approved')

    const done = await agent.call('complete_execution', {
      execution_id,
      summary: 'Invoices have due dates.',
      metrics: { tests_passed: 12 },
    })
    expect(recordOf(done, 'execution')).toMatchObject({ status: 'completed', summary: 'Invoices have due dates.' })
    expect((await ada.get(`/api/v1/executions/${execution_id}`)).body).toMatchObject({ status: 'completed', cost_usd: 1.25 })

    const audit = await box.sql<{ action: string; actor_type: string; via: string | null }[]>`
      select action, actor_type, via from audit_log_entries where resource_id in (${execution_id}, ${gate.id}) order by id
    `
    expect([...audit]).toEqual([
      ...['execution.created', 'execution.started', 'execution.usage_reported', 'gate.pending'].map((action) => ({
        action,
        actor_type: 'token',
        via: 'mcp',
      })),
      { action: 'gate.approved', actor_type: 'human', via: null },
      { action: 'execution.completed', actor_type: 'token', via: 'mcp' },
    ])
    const events = await box.sql<{ name: string }[]>`
      select name
      from outbox
      where ${execution_id} in (data -> 'execution' ->> 'id', data -> 'gate' ->> 'execution_id')
      order by id
    `
    const names = ['execution.started', 'gate.pending', 'gate.approved', 'execution.completed']
    expect(events.map(({ name }) => name)).toEqual(names)
  })

  test('starts an execution that people have queued, whose id its telemetry has', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Send reminders' })
    const executions = `/api/v1/requirements/${requirement.id}/executions`
    const queued = await ada.make(executions, { agent: 'claude-code', cost_from: 'telemetry' })
    await using agent = await connect(box.base, token)
    const args = { execution_id: queued.id, max_cost_usd: 5, idempotency_key: queued.id }
    const started = recordOf(await agent.call('start_execution', args), 'execution')
    expect(started).toMatchObject({
      ...queued,
      status: 'running',
      max_cost_usd: 5,
      started_by: ada.id,
      started_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(recordOf(await agent.call('start_execution', args), 'execution')).toEqual(started)
    expect((await sendLogs(ada, queued.id, apiRequest({ cost_usd: '2' }))).body).toEqual({})
    const done = await agent.call('complete_execution', { execution_id: queued.id })
    expect(recordOf(done, 'execution')).toMatchObject({ status: 'completed', cost_usd: 2 })

    for (const [given, reason] of [
      [{ execution_id: queued.id }, 'invalid_transition: '],
      [{ execution_id: queued.id, requirement_id: requirement.id }, '/requirement_id'],
      [{ execution_id: queued.id, agent: 'codex' }, '/agent'],
      [{ requirement_id: requirement.id }, '/agent is required'],
      [{}, '/requirement_id is required'],
    ] as const) {
      const { isError, content } = await agent.call('start_execution', given)
      expect([given, isError, content[0]?.text]).toEqual([given, true, expect.stringContaining(reason)])
    }
    expect((await ada.get(executions)).body.total).toBe(1)
  })

  test('reads environments, and reports a deployment and a failure', async () => {
    const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: 'http://127.0.0.1:9/',
      trigger_on: 'gate_approved',
      report_within_seconds: 600,
    })
    const { id: dispatch_id } = await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
    await using agent = await connect(box.base, token)
    const reported = await agent.call('report_rollout', { dispatch_id, state: 'succeeded', version: 'v1.4.2' })
    expect(recordOf(reported, 'dispatch').rollout).toMatchObject({ state: 'succeeded', version: 'v1.4.2' })
    const { content, structuredContent } = await agent.call('get_environments', { project_id: site.project.id })
    expect(structuredContent.environments[0].current.version).toBe('v1.4.2')
    expect(content[0]?.text).toContain('"v1.4.2"')

    const { id: execution_id } = await box.running(ada, site.project.id)
    const failed = await agent.call('fail_execution', { execution_id, error: 'The tests do not pass.' })
    expect(recordOf(failed, 'execution')).toMatchObject({ status: 'failed', error: 'The tests do not pass.' })
  })
})
