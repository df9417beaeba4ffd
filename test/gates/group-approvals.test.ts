/** Gates that name groups: who approves them, which approvals count, and when they are enough. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Actor, Answer } from '../support/signalbox.ts'
import { approve, Committee, reject } from './committee.ts'

type Body = Answer['body']
type Name = 'Security' | 'Operations'

let committee: Committee
let ada: Actor
let grace: Actor
let mary: Actor
let max: Actor
let olga: Actor
let outsider: Actor
const groups = {} as Record<Name, Body>

beforeAll(async () => {
  committee = await Committee.meet({ workers: 1 })
  ;({ ada, grace, mary, member: max } = committee)
  olga = await committee.box.user('Olga')
  await committee.box.join(olga, committee.site, 'member', 'member')
  outsider = await committee.box.user('Otto')
  await committee.box.join(outsider, committee.site, 'member')
  for (const name of ['Security', 'Operations'] as const) {
    groups[name] = await ada.make(`/api/v1/organizations/${committee.site.organization.id}/groups`, { name })
  }
})
afterAll(() => committee.close())

const place = (name: Name, { id }: Actor) => `/api/v1/groups/${groups[name].id}/members/${id}`

async function enter(name: Name, ...people: Actor[]): Promise<void> {
  for (const person of people) expect((await ada.put(place(name, person))).status).toBe(204)
}

const leave = (name: Name, person: Actor) => ada.delete(place(name, person))

/** Empties both groups. */
async function clear(): Promise<void> {
  for (const name of ['Security', 'Operations'] as const)
    for (const person of [ada, grace, mary, max, olga, outsider]) await leave(name, person)
}

/** Opens a gate for an environment whose policy names groups. */
async function opened(approvers: Partial<Record<Name, number>>, policy: object = {}, input: object = {}): Promise<Body> {
  const { project } = committee.site
  const environment = crypto.randomUUID()
  const { status } = await ada.put(`/api/v1/projects/${project.id}/environments/${environment}/policy`, {
    ...policy,
    approvers: Object.entries(approvers).map(([name, count]) => ({ group_id: groups[name as Name].id, count })),
  })
  expect(status).toBe(200)
  return ada.make(`/api/v1/projects/${project.id}/gates`, { name: 'Release', environment, ...input })
}

const missingOf = async ({ id }: Body): Promise<string[]> => (await ada.get(`/api/v1/gates/${id}/effects`)).body.missing

const outcomeOf = ({ status, body }: Answer): unknown[] => [status, status === 200 ? body.status : body.code]

describe('A gate that names groups', () => {
  test('is approved by their members, of whom each counts for one rule', async () => {
    await clear()
    await enter('Security', max, olga)
    await enter('Operations', olga)
    const gate = await opened({ Security: 1, Operations: 1 })
    expect(await missingOf(gate)).toEqual([
      '1 more approval by members of Security.',
      '1 more approval by members of Operations.',
    ])
    const first = await approve(olga, gate)
    expect(outcomeOf(first)).toEqual([200, 'pending'])
    expect(first.body.approvals).toMatchObject([{ user_id: olga.id, counts: true }])
    expect(outcomeOf(await approve(max, gate))).toEqual([200, 'approved'])
  })

  test('needs as many approvals as required also where the rules are filled', async () => {
    await clear()
    await enter('Security', max, olga)
    const gate = await opened({ Security: 1 }, { required_approvals: 2 })
    await approve(max, gate)
    expect(await missingOf(gate)).toEqual(['1 more approval.'])
    expect(outcomeOf(await approve(olga, gate))).toEqual([200, 'approved'])
  })

  test('is not approved by admins of the workspace who are in none of them; they reject it', async () => {
    await clear()
    await enter('Security', max)
    const gate = await opened({ Security: 1 })
    const refused = await approve(grace, gate)
    expect(outcomeOf(refused)).toEqual([403, 'forbidden'])
    expect(refused.body.detail).toBe(
      'Only members of Security can approve this gate. As an admin of the workspace you can reject it.',
    )
    expect(outcomeOf(await approve(olga, gate))).toEqual([403, 'forbidden'])
    expect(outcomeOf(await reject(olga, gate))).toEqual([403, 'forbidden'])
    expect(outcomeOf(await reject(grace, gate))).toEqual([200, 'rejected'])
  })

  test('gets requests for changes from their members and from admins of the workspace', async () => {
    await clear()
    await enter('Security', max)
    const request = (by: Actor, { id }: Body) => by.post(`/api/v1/gates/${id}/request-changes`, { comment: 'Split it.' })
    for (const [by, outcome] of [
      [olga, [403, 'forbidden']],
      [outsider, [404, 'not_found']],
      [max, [200, 'changes_requested']],
      [ada, [200, 'changes_requested']],
    ] as const) {
      expect(outcomeOf(await request(by, await opened({ Security: 1 })))).toEqual(outcome as unknown as unknown[])
    }
  })

  test('is unknown to members of a group who have no role in the workspace', async () => {
    await clear()
    await enter('Security', outsider, max)
    const gate = await opened({ Security: 1 })
    for (const answer of [
      await outsider.get(`/api/v1/gates/${gate.id}`),
      await approve(outsider, gate),
      await reject(outsider, gate),
    ])
      expect(answer.status).toBe(404)
    expect(outcomeOf(await reject(max, gate))).toEqual([200, 'rejected'])
  })

  test('asks the members of its groups and the admins of the workspace', async () => {
    await clear()
    await enter('Security', max, outsider)
    const gate = await opened({ Security: 1 })
    const isAsked = async (person: Actor): Promise<boolean> => {
      const { body } = await person.get('/api/v1/notifications?page_size=100')
      return body.items.some(({ type, resource_id }: Body) => type === 'gate_pending' && resource_id === gate.id)
    }
    await committee.box.until('they are asked', async () => (await isAsked(max)) && (await isAsked(mary)))
    expect([await isAsked(olga), await isAsked(outsider)]).toEqual([false, false])
  })
})

describe('An approval does not count', () => {
  test('of someone who left the group; it stays on record, and counts again when they are back', async () => {
    await clear()
    await enter('Security', max, olga)
    const gate = await opened({ Security: 2 })
    await approve(max, gate)
    await leave('Security', max)
    expect((await committee.gateOf(gate)).approvals).toMatchObject([{ user_id: max.id, counts: false }])
    const second = await approve(olga, gate)
    expect(outcomeOf(second)).toEqual([200, 'pending'])
    expect(second.body.approvals.map(({ counts }: Body) => counts)).toEqual([false, true])
    await enter('Security', max, grace)
    // What fills the rules meanwhile approves the gate with the next decision.
    expect((await committee.gateOf(gate)).status).toBe('pending')
    const last = await approve(grace, gate)
    expect(outcomeOf(last)).toEqual([200, 'approved'])
    expect(last.body.approvals.map(({ counts }: Body) => counts)).toEqual([true, true, true])
    await leave('Security', max)
    expect((await committee.gateOf(gate)).approvals.map(({ counts }: Body) => counts)).toEqual([true, true, true])
  })

  test('until they are back; if nothing is missing then, a person who approved before can decide', async () => {
    await clear()
    await enter('Security', max, olga)
    const gate = await opened({ Security: 2 })
    await approve(max, gate)
    await leave('Security', max)
    await approve(olga, gate)
    expect(outcomeOf(await approve(olga, gate))).toEqual([409, 'already_approved'])
    await enter('Security', max)
    expect(outcomeOf(await approve(olga, gate))).toEqual([200, 'approved'])
  })

  test('until they are back: approving again replaces the comment and the answers', async () => {
    await clear()
    await enter('Security', max, olga)
    const fields = [{ name: 'ticket', label: 'Ticket', type: 'text' }]
    const gate = await opened({ Security: 2 }, {}, { fields })
    await approve(max, gate, { answers: { ticket: 'OPS-1' } })
    await leave('Security', max)
    await approve(olga, gate, { comment: 'At night.', answers: { ticket: 'OPS-2' } })
    await enter('Security', max)
    const { body } = await approve(olga, gate, { comment: 'Now.', answers: { ticket: 'OPS-3' } })
    expect(body).toMatchObject({ status: 'approved', comment: 'Now.', answers: { ticket: 'OPS-3' } })
    expect(body.approvals).toMatchObject([
      { user_id: max.id, answers: { ticket: 'OPS-1' }, counts: true },
      { user_id: olga.id, comment: 'Now.', answers: { ticket: 'OPS-3' }, counts: true },
    ])
    expect(await committee.gateOf(gate)).toEqual(body)
  })

  test('of someone who lost the role in the workspace, where the gate names no groups', async () => {
    const zoe = await committee.box.user('Zoe')
    await committee.box.join(zoe, committee.site, 'admin')
    const gate = await committee.opened({ required_approvals: 2 })
    await approve(zoe, gate)
    await ada.put(`/api/v1/organizations/${committee.site.organization.id}/members/${zoe.id}`, { role: 'member' })
    const second = await approve(grace, gate)
    expect(outcomeOf(second)).toEqual([200, 'pending'])
    expect(second.body.approvals.map(({ counts }: Body) => counts)).toEqual([false, true])
    expect((await approve(mary, gate)).body).toMatchObject({ status: 'approved', approvals: [{ counts: false }, {}, {}] })
  })

  test('of a member of the group who lost access to the workspace, nor for the database', async () => {
    await clear()
    const zoe = await committee.box.user('Zoe')
    await committee.box.join(zoe, committee.site, 'member', 'member')
    await enter('Security', zoe, max)
    const gate = await opened({ Security: 2 })
    await approve(zoe, gate)
    await committee.box.sql`delete from workspace_members where user_id = ${zoe.id}`
    const second = await approve(max, gate)
    expect(outcomeOf(second)).toEqual([200, 'pending'])
    expect(second.body.approvals.map(({ counts }: Body) => counts)).toEqual([false, true])
    expect(await enoughOf(gate)).toMatchObject([{ enough: false }])
  })

  test('of someone who left the organization', async () => {
    await clear()
    const zoe = await committee.box.user('Zoe')
    await committee.box.join(zoe, committee.site, 'member', 'member')
    await enter('Security', zoe, max)
    const gate = await opened({ Security: 1 }, { required_approvals: 2 })
    await approve(zoe, gate)
    await committee.box.leave(zoe, committee.site.organization.id)
    expect(await missingOf(gate)).toEqual(['1 more approval by members of Security.', '1 more approval besides.'])
    expect((await approve(max, gate)).body).toMatchObject({ status: 'pending', approvals: [{ counts: false }, { counts: true }] })
  })
})

test('a statement that forgets the rules is refused by the database', async () => {
  await clear()
  await enter('Security', max, olga)
  await enter('Operations', olga)
  const gate = await opened({ Security: 1, Operations: 1 })
  const insert = ({ id }: Actor) => committee.box.sql`
    insert into gate_approvals (gate_id, organization_id, user_id, via)
    values (${gate.id}, ${committee.site.organization.id}, ${id}, 'api')
  `
  const decide = () => committee.box.sql`
    update gates set status = 'approved', decided_via = 'api', decided_at = now() where id = ${gate.id}
  `
  await insert(max)
  await insert(grace)
  await expect(decide().then(() => {})).rejects.toThrow('approvals are missing')
  await insert(olga)
  await leave('Operations', olga)
  await expect(decide().then(() => {})).rejects.toThrow('approvals are missing')
  await enter('Operations', olga)
  await decide()
})

test('approvals, removals from groups and role changes at once end as in some order, one after the other', async () => {
  const { organization } = committee.site
  const zoe = await committee.box.user('Zoe')
  await committee.box.join(zoe, committee.site, 'admin')
  const roleOf = (role: string) => ada.put(`/api/v1/organizations/${organization.id}/members/${zoe.id}`, { role })
  for (let round = 0; round < 8; round++) {
    await clear()
    await enter('Security', max, olga)
    await enter('Operations', zoe)
    await roleOf('admin')
    const gate = await opened({ Security: 1, Operations: 1 }, { required_approvals: 2 })
    const [byMax, byOlga, byZoe, removed] = await Promise.all([
      approve(max, gate),
      approve(olga, gate),
      approve(zoe, gate),
      leave('Security', max),
      leave('Operations', zoe),
      roleOf('member'),
    ])
    expect(removed.status).toBe(204)
    for (const answer of [byMax, byOlga, byZoe]) expect(answer.status).toBeOneOf([200, 403, 404, 409])
    const { status, approvals } = await committee.gateOf(gate)
    const counting = approvals.filter(({ counts }: Body) => counts).map(({ user_id }: Body) => user_id)
    // Zoe fills the rule of Operations only before she leaves, together with someone of Security.
    const isEnough = counting.includes(zoe.id) && (counting.includes(max.id) || counting.includes(olga.id))
    expect([status, isEnough]).toBeOneOf([
      ['approved', true],
      ['pending', false],
    ])
    // Those to whom the answer said that they approved it are on record, and no one else.
    const approved = [byMax, byOlga, byZoe].flatMap(({ status, body }, index) =>
      status === 200 && body.id === gate.id ? [[max, olga, zoe][index]?.id] : [],
    )
    expect(approvals.map(({ user_id }: Body) => user_id).toSorted()).toEqual(approved.toSorted())
    expect([byMax, byOlga, byZoe].filter(({ body }) => body.status === 'approved')).toHaveLength(status === 'approved' ? 1 : 0)
  }
})

test('the database and the service agree on when approvals are enough', async () => {
  await clear()
  const people = [max, olga, grace, mary]
  for (let round = 0; round < 6; round++) {
    const inSecurity = people.filter((_, index) => (round * 5 + 3) & (1 << index))
    const inOperations = people.filter((_, index) => (round * 7 + 6) & (1 << index))
    await clear()
    await enter('Security', ...inSecurity)
    await enter('Operations', ...inOperations)
    const gate = await opened({ Security: (round % 2) + 1, Operations: 1 }, { required_approvals: 2 })
    for (const person of people) {
      const [{ enough: before }] = await enoughOf(gate)
      expect(before).toBe(false)
      const { status, body } = await approve(person, gate)
      if (status !== 200) continue
      const [{ enough }] = await enoughOf(gate)
      expect([round, body.status]).toEqual([round, enough ? 'approved' : 'pending'])
      if (enough) break
    }
  }
})

const enoughOf = ({ id }: Body) => committee.box.sql<[{ enough: boolean }]>`
  select has_enough_approvals(id, organization_id, workspace_id, approvers, required_approvals) as enough
  from gates
  where id = ${id}
`
