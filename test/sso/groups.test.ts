import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Visit } from '../support/page-client.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import { type Company, SsoBench } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

const refusal = ({ status, body }: Answer) => [status, body?.code]
const titleOf = ({ document }: Visit): string => document.querySelector('h1')?.textContent ?? ''

interface Mapped {
  company: Company
  group: Answer['body']
  org: string
}

/** A company whose groups give a group, the role of admin, and roles in its workspace. */
async function mapped(more: object = {}): Promise<Mapped> {
  const company = await bench.company({ provision: true, ...more })
  const { organization, workspace } = company.site
  const org = `/api/v1/organizations/${organization.id}`
  const group = await company.owner.make(`${org}/groups`, { name: 'Release managers' })
  const mappings = [
    { value: 'releases', group_id: group.id },
    { value: 'admins', role: 'admin' },
    { value: 'devs', workspace_id: workspace.id, role: 'member' },
    { value: 'leads', workspace_id: workspace.id, role: 'admin' },
  ]
  const { status, body } = await company.owner.put(company.api, { mappings })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { company, group, org }
}

const state = async ({ company, group, org }: Mapped, email: string) => {
  const { owner, site } = company
  const of = async (path: string) =>
    (await owner.get(path)).body.find(({ user_email }: { user_email: string }) => user_email === email)
  const role = (await of(`${org}/members`))?.role
  return [
    role,
    (await of(`/api/v1/groups/${group.id}/members`)) !== undefined,
    (await of(`/api/v1/workspaces/${site.workspace.id}/members`))?.role,
  ]
}

test('each sign-on sets what mappings name to what the claim gives; an absent claim is none', async () => {
  const it = await mapped()
  const { company, org } = it
  const claims = company.person()
  const enter = (groups?: unknown) => company.enter({ ...claims, groups })
  await enter(['releases', 'devs', 'leads', 'other', 7])
  expect(await state(it, claims.email)).toEqual(['member', true, 'admin'])
  await enter(['admins', 'devs'])
  expect(await state(it, claims.email)).toEqual(['admin', false, 'member'])
  await enter('leads')
  expect(await state(it, claims.email)).toEqual(['member', false, 'admin'])
  await enter({ releases: {}, admins: null })
  expect(await state(it, claims.email)).toEqual(['admin', true, undefined])
  await enter()
  expect(await state(it, claims.email)).toEqual(['member', false, undefined])
  const log = await company.owner.get(`${org}/audit-logs?page_size=100`)
  const entries = log.body.items.filter(({ via }: { via: string }) => via === 'sso')
  const actions = new Set(entries.map(({ action }: { action: string }) => action))
  for (const action of [
    'member.added',
    'member.role_changed',
    'group_member.added',
    'group_member.removed',
    'sso_identity.linked',
  ])
    expect(actions).toContain(action)
  expect(entries.every(({ actor_type }: { actor_type: string }) => actor_type === 'system')).toBe(true)
})

test('the claim may be anywhere, by a JSON Pointer, and come from userinfo', async () => {
  const it = await mapped({ groups_claim: '/realm_access/roles' })
  const claims = it.company.person()
  await it.company.enter({ ...claims, realm_access: { roles: ['leads'] }, groups: ['admins'] })
  expect(await state(it, claims.email)).toEqual(['member', false, 'admin'])
  bench.provider.userinfo = { sub: claims.sub, realm_access: { roles: ['devs'] } }
  await it.company.enter(claims)
  bench.provider.userinfo = null
  expect(await state(it, claims.email)).toEqual(['member', false, 'member'])
})

test('the owner stays the owner', async () => {
  const it = await mapped()
  await it.company.linked(it.company.owner, it.company.person({ groups: [] }))
  expect((await state(it, it.company.owner.email))[0]).toBe('owner')
})

test('what the provider says is not changed by hand, and mapped groups hold nobody else', async () => {
  const it = await mapped()
  const { company, group, org } = it
  const { owner, site } = company
  const managed = [409, 'managed_by_sso']
  const claims = company.person({ groups: ['devs'] })
  await company.enter(claims)
  const linked = (await owner.get(`${org}/members`)).body.find((each: { user_email: string }) => each.user_email === claims.email)
  const guest = await bench.box.user('Gus')
  await bench.box.join(guest, site, 'member')
  const workspace = `/api/v1/workspaces/${site.workspace.id}/members`
  expect(refusal(await owner.put(`${org}/members/${linked.user_id}`, { role: 'admin' }))).toEqual(managed)
  expect((await owner.put(`${org}/members/${guest.id}`, { role: 'admin' })).status).toBe(200)
  expect(refusal(await owner.put(`${workspace}/${linked.user_id}`, { role: 'admin' }))).toEqual(managed)
  expect(refusal(await owner.delete(`${workspace}/${linked.user_id}`))).toEqual(managed)
  expect((await owner.post(workspace, { user_id: guest.id })).status).toBe(201)
  for (const { id } of [guest, { id: linked.user_id }] as Pick<Actor, 'id'>[]) {
    expect(refusal(await owner.put(`/api/v1/groups/${group.id}/members/${id}`))).toEqual(managed)
    expect(refusal(await owner.delete(`/api/v1/groups/${group.id}/members/${id}`))).toEqual(managed)
  }
  expect(refusal(await owner.delete(`/api/v1/groups/${group.id}`))).toEqual([409, 'group_in_use'])
  const other = await owner.make(`${org}/groups`, { name: 'Auditors' })
  expect((await owner.put(`/api/v1/groups/${other.id}/members/${guest.id}`)).status).toBe(204)
  await owner.put(company.api, { mappings: [{ value: 'audit', group_id: other.id }] })
  expect((await owner.get(`/api/v1/groups/${other.id}/members`)).body).toEqual([])
})

test('mappings name what is in the organization', async () => {
  const [it, foreign] = [await mapped(), await mapped()]
  const { owner, api } = it.company
  for (const mapping of [
    { value: 'x', group_id: foreign.group.id },
    { value: 'x', workspace_id: foreign.company.site.workspace.id, role: 'admin' },
  ])
    expect((await owner.put(api, { mappings: [mapping] })).body.errors[0].code).toBe('unknown')
  for (const mapping of [
    { value: 'x' },
    { value: 'x', role: 'owner' },
    { value: '', role: 'admin' },
    { value: 'x', role: 'admin', group_id: it.group.id },
  ])
    expect((await owner.put(api, { mappings: [mapping] })).status).toBe(422)
})

test('more groups than the provider sends, or than are taken, and a limit that is reached, change nothing', async () => {
  const it = await mapped()
  const { company } = it
  const claims = company.person({ groups: ['leads'] })
  await company.enter(claims)
  const before = await state(it, claims.email)
  const overages = [
    { _claim_names: { groups: 'src1' }, groups: undefined },
    { hasgroups: true, groups: undefined },
    { groups: Array.from({ length: 1_001 }, (_, at) => `g${at}`) },
  ]
  for (const more of overages) {
    const page = await company.enter({ ...claims, ...more })
    expect([page.status, titleOf(page)]).toEqual([403, 'Too many groups'])
  }
  expect(await state(it, claims.email)).toEqual(before)
  await company.owner.put(it.org, { max_members: 2 })
  const newcomer = company.person({ groups: ['devs'] })
  const page = await company.enter(newcomer)
  expect([page.status, titleOf(page)]).toEqual([409, 'Member limit reached'])
  expect(await bench.box.sql`select from users where email = ${newcomer.email}`).toHaveLength(0)
  expect(await bench.box.sql`select from sso_identities where subject = ${newcomer.sub}`).toHaveLength(0)
})
