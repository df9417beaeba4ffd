import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { sealed, write } from './support.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const log = async (query = '', place = site) =>
  (await ada.get(`/api/v1/organizations/${place.organization.id}/audit-logs${query}`)).body
const details = async (query: string, place = site): Promise<string[]> =>
  (await log(query, place)).items.map(({ detail }: { detail: string }) => detail)

test('an entry shows who did what, where, when and from which address', async () => {
  const { total, page, page_size, items } = await log()
  expect([total, page, page_size]).toEqual([3, 1, 20])
  expect(items.map(({ action }: { action: string }) => action)).toEqual([
    'project.created',
    'workspace.created',
    'organization.created',
  ])
  expect(items[0]).toEqual({
    id: expect.any(String),
    organization_id: site.organization.id,
    workspace_id: site.workspace.id,
    workspace_name: 'Platform',
    actor_type: 'human',
    actor_id: ada.id,
    actor_name: 'Ada',
    action: 'project.created',
    resource_type: 'project',
    resource_id: site.project.id,
    detail: 'Ada created the project Checkout.',
    ip_address: '127.0.0.1',
    created_at: expect.any(String),
    via: null,
    seq: null,
    hash: null,
    actor: { type: 'user', id: ada.id, name: 'Ada' },
  })
  expect(items[2]).toMatchObject({ workspace_id: null, workspace_name: null })
})

describe('Filters', () => {
  let place: Site
  const DAYS = [
    ['2026-01-01T00:00:00.000Z', 'member.added', 'a'],
    ['2026-01-01T23:59:59.999Z', 'member.removed', 'b'],
    ['2026-01-02T00:00:00.000Z', 'member.added', 'c'],
    ['2026-01-02T12:00:00.000Z', 'memberships.merged', 'd'],
    ['2026-01-03T12:00:00.000Z', 'member', 'e'],
    ['2026-01-04T06:00:00.000Z', 'member.role_changed', 'f'],
    ['2026-01-04T18:00:00.000Z', 'member.added', 'g'],
  ]

  beforeAll(async () => {
    place = await box.site(ada, 'Filtered')
    await box.sql`
      insert into audit_log_entries (organization_id, actor_type, actor_id, actor_name, action, resource_type, detail, created_at)
      select ${place.organization.id}, 'human', ${ada.id}, 'Ada', action, 'organization_member', detail, at::timestamptz
      from unnest(
        ${DAYS.map(([at]) => at ?? '')}::text[],
        ${DAYS.map(([, action]) => action ?? '')}::text[],
        ${DAYS.map(([, , detail]) => detail ?? '')}::text[]
      ) as day (at, action, detail)
    `
  })

  const CASES: [string, string][] = [
    ['action=member.added', 'gca'],
    ['action=member.*', 'gfcba'],
    ['action=member', 'e'],
    ['action=member*', 'gfedcba'],
    ['action=Member.*', ''],
    ['action=%25', ''],
    ['action=member.*&start_date=2026-01-02T00:00:00Z', 'gfc'],
    ['action=member.*&end_date=2026-01-02T00:00:00Z', 'ba'],
    ['end_date=2026-01-01T23:59:59.999Z', 'a'],
    ['start_date=2026-01-01T23:59:59.999Z&end_date=2026-01-04T18:00:00Z', 'fedcb'],
    ['start_date=2026-01-01T12:00:00Z&end_date=2026-01-04T12:00:00Z', 'fedcb'],
    ['start_date=2026-01-02T13:00:00%2B01:00&end_date=2026-01-02T13:00:00Z', 'd'],
    ['start_date=2026-01-04T07:00:00Z&end_date=2026-01-04T19:00:00Z', 'g'],
    ['start_date=2026-01-02T00:00:00Z&end_date=2026-01-02T00:00:00Z', ''],
    ['start_date=2026-01-01T00:00:00Z&end_date=2026-01-05T00:00:00Z', 'gfedcba'],
  ]

  const expectFiltered = async () => {
    for (const [query, expected] of CASES) {
      const { total, items } = await log(`?${query}`, place)
      expect([query, items.map(({ detail }: { detail: string }) => detail).join(''), total]).toEqual([
        query,
        expected,
        expected.length,
      ])
    }
    expect((await log(`?actor_id=${ada.id}`, place)).total).toBe(10)
    expect((await log(`?actor_id=${crypto.randomUUID()}`, place)).total).toBe(0)
    expect((await log(`?actor_id=${ada.id}&action=member.added`, place)).total).toBe(3)
    expect((await log('', place)).total).toBe(10)
  }

  test('select and count exactly the matching entries before sealing', async () => {
    await expectFiltered()
    expect(await box.sql`select from audit_log_seals`).toHaveLength(0)
  })

  test('and after sealing', async () => {
    await box.startWorker()
    await sealed(box)
    await expectFiltered()
  })

  test('with invalid values are refused', async () => {
    for (const [query, pointer] of [
      ['start_date=2026-01-02T00:00:00Z&end_date=2026-01-01T00:00:00Z', '/start_date'],
      ['start_date=yesterday', '/start_date'],
      ['end_date=2026-01-01', '/end_date'],
      ['end_date=2026-02-30T00:00:00Z', '/end_date'],
      ['actor_id=ada', '/actor_id'],
      ['page=0', '/page'],
      ['page_size=0', '/page_size'],
      ['page_size=101', '/page_size'],
      ['user=ada', '/user'],
    ]) {
      const { status, body } = await ada.get(`/api/v1/organizations/${place.organization.id}/audit-logs?${query}`)
      expect([query, status, body.errors?.[0].pointer]).toEqual([query ?? '', 422, pointer])
    }
  })
})

test('pages are contiguous, and a page beyond the last is empty', async () => {
  const place = await box.site(ada, 'Paged')
  await write(box, place.organization.id, 250)
  const pages = await Promise.all([1, 2, 3, 4].map((page) => details(`?action=thing.done&page_size=100&page=${page}`, place)))
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 50, 0])
  expect(pages.flat()).toEqual(Array.from({ length: 250 }, (_, index) => `Done, number ${250 - index}`))
  expect((await log('?page=4&page_size=100', place)).total).toBe(253)
})

test('while entries are written and sealed, the total always matches the items', async () => {
  const place = await box.site(ada, 'Moving')
  let writing = true
  let reads = 0
  const writer = (async () => {
    for (let turn = 0; turn < 30; turn++) {
      await write(box, place.organization.id, 3, 'moving.on')
      await box.until('the log is read meanwhile', async () => reads >= turn / 8)
    }
    await sealed(box)
    writing = false
  })()
  while (writing) {
    const { total, items } = await log('?page_size=100&action=moving.*', place)
    expect(items).toHaveLength(total)
    reads += 1
  }
  await writer
  expect(reads).toBeGreaterThan(3)
  expect((await log('?action=moving.*', place)).total).toBe(90)
})

test('only admins of the organization can read the log', async () => {
  const [stranger, lead] = [await box.user('Stranger'), await box.user('Lead')]
  await box.join(lead, site, 'member', 'admin')
  for (const path of ['', '/export', '/verify']) {
    const fullPath = `/api/v1/organizations/${site.organization.id}/audit-logs${path}`
    expect((await lead.get(fullPath)).status).toBe(403)
    expect((await stranger.get(fullPath)).status).toBe(404)
  }
})
