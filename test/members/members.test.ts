import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let admin: Actor
let other: Actor
let member: Actor
let stranger: Actor
let site: Site
let path: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  // Sequentially, because members who join in the same millisecond are ordered by id.
  owner = await box.user('Owner')
  admin = await box.user('Admin')
  other = await box.user('Other Admin')
  member = await box.user('Member')
  stranger = await box.user('Stranger')
})
afterAll(() => box.close())

beforeEach(async () => {
  site = await box.site(owner, 'Membership')
  path = `/api/v1/organizations/${site.organization.id}/members`
  await box.join(admin, site, 'admin')
  await box.join(other, site, 'admin')
  await box.join(member, site, 'member', 'member')
})

const shown = (actor: Actor, role: string) => ({
  organization_id: site.organization.id,
  user_id: actor.id,
  role,
  user_name: actor.name,
  user_email: actor.email,
  user_avatar_url: `/api/v1/users/${actor.id}/avatar`,
  joined_at: expect.stringMatching(/Z$/),
})

const events = () => box.sql<{ name: string; data: object; workspace_id: string | null }[]>`
  select name, data, workspace_id from outbox where organization_id = ${site.organization.id} order by id
`
const trail = () => box.sql<{ action: string; resource_type: string; resource_id: string; detail: string }[]>`
  select action, resource_type, resource_id, detail
  from audit_log_entries
  where organization_id = ${site.organization.id} and action like 'member.%'
  order by id
`
const count = async () => (await owner.get(`/api/v1/organizations/${site.organization.id}`)).body.member_count
const roleOf = async (actor: Actor) => (await actor.get(`/api/v1/organizations/${site.organization.id}/my-role`)).body.role

describe('The list', () => {
  test('shows all members, newest first, with exactly the documented fields', async () => {
    const { status, body } = await member.get(path)
    expect([status, body]).toEqual([
      200,
      [shown(member, 'member'), shown(other, 'admin'), shown(admin, 'admin'), shown(owner, 'owner')],
    ])
  })

  test('is paginated, and can be searched by part of a name or address', async () => {
    const first = await owner.get(`${path}?limit=3`)
    expect(first.body).toHaveLength(3)
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    const rest = await owner.get(next)
    expect([rest.body, rest.headers.get('link')]).toEqual([[shown(owner, 'owner')], null])
    const ids = async (query: string) =>
      (await owner.get(`${path}?query=${encodeURIComponent(query)}`)).body.map(({ user_id }: { user_id: string }) => user_id)
    expect(await ids('aDMin')).toEqual([other.id, admin.id])
    expect(await ids(member.email.slice(0, -4).toUpperCase())).toEqual([member.id])
    await box.sql`update users set name = 'Łukasz Ørsted' where id = ${member.id}`
    for (const part of ['lukasz', 'ORSTED', 'łuk', 'ukasz\u00a0ø']) expect([part, await ids(part)]).toEqual([part, [member.id]])
    await box.sql`update users set name = ${member.name} where id = ${member.id}`
    expect(await ids('%')).toEqual([])
    expect(await ids('_')).toEqual([])
    expect(await ids("' or 1 = 1 --")).toEqual([])
  })

  test('is not accessible to users of other organizations', async () => {
    await box.site(stranger, 'Foreign')
    expect((await stranger.get(path)).status).toBe(404)
    for (const limit of ['0', '1001', 'x']) expect((await owner.get(`${path}?limit=${limit}`)).status).toBe(422)
  })
})

describe('Adding', () => {
  test('by id or address adds a member at once, with an event and an audit entry', async () => {
    const [one, two] = [await box.user('One'), await box.user('Two')]
    const first = await admin.post(path, { user_id: one.id.toUpperCase() })
    expect([first.status, first.headers.get('location'), first.body]).toEqual([201, `${path}/${one.id}`, shown(one, 'member')])
    const second = await owner.post(path, { email: `  ${two.email.toUpperCase()} `, role: 'admin' })
    expect([second.status, second.body]).toEqual([201, shown(two, 'admin')])
    expect(await count()).toBe(6)
    expect((await events()).map((each) => ({ ...each }))).toEqual([
      { name: 'member.added', data: { member: first.body }, workspace_id: null },
      { name: 'member.added', data: { member: second.body }, workspace_id: null },
    ])
    expect([...(await trail())]).toEqual([
      {
        action: 'member.added',
        resource_type: 'organization_member',
        resource_id: one.id,
        detail: 'Admin added One to the organization Membership as member.',
      },
      expect.objectContaining({ action: 'member.added', resource_id: two.id }),
    ])
  })

  const bad: [string, () => object, string][] = [
    ['neither address nor id', () => ({ role: 'member' }), '/email'],
    ['both', () => ({ email: stranger.email, user_id: stranger.id }), '/user_id'],
    ['the role owner', () => ({ user_id: stranger.id, role: 'owner' }), '/role'],
    ['an unknown role', () => ({ user_id: stranger.id, role: 'Admin' }), '/role'],
    ['an unknown user', () => ({ user_id: crypto.randomUUID() }), '/user_id'],
    ['a malformed id', () => ({ user_id: 'ada' }), '/user_id'],
    ['a malformed address', () => ({ email: 'ada' }), '/email'],
    ['a null address', () => ({ email: null }), '/email'],
    ['an unknown field', () => ({ user_id: stranger.id, rol: 'admin' }), '/rol'],
  ]
  test.each(bad)('%s is refused', async (_, body, pointer) => {
    const answer = await owner.post(path, body())
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer])
    expect([await count(), (await events()).length]).toEqual([4, 0])
  })

  test('an existing member is refused, and so is an admin added by an admin', async () => {
    for (const who of [{ user_id: member.id }, { email: owner.email }]) {
      expect(await admin.post(path, who)).toMatchObject({ status: 409, body: { code: 'already_member' } })
    }
    const refused = await admin.post(path, { user_id: stranger.id, role: 'admin' })
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'This requires the role owner in the organization; your role is admin.',
    ])
    expect((await member.post(path, { user_id: stranger.id })).status).toBe(403)
    expect((await stranger.post(path, { user_id: stranger.id })).status).toBe(404)
    expect(await count()).toBe(4)
  })

  test('is limited by max_members, also when it was lowered below the current number', async () => {
    const organization = `/api/v1/organizations/${site.organization.id}`
    await owner.put(organization, { max_members: 2 })
    const refused = await owner.post(path, { user_id: stranger.id })
    expect([refused.status, refused.body.code]).toEqual([409, 'member_limit_reached'])
    await owner.put(organization, { max_members: 5 })
    expect((await owner.post(path, { user_id: stranger.id })).status).toBe(201)
    expect((await owner.post(path, { email: (await box.user('Late')).email })).body.code).toBe('member_limit_reached')
  })

  test('with one Idempotency-Key adds once, and replays a 409 as well', async () => {
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await owner.post(path, { user_id: stranger.id }, key)
    const again = await owner.post(path, { user_id: stranger.id }, key)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    const other = { 'Idempotency-Key': crypto.randomUUID() }
    expect((await owner.post(path, { user_id: stranger.id }, other)).status).toBe(409)
    expect((await owner.post(path, { user_id: stranger.id }, other)).headers.get('idempotent-replayed')).toBe('true')
  })
})

describe('Changing a role', () => {
  test('takes effect at once, and only the owner may add or remove admins', async () => {
    const promoted = await owner.put(`${path}/${member.id}`, { role: 'admin' })
    expect([promoted.status, promoted.body]).toEqual([200, shown(member, 'admin')])
    expect(await roleOf(member)).toBe('admin')
    expect((await owner.put(`${path}/${member.id}`, { role: 'member' })).body.role).toBe('member')
    expect((await events()).map(({ name, data }) => ({ name, data }))).toEqual([
      { name: 'member.role_changed', data: { member: shown(member, 'admin'), from: 'member', to: 'admin' } },
      { name: 'member.role_changed', data: { member: shown(member, 'member'), from: 'admin', to: 'member' } },
    ])
    for (const [who, role] of [
      [member, 'admin'],
      [other, 'member'],
      [admin, 'member'],
    ] as const) {
      expect((await admin.put(`${path}/${who.id}`, { role })).status).toBe(403)
    }
    expect((await member.put(`${path}/${member.id}`, { role: 'admin' })).status).toBe(403)
  })

  test('to the same role has no effect', async () => {
    expect((await admin.put(`${path}/${member.id}`, { role: 'member' })).status).toBe(200)
    expect((await admin.put(`${path}/${other.id}`, { role: 'admin' })).status).toBe(200)
    expect([(await events()).length, (await trail()).length]).toEqual([0, 0])
  })

  test('never applies to the owner', async () => {
    for (const by of [owner, admin]) {
      for (const role of ['admin', 'member']) {
        expect(await by.put(`${path}/${owner.id}`, { role })).toMatchObject({ status: 409, body: { code: 'owner_role_fixed' } })
      }
    }
    for (const role of ['owner', '', null, undefined]) {
      expect((await owner.put(`${path}/${member.id}`, { role })).body.errors[0].pointer).toBe('/role')
    }
    expect((await owner.put(`${path}/${stranger.id}`, { role: 'member' })).status).toBe(404)
    expect((await owner.put(`${path}/nobody`, { role: 'member' })).status).toBe(422)
  })

  test('is refused with a stale ETag', async () => {
    const seen = await owner.put(`${path}/${member.id}`, { role: 'admin' })
    const tag = { 'If-Match': seen.headers.get('etag') ?? '' }
    expect((await owner.put(`${path}/${member.id}`, { role: 'member' }, tag)).status).toBe(200)
    expect((await owner.put(`${path}/${member.id}`, { role: 'admin' }, tag)).status).toBe(412)
    expect((await owner.delete(`${path}/${member.id}`, tag)).status).toBe(412)
    expect(await roleOf(member)).toBe('member')
  })
})

describe('Removing', () => {
  test('a member removes workspace roles, passes owned workspaces to the owner, and takes effect at once', async () => {
    const mine = await member.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Mine' })
    expect((await member.get(`/api/v1/workspaces/${site.workspace.id}`)).status).toBe(200)
    expect(await admin.delete(`${path}/${member.id}`)).toMatchObject({ status: 204, body: null })
    for (const gone of [`/api/v1/workspaces/${site.workspace.id}`, `/api/v1/workspaces/${mine.id}`, path]) {
      expect((await member.get(gone)).status).toBe(404)
    }
    expect((await owner.get(`/api/v1/workspaces/${mine.id}`)).body.owner_id).toBe(owner.id)
    expect(
      await box.sql`select from workspace_members where user_id = ${member.id} and organization_id = ${site.organization.id}`,
    ).toHaveLength(0)
    expect(await count()).toBe(3)
    const [event] = await events()
    expect({ ...event }).toEqual({ name: 'member.removed', data: { member: shown(member, 'member') }, workspace_id: null })
    expect((await trail()).map(({ action, resource_id }) => [action, resource_id])).toEqual([['member.removed', member.id]])
    // A returning member starts without the former roles.
    expect((await admin.post(path, { user_id: member.id })).status).toBe(201)
    expect((await member.get(`/api/v1/workspaces/${site.workspace.id}`)).status).toBe(404)
  })

  test('oneself is leaving, which everyone except the owner may do', async () => {
    expect((await member.delete(`${path}/${member.id.toUpperCase()}`)).status).toBe(204)
    expect((await admin.delete(`${path}/${admin.id}`)).status).toBe(204)
    expect((await trail()).map(({ detail }) => detail)).toEqual([
      'Member left the organization Membership.',
      'Admin left the organization Membership.',
    ])
    expect(await count()).toBe(2)
  })

  test('the owner is always refused, and only the owner may remove an admin', async () => {
    for (const by of [owner, admin]) {
      expect(await by.delete(`${path}/${owner.id}`)).toMatchObject({ status: 409, body: { code: 'owner_cannot_be_removed' } })
    }
    expect((await admin.delete(`${path}/${other.id}`)).status).toBe(403)
    for (const who of [owner, admin, other]) expect((await member.delete(`${path}/${who.id}`)).status).toBe(403)
    expect((await stranger.delete(`${path}/${member.id}`)).status).toBe(404)
    expect((await owner.delete(`${path}/${stranger.id}`)).status).toBe(404)
    expect((await owner.delete(`${path}/${other.id}`)).status).toBe(204)
    expect((await owner.delete(`${path}/${other.id}`)).status).toBe(404)
  })

  test('a member through another organization is refused', async () => {
    const foreign = await box.site(stranger, 'Elsewhere')
    const elsewhere = `/api/v1/organizations/${foreign.organization.id}/members/${member.id}`
    expect((await stranger.delete(elsewhere)).status).toBe(404)
    expect((await stranger.put(elsewhere, { role: 'admin' })).status).toBe(404)
    expect(await roleOf(member)).toBe('member')
  })
})
