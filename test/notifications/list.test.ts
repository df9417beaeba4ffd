import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { onCitus } from '../support/databases.ts'
import { type Actor, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'
import { fill, inboxOf } from './inbox.ts'

let box: Box
let owner: Actor
let ada: Actor
let site: Site

const PATH = '/api/v1/notifications'

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
  site = await box.site(owner)
})
afterAll(() => box.close())

beforeEach(async () => {
  ada = await box.user('Ada')
})

const titles = ({ items }: { items: { title: string }[] }) => items.map(({ title }) => title)

/** The counters, which must equal the counted rows. */
async function checkedCounts(user: Actor) {
  const [stored] = await box.sql`select total, unread from notification_inboxes where user_id = ${user.id}`
  const [actual] = await box.sql`
    select
      count(*) as total,
      count(*) filter (
        where read_at is null
          and sequence > (select read_through from notification_inboxes where user_id = ${user.id})
      ) as unread
    from notifications
    where user_id = ${user.id}
  `
  expect({ ...stored }).toEqual({ ...actual })
  return { ...actual }
}

describe('The list', () => {
  test('is empty for a new user', async () => {
    expect(await inboxOf(ada)).toEqual({ total: 0, unread_count: 0, page: 1, page_size: 20, items: [] })
  })

  test('shows notifications newest first, in pages with exact counts', async () => {
    await fill(box, ada, site, 45, 'First')
    await fill(box, ada, site, 5, 'Second')
    const first = await inboxOf(ada)
    expect([first.total, first.unread_count, first.page, first.page_size, first.items.length]).toEqual([50, 50, 1, 20, 20])
    expect(titles(first).slice(0, 6)).toEqual(['Second 5', 'Second 4', 'Second 3', 'Second 2', 'Second 1', 'First 45'])
    const third = await inboxOf(ada, '?page=3')
    expect([third.total, third.items.length, titles(third).at(-1)]).toEqual([50, 10, 'First 1'])
    const beyond = await inboxOf(ada, '?page=4')
    expect([beyond.total, beyond.unread_count, beyond.items]).toEqual([50, 50, []])
    expect(first.items[0]).toEqual({
      id: expect.any(String),
      type: 'gate_pending',
      title: 'Second 5',
      body: 'Body',
      organization_id: site.organization.id,
      workspace_id: site.workspace.id,
      project_id: site.project.id,
      resource_type: 'gate',
      resource_id: expect.any(String),
      url: expect.stringMatching(/^https?:\/\/[^/]+\/app\/gates\/[0-9a-f-]{36}$/),
      data: {},
      is_read: false,
      read_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  test('with unread_only omits read notifications, and counts accordingly', async () => {
    await fill(box, ada, site, 3)
    const { items } = await inboxOf(ada)
    await ada.make(`${PATH}/${items[1].id}/read`)
    const unread = await inboxOf(ada, '?unread_only=true')
    expect([unread.total, unread.unread_count, titles(unread)]).toEqual([2, 2, ['Filled 3', 'Filled 1']])
    const all = await inboxOf(ada, '?unread_only=false')
    expect([all.total, all.unread_count, all.items.length]).toEqual([3, 2, 3])
  })

  test('has no notifications of other users', async () => {
    await fill(box, owner, site, 2)
    expect(await inboxOf(ada)).toMatchObject({ total: 0, unread_count: 0, items: [] })
  })

  test.each(['page=0', 'page_size=101', 'page_size=0', 'unread_only=1', 'unread_only=', 'unread=true'])(
    'refuses ?%s',
    async (query) => {
      const { status, body } = await ada.get(`${PATH}?${query}`)
      expect([status, body.code]).toEqual([422, 'validation_failed'])
    },
  )

  test('and its counters shrink when an organization is deleted', async () => {
    const other = await box.site(owner, 'Going')
    await fill(box, ada, site, 3)
    await fill(box, ada, other, 4)
    const [newest] = (await inboxOf(ada)).items
    await ada.make(`${PATH}/${newest.id}/read`)
    expect(await checkedCounts(ada)).toEqual({ total: 7, unread: 6 })
    // A cluster has no foreign key here; there the purge of organizations deletes the notifications.
    if (onCitus) await box.sql`delete from notifications where organization_id = ${other.organization.id}`
    await box.sql`delete from organizations where id = ${other.organization.id}`
    expect(await checkedCounts(ada)).toEqual({ total: 3, unread: 3 })
  })
})

describe('Marking as read', () => {
  test('lowers the count, and can be repeated', async () => {
    await fill(box, ada, site, 2)
    const [newest] = (await inboxOf(ada)).items
    const { status, body } = await ada.post(`${PATH}/${newest.id}/read`)
    expect([status, body]).toEqual([200, { ...newest, is_read: true, read_at: expect.any(String) }])
    expect((await inboxOf(ada)).unread_count).toBe(1)
    const again = await ada.post(`${PATH}/${newest.id}/read`, {})
    expect([again.status, again.body]).toEqual([200, body])
    expect(await checkedCounts(ada)).toEqual({ total: 2, unread: 1 })
  })

  test('is a 404 for other users, as for an unknown id, without effect', async () => {
    await fill(box, ada, site, 1)
    const [mine] = (await inboxOf(ada)).items
    const foreign = await owner.post(`${PATH}/${mine.id}/read`)
    const absent = await owner.post(`${PATH}/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d/read`)
    expect([foreign.status, absent.status]).toEqual([404, 404])
    expect({ ...foreign.body, instance: '', request_id: '' }).toEqual({ ...absent.body, instance: '', request_id: '' })
    expect((await inboxOf(ada)).unread_count).toBe(1)
  })

  test('with a malformed id is refused', async () => {
    const { status, body } = await ada.post(`${PATH}/x/read`)
    expect([status, body.errors[0].pointer]).toEqual([422, '/notification_id'])
  })

  test('concurrently counts once', async () => {
    await fill(box, ada, site, 5)
    const { items } = await inboxOf(ada)
    const reads = items.flatMap(({ id }: { id: string }) => [1, 2, 3, 4].map(() => ada.post(`${PATH}/${id}/read`)))
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(await checkedCounts(ada)).toEqual({ total: 5, unread: 0 })
  })
})

describe('Marking all as read', () => {
  test('handles 10,000 and returns their number; repeating it returns 0', async () => {
    await fill(box, ada, site, 10_000)
    expect(await inboxOf(ada)).toMatchObject({ total: 10_000, unread_count: 10_000 })
    expect(await ada.make(`${PATH}/read-all`)).toEqual({ updated: 10_000 })
    expect(await ada.make(`${PATH}/read-all`, {})).toEqual({ updated: 0 })
    expect(await checkedCounts(ada)).toEqual({ total: 10_000, unread: 0 })
  })

  test('up to a time leaves later ones unread', async () => {
    await fill(box, ada, site, 3, 'Seen')
    const [seen] = (await inboxOf(ada)).items
    await fill(box, ada, site, 2, 'New')
    expect(await ada.make(`${PATH}/read-all`, { before: seen.created_at })).toEqual({ updated: 3 })
    expect(titles(await inboxOf(ada, '?unread_only=true'))).toEqual(['New 2', 'New 1'])
    expect(await checkedCounts(ada)).toEqual({ total: 5, unread: 2 })
  })

  test('keeps the time of earlier reads', async () => {
    await fill(box, ada, site, 3, 'Early')
    const early = (await inboxOf(ada)).items
    const { read_at } = await ada.make(`${PATH}/${early[1].id}/read`)
    await box.sql`update notifications set read_at = read_at - interval '1 hour' where id = ${early[1].id}`
    const alone = new Date(Date.parse(read_at) - 3_600_000).toISOString()
    expect(await ada.make(`${PATH}/read-all`)).toEqual({ updated: 2 })
    const first = (await inboxOf(ada)).items.map((item: { read_at: string }) => item.read_at)
    expect(first).toEqual([first[0], alone, first[0]])
    await fill(box, ada, site, 1, 'Late')
    expect(await ada.make(`${PATH}/read-all`)).toEqual({ updated: 1 })
    const { items } = await inboxOf(ada)
    expect(items.slice(1).map((item: { read_at: string }) => item.read_at)).toEqual(first)
    expect(items.every((item: { is_read: boolean }) => item.is_read)).toBeTrue()
    expect(Date.parse(items[0].read_at)).toBeGreaterThan(Date.parse(first[0]))
    // It is read already, so marking it changes nothing.
    expect(await ada.make(`${PATH}/${items[3].id}/read`)).toEqual(items[3])
    expect(await checkedCounts(ada)).toEqual({ total: 4, unread: 0 })
    expect(await inboxOf(ada, '?unread_only=true')).toMatchObject({ total: 0, items: [] })
    await box.sql`delete from notifications where id = ${items[3].id}`
    expect(await checkedCounts(ada)).toEqual({ total: 3, unread: 0 })
  })

  test('up to a time before all of them, or again, marks none', async () => {
    await fill(box, ada, site, 3)
    expect(await ada.make(`${PATH}/read-all`, { before: '2020-01-01T00:00:00+02:00' })).toEqual({ updated: 0 })
    const [newest] = (await inboxOf(ada)).items
    expect(await ada.make(`${PATH}/read-all`, { before: newest.created_at })).toEqual({ updated: 3 })
    expect(await ada.make(`${PATH}/read-all`, { before: newest.created_at })).toEqual({ updated: 0 })
    expect(await checkedCounts(ada)).toEqual({ total: 3, unread: 0 })
  })

  test('does not affect other users', async () => {
    const eve = await box.user('Eve')
    await Promise.all([fill(box, ada, site, 2), fill(box, eve, site, 2)])
    expect(await eve.make(`${PATH}/read-all`)).toEqual({ updated: 2 })
    expect((await inboxOf(ada)).unread_count).toBe(2)
  })

  test.each([{ before: 'yesterday' }, { before: '2026-02-30T00:00:00Z' }, { before: null }, { until: '2026-01-01T00:00:00Z' }])(
    'refuses %p',
    async (body) => {
      expect((await ada.post(`${PATH}/read-all`, body)).status).toBe(422)
    },
  )

  test('during deletions keeps the counts exact', async () => {
    const going = await box.site(owner, 'Going')
    for (let round = 0; round < 5; round++) {
      await fill(box, ada, going, 20)
      await fill(box, ada, site, 20)
      await Promise.all([
        ada.make(`${PATH}/read-all`),
        box.sql`delete from notifications where organization_id = ${going.organization.id} and user_id = ${ada.id}`,
      ])
      expect(await checkedCounts(ada)).toEqual({ total: 20 * (round + 1), unread: 0 })
    }
  })

  test('while new ones arrive and single ones are read keeps the counts exact', async () => {
    await fill(box, ada, site, 10, 'First')
    const { items } = await inboxOf(ada)
    const arriving = Array.from({ length: 20 }, (_, round) => fill(box, ada, site, 7, `Round ${round}`))
    const reading = Array.from({ length: 10 }, () => ada.make(`${PATH}/read-all`))
    const single = items.map(({ id }: { id: string }) => ada.make(`${PATH}/${id}/read`))
    const [answers] = await Promise.all([Promise.all(reading), Promise.all(arriving), Promise.all(single)])
    const { total, unread } = await checkedCounts(ada)
    expect(total).toBe(150)
    const [{ alone }] = await box.sql<[{ alone: number }]>`
      select count(*) as alone from notifications where user_id = ${ada.id} and read_at is not null
    `
    const updated = answers.reduce((sum, answer) => sum + answer.updated, 0)
    expect(updated).toBe(150 - unread - alone)
    expect(await ada.make(`${PATH}/read-all`)).toEqual({ updated: unread })
  })
})

test('an address that counts as verified and is changed to an invited one gets the invitation', async () => {
  const email = `moved.${crypto.randomUUID()}@example.com`
  await owner.make(`/api/v1/organizations/${site.organization.id}/members`, { email })
  expect((await ada.put('/api/v1/users/me', { email, current_password: PASSWORD })).status).toBe(200)
  expect((await inboxOf(ada)).items).toMatchObject([{ type: 'invitation_received', is_read: false }])
})
