/** Who may use the tools: with the token of the API, and what it allows there. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { type Agent, message, modern, recordOf } from './agents.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const tokenOf = async (actor: Actor, scope: string, more: object = {}) =>
  (await actor.make('/api/v1/auth/tokens', { name: scope, scope, ...more })).token

/** Its own address, if nothing else is set. */
const publicUrl = () => `http://localhost:${new URL(box.base).port}`

const READING = ['get_environments', 'get_gate', 'get_requirement', 'list_work', 'wait_for_gate']
const ALL = [
  'complete_execution',
  'fail_execution',
  'get_environments',
  'get_gate',
  'get_requirement',
  'list_work',
  'open_gate',
  'report_rollout',
  'report_usage',
  'start_execution',
  'wait_for_gate',
]

const named = async (agent: Agent) => (await agent.tools()).map(({ name }) => name).sort()

const send = (headers: Record<string, string>, method = 'tools/list', params: object = {}): Promise<Response> =>
  fetch(`${box.base}/mcp`, message(headers, method, params))

describe('Without a valid token', () => {
  const CHALLENGE = () => `Bearer resource_metadata="${publicUrl()}/.well-known/oauth-protected-resource/mcp"`
  const REQUIREMENT = { name: 'get_requirement', arguments: { requirement_id: crypto.randomUUID() } }

  test.each([
    ['none', {}],
    ['a malformed one', { Authorization: 'Bearer' }],
    ['an invented one', { Authorization: 'Bearer sbx_pat_invented' }],
  ])('%s, every message is answered 401 with where to get one', async (_, headers: Record<string, string>) => {
    for (const [method, params] of [
      ['tools/list', {}],
      ['server/discover', {}],
      ['tools/call', REQUIREMENT],
      ['tools/call', { name: 'no_such_tool', arguments: {} }],
      ['no/such/method', {}],
    ] as const) {
      const response = await send(headers, method, params)
      expect([method, response.status, response.headers.get('www-authenticate')]).toEqual([method, 401, CHALLENGE()])
      expect((await response.json()).code).toBe('unauthenticated')
    }
  })

  test('that place is described for clients', async () => {
    const response = await fetch(`${box.base}/.well-known/oauth-protected-resource/mcp`)
    expect(await response.json()).toMatchObject({ resource: `${publicUrl()}/mcp`, authorization_servers: [publicUrl()] })
  })

  test('a stranger learns nothing from a malformed message', async () => {
    for (const body of ['{', '[]', '{"jsonrpc":"2.0"}', `${'['.repeat(40)}${']'.repeat(40)}`]) {
      const response = await fetch(`${box.base}/mcp`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
      expect([body, response.status]).toEqual([body, 401])
    }
  })

  test('a revoked token is refused at the next call', async () => {
    const { id, token } = await ada.make('/api/v1/auth/tokens', { name: 'Stolen' })
    await using agent = await modern(box.base, token)
    expect(await named(agent)).toEqual(ALL)
    await ada.delete(`/api/v1/auth/tokens/${id}`)
    await expect(agent.call('list_work', { project_id: site.project.id })).rejects.toThrow('401')
  })
})

describe('Origin', () => {
  test('of another page is refused, whatever the host is called', async () => {
    const Authorization = `Bearer ${ada.token}`
    for (const Origin of ['https://evil.example', 'null', box.base, publicUrl().replace('localhost', 'evil.test')]) {
      const response = await send({ Authorization, Origin, Host: new URL(Origin === 'null' ? box.base : Origin).host })
      expect([Origin, response.status, (await response.json()).code]).toEqual([Origin, 403, 'forbidden'])
    }
    expect((await send({ Authorization, Origin: publicUrl() })).status).toBe(200)
    expect((await send({ Authorization })).status).toBe(200)
  })
})

describe('Personal tokens', () => {
  test('with the scope read have the tools that read', async () => {
    await using agent = await modern(box.base, await tokenOf(ada, 'read'))
    expect(await named(agent)).toEqual(READING)
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
    expect(recordOf(await agent.call('get_requirement', { requirement_id: requirement.id }), 'requirement')).toEqual(requirement)
    const refused = await agent.call('start_execution', { requirement_id: requirement.id, agent: 'codex' })
    expect([refused.isError, refused.content[0]?.text]).toEqual([true, expect.stringContaining('read_only_token: ')])
    expect((await ada.get(`/api/v1/requirements/${requirement.id}/executions`)).body.total).toBe(0)
  })

  test('with the scope decide have no tool more than those with write', async () => {
    for (const scope of ['write', 'decide']) {
      await using agent = await modern(box.base, await tokenOf(ada, scope))
      expect(await named(agent)).toEqual(ALL)
    }
  })

  test('of one organization do not reach another', async () => {
    const elsewhere = await box.site(ada, 'Elsewhere')
    await using agent = await modern(box.base, await tokenOf(ada, 'write', { organization_id: elsewhere.organization.id }))
    const refused = await agent.call('list_work', { project_id: site.project.id })
    expect([refused.isError, refused.content[0]?.text]).toEqual([true, expect.stringContaining('not_found: ')])
    expect((await agent.call('list_work', { project_id: elsewhere.project.id })).isError).toBeUndefined()
  })
})

describe('Service accounts', () => {
  /** A key of an account of the project. */
  async function keyOf(scopes: string[]): Promise<string> {
    const { organization, workspace, project } = site
    const account = await ada.make(`/api/v1/organizations/${organization.id}/service-accounts`, {
      name: scopes.join(' '),
      workspace_id: workspace.id,
      project_id: project.id,
      scopes,
    })
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    return (await ada.make(`/api/v1/service-accounts/${account.id}/keys`, { name: 'Agent', expires_at })).key
  }

  test.each([
    [['work:read'], ['get_environments', 'get_requirement', 'list_work']],
    [['usage:write'], ['report_usage']],
    [['gates:read'], ['get_gate', 'wait_for_gate']],
    [['gates:open'], ['get_gate', 'open_gate', 'wait_for_gate']],
    [['rollouts:report'], ['get_environments', 'report_rollout']],
    [['hooks:trigger', 'deliverables:write'], []],
  ])('with %p have the tools of their scopes, and no others', async (scopes, tools) => {
    await using agent = await modern(box.base, await keyOf(scopes))
    expect(await named(agent)).toEqual(tools)
    const { isError, content } = await agent.call('start_execution', { requirement_id: crypto.randomUUID(), agent: 'codex' })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('insufficient_scope: ')])
  })

  test('with executions:write start, complete and fail executions', async () => {
    await using agent = await modern(box.base, await keyOf(['executions:write']))
    expect(await named(agent)).toEqual(['complete_execution', 'fail_execution', 'start_execution'])
  })

  test('of one project need not name it', async () => {
    await using agent = await modern(box.base, await keyOf(['work:read', 'executions:write']))
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Found by itself' })
    const work = recordOf(await agent.call('list_work'), 'requirements')
    expect(work.map(({ id }: { id: string }) => id)).toContain(requirement.id)
    const execution = recordOf(
      await agent.call('start_execution', { requirement_id: requirement.id, agent: 'codex' }),
      'execution',
    )
    expect(execution.status).toBe('running')
    const [entry] = await box.sql`select actor_type, via from audit_log_entries where resource_id = ${execution.id} limit 1`
    expect(entry).toEqual({ actor_type: 'service_account', via: 'mcp' })
  })
})

test('the ids of another tenant are unknown to every tool', async () => {
  const execution = await box.running(ada, site.project.id)
  const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: 'http://127.0.0.1:9/',
    trigger_on: 'gate_approved',
  })
  const dispatch = await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
  const mallory = await box.user('Mallory')
  await box.site(mallory, 'Mallory Inc.')
  await using agent = await modern(box.base, await tokenOf(mallory, 'write'))
  const project_id = site.project.id
  const { requirement_id, id: execution_id } = execution
  const calls: [string, object][] = [
    ['list_work', { project_id }],
    ['get_environments', { project_id }],
    ['get_requirement', { requirement_id }],
    ['start_execution', { requirement_id, agent: 'mallory' }],
    ['report_usage', { execution_id, cost_usd: 1 }],
    ['complete_execution', { execution_id }],
    ['fail_execution', { execution_id }],
    ['open_gate', { execution_id, name: 'Mine' }],
    ['open_gate', { project_id, name: 'Mine' }],
    ['get_gate', { gate_id: gate.id }],
    ['wait_for_gate', { gate_id: gate.id, wait: 1 }],
    ['report_rollout', { dispatch_id: dispatch.id, state: 'succeeded' }],
  ]
  expect([...new Set(calls.map(([name]) => name))].sort()).toEqual(ALL)
  for (const [name, args] of calls) {
    const { isError, content } = await agent.call(name, args)
    expect([name, isError, content[0]?.text]).toEqual([name, true, expect.stringContaining('not_found: ')])
  }
  expect((await ada.get(`/api/v1/gates/${gate.id}`)).body).toEqual(gate)
})

describe('No tool decides', () => {
  test('whatever the token allows and the tool is called', async () => {
    await using agent = await modern(box.base, await tokenOf(ada, 'decide'))
    for (const { name, title, annotations } of await agent.tools()) {
      expect([name, /approve_|reject|decide|override|review|revoke/.test(name), typeof title]).toEqual([name, false, 'string'])
      expect(annotations.destructiveHint).toBe(false)
    }
    const execution = await box.running(ada, site.project.id)
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
    const args = { gate_id: gate.id, binding: gate.binding, comment: 'Fine', decision: 'approve' }
    for (const name of ['approve_gate', 'reject_gate', 'approveGate', 'overrideGate', '../approve'])
      await expect(agent.call(name, args)).rejects.toThrow('Unknown tool')
    // What is no argument of a tool is refused, also as a part of a path.
    for (const [name, more] of [
      ['get_gate', { status: 'approved' }],
      ['get_gate', { gate_id: `${gate.id}/approve` }],
      ['wait_for_gate', { gate_id: `${gate.id}/../${gate.id}/approve`, wait: 1 }],
      ['open_gate', { execution_id: execution.id, name: 'Another', status: 'approved' }],
      ['complete_execution', { execution_id: `../gates/${gate.id}/approve` }],
    ] as const) {
      const { isError } = await agent.call(name, { gate_id: gate.id, ...more })
      expect([name, isError]).toEqual([name, true])
    }
    expect((await ada.get(`/api/v1/gates/${gate.id}`)).body.status).toBe('pending')
  })

  test('and none asks the person through the client', async () => {
    await using agent = await modern(box.base, await tokenOf(ada, 'write'))
    const execution = await box.running(ada, site.project.id)
    const { content, structuredContent } = await agent.call('open_gate', { execution_id: execution.id, name: 'Release review' })
    // A request to the client would come instead of the result.
    expect([content.length, structuredContent.gate.status]).toEqual([1, 'pending'])
    expect(agent.client.getServerCapabilities()).toEqual({
      tools: {},
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    })
  })
})
