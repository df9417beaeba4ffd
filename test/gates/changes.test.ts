/** Requesting changes: decided, and the execution goes on. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Actor, Answer } from '../support/signalbox.ts'
import { approve, byTokenOf, Committee } from './committee.ts'

type Body = Answer['body']

let committee: Committee

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
})
afterAll(() => committee.close())

const request = (by: Actor, { id }: Body, body: object = { comment: 'Split the migration.' }) =>
  by.post(`/api/v1/gates/${id}/request-changes`, body)

const namesOf = async (gate: Body) => (await committee.eventsOf(gate)).map(({ name }) => name)

describe('Requesting changes', () => {
  test('decides the gate with a comment, and its execution is running again', async () => {
    const gate = await committee.opened()
    const { status, body } = await request(committee.grace, gate, { comment: ' Split the migration.\nIt locks orders. ' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'changes_requested',
      comment: 'Split the migration.\nIt locks orders.',
      decided_by: committee.grace.id,
      decided_via: 'api',
      triggers_hooks: null,
      answers: null,
    })
    expect(body.decided_at).toEndWith('Z')
    expect(await committee.executionOf(gate)).toMatchObject({ status: 'running', error: null, finished_at: null })
    const events = await committee.eventsOf(gate)
    expect(events.map(({ name }) => name)).toEqual(['gate.pending', 'gate.changes_requested'])
    expect(events.at(-1)?.data).toMatchObject({
      gate: { id: gate.id, status: 'changes_requested' },
      execution: { status: 'running' },
      requirement: { title: expect.any(String) },
    })
    const [entry] = await committee.box
      .sql`select action, detail from audit_log_entries where resource_id = ${gate.id} order by id desc limit 1`
    const detail = 'Grace requested changes at the gate Release review: Split the migration. It locks orders.'
    expect(entry).toEqual({ action: 'gate.changes_requested', detail })
  })

  test('needs a comment', async () => {
    const gate = await committee.opened()
    for (const body of [{}, { comment: ' ' }, { comment: '\u200b\u2060' }, { comment: null }]) {
      const answer = await request(committee.ada, gate, body)
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/comment'])
    }
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending' })
  })

  test('leaves the execution waiting while another gate of it is pending', async () => {
    const gate = await committee.opened()
    const other = await committee.ada.make(`/api/v1/executions/${gate.execution_id}/gates`, { name: 'Security' })
    await request(committee.ada, gate)
    expect(await committee.executionOf(gate)).toMatchObject({ status: 'awaiting_gate' })
    expect(await committee.gateOf(other)).toMatchObject({ status: 'pending' })
    await approve(committee.ada, other)
    expect(await committee.executionOf(gate)).toMatchObject({ status: 'running' })
  })

  test('is for those who may reject, also who opened the gate or approved it', async () => {
    const gate = await committee.opened({ required_approvals: 2, prevent_self_approval: true })
    expect((await request(committee.member, gate)).status).toBe(403)
    await approve(committee.grace, gate)
    expect((await request(await byTokenOf(committee.ada), gate)).body).toMatchObject({
      status: 'changes_requested',
      decided_by: committee.ada.id,
      approvals: [{ user_id: committee.grace.id }],
    })
  })

  test('is bound by decide_via', async () => {
    const { project } = await committee.withPolicy({ decide_via: ['app'] })
    const gate = await committee.opened({}, project)
    const { status, body } = await request(committee.ada, gate)
    expect([status, body.code]).toEqual([403, 'decision_not_allowed_here'])
  })

  test('of a gate without an execution is a decision alone', async () => {
    const gate = await committee.ada.make(`/api/v1/projects/${committee.site.project.id}/gates`, { name: 'Release' })
    expect((await request(committee.ada, gate)).body).toMatchObject({ status: 'changes_requested', execution_id: null })
  })

  test('of a decided or expired gate is refused, and of two decisions at once one stands', async () => {
    const gate = await committee.opened({ expires_in_seconds: 600 })
    await committee.passExpiry(gate)
    expect((await request(committee.ada, gate)).body.detail).toBe('The gate is expired and cannot become changes_requested.')
    for (let round = 0; round < 5; round++) {
      const raced = await committee.opened()
      const answers = await Promise.all([request(committee.ada, raced), approve(committee.grace, raced)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(await committee.executionOf(raced)).toMatchObject({ status: 'running' })
      expect(await namesOf(raced)).toHaveLength(2)
      const again = await request(committee.ada, raced)
      expect([again.status, again.body.code]).toEqual([409, 'invalid_transition'])
    }
  })
})

test('after 20 requests in a row, an execution opens no gate of that name any more', async () => {
  const { id: execution_id } = await committee.box.running(committee.ada, committee.site.project.id)
  const open = (name = 'Release') => committee.ada.post(`/api/v1/executions/${execution_id}/gates`, { name })
  const decide = async (decision: string) => {
    const { body } = await open()
    const answer = await committee.ada.post(`/api/v1/gates/${body.id}/${decision}`, { comment: 'Again.' })
    expect(answer.status).toBe(200)
  }
  for (let count = 0; count < 19; count++) await decide('request-changes')
  await decide('approve')
  for (let count = 0; count < 20; count++) await decide('request-changes')
  const refused = await open()
  expect([refused.status, refused.body.code]).toEqual([409, 'gate_limit_reached'])
  expect(refused.body.detail).toContain('Changes were requested 20 times in a row')
  expect((await committee.ada.get(`/api/v1/executions/${execution_id}`)).body.status).toBe('running')
  expect((await open('Security')).status).toBe(201)
})

test('the database refuses changes without a comment, and another outcome afterwards', async () => {
  const { sql } = committee.box
  const gate = await committee.opened()
  const decide = (comment: string | null) => sql`
    update gates
    set
      status = 'changes_requested', comment = ${comment}, decided_by = ${committee.ada.id}, decided_via = 'api',
      decided_at = now()
    where id = ${gate.id}
  `
  await expect(decide(null).then(() => {})).rejects.toThrow('gates_explained')
  await decide('Split it.')
  await expect(sql`update gates set comment = 'Other' where id = ${gate.id}`.then(() => {})).rejects.toThrow('cannot change')
  await expect(sql`update gates set status = 'approved' where id = ${gate.id}`.then(() => {})).rejects.toThrow('decided before')
})
