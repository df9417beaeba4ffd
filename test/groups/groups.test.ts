import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let max: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  max = await box.user('Max')
  site = await box.site(ada)
  await box.join(max, site, 'member')
})
afterAll(() => box.close())

const listOf = ({ organization }: Site) => `/api/v1/organizations/${organization.id}/groups`
const made = (name: string, of = site) => ada.make(listOf(of), { name })
const membersOf = async ({ id }: { id: string }): Promise<string[]> =>
  (await ada.get(`/api/v1/groups/${id}/members`)).body.map(({ user_id }: { user_id: string }) => user_id)
const entriesOf = ({ organization }: Site, resource_id: string) =>
  box.sql<{ action: string; resource_type: string; detail: string }[]>`
    select action, resource_type, detail
    from audit_log_entries
    where organization_id = ${organization.id}
      and resource_id = ${resource_id}
    order by created_at, id
  `

test('a group is created, listed, changed and deleted by admins, and read by members', async () => {
  const { status, body, headers } = await ada.post(listOf(site), { name: ' Security ', description: 'Reviews.' })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/groups/${body.id}`])
  expect(body).toMatchObject({
    organization_id: site.organization.id,
    name: 'Security',
    description: 'Reviews.',
    member_count: 0,
  })
  expect((await max.get(listOf(site))).body).toEqual([body])
  expect((await max.get(`/api/v1/groups/${body.id}`)).body).toEqual(body)
  const refused = await max.put(`/api/v1/groups/${body.id}`, { name: 'Mine' })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  const path = `/api/v1/groups/${body.id}`
  const changed = await ada.put(path, { name: 'SECURITY', description: null })
  expect(changed.body).toMatchObject({ name: 'SECURITY', description: null })
  const same = await ada.put(path, { name: 'SECURITY' })
  expect([same.status, same.body.updated_at]).toEqual([200, changed.body.updated_at])
  expect((await ada.delete(path)).status).toBe(204)
  expect((await ada.get(path)).status).toBe(404)
  expect(await entriesOf(site, body.id)).toMatchObject([
    { action: 'group.created', resource_type: 'group', detail: 'Ada created the group Security.' },
    {
      action: 'group.updated',
      detail: 'Ada changed the group Security: name from "Security" to "SECURITY"; description from "Reviews." to none.',
    },
    { action: 'group.deleted', detail: 'Ada deleted the group SECURITY.' },
  ])
})

test('If-Match compares the version of the group, which its members do not change', async () => {
  const group = await made('Matched')
  const path = `/api/v1/groups/${group.id}`
  const tag = (await ada.get(path)).headers.get('etag') ?? ''
  await ada.put(`${path}/members/${max.id}`)
  const changed = await ada.put(path, { name: 'Matched again' }, { 'If-Match': tag })
  expect([changed.status, changed.body.member_count]).toEqual([200, 1])
  const stale = await ada.put(path, { name: 'Too late' }, { 'If-Match': tag })
  expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
  expect((await ada.delete(path, { 'If-Match': tag })).status).toBe(412)
  expect((await ada.delete(path)).status).toBe(204)
})

test('the same Idempotency-Key creates one group', async () => {
  const other = await box.site(ada, 'Keyed')
  const post = () => ada.post(listOf(other), { name: 'Once' }, { 'Idempotency-Key': 'once' })
  const [first, again] = [await post(), await post()]
  expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
  expect((await ada.get(listOf(other))).body).toHaveLength(1)
})

describe('A name', () => {
  test('is taken in whatever case it is written', async () => {
    const other = await box.site(ada, 'Named')
    const pairs = [
      ['Release managers', 'RELEASE MANAGERS'],
      ['Straße', 'STRASSE'],
      ['Große', 'GROẞE'],
      ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
      ['Équipe', 'E\u0301quipe'],
      ['Кони', 'КОНИ'],
      ['On call', 'on\u00a0call'],
      ['Two words', 'Two\u2003 words'],
      ['Ops 1', 'Ｏｐｓ\u3000１'],
    ]
    for (const [one = '', same = ''] of pairs) {
      await made(one, other)
      const { status, body } = await ada.post(listOf(other), { name: same })
      expect([same, status, body.code, body.errors[0].pointer]).toEqual([same, 409, 'name_taken', '/name'])
    }
    const free = await made('Free', other)
    expect((await ada.put(`/api/v1/groups/${free.id}`, { name: 'strasse' })).body.code).toBe('name_taken')
    expect((await ada.put(`/api/v1/groups/${free.id}`, { name: 'FREE' })).status).toBe(200)
  })

  test('can be the same in two organizations', async () => {
    const [one, other] = [await box.site(ada, 'One'), await box.site(ada, 'Other')]
    await made('Security', one)
    await made('Security', other)
  })

  test('is given to one of two requests at once', async () => {
    const other = await box.site(ada, 'Raced')
    const answers = await Promise.all(['Same', 'SAME', 'same'].map((name) => ada.post(listOf(other), { name })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})

describe('Members', () => {
  test('are added and removed, each once', async () => {
    const group = await made('Members')
    const path = `/api/v1/groups/${group.id}/members/${max.id}`
    expect((await ada.put(path)).status).toBe(204)
    expect(
      (await ada.put(path.toUpperCase().replace('/API/V1/GROUPS', '/api/v1/groups').replace('MEMBERS', 'members'))).status,
    ).toBe(204)
    const { body } = await max.get(`/api/v1/groups/${group.id}/members`)
    expect(body).toMatchObject([{ group_id: group.id, user_id: max.id, user_name: 'Max', user_email: max.email }])
    expect((await ada.get(`/api/v1/groups/${group.id}`)).body.member_count).toBe(1)
    expect((await max.delete(path)).status).toBe(403)
    expect((await ada.delete(path)).status).toBe(204)
    expect((await ada.delete(path)).status).toBe(404)
    expect(await membersOf(group)).toEqual([])
    const entries = await entriesOf(site, max.id)
    expect(entries.filter(({ detail }) => detail.endsWith('the group Members.'))).toMatchObject([
      { action: 'group_member.added', detail: 'Ada added Max to the group Members.' },
      { action: 'group_member.removed', detail: 'Ada removed Max from the group Members.' },
    ])
  })

  test('are members of the organization: others are refused, and who leaves it leaves its groups', async () => {
    const group = await made('Inside')
    const stranger = await box.user('Stranger')
    for (const user_id of [stranger.id, crypto.randomUUID()]) {
      const { status, body } = await ada.put(`/api/v1/groups/${group.id}/members/${user_id}`)
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'not_a_member', '/user_id'])
    }
    await box.join(stranger, site, 'member')
    await ada.put(`/api/v1/groups/${group.id}/members/${stranger.id}`)
    expect(await membersOf(group)).toEqual([stranger.id])
    await box.leave(stranger, site.organization.id)
    expect(await membersOf(group)).toEqual([])
    await box.join(stranger, site, 'member')
    expect(await membersOf(group)).toEqual([])
  })

  test('who are added while they leave are not in the group afterwards', async () => {
    const group = await made('Leaving')
    for (let round = 0; round < 5; round++) {
      const leaver = await box.user(`Leaver ${round}`)
      await box.join(leaver, site, 'member')
      const [added] = await Promise.all([
        ada.put(`/api/v1/groups/${group.id}/members/${leaver.id}`),
        box.leave(leaver, site.organization.id),
      ])
      expect([204, 422]).toContain(added?.status ?? 0)
    }
    expect(await membersOf(group)).toEqual([])
  })
})

describe('Limits hold under races:', () => {
  test('of ten requests for the fiftieth group one succeeds', async () => {
    const other = await box.site(ada, 'Many')
    await box.sql`
      insert into groups (organization_id, name, name_key)
      select ${other.organization.id}, 'group ' || number, 'group ' || number from generate_series(1, 49) as number
    `
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => ada.post(listOf(other), { name: `New ${index}` })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('group_limit_reached')
  })

  test('of requests for the two hundredth member one succeeds, and members can be added again', async () => {
    const other = await box.site(ada, 'Crowded')
    const group = await made('Crowded', other)
    const { organization } = other
    await box.sql`
      insert into users (email, name, password_hash)
      select 'crowd-' || number || '@example.com', 'Crowd', 'x' from generate_series(1, 205) as number
    `
    await box.sql`
      insert into organization_members (organization_id, user_id, role)
      select ${organization.id}, id, 'member' from users where name = 'Crowd'
    `
    await box.sql`
      insert into group_members (group_id, organization_id, user_id)
      select ${group.id}, ${organization.id}, user_id
      from organization_members
      where organization_id = ${organization.id}
        and role = 'member'
      order by user_id
      limit 199
    `
    const outside = await box.sql<{ user_id: string }[]>`
      select user_id
      from organization_members as member
      where organization_id = ${organization.id}
        and not exists (select from group_members where group_id = ${group.id} and user_id = member.user_id)
    `
    const add = ({ user_id }: { user_id: string }) => ada.put(`/api/v1/groups/${group.id}/members/${user_id}`)
    const answers = await Promise.all(outside.map(add))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(outside.length - 1).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('group_member_limit_reached')
    const members = await ada.get(`/api/v1/groups/${group.id}/members?limit=150`)
    expect(members.body).toHaveLength(150)
    const next = /<([^>]+)>; rel="next"/.exec(members.headers.get('link') ?? '')?.[1] ?? ''
    expect((await ada.get(next)).body).toHaveLength(50)
    expect((await add({ user_id: members.body[0].user_id })).status).toBe(204)
  })
})
