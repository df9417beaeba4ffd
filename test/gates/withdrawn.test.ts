/** Notifications that ask for a decision are read once their recipient can no longer decide; groups that gates need stay. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Actor, Answer } from '../support/signalbox.ts'
import { waits } from '../support/waiting-locks.ts'
import { Committee, reject } from './committee.ts'

type Body = Answer['body']

let committee: Committee
let ada: Actor
let group: Body

beforeAll(async () => {
  committee = await Committee.meet({ workers: 1 })
  ada = committee.ada
  group = await ada.make(`/api/v1/organizations/${committee.site.organization.id}/groups`, { name: 'Security' })
})
afterAll(() => committee.close())

const policy = (environment: string) => `/api/v1/projects/${committee.site.project.id}/environments/${environment}/policy`

/** A gate that names the group. */
async function opened(count = 1): Promise<Body> {
  const environment = crypto.randomUUID()
  await ada.put(policy(environment), { approvers: [{ group_id: group.id, count }] })
  return ada.make(`/api/v1/projects/${committee.site.project.id}/gates`, { name: 'Release', environment })
}

const enter = ({ id }: Actor) => ada.put(`/api/v1/groups/${group.id}/members/${id}`)
const leave = ({ id }: Actor) => ada.delete(`/api/v1/groups/${group.id}/members/${id}`)

/** Whether the notification about a gate is read; undefined if there is none. */
async function isRead(person: Actor, gate: Body): Promise<boolean | undefined> {
  const { body } = await person.get('/api/v1/notifications?page_size=100')
  const found = body.items.find(({ type, resource_id }: Body) => type === 'gate_pending' && resource_id === gate.id)
  return found && found.read_at !== null
}

const asked = (person: Actor, gate: Body) =>
  committee.box.until(`${person.name} is asked`, async () => (await isRead(person, gate)) === false)

async function person(name: string, role: 'admin' | 'member', inside?: 'admin' | 'member'): Promise<Actor> {
  const actor = await committee.box.user(name)
  await committee.box.join(actor, committee.site, role, inside)
  return actor
}

describe('What asks for a decision is read by itself', () => {
  test('when the person leaves the group, and not what they can still decide', async () => {
    const [zoe, lead] = [await person('Zoe', 'member', 'member'), await person('Lead', 'member', 'admin')]
    for (const each of [zoe, lead]) await enter(each)
    const gate = await opened()
    for (const each of [zoe, lead]) await asked(each, gate)
    for (const each of [zoe, lead]) expect((await leave(each)).status).toBe(204)
    expect([await isRead(zoe, gate), await isRead(lead, gate)]).toEqual([true, false])
    expect((await zoe.get('/api/v1/notifications')).body.unread_count).toBe(0)
  })

  test('when the person is demoted in the workspace or in the organization, or leaves the workspace', async () => {
    const { organization, workspace } = committee.site
    const [lead, admin, leaver] = [
      await person('Lead', 'member', 'admin'),
      await person('Admin', 'admin'),
      await person('Leaver', 'member', 'admin'),
    ]
    const gate = await committee.opened()
    for (const each of [lead, admin, leaver]) await asked(each, gate)
    await ada.put(`/api/v1/workspaces/${workspace.id}/members/${lead.id}`, { role: 'member' })
    await ada.put(`/api/v1/organizations/${organization.id}/members/${admin.id}`, { role: 'member' })
    await leaver.delete(`/api/v1/workspaces/${workspace.id}/members/${leaver.id}`)
    for (const each of [lead, admin, leaver]) expect([each.name, await isRead(each, gate)]).toEqual([each.name, true])
    expect(await isRead(committee.grace, gate)).toBe(false)
  })

  test('when the person leaves the organization', async () => {
    const admin = await person('Admin', 'admin')
    const gate = await committee.opened()
    await asked(admin, gate)
    const { status } = await admin.delete(`/api/v1/organizations/${committee.site.organization.id}/members/${admin.id}`)
    expect(status).toBe(204)
    const [row] = await committee.box.sql`
      select read_at from notifications where user_id = ${admin.id} and type = 'gate_pending' and resource_id = ${gate.id}
    `
    expect(row).toEqual({ read_at: expect.stringMatching(/Z$/) })
  })

  test('when the person leaves the group while the notification is written', async () => {
    const zoe = await person('Zoe', 'member', 'member')
    await enter(zoe)
    const { sql } = committee.box
    const gate = await sql.begin(async (tx) => {
      // As the removal does it: nothing is there yet that it could mark as read.
      await tx`delete from group_members where group_id = ${group.id} and user_id = ${zoe.id}`
      await tx`insert into notification_inboxes (user_id) values (${zoe.id})`
      const waiting = await opened()
      await committee.box.until('the notification waits for the inbox', () => waits(sql, '%with message as%'))
      return waiting
    })
    await committee.box.until('it is read', async () => (await isRead(zoe, gate)) === true)
    expect((await zoe.get('/api/v1/notifications')).body.unread_count).toBe(0)
  })

  test('when the gate is cancelled, or deleted with its requirement, project or workspace', async () => {
    const { box, grace } = committee
    const place = await box.site(ada)
    await box.join(grace, place, 'admin')
    const { workspace } = place
    const project = await ada.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Doomed' })
    const execution = await box.running(ada, place.project.id)
    const inExecution = () => ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    const [cancelled, one, two, three] = [
      await inExecution(),
      await inExecution(),
      await ada.make(`/api/v1/projects/${project.id}/gates`, { name: 'Release' }),
      await ada.make(`/api/v1/projects/${place.project.id}/gates`, { name: 'Release' }),
    ]
    const ends: [Body, () => Promise<Answer>][] = [
      [cancelled, () => ada.post(`/api/v1/gates/${cancelled.id}/cancel`)],
      [one, () => ada.delete(`/api/v1/requirements/${execution.requirement_id}`)],
      [two, () => ada.delete(`/api/v1/projects/${project.id}`)],
      [three, () => ada.delete(`/api/v1/workspaces/${workspace.id}`)],
    ]
    for (const [gate] of ends) await asked(grace, gate)
    const { unread_count } = (await grace.get('/api/v1/notifications')).body
    for (const [index, [gate, end]] of ends.entries()) {
      expect((await end()).status).toBeLessThan(300)
      expect([index, await isRead(grace, gate)]).toEqual([index, true])
    }
    expect((await grace.get('/api/v1/notifications')).body.unread_count).toBe(unread_count - ends.length)
  })

  test('when the gate is deleted while the notification is written', async () => {
    const { box, site, grace } = committee
    const execution = await box.running(ada, site.project.id)
    await box.settled()
    const gate = await box.sql.begin(async (tx) => {
      await tx`select from notification_inboxes where user_id = ${grace.id} for update`
      const waiting = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
      await box.until('the notification waits for the inbox', () => waits(box.sql, '%with message as%'))
      expect((await ada.delete(`/api/v1/requirements/${execution.requirement_id}`)).status).toBe(204)
      return waiting
    })
    await box.until('it is read', async () => (await isRead(grace, gate)) === true)
  })

  test('when the gate is replaced or decided', async () => {
    const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'a'.repeat(64) }, version: 'v1.5.0' }
    const path = `/api/v1/projects/${committee.site.project.id}/gates`
    const gate = await ada.make(path, { name: 'Replaced', subject })
    await asked(committee.grace, gate)
    const newer = await ada.make(path, { name: 'Replaced', subject: { ...subject, version: 'v1.5.1' } })
    await committee.box.until('it is read', async () => (await isRead(committee.grace, gate)) === true)
    await asked(committee.grace, newer)
    await reject(ada, newer)
    await committee.box.until('it is read', async () => (await isRead(committee.grace, newer)) === true)
  })
})

describe('A group that a pending gate names', () => {
  const missingOf = async ({ id }: Body): Promise<string[]> => (await ada.get(`/api/v1/gates/${id}/effects`)).body.missing

  test('cannot be deleted before the gate is decided', async () => {
    const own = await ada.make(`/api/v1/organizations/${committee.site.organization.id}/groups`, { name: 'Operations' })
    const environment = crypto.randomUUID()
    await ada.put(policy(environment), { approvers: [{ group_id: own.id, count: 1 }] })
    const open = await ada.make(`/api/v1/projects/${committee.site.project.id}/gates`, { name: 'Release', environment })
    await ada.put(policy(environment), { approvers: [] })
    const refused = await ada.delete(`/api/v1/groups/${own.id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'group_in_use'])
    expect(refused.body.detail).toContain('The pending gate “Release” requires approvals of this group.')
    await reject(ada, open)
    expect((await ada.delete(`/api/v1/groups/${own.id}`)).status).toBe(204)
  })

  test('and has too few members is named, with who can help', async () => {
    const empty = await ada.make(`/api/v1/organizations/${committee.site.organization.id}/groups`, { name: 'Night shift' })
    const environment = crypto.randomUUID()
    await ada.put(policy(environment), { approvers: [{ group_id: empty.id, count: 2 }] })
    const gate = await ada.make(`/api/v1/projects/${committee.site.project.id}/gates`, { name: 'Release', environment })
    const help =
      'can approve: the group needs members with access to the workspace. An owner or admin of the organization can add people, or override the gate.'
    const missing = '2 more approvals by members of Night shift.'
    expect(await missingOf(gate)).toEqual([missing, `No one in Night shift ${help}`])
    // Has no role in the workspace.
    const outsider = await person('Otto', 'member')
    for (const each of [outsider, committee.grace]) await ada.put(`/api/v1/groups/${empty.id}/members/${each.id}`)
    expect(await missingOf(gate)).toEqual([missing, `Only 1 in Night shift ${help}`])
    await ada.put(`/api/v1/groups/${empty.id}/members/${committee.mary.id}`)
    expect(await missingOf(gate)).toEqual([missing])
  })
})
