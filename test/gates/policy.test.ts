import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

type Body = Answer['body']

let box: Box
let ada: Actor
let grace: Actor
let mary: Actor
let member: Actor
let site: Site

const DEFAULTS = {
  required_approvals: 1,
  prevent_self_approval: false,
  expires_in_seconds: null,
  decide_via: ['api', 'app', 'slack', 'mail'],
}

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
  grace = await box.user('Grace')
  mary = await box.user('Mary')
  member = await box.user('Max')
  site = await box.site(ada)
  await box.join(grace, site, 'admin')
  await box.join(mary, site, 'admin')
  await box.join(member, site, 'member', 'member')
})
afterAll(() => box.close())

/** A workspace of its own with a policy, and a project in it. */
async function withPolicy(gate_policy: object): Promise<Site> {
  const workspace = await ada.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Platform' })
  const { status } = await ada.put(`/api/v1/workspaces/${workspace.id}`, { gate_policy })
  expect(status).toBe(200)
  const project = await ada.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Checkout' })
  return { ...site, workspace, project }
}

/** Opens a gate in a new execution. */
async function opened(input: object = {}, project = site.project, by = ada) {
  const execution = await box.running(by, project.id)
  return by.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review', ...input })
}

const approve = (by: Actor, { id }: { id: string }, body?: object) => by.post(`/api/v1/gates/${id}/approve`, body)
const reject = (by: Actor, { id }: { id: string }, body?: object) => by.post(`/api/v1/gates/${id}/reject`, body)
const gateOf = async ({ id }: { id: string }) => (await ada.get(`/api/v1/gates/${id}`)).body
const executionOf = async ({ execution_id }: { execution_id: string }) =>
  (await ada.get(`/api/v1/executions/${execution_id}`)).body

/** The events about a gate or its execution, oldest first. */
const eventsOf = (gate: { execution_id: string }) => box.sql<{ name: string; data: Body }[]>`
  select name, data
  from outbox
  where organization_id = ${site.organization.id}
    and ${gate.execution_id} in (data -> 'execution' ->> 'id', data -> 'gate' ->> 'execution_id')
    and name <> 'execution.started'
  order by id
`

/** Moves the expiry of a gate into the past. */
const passExpiry = ({ id }: { id: string }) =>
  box.sql`update gates set created_at = now() - interval '1 day', expires_at = now() - interval '1 second' where id = ${id}`

describe('The policy of a workspace', () => {
  test('starts with one approval, in every way, without an expiry', async () => {
    const { body } = await ada.get(`/api/v1/workspaces/${site.workspace.id}`)
    expect(body.gate_policy).toEqual(DEFAULTS)
  })

  test('changes field by field, and the audit log names each field', async () => {
    const path = `/api/v1/workspaces/${(await withPolicy({ required_approvals: 2 })).workspace.id}`
    const { body } = await ada.put(path, { gate_policy: { expires_in_seconds: 3600, decide_via: ['app', 'mail'] } })
    expect(body.gate_policy).toEqual({
      ...DEFAULTS,
      required_approvals: 2,
      expires_in_seconds: 3600,
      decide_via: ['app', 'mail'],
    })
    const cleared = await ada.put(path, { gate_policy: { expires_in_seconds: null } })
    expect(cleared.body.gate_policy.expires_in_seconds).toBeNull()
    const { body: log } = await ada.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=workspace.updated`)
    const entries = log.items.filter(({ resource_id }: Body) => resource_id === body.id)
    expect(entries.map(({ detail }: Body) => detail)).toEqual([
      expect.stringContaining('gate_expires_in_seconds from 3600 to none'),
      expect.stringMatching(/gate_expires_in_seconds from none to 3600; gate_decide_via from \[.*\] to \["app","mail"\]/),
      expect.stringContaining('gate_required_approvals from 1 to 2'),
    ])
  })

  test('that is sent again as it is changes nothing', async () => {
    const { workspace } = await withPolicy({ required_approvals: 3 })
    const [before] = [(await ada.get(`/api/v1/workspaces/${workspace.id}`)).body]
    const { body } = await ada.put(`/api/v1/workspaces/${workspace.id}`, { gate_policy: before.gate_policy })
    expect(body).toEqual(before)
  })

  for (const [name, gate_policy, pointer] of [
    ['no approval', { required_approvals: 0 }, '/gate_policy/required_approvals'],
    ['eleven approvals', { required_approvals: 11 }, '/gate_policy/required_approvals'],
    ['an expiry of 59 seconds', { expires_in_seconds: 59 }, '/gate_policy/expires_in_seconds'],
    ['an expiry after 30 days', { expires_in_seconds: 2_592_001 }, '/gate_policy/expires_in_seconds'],
    ['no way to decide', { decide_via: [] }, '/gate_policy/decide_via'],
    ['an unknown way to decide', { decide_via: ['fax'] }, '/gate_policy/decide_via/0'],
    ['a field that does not exist', { approvers: 2 }, '/gate_policy/approvers'],
  ] as const) {
    test(`is refused with ${name}`, async () => {
      const { status, body } = await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy })
      expect([status, body.errors?.[0]?.pointer]).toEqual([422, pointer])
    })
  }

  test('is changed by admins only', async () => {
    const { status } = await member.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy: { required_approvals: 2 } })
    expect(status).toBe(403)
  })

  test('is copied into a gate when it is opened: later changes do not reach the gate', async () => {
    const { workspace, project } = await withPolicy({
      required_approvals: 2,
      prevent_self_approval: true,
      expires_in_seconds: 3600,
    })
    const gate = await opened({}, project)
    expect(gate).toMatchObject({ required_approvals: 2, prevent_self_approval: true, approvals: [], decided_via: null })
    expect(Date.parse(gate.expires_at) - Date.parse(gate.created_at)).toBe(3_600_000)
    await ada.put(`/api/v1/workspaces/${workspace.id}`, { gate_policy: DEFAULTS })
    expect(await gateOf(gate)).toEqual(gate)
  })
})

describe('A new gate', () => {
  test('may be stricter than the policy', async () => {
    const gate = await opened({ required_approvals: 3, prevent_self_approval: true, expires_in_seconds: 60 })
    expect(gate).toMatchObject({ required_approvals: 3, prevent_self_approval: true, decide_via: DEFAULTS.decide_via })
    expect(gate.expires_at).not.toBeNull()
  })

  test('is refused where it is weaker than the policy, at each field', async () => {
    const { project } = await withPolicy({ required_approvals: 2, prevent_self_approval: true, expires_in_seconds: 3600 })
    const execution = await box.running(ada, project.id)
    const open = (input: object) => ada.post(`/api/v1/executions/${execution.id}/gates`, { name: 'Review', ...input })
    const { status, body } = await open({ required_approvals: 1, prevent_self_approval: false, expires_in_seconds: 3601 })
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(body.errors.map(({ pointer, code }: Body) => [pointer, code])).toEqual([
      ['/required_approvals', 'weaker_than_policy'],
      ['/prevent_self_approval', 'weaker_than_policy'],
      ['/expires_in_seconds', 'weaker_than_policy'],
    ])
    expect((await open({ expires_in_seconds: null })).body.errors[0].code).toBe('weaker_than_policy')
    expect((await executionOf({ execution_id: execution.id })).status).toBe('running')
    expect((await open({ required_approvals: 2, prevent_self_approval: true, expires_in_seconds: 3600 })).status).toBe(201)
  })
})

describe('Several approvals', () => {
  test('decide together: each is shown, and the last one lets the execution run', async () => {
    const gate = await opened({ required_approvals: 2 })
    const first = await approve(ada, gate, { comment: 'Looks good.' })
    expect(first.status).toBe(200)
    const approval = { user_id: ada.id, name: 'Ada', comment: 'Looks good.', via: 'api', created_at: expect.any(String) }
    expect(first.body).toMatchObject({ status: 'pending', approvals: [approval], decided_by: null, decided_via: null })
    expect(first.body.updated_at > gate.updated_at).toBe(true)
    expect((await executionOf(gate)).status).toBe('awaiting_gate')
    const last = await approve(grace, gate, { comment: 'Ship it.' })
    expect(last.body).toMatchObject({ status: 'approved', decided_by: grace.id, decided_via: 'api', comment: 'Ship it.' })
    expect(last.body.approvals.map(({ user_id }: Body) => user_id)).toEqual([ada.id, grace.id])
    expect((await executionOf(gate)).status).toBe('running')
    const events = await eventsOf(gate)
    expect(events.map(({ name }) => name)).toEqual(['gate.pending', 'gate.approval_added', 'gate.approved'])
    expect(events[1]?.data).toEqual({ gate: first.body, approval: first.body.approvals[0] })
  })

  test('come from different people: a second one of the same person is refused', async () => {
    const gate = await opened({ required_approvals: 2 })
    await approve(ada, gate)
    const { status, body } = await approve(ada, gate)
    expect([status, body.code]).toEqual([409, 'already_approved'])
    const token = await ada.make('/api/v1/auth/tokens', { name: 'CI' })
    const byToken = await approve(ada.as(token.token), gate)
    expect([byToken.status, byToken.body.code]).toEqual([409, 'already_approved'])
    expect((await gateOf(gate)).approvals).toHaveLength(1)
  })

  test('that arrive at once are counted exactly, and decide once', async () => {
    for (let round = 0; round < 5; round++) {
      const gate = await opened({ required_approvals: 2 })
      const answers = await Promise.all([ada, ada, grace, mary].map((person) => approve(person, gate)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
      const events = await eventsOf(gate)
      expect(events.map(({ name }) => name)).toEqual(['gate.pending', 'gate.approval_added', 'gate.approved'])
      expect((await gateOf(gate)).approvals).toHaveLength(2)
    }
  })

  test('do not stop a rejection, not even one by a person who approved', async () => {
    const gate = await opened({ required_approvals: 2 })
    await approve(ada, gate)
    const { body } = await reject(ada, gate, { comment: 'On second thought, no.' })
    expect(body).toMatchObject({ status: 'rejected', decided_by: ada.id, decided_via: 'api', approvals: [{ user_id: ada.id }] })
    expect((await executionOf(gate)).status).toBe('failed')
  })

  test('are refused by the database where a statement forgets the rules', async () => {
    const gate = await opened({ required_approvals: 2, prevent_self_approval: true })
    const insert = (user_id: string, via = 'api') => box.sql`
      insert into gate_approvals (gate_id, organization_id, user_id, via)
      values (${gate.id}, ${site.organization.id}, ${user_id}, ${via})
    `
    await expect(insert(ada.id).then(() => {})).rejects.toThrow('self-approval')
    await insert(grace.id)
    const decide = box.sql`update gates set status = 'approved', decided_via = 'api', decided_at = now() where id = ${gate.id}`
    await expect(decide.then(() => {})).rejects.toThrow('approvals are missing')
    await passExpiry(gate)
    await expect(insert(mary.id).then(() => {})).rejects.toThrow('not open')
  })
})

describe('Without self-approval', () => {
  test('neither the person who opened the gate nor the one who started its execution approves it', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
    const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
    await grace.make(`/api/v1/executions/${execution.id}/start`)
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review', prevent_self_approval: true })
    for (const person of [ada, grace]) {
      const { status, body } = await approve(person, gate)
      expect([status, body.code]).toEqual([403, 'self_approval'])
    }
    expect((await approve(mary, gate)).status).toBe(200)
  })

  test('the person who opened the gate can reject it', async () => {
    const gate = await opened({ prevent_self_approval: true })
    expect((await reject(ada, gate)).body.status).toBe('rejected')
  })
})

test('a gate that cannot be decided through the API is neither approved nor rejected there', async () => {
  const { project } = await withPolicy({ decide_via: ['app', 'slack'] })
  const gate = await opened({}, project)
  for (const decide of [approve, reject]) {
    const { status, body } = await decide(ada, gate)
    expect([status, body.code]).toEqual([403, 'decision_not_allowed_here'])
    expect(body.detail).toContain('Allowed: the app, Slack.')
  }
  expect((await gateOf(gate)).status).toBe('pending')
})

describe('An expiry', () => {
  test('fails the execution, cancels its other gates, and is recorded', async () => {
    const gate = await opened({ expires_in_seconds: 60 })
    const other = await ada.make(`/api/v1/executions/${gate.execution_id}/gates`, { name: 'Legal' })
    await passExpiry(gate)
    await box.until('the gate is expired', async () => (await gateOf(gate)).status === 'expired')
    expect(await gateOf(gate)).toMatchObject({ status: 'expired', decided_by: null, decided_via: null })
    expect((await gateOf(other)).status).toBe('cancelled')
    expect(await executionOf(gate)).toMatchObject({ status: 'failed', error: expect.stringContaining('Release review expired') })
    const events = await eventsOf(gate)
    expect(events.map(({ name }) => name)).toEqual(['gate.pending', 'gate.pending', 'gate.expired', 'execution.failed'])
    const { body: log } = await ada.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=gate.expired`)
    expect(log.items[0]).toMatchObject({ resource_id: gate.id, actor_type: 'system' })
  })

  test('refuses decisions from its moment on, whether or not a worker has run', async () => {
    const [worker] = box.workers
    worker?.kill('SIGSTOP')
    try {
      const gate = await opened({ expires_in_seconds: 60 })
      await passExpiry(gate)
      for (const decide of [approve, reject]) {
        const { status, body } = await decide(ada, gate)
        expect([status, body.code]).toEqual([409, 'invalid_transition'])
        expect(body.detail).toContain('expired')
      }
    } finally {
      worker?.kill('SIGCONT')
    }
  })

  test('is announced once, to those who have not approved yet', async () => {
    const gate = await opened({ required_approvals: 2, expires_in_seconds: 600 })
    await approve(ada, gate)
    await box.sql`update gates set remind_at = now() where id = ${gate.id}`
    const reminders = async (person: Actor) =>
      (await person.get('/api/v1/notifications?page_size=100')).body.items.filter(
        ({ resource_id, data }: Body) => resource_id === gate.id && data.reminder === true,
      )
    await box.until('the reminder arrived', async () => (await reminders(grace)).length === 1)
    expect((await reminders(mary)).length).toBe(1)
    expect(await reminders(ada)).toEqual([])
    expect(await reminders(member)).toEqual([])
    const events = await eventsOf(gate)
    expect(events.filter(({ name }) => name === 'gate.expiring')).toHaveLength(1)
    expect((await gateOf(gate)).status).toBe('pending')
  })

  test('within 10 minutes is not announced', async () => {
    const gate = await opened({ expires_in_seconds: 599 })
    const [{ remind_at }] = await box.sql<[{ remind_at: string | null }]>`select remind_at from gates where id = ${gate.id}`
    expect(remind_at).toBeNull()
  })
})
