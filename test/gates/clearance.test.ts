/** Whether one may go on with what a gate is about: for the API, for agents and for their tasks, which all give the same answer. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Agent, modern, type Result } from '../mcp/agents.ts'
import { PageClient } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'
import { approve, Committee, reject } from './committee.ts'

type Body = Answer['body']

const EXTENSION = 'io.modelcontextprotocol/tasks'
const ANY = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const
const FOREVER = '2999-01-01T00:00:00.000Z'

let committee: Committee
let agent: Agent & { client: { request: (request: never, schema: never) => Promise<Body> } }

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  const { token } = await committee.ada.make('/api/v1/auth/tokens', { name: 'Agent' })
  agent = (await modern(committee.box.base, token, { [EXTENSION]: {} })) as unknown as typeof agent
  // From now on the client checks results by the schemas of the tools.
  await agent.tools()
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await committee.close()
})

const policy = (project: Body, input: object) =>
  committee.ada.put(`/api/v1/projects/${project.id}/environments/production/policy`, input)
const freeze = (project: Body, until = FOREVER) =>
  policy(project, { freezes: [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until }] })
const thaw = (project: Body) => policy(project, { freezes: [] })

const newProject = (): Promise<Body> =>
  committee.ada.make(`/api/v1/workspaces/${committee.site.workspace.id}/projects`, { name: 'Shop' })

const open = (project: Body, input: object = {}): Promise<Body> =>
  committee.ada.make(`/api/v1/projects/${project.id}/gates`, { name: 'Release', environment: 'production', ...input })

/** Gates of one execution, for production. */
async function siblings(project: Body, ...names: string[]): Promise<Body[]> {
  const execution = await committee.box.running(committee.ada, project.id)
  const gates: Body[] = []
  for (const name of names)
    gates.push(await committee.ada.make(`/api/v1/executions/${execution.id}/gates`, { name, environment: 'production' }))
  return gates
}

const revoke = ({ id }: Body, reason = 'It is vulnerable.') => committee.mary.make(`/api/v1/gates/${id}/revoke`, { reason })
const textOf = ({ content }: Result): string => content.map(({ text }) => text).join('\n')

/** What is said about a gate, which everybody who is asked says alike. */
async function clearanceOf({ id }: Body): Promise<Body> {
  const { status } = (await committee.ada.get(`/api/v1/gates/${id}`)).body
  const clearance = (await committee.ada.get(`/api/v1/gates/${id}/clearance`)).body
  const isClear = clearance.state === 'clear'
  const answers = [await agent.call('get_gate', { gate_id: id })]
  if (status !== 'pending') {
    answers.push(await agent.call('wait_for_gate', { gate_id: id, wait: 1 }))
    const task = await agent.client.request({ method: 'tasks/get', params: { taskId: id } } as never, ANY as never)
    expect([task.status, task.result.isError]).toEqual(['completed', !isClear])
    expect(task.statusMessage.includes('continue with what it is about')).toBe(isClear)
    answers.push(task.result)
    const { body: effects } = await committee.ada.get(`/api/v1/gates/${id}/effects`)
    expect(effects.held_until).toBe(clearance.held_until)
  }
  for (const answer of answers) {
    expect(textOf(answer).includes('continue with what it is about')).toBe(isClear)
    if (status !== 'approved') continue
    expect(answer.structuredContent?.gate.clearance).toEqual(clearance)
    // What people wrote stands in the data alone.
    const [advice = ''] = textOf(answer).split('```')
    for (const reason of clearance.reasons) {
      expect(textOf(answer)).toContain(JSON.stringify(reason).slice(1, -1))
      expect(advice).not.toContain('vulnerable')
    }
    if (clearance.held_until !== null) expect(advice).toContain(clearance.held_until)
  }
  return clearance
}

const CLEAR = { state: 'clear', held_until: null, reasons: [] }
const because = (state: string, reason: string | RegExp) => ({
  state,
  held_until: null,
  reasons: [typeof reason === 'string' ? reason : expect.stringMatching(reason)],
})

test('a gate is clear once it is approved, until the approval is revoked: by whom, when and why', async () => {
  const project = await newProject()
  const gate = await open(project)
  expect(await clearanceOf(gate)).toEqual(because('waiting', 'The gate is pending.'))
  await approve(committee.grace, gate)
  expect(await clearanceOf(gate)).toEqual(CLEAR)
  await revoke(gate)
  expect(await clearanceOf(gate)).toEqual(
    because('denied', /^Mary revoked the approval on \d{4}-\d\d-\d\d \d\d:\d\d UTC: It is vulnerable\.$/),
  )
})

test('the page of a gate does not announce what a revoked approval will send', async () => {
  const project = await newProject()
  const hook = { name: 'Deploy', url: 'http://127.0.0.1:9', environment: 'production', trigger_on: 'gate_approved' }
  await committee.ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, hook)
  const gate = await open(project)
  await approve(committee.grace, gate)
  const browser = await PageClient.signedIn(committee.box, committee.ada)
  const sent = async () => (await browser.open(`/app/gates/${gate.id}`)).text
  expect(await sent()).toContain('It is on its way to “Deploy”.')
  await revoke(gate)
  expect(await sent()).toContain('The approval was revoked before anything was sent.')
})

test('a gate that was not approved is denied', async () => {
  const project = await newProject()
  const [rejected, changed, cancelled] = [await open(project), await open(project), await open(project)]
  await reject(committee.grace, rejected)
  await committee.grace.make(`/api/v1/gates/${changed.id}/request-changes`, { comment: 'Add a test.' })
  await committee.ada.make(`/api/v1/gates/${cancelled.id}/cancel`)
  expect(await clearanceOf(rejected)).toEqual(because('denied', 'The gate is rejected.'))
  expect(await clearanceOf(changed)).toEqual(because('denied', 'The gate is not approved: changes are requested.'))
  expect((await committee.ada.get(`/api/v1/gates/${cancelled.id}/clearance`)).body).toEqual(
    because('denied', 'The gate is cancelled.'),
  )
})

describe('In a freeze, an approved gate', () => {
  test('waits until it ends, also one that begins after the approval', async () => {
    const project = await newProject()
    await freeze(project)
    const [early, other] = [await open(project), await open(project, { environment: 'staging' })]
    await approve(committee.grace, early)
    await approve(committee.grace, other)
    const held = { state: 'waiting', held_until: FOREVER, reasons: ['production is frozen until 2999-01-01 00:00 UTC.'] }
    expect(await clearanceOf(early)).toEqual(held)
    expect(await clearanceOf(other)).toEqual(CLEAR)
    await thaw(project)
    expect(await clearanceOf(early)).toEqual(CLEAR)
    await freeze(project)
    expect(await clearanceOf(early)).toEqual(held)
    await revoke(early)
    expect(await clearanceOf(early)).toMatchObject({ state: 'denied', held_until: null })
  })

  test('is clear if it was overridden, until that is revoked', async () => {
    const project = await newProject()
    await freeze(project)
    const gate = await open(project)
    await committee.ada.make(`/api/v1/gates/${gate.id}/override`, { reason: 'The shop is down.' })
    expect(await clearanceOf(gate)).toEqual(CLEAR)
    await revoke(gate)
    expect(await clearanceOf(gate)).toMatchObject({ state: 'denied' })
  })

  test('without an environment waits for the freezes of the hooks that it triggers', async () => {
    const project = await newProject()
    await freeze(project)
    const gate = await open(project, { environment: null })
    await approve(committee.grace, gate)
    expect(await clearanceOf(gate)).toEqual(CLEAR)
    await committee.ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: 'http://127.0.0.1:9',
      environment: 'production',
      trigger_on: 'gate_approved',
    })
    expect(await clearanceOf(gate)).toMatchObject({ state: 'waiting', held_until: FOREVER })
  })
})

describe('With other gates of its execution and environment, an approved gate', () => {
  test('waits for those that are pending, and is clear with the last approval, until that one is revoked', async () => {
    const project = await newProject()
    const [tests, security, legal] = await siblings(project, 'Tests', 'Security', 'Legal')
    await approve(committee.grace, tests)
    expect(await clearanceOf(tests)).toEqual(
      because('waiting', 'Other gates for the same environment are pending: “Legal”, “Security”.'),
    )
    await approve(committee.grace, security)
    await approve(committee.grace, legal)
    for (const gate of [tests, security, legal]) expect(await clearanceOf(gate)).toEqual(CLEAR)
    await revoke(legal)
    for (const gate of [tests, security, legal]) expect(await clearanceOf(gate)).toMatchObject({ state: 'denied' })
  })

  test('is denied when another is rejected, and waits while changes are requested at another', async () => {
    const project = await newProject()
    const [tests, security] = await siblings(project, 'Tests', 'Security')
    await approve(committee.grace, tests)
    await committee.grace.make(`/api/v1/gates/${security.id}/request-changes`, { comment: 'Add a test.' })
    expect(await clearanceOf(tests)).toEqual(
      because('waiting', 'Changes were requested at other gates for the same environment: “Security”.'),
    )
    const again = await committee.ada.make(`/api/v1/executions/${tests.execution_id}/gates`, {
      name: 'Security',
      environment: 'production',
    })
    expect(await clearanceOf(tests)).toEqual(because('waiting', /pending: “Security”/))
    await reject(committee.grace, again)
    expect(await clearanceOf(tests)).toEqual(
      because('denied', 'Other gates for the same environment were rejected or have expired: “Security”.'),
    )
  })

  test('is not held by one that is opened later, nor by one that was withdrawn', async () => {
    const project = await newProject()
    const [tests, withdrawn] = await siblings(project, 'Tests', 'Withdrawn')
    await approve(committee.grace, tests)
    await committee.ada.make(`/api/v1/gates/${withdrawn.id}/cancel`)
    expect(await clearanceOf(tests)).toEqual(CLEAR)
    const [first] = await siblings(project, 'First')
    await approve(committee.grace, first)
    await committee.ada.make(`/api/v1/executions/${first.execution_id}/gates`, { name: 'Later', environment: 'production' })
    expect(await clearanceOf(first)).toEqual(CLEAR)
  })

  test('is denied if another is revoked before any has triggered the hooks; one that replaced it counts', async () => {
    const project = await newProject()
    const [tests, security, legal] = await siblings(project, 'Tests', 'Security', 'Legal')
    await approve(committee.grace, tests)
    await approve(committee.grace, security)
    await revoke(security)
    const denied = because('denied', 'The approval of other gates for the same environment was revoked: “Security”.')
    expect(await clearanceOf(tests)).toEqual(denied)
    const again = await committee.ada.make(`/api/v1/executions/${tests.execution_id}/gates`, {
      name: 'Security',
      environment: 'production',
    })
    await approve(committee.grace, again)
    for (const gate of [tests, again]) expect(await clearanceOf(gate)).toEqual(because('waiting', /pending: “Legal”/))
    await committee.ada.make(`/api/v1/gates/${legal.id}/cancel`)
    for (const gate of [tests, again]) expect(await clearanceOf(gate)).toEqual(CLEAR)
  })

  test('is denied if another was revoked meanwhile, where the environment requires a gate: nothing is sent then', async () => {
    const project = await newProject()
    const [tests, security] = await siblings(project, 'Tests', 'Security')
    await approve(committee.grace, security)
    await revoke(security)
    await approve(committee.grace, tests)
    expect(await clearanceOf(tests)).toEqual(CLEAR)
    await policy(project, { gate_required: true })
    expect(await clearanceOf(tests)).toMatchObject({ state: 'denied' })
  })
})

test('a gate that is pending and past its expiry is denied, although no worker has recorded it', async () => {
  const gate = await committee.opened({ expires_in_seconds: 60 }, await newProject())
  await committee.passExpiry(gate)
  expect(await clearanceOf(gate)).toEqual(because('denied', 'The gate is expired.'))
})

test('lists of gates, pages and the search show a revoked approval as one', async () => {
  const gate = await committee.opened({ name: 'Xylophone review' })
  await approve(committee.grace, gate)
  await revoke(gate)
  const { requirement_id } = await committee.executionOf(gate)
  const browser = await PageClient.signedIn(committee.box, committee.ada)
  for (const page of ['requirements', 'executions', 'gates']) {
    const id = { requirements: requirement_id, executions: gate.execution_id, gates: gate.id }[page]
    const { text } = await browser.open(`/app/${page}/${id}`)
    expect([page, text]).toEqual([page, expect.stringContaining('revoked')])
  }
  const { body: found } = await committee.ada.get('/api/v1/search?q=xylophone')
  expect(found).toMatchObject([{ id: gate.id, status: 'revoked' }])
})
