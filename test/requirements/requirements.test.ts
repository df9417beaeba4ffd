import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let requirements: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  requirements = `/api/v1/projects/${site.project.id}/requirements`
})
afterAll(() => box.close())

test('a new requirement is an open feature with the next number', async () => {
  const { status, headers, body } = await ada.post(requirements, { title: ' Pay by invoice ' })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/requirements/${body.id}`])
  expect(body).toEqual({
    id: expect.any(String),
    organization_id: site.organization.id,
    workspace_id: site.workspace.id,
    project_id: site.project.id,
    number: 1,
    title: 'Pay by invoice',
    description: null,
    kind: 'feature',
    acceptance_criteria: [],
    status: 'open',
    completed_at: null,
    created_by: ada.id,
    actor: { type: 'user', id: ada.id, name: ada.name },
    created_at: expect.any(String),
    updated_at: body.created_at,
  })
  expect((await ada.get(`/api/v1/requirements/${body.id}`)).body).toEqual(body)
})

test('every documented kind is accepted, and no other; 50 criteria are allowed', async () => {
  for (const kind of ['feature', 'change', 'deprecation', 'removal', 'fix', 'security', 'docs', 'chore']) {
    expect((await ada.post(requirements, { title: 'Kind', kind })).body.kind).toBe(kind)
  }
  expect((await ada.post(requirements, { title: 'Kind', kind: 'epic' })).body.errors[0].pointer).toBe('/kind')
  const criteria = Array.from({ length: 50 }, (_, index) => `It does "${index}", {and} more\\`)
  expect((await ada.post(requirements, { title: 'Fifty', acceptance_criteria: criteria })).body.acceptance_criteria).toEqual(
    criteria,
  )
  expect((await ada.post(requirements, { title: 'More', acceptance_criteria: [...criteria, 'x'] })).status).toBe(422)
  const { body } = await ada.post(requirements, { title: 'Numbers', acceptance_criteria: ['fine', 1] })
  expect(body.errors[0].pointer).toBe('/acceptance_criteria/1')
})

test('forty concurrent requirements get consecutive numbers, and a deleted number is not reused', async () => {
  const project = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Numbered' })
  const path = `/api/v1/projects/${project.id}/requirements`
  const made = await Promise.all(Array.from({ length: 40 }, () => ada.make(path, { title: 'At once' })))
  expect(made.map(({ number }) => number).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  const last = made.find(({ number }) => number === 40)
  expect((await ada.delete(`/api/v1/requirements/${last.id}`)).status).toBe(204)
  expect((await ada.make(path, { title: 'After' })).number).toBe(41)
  const refused = await ada.post(path, { title: '' })
  expect(refused.status).toBe(422)
  expect((await ada.make(path, { title: 'After a refusal' })).number).toBe(42)
})

describe('The status', () => {
  const STATUSES = ['open', 'in_progress', 'done', 'cancelled']

  test('can change to any other; completed_at is set only while it is done', async () => {
    for (const from of STATUSES) {
      for (const to of STATUSES) {
        const { id } = await ada.make(requirements, { title: `${from} to ${to}` })
        const before = await ada.put(`/api/v1/requirements/${id}`, { status: from })
        const { status, body } = await ada.put(`/api/v1/requirements/${id}`, { status: to })
        expect([status, body.status, body.completed_at !== null]).toEqual([200, to, to === 'done'])
        if (from === 'done' && to === 'done') expect(body.completed_at).toBe(before.body.completed_at)
      }
    }
  })

  test('records each transition with user, old and new status', async () => {
    const bob = await box.user('Bob')
    await box.join(bob, site, 'member', 'member')
    const { id } = await ada.make(requirements, { title: 'Moved' })
    await bob.put(`/api/v1/requirements/${id}`, { status: 'in_progress' })
    await ada.put(`/api/v1/requirements/${id}`, { status: 'in_progress', title: 'Moved on' })
    await ada.put(`/api/v1/requirements/${id}`, { status: 'done' })
    await ada.put(`/api/v1/requirements/${id}`, { description: 'after' })
    const moves = await box.sql`
      select from_status, to_status, changed_by from requirement_changes where requirement_id = ${id} order by changed_at, id
    `
    expect([...moves]).toEqual([
      { from_status: null, to_status: 'open', changed_by: ada.id },
      { from_status: 'open', to_status: 'in_progress', changed_by: bob.id },
      { from_status: 'in_progress', to_status: 'done', changed_by: ada.id },
    ])
  })
})

test('an update sets the given fields, and {} changes nothing', async () => {
  const made = await ada.make(requirements, { title: 'Kept', description: 'Text', kind: 'fix', acceptance_criteria: ['one'] })
  const path = `/api/v1/requirements/${made.id}`
  expect((await ada.put(path, { title: 'New' })).body).toEqual({ ...made, title: 'New', updated_at: expect.any(String) })
  expect((await ada.put(path, { acceptance_criteria: [] })).body.acceptance_criteria).toEqual([])
  const { body } = await ada.put(path, { description: null })
  expect(body).toMatchObject({ title: 'New', description: null, kind: 'fix' })
  expect((await ada.put(path, {})).body).toEqual(body)
  expect((await ada.put(path, { number: 7 })).status).toBe(422)
})

test('the list can be filtered by status, kind and time', async () => {
  const project = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Filtered' })
  const path = `/api/v1/projects/${project.id}/requirements`
  const first = await ada.make(path, { title: 'First', kind: 'fix' })
  const second = await ada.make(path, { title: 'Second', kind: 'docs' })
  await ada.put(`/api/v1/requirements/${second.id}`, { status: 'done' })
  await box.sql`update requirements set created_at = '2026-01-02T03:04:05Z' where id = ${first.id}`
  const titles = async (query: string) => {
    const { body } = await ada.get(`${path}?${query}`)
    expect(body.total).toBe(body.items.length)
    return body.items.map(({ title }: { title: string }) => title)
  }
  expect(await titles('status=open')).toEqual(['First'])
  expect(await titles('status=done')).toEqual(['Second'])
  expect(await titles('kind=docs&status=open')).toEqual([])
  expect(await titles('kind=fix')).toEqual(['First'])
  expect(await titles('created_before=2026-01-02T03:04:06Z')).toEqual(['First'])
  expect(await titles('created_after=2026-01-02T03:04:04Z&created_before=2026-01-02T03:04:06Z')).toEqual(['First'])
  expect(await titles('created_after=2026-01-02T04:04:06%2B01:00')).toEqual(['Second'])
})

test('all criteria together have at most 200,000 characters', async () => {
  const criteria = (count: number) => Array.from({ length: count }, () => 'x'.repeat(10_000))
  expect((await ada.post(requirements, { title: 'Much', acceptance_criteria: criteria(20) })).status).toBe(201)
  const { status, body } = await ada.post(requirements, { title: 'Too much', acceptance_criteria: criteria(21) })
  expect([status, body.errors]).toEqual([
    422,
    [{ pointer: '/acceptance_criteria', code: 'malformed', detail: 'must not have more than 200000 characters together' }],
  ])
})
