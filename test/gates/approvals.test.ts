import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Actor, type Answer, type Box, PASSWORD, type Site } from '../support/signalbox.ts'
import { approve, byTokenOf, Committee, reject } from './committee.ts'

type Body = Answer['body']

let committee: Committee
let box: Box
let site: Site
let ada: Actor
let grace: Actor
let mary: Actor

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  ;({ box, site, ada, grace, mary } = committee)
})
afterAll(() => committee.close())

describe('Several approvals', () => {
  test('are not needed where one is enough: of two people at once, one decides', async () => {
    for (let round = 0; round < 5; round++) {
      const gate = await committee.opened()
      const answers = await Promise.all([ada, grace].map((person) => approve(person, gate)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await committee.gateOf(gate)).approvals).toHaveLength(1)
      expect((await committee.eventsOf(gate)).map(({ name }) => name)).toEqual(['gate.pending', 'gate.approved'])
    }
  })

  test('decide together: each is shown, and the last one lets the execution run', async () => {
    const gate = await committee.opened({ required_approvals: 2 })
    const first = await approve(ada, gate, { comment: 'Looks good.' })
    expect(first.status).toBe(200)
    const approval = {
      user_id: ada.id,
      name: 'Ada',
      comment: 'Looks good.',
      via: 'api',
      answers: {},
      counts: true,
      created_at: expect.any(String),
    }
    expect(first.body).toMatchObject({ status: 'pending', approvals: [approval], decided_by: null, decided_via: null })
    expect(first.body.updated_at > gate.updated_at).toBe(true)
    expect((await committee.executionOf(gate)).status).toBe('awaiting_gate')
    const last = await approve(grace, gate, { comment: 'Ship it.' })
    expect(last.body).toMatchObject({ status: 'approved', decided_by: grace.id, decided_via: 'api', comment: 'Ship it.' })
    expect(last.body.approvals.map(({ user_id }: Body) => user_id)).toEqual([ada.id, grace.id])
    expect((await committee.executionOf(gate)).status).toBe('running')
    const events = await committee.eventsOf(gate)
    expect(events.map(({ name }) => name)).toEqual(['gate.pending', 'gate.approval_added', 'gate.approved'])
    expect(events[1]?.data).toEqual({
      gate: first.body,
      approval: first.body.approvals[0],
      requirement: { id: expect.any(String), number: expect.any(Number), title: 'Pay by invoice' },
    })
  })

  test('come from different people: a second one of the same person is refused', async () => {
    const gate = await committee.opened({ required_approvals: 2 })
    await approve(ada, gate)
    const { status, body } = await approve(ada, gate)
    expect([status, body.code]).toEqual([409, 'already_approved'])
    const byToken = await approve(await byTokenOf(ada), gate)
    expect([byToken.status, byToken.body.code]).toEqual([409, 'already_approved'])
    expect((await committee.gateOf(gate)).approvals).toHaveLength(1)
  })

  test('come from different people: a person who deletes the account and registers again is no other', async () => {
    const again = async (person: Actor): Promise<Actor> => {
      const gone = await person.request('DELETE', '/api/v1/users/me', { current_password: PASSWORD })
      expect(gone.status).toBe(204)
      const account = { email: person.email, name: person.name, password: PASSWORD }
      const { body } = await box.request('POST', '/api/v1/auth/register', account)
      const back = new Actor(box, person.name, person.email, body.user.id, body.access_token, body.refresh_token)
      await box.join(back, site, 'admin')
      return back
    }
    const zoe = await box.user('Zoe')
    await box.join(zoe, site, 'admin')
    const gate = await committee.opened({ required_approvals: 2 })
    expect((await approve(zoe, gate)).status).toBe(200)
    const second = await again(zoe)
    expect(await approve(second, gate)).toMatchObject({ status: 409, body: { code: 'already_approved' } })
    const own = await committee.opened({ prevent_self_approval: true }, site.project, second)
    const third = await again(second)
    expect(await approve(third, own)).toMatchObject({ status: 403, body: { code: 'self_approval' } })
    // A former address counts too.
    const moved = { email: `moved.${third.email}`, current_password: PASSWORD }
    const other = await committee.opened({ required_approvals: 2 })
    expect((await approve(third, other)).status).toBe(200)
    expect((await third.put('/api/v1/users/me', moved)).status).toBe(200)
    const account = { email: zoe.email, name: 'Zoe', password: PASSWORD }
    const { body } = await box.request('POST', '/api/v1/auth/register', account)
    const fourth = new Actor(box, 'Zoe', zoe.email, body.user.id, body.access_token, body.refresh_token)
    await box.join(fourth, site, 'admin')
    expect(await approve(fourth, other)).toMatchObject({ status: 409, body: { code: 'already_approved' } })
    // The approval of the deleted account is on record, and does not count.
    expect((await approve(grace, gate)).body).toMatchObject({
      status: 'pending',
      approvals: [{ counts: false }, { counts: true }],
    })
    expect((await approve(mary, gate)).body.status).toBe('approved')
  })

  test('that arrive at once are counted exactly, and decide once', async () => {
    for (let round = 0; round < 5; round++) {
      const gate = await committee.opened({ required_approvals: 2 })
      const answers = await Promise.all([ada, ada, grace, mary].map((person) => approve(person, gate)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
      const events = await committee.eventsOf(gate)
      expect(events.map(({ name }) => name)).toEqual(['gate.pending', 'gate.approval_added', 'gate.approved'])
      expect((await committee.gateOf(gate)).approvals).toHaveLength(2)
    }
  })

  test('and a rejection at once have one outcome', async () => {
    for (let round = 0; round < 5; round++) {
      const gate = await committee.opened({ required_approvals: 2 })
      await approve(mary, gate)
      const [approval, rejection] = await Promise.all([approve(ada, gate), reject(grace, gate)])
      const outcome = (await committee.gateOf(gate)).status
      expect([approval.status, rejection.status]).toEqual(outcome === 'approved' ? [200, 409] : [409, 200])
      expect((await committee.executionOf(gate)).status).toBe(outcome === 'approved' ? 'running' : 'failed')
      const last = outcome === 'approved' ? ['gate.approved'] : ['gate.rejected', 'execution.failed']
      expect((await committee.eventsOf(gate)).map(({ name }) => name)).toEqual(['gate.pending', 'gate.approval_added', ...last])
    }
  })

  test('do not stop a rejection, not even one by a person who approved', async () => {
    const gate = await committee.opened({ required_approvals: 2 })
    await approve(ada, gate)
    const { body } = await reject(ada, gate, { comment: 'On second thought, no.' })
    expect(body).toMatchObject({ status: 'rejected', decided_by: ada.id, decided_via: 'api', approvals: [{ user_id: ada.id }] })
    expect((await committee.executionOf(gate)).status).toBe('failed')
  })

  test('are refused by the database where a statement forgets the rules', async () => {
    const gate = await committee.opened({ required_approvals: 2, prevent_self_approval: true })
    const insert = (user_id: string, via = 'api') => box.sql`
      insert into gate_approvals (gate_id, organization_id, user_id, via)
      values (${gate.id}, ${site.organization.id}, ${user_id}, ${via})
    `
    await expect(insert(ada.id).then(() => {})).rejects.toThrow('self-approval')
    await insert(grace.id)
    const decide = box.sql`update gates set status = 'approved', decided_via = 'api', decided_at = now() where id = ${gate.id}`
    await expect(decide.then(() => {})).rejects.toThrow('approvals are missing')
    await committee.passExpiry(gate)
    await expect(insert(mary.id).then(() => {})).rejects.toThrow('not open')
  })

  test('are refused by the database in a way that the gate does not allow', async () => {
    const { project } = await committee.withPolicy({ decide_via: ['app'] })
    const gate = await committee.opened({}, project)
    const insert = box.sql`
      insert into gate_approvals (gate_id, organization_id, user_id, via)
      values (${gate.id}, ${site.organization.id}, ${ada.id}, 'slack')
    `
    await expect(insert.then(() => {})).rejects.toThrow('this way')
    for (const via of ['slack', null]) {
      const update = box.sql`update gates set status = 'rejected', decided_via = ${via}, decided_at = now() where id = ${gate.id}`
      await expect(update.then(() => {})).rejects.toThrow('this way')
    }
  })
})

test('an approval with a personal token counts as its user, through the API', async () => {
  const gate = await committee.opened({ required_approvals: 2 })
  const { body } = await approve(await byTokenOf(grace), gate)
  expect(body.approvals).toMatchObject([{ user_id: grace.id, name: 'Grace', via: 'api' }])
  const last = await approve(await byTokenOf(mary), gate)
  expect(last.body).toMatchObject({ status: 'approved', decided_by: mary.id, decided_via: 'api' })
})

describe('Without self-approval', () => {
  test('neither the person who committee.opened the gate nor the one who started its execution approves it', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
    const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
    await grace.make(`/api/v1/executions/${execution.id}/start`)
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review', prevent_self_approval: true })
    for (const person of [ada, grace, await byTokenOf(ada)]) {
      const { status, body } = await approve(person, gate)
      expect([status, body.code]).toEqual([403, 'self_approval'])
    }
    expect((await approve(mary, gate)).status).toBe(200)
  })

  test('the person who committee.opened the gate and started its execution can reject it', async () => {
    const gate = await committee.opened({ prevent_self_approval: true })
    expect((await reject(ada, gate)).body).toMatchObject({ status: 'rejected', decided_by: ada.id })
  })
})

test('a gate that cannot be decided through the API is neither approved nor rejected there', async () => {
  const { project } = await committee.withPolicy({ decide_via: ['app', 'slack'] })
  const gate = await committee.opened({}, project)
  for (const person of [ada, await byTokenOf(ada)]) {
    for (const decide of [approve, reject]) {
      const { status, body } = await decide(person, gate)
      expect([status, body.code]).toEqual([403, 'decision_not_allowed_here'])
      expect(body.detail).toContain('Allowed: the app, Slack.')
    }
  }
  expect((await committee.gateOf(gate)).status).toBe('pending')
})
