/** Revoking the approval of a gate: who may, when, and once. What it does to dispatches is tested with them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Actor, Answer } from '../support/signalbox.ts'
import { approve, byTokenOf, Committee, reject } from './committee.ts'

type Body = Answer['body']

let committee: Committee

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
})
afterAll(() => committee.close())

const revoke = (by: Actor, { id }: Body, body: object = { reason: 'The image is vulnerable.' }) =>
  by.post(`/api/v1/gates/${id}/revoke`, body)

const refusal = ({ status, body }: Answer) => [status, body.code]

const approved = async (): Promise<Body> => {
  const gate = await committee.opened()
  await approve(committee.grace, gate, { comment: 'Ship it.' })
  return gate
}

test('a revoked approval stays on record as approved, with who revoked it, when and why', async () => {
  const gate = await approved()
  const { status, body } = await revoke(committee.mary, gate)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'approved',
    comment: 'Ship it.',
    decided_by: committee.grace.id,
    revoked_by: committee.mary.id,
    revocation_reason: 'The image is vulnerable.',
  })
  expect(body.revoked_at).toEndWith('Z')
  expect(await committee.executionOf(gate)).toMatchObject({ status: 'running' })
  const events = await committee.eventsOf(gate)
  expect(events.at(-1)).toMatchObject({ name: 'gate.revoked', data: { gate: { revoked_by: committee.mary.id } } })
  const [entry] = await committee.box
    .sql`select action, detail from audit_log_entries where resource_id = ${gate.id} order by id desc limit 1`
  const detail = 'Mary revoked the approval of the gate Release review: The image is vulnerable.'
  expect(entry).toEqual({ action: 'gate.revoked', detail })
  expect(refusal(await revoke(committee.ada, gate))).toEqual([409, 'invalid_transition'])
  expect(refusal(await revoke(committee.ada, gate, {}))).toEqual([422, 'validation_failed'])
})

test('admins of the workspace and who approved revoke, also with a token that decides', async () => {
  const gate = await approved()
  expect(refusal(await revoke(committee.member, gate))).toEqual([403, 'forbidden'])
  expect((await revoke(committee.member, gate)).body.detail).toContain('or to have approved the gate; your role is member.')
  expect((await revoke(await byTokenOf(committee.mary), gate)).status).toBe(200)
  const own = await approved()
  await committee.box.setRole(committee.grace, committee.site.organization.id, 'member')
  const workspace = `/api/v1/workspaces/${committee.site.workspace.id}/members`
  await committee.ada.make(workspace, { user_id: committee.grace.id, role: 'member' })
  expect((await revoke(committee.grace, own)).body).toMatchObject({ revoked_by: committee.grace.id })
  await committee.ada.delete(`${workspace}/${committee.grace.id}`)
  await committee.box.setRole(committee.grace, committee.site.organization.id, 'admin')
})

test('a revocation does not count for who was an admin of the workspace until the request waited for the gate', async () => {
  const { box, site } = committee
  const former = await box.user('Former')
  await box.join(former, site, 'admin', 'member')
  const gate = await approved()
  const answer = await committee.whileItWaits(
    gate,
    () => revoke(former, gate),
    () => box.setRole(former, site.organization.id, 'member'),
  )
  expect(refusal(answer)).toEqual([403, 'forbidden'])
  expect(await committee.gateOf(gate)).toMatchObject({ revoked_at: null })
})

test('only an approved gate is revoked; of two at once one stands', async () => {
  const pending = await committee.opened()
  expect((await revoke(committee.ada, pending)).body.detail).toBe('The gate is pending and cannot become revoked.')
  await reject(committee.ada, pending)
  expect(refusal(await revoke(committee.ada, pending))).toEqual([409, 'invalid_transition'])
  const gate = await approved()
  const answers = await Promise.all([revoke(committee.ada, gate), revoke(committee.mary, gate)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await committee.eventsOf(gate)).filter(({ name }) => name === 'gate.revoked')).toHaveLength(1)
})

test('the database refuses the revocation of what is not approved, one without a reason, and a change of it', async () => {
  const { sql } = committee.box
  const set = ({ id }: Body, reason: string | null) =>
    sql`update gates set revoked_by = ${committee.ada.id}, revoked_at = now(), revocation_reason = ${reason} where id = ${id}`
  const refused = (update: Promise<unknown>) => expect(update.then(() => {})).rejects
  await refused(set(await committee.opened(), 'No.')).toThrow('gates_revoked_approval')
  const gate = await approved()
  await refused(set(gate, null)).toThrow('gates_revoked')
  await set(gate, 'No.')
  await refused(set(gate, 'Other.')).toThrow('cannot change')
  await refused(
    sql`update gates set revoked_by = null, revoked_at = null, revocation_reason = null where id = ${gate.id}`,
  ).toThrow('cannot change')
})
