/** Overrides by owners and admins of the organization, and their review by another one. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Actor, Answer } from '../support/signalbox.ts'
import { anotherAccountOf, approve, byTokenOf, Committee } from './committee.ts'

type Body = Answer['body']

let committee: Committee
/** An admin of the workspace, and no more than a member of the organization. */
let lead: Actor

beforeAll(async () => {
  committee = await Committee.meet({ workers: 1 })
  lead = await committee.box.user('Lead')
  await committee.box.join(lead, committee.site, 'member', 'admin')
})
afterAll(() => committee.close())

const override = (by: Actor, { id }: Body, body: object = { reason: 'The checkout is down.' }) =>
  by.post(`/api/v1/gates/${id}/override`, body)

const review = (by: Actor, { id }: Body, body?: object) => by.post(`/api/v1/gates/${id}/review`, body)

const refusal = ({ status, body }: Answer) => [status, body.code]

const notificationsOf = async (gate: Body, name: string) => {
  const rows = await committee.box.sql<{ user_id: string }[]>`
    select user_id
    from notifications
    where resource_id = ${gate.id}
      and type = 'gate_overridden'
      and data ->> 'event' = ${name}
  `
  return rows.map(({ user_id }) => user_id).sort()
}

describe('An override', () => {
  test('approves whatever the approval lacks, and its execution is running again', async () => {
    const fields = [{ name: 'ticket', label: 'Ticket', type: 'text' }]
    const gate = await committee.opened({ required_approvals: 3, prevent_self_approval: true, fields })
    await approve(committee.grace, gate, { answers: { ticket: 'OPS-1' } })
    const incident_url = 'https://status.acme.example/incidents/42'
    const { status, body } = await override(committee.ada, gate, { reason: 'The checkout is down.', incident_url })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'approved',
      decided_via: 'override',
      decided_by: committee.ada.id,
      comment: 'The checkout is down.',
      incident_url,
      triggers_hooks: true,
      answers: {},
      reviewed_by: null,
      reviewed_at: null,
      approvals: [{ user_id: committee.grace.id }],
    })
    expect(await committee.executionOf(gate)).toMatchObject({ status: 'running' })
    const events = (await committee.eventsOf(gate)).map(({ name }) => name)
    expect(events).toEqual(['gate.pending', 'gate.approval_added', 'gate.approved', 'gate.overridden'])
    const entries = await committee.box.sql<{ action: string; detail: string }[]>`
      select action, detail from audit_log_entries where resource_id = ${gate.id} order by id desc limit 2
    `
    expect(entries.map(({ action }) => action)).toEqual(['gate.overridden', 'gate.approved'])
    expect(entries[0]?.detail).toBe('Ada overrode the gate Release review: The checkout is down.')
  })

  test('is not bound by decide_via, and tells everybody who could have approved, except who did it', async () => {
    const { project } = await committee.withPolicy({ decide_via: ['slack'] })
    const gate = await committee.opened({}, project)
    expect((await override(committee.grace, gate)).body.status).toBe('approved')
    await committee.box.settled()
    expect(await notificationsOf(gate, 'gate.overridden')).toEqual([committee.ada.id, committee.mary.id].sort())
    const [gone] = await committee.box.sql`
      select from notifications where resource_id = ${gate.id} and type = 'gate_pending' and read_at is null
    `
    expect(gone).toBeUndefined()
  })

  test('tells the members of the groups that could have approved as well', async () => {
    const { ada, grace, mary, member, site } = committee
    const group = await ada.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Security' })
    await ada.put(`/api/v1/groups/${group.id}/members/${member.id}`)
    const approvers = [{ group_id: group.id, count: 1 }]
    await ada.put(`/api/v1/projects/${site.project.id}/environments/vault/policy`, { approvers })
    const gate = await committee.opened({ environment: 'vault' })
    await override(grace, gate)
    await committee.box.settled()
    expect(await notificationsOf(gate, 'gate.overridden')).toEqual([ada, lead, mary, member].map(({ id }) => id).sort())
  })

  test('is for owners and admins of the organization in a session', async () => {
    const gate = await committee.opened()
    expect(refusal(await override(lead, gate))).toEqual([403, 'forbidden'])
    expect((await override(lead, gate)).body.detail).toContain('the role admin in the organization')
    expect(refusal(await override(await byTokenOf(committee.ada), gate))).toEqual([403, 'session_required'])
    const stranger = await committee.box.user('Stranger')
    expect(refusal(await override(stranger, gate))).toEqual([404, 'not_found'])
    for (const body of [
      {},
      { reason: ' ' },
      { reason: '\u200b' },
      { reason: 'x', incident_url: 'javascript:alert(1)' },
      { reason: 'x', binding: 'y' },
    ])
      expect((await override(committee.ada, gate, body)).status).toBe(422)
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending' })
  })

  test('is refused once the gate is decided or has expired; of two at once one stands', async () => {
    const expired = await committee.opened({ expires_in_seconds: 600 })
    await committee.passExpiry(expired)
    expect(refusal(await override(committee.ada, expired))).toEqual([409, 'invalid_transition'])
    const gate = await committee.opened()
    const answers = await Promise.all([override(committee.ada, gate), override(committee.grace, gate)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const names = (await committee.eventsOf(gate)).map(({ name }) => name)
    expect(names.filter((name) => name === 'gate.overridden')).toHaveLength(1)
  })

  test('does not count for who lost the role while the request waited for the gate', async () => {
    const gate = await committee.opened()
    const former = await committee.box.user('Former')
    await committee.box.join(former, committee.site, 'admin')
    const answer = await committee.whileItWaits(
      gate,
      () => override(former, gate),
      () => committee.box.setRole(former, committee.site.organization.id, 'member'),
    )
    expect(refusal(answer)).toEqual([403, 'forbidden'])
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending' })
  })
})

describe('A review', () => {
  test('is recorded once, with a comment', async () => {
    const gate = await committee.opened()
    await override(committee.ada, gate)
    const { status, body } = await review(committee.grace, gate, { comment: 'Right.' })
    expect([status, body.reviewed_by, body.review_comment]).toEqual([200, committee.grace.id, 'Right.'])
    expect(body.reviewed_at).toEndWith('Z')
    expect(refusal(await review(committee.mary, gate))).toEqual([409, 'invalid_transition'])
    const [entry] = await committee.box
      .sql`select action from audit_log_entries where resource_id = ${gate.id} order by id desc limit 1`
    expect(entry).toEqual({ action: 'gate.reviewed' })
  })

  test('is by another person, who is an owner or admin of the organization, in a session', async () => {
    const gate = await committee.opened()
    await override(committee.ada, gate)
    expect(refusal(await review(committee.ada, gate))).toEqual([403, 'self_approval'])
    expect(refusal(await review(lead, gate))).toEqual([403, 'forbidden'])
    expect(refusal(await review(await byTokenOf(committee.grace), gate))).toEqual([403, 'session_required'])
    const approved = await committee.opened()
    await approve(committee.ada, approved)
    expect(refusal(await review(committee.grace, approved))).toEqual([409, 'invalid_transition'])
  })

  test('is not by another account of who overrode the gate, which has their former address', async () => {
    const { box, site } = committee
    const zoe = await box.user('Zoe')
    await box.join(zoe, site, 'admin')
    const gate = await committee.opened()
    await override(zoe, gate)
    const again = await anotherAccountOf(box, zoe)
    await box.join(again, site, 'admin')
    expect(refusal(await review(again, gate))).toEqual([403, 'self_approval'])
    expect((await review(committee.grace, gate)).status).toBe(200)
    for (const account of [zoe, again]) await box.leave(account, site.organization.id)
  })

  test('does not count for who lost the role in the organization while the request waited, and has it in the workspace', async () => {
    const { box, site } = committee
    const former = await box.user('Former')
    await box.join(former, site, 'admin', 'admin')
    const gate = await committee.opened()
    await override(committee.ada, gate)
    const answer = await committee.whileItWaits(
      gate,
      () => review(former, gate),
      () => box.setRole(former, site.organization.id, 'member'),
    )
    expect(refusal(answer)).toEqual([403, 'forbidden'])
    expect(await committee.gateOf(gate)).toMatchObject({ reviewed_by: null })
  })

  test('that no one has given is due once after a day, and owners and admins of the organization are notified', async () => {
    const gate = await committee.opened()
    const { body } = await override(committee.ada, gate)
    const [due] = await committee.box.sql<[{ seconds: number }]>`
      select extract(epoch from review_due_at - decided_at)::integer as seconds from gates where id = ${gate.id}
    `
    expect(due.seconds).toBe(86_400)
    const reviewed = await committee.opened()
    await override(committee.ada, reviewed)
    await review(committee.grace, reviewed)
    await committee.box.sql`update gates set review_due_at = now() where id = ${gate.id}`
    const events = () => committee.eventsOf(gate)
    await committee.box.until('the review is due', async () => (await events()).some(({ name }) => name === 'gate.review_due'))
    await committee.box.settled()
    expect((await events()).at(-1)?.data).toMatchObject({
      gate: { id: gate.id, decided_at: body.decided_at },
      execution: { status: 'running' },
    })
    expect(await notificationsOf(gate, 'gate.review_due')).toEqual([committee.grace.id, committee.mary.id].sort())
    const [left] = await committee.box
      .sql`select from gates where id in (${gate.id}, ${reviewed.id}) and review_due_at is not null`
    expect(left).toBeUndefined()
    expect((await review(committee.grace, gate)).status).toBe(200)
  })
})

test('the database refuses overrides without a reason, reviews by the same person, and changes of either', async () => {
  const { sql } = committee.box
  const refused = (update: Promise<unknown>) => expect(update.then(() => {})).rejects
  const gate = await committee.opened()
  const decide = (status: string, comment: string | null) =>
    sql`
      update gates
      set status = ${status}, comment = ${comment}, decided_by = ${committee.ada.id}, decided_via = 'override', decided_at = now()
      where id = ${gate.id}
    `
  await refused(decide('approved', null)).toThrow('gates_explained')
  await refused(decide('rejected', 'Down.')).toThrow('gates_overridden')
  await override(committee.ada, gate)
  const reviewBy = (id: string) => sql`update gates set reviewed_by = ${id}, reviewed_at = now() where id = ${gate.id}`
  await refused(reviewBy(committee.ada.id)).toThrow('gates_reviewed_by_another')
  await reviewBy(committee.grace.id)
  await refused(reviewBy(committee.mary.id)).toThrow('cannot change')
  await refused(sql`update gates set incident_url = 'https://x.example' where id = ${gate.id}`).toThrow('cannot change')
  const approved = await committee.opened()
  await approve(committee.ada, approved)
  await refused(sql`update gates set reviewed_by = ${committee.grace.id}, reviewed_at = now() where id = ${approved.id}`).toThrow(
    'gates_override_only',
  )
})
