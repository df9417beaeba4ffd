import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { comparison, eventsAndAudit, tracks } from './tracks.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const ABSENT = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'
const listPath = () => `/api/v1/projects/${site.project.id}/dual-track`
const act = (id: string, action: string, body?: object) => ada.post(`/api/v1/dual-track/${id}/${action}`, body)
const wrong = (body: { errors: { pointer: string; code: string }[] }) => body.errors.map(({ pointer, code }) => [pointer, code])

describe('Creating', () => {
  test('stores two tracks without comparing them yet', async () => {
    const input = await tracks(ada, site.project.id)
    const { status, headers, body } = await ada.post(listPath(), input)
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/dual-track/${body.id}`])
    expect(body).toEqual({
      id: expect.any(String),
      project_id: site.project.id,
      ...input,
      status: 'created',
      result: null,
      winner: null,
      decided_by: null,
      decided_at: null,
      error: null,
      created_by: ada.id,
      actor: { type: 'user', id: ada.id, name: ada.name },
      created_at: expect.any(String),
      updated_at: body.created_at,
    })
    expect((await ada.get(`/api/v1/dual-track/${body.id}`)).body).toEqual(body)
    expect(await eventsAndAudit(box, body.id)).toEqual({ events: [], audit: ['dual_track.created'] })
  })

  test('accepts equal agents, and upper-case ids', async () => {
    const input = await tracks(ada, site.project.id, { agents: ['twin', 'twin'] })
    const capitals = {
      ...input,
      track_a_graph_id: input.track_a_graph_id.toUpperCase(),
      work_item_id: input.work_item_id.toUpperCase(),
    }
    const { status, body } = await ada.post(listPath(), capitals)
    expect([status, body.track_a_graph_id, body.track_b_agent]).toEqual([201, input.track_a_graph_id, 'twin'])
  })

  test('refuses unknown values with an error per field', async () => {
    const input = await tracks(ada, site.project.id)
    const elsewhere = await tracks(ada, (await box.site(ada, 'Elsewhere')).project.id)
    const beside = await tracks(ada, site.project.id)
    const cases: [object, [string, string][]][] = [
      [{ work_item_id: ABSENT }, [['/work_item_id', 'unknown']]],
      [{ work_item_id: elsewhere.work_item_id }, [['/work_item_id', 'unknown']]],
      [{ track_a_graph_id: ABSENT }, [['/track_a_graph_id', 'unknown']]],
      // Of the same project, and of another requirement.
      [{ track_b_graph_id: beside.track_b_graph_id }, [['/track_b_graph_id', 'unknown']]],
      [
        { track_a_graph_id: elsewhere.track_a_graph_id, track_b_graph_id: beside.track_b_graph_id },
        [
          ['/track_a_graph_id', 'unknown'],
          ['/track_b_graph_id', 'unknown'],
        ],
      ],
      [{ track_b_graph_id: input.track_a_graph_id }, [['/track_b_graph_id', 'same_track']]],
      [{ track_b_graph_id: input.track_a_graph_id.toUpperCase() }, [['/track_b_graph_id', 'same_track']]],
      [{ track_a_agent: ' ' }, [['/track_a_agent', 'too_short']]],
      [{ track_b_agent: 'x'.repeat(121) }, [['/track_b_agent', 'too_long']]],
      [{ winner: 'a' }, [['/winner', 'unknown_field']]],
    ]
    for (const [change, errors] of cases) {
      const { status, body } = await ada.post(listPath(), { ...input, ...change })
      expect([change, status, wrong(body)]).toEqual([change, 422, errors])
    }
    for (const field of Object.keys(input)) {
      const { status, body } = await ada.post(listPath(), { ...input, [field]: undefined })
      expect([status, wrong(body)]).toEqual([422, [[`/${field}`, 'required']]])
    }
  })

  test('twice with one Idempotency-Key creates one', async () => {
    const input = await tracks(ada, site.project.id)
    const [first, second] = [
      await ada.post(listPath(), input, { 'Idempotency-Key': 'once' }),
      await ada.post(listPath(), input, { 'Idempotency-Key': 'once' }),
    ]
    expect([second.status, second.body.id]).toEqual([201, first.body.id])
    const [{ count }] = await box.sql<[{ count: number }]>`
      select count(*) as count from dual_track_comparisons where work_item_id = ${input.work_item_id}
    `
    expect(count).toBe(1)
  })
})

test('the comparisons of a project are listed newest first, in pages', async () => {
  const place = await box.site(ada, 'Pages')
  const path = `/api/v1/projects/${place.project.id}/dual-track`
  expect((await ada.get(path)).body).toEqual({ total: 0, page: 1, page_size: 20, items: [] })
  const created = [
    await comparison(ada, place.project.id),
    await comparison(ada, place.project.id),
    await comparison(ada, place.project.id),
  ]
  const [one, two, three] = created.map(({ id }) => id)
  const page = async (query: string) => {
    const { total, items } = (await ada.get(path + query)).body
    return [total, items.map(({ id }: { id: string }) => id)]
  }
  expect(await page('')).toEqual([3, [three, two, one]])
  expect(await page('?page_size=2')).toEqual([3, [three, two]])
  expect(await page('?page_size=2&page=2')).toEqual([3, [one]])
  expect((await ada.get(`${path}?page=0`)).status).toBe(422)
  expect((await ada.get(`${path}?status=created`)).status).toBe(422)
})

describe('Comparisons of another organization', () => {
  test('cannot be read, compared, decided, cancelled or deleted', async () => {
    const { id } = await comparison(ada, site.project.id)
    const stranger = await box.user('Stranger')
    await box.site(stranger, 'Strangers')
    const path = `/api/v1/dual-track/${id}`
    const answers = [
      await stranger.get(path),
      await stranger.delete(path),
      await stranger.post(`${path}/compare`),
      await stranger.post(`${path}/decide`, { winner: 'a' }),
      await stranger.post(`${path}/cancel`),
      await stranger.get(listPath()),
      await stranger.post(listPath(), {}),
    ]
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(404))
    expect((await ada.get(path)).body.status).toBe('created')
  })

  test('cannot refer to requirements of this one: the database refuses it', async () => {
    const other = await box.site(ada, 'Apart')
    const input = await tracks(ada, site.project.id)
    const insert = box.sql`
      insert into dual_track_comparisons (
        organization_id, workspace_id, project_id, work_item_id, track_a_graph_id, track_b_graph_id, track_a_agent, track_b_agent,
        created_by
      )
      values (
        ${other.organization.id}, ${other.workspace.id}, ${other.project.id}, ${input.work_item_id}, ${input.track_a_graph_id},
        ${input.track_b_graph_id}, 'a', 'b', ${ada.id}
      )
    `
    await expect(Promise.resolve(insert)).rejects.toThrow('dual_track_comparisons_work_item')
  })
})

describe('Deleting', () => {
  test('removes it without an event', async () => {
    const { id } = await comparison(ada, site.project.id)
    expect((await ada.delete(`/api/v1/dual-track/${id}`)).status).toBe(204)
    expect((await ada.get(`/api/v1/dual-track/${id}`)).status).toBe(404)
    expect(await eventsAndAudit(box, id)).toEqual({ events: [], audit: ['dual_track.created', 'dual_track.deleted'] })
  })

  test('respects If-Match', async () => {
    const { id } = await comparison(ada, site.project.id)
    const path = `/api/v1/dual-track/${id}`
    const seen = (await ada.get(path)).headers.get('etag') ?? ''
    await act(id, 'decide', { winner: 'tie' })
    expect((await ada.delete(path, { 'If-Match': seen })).status).toBe(412)
    const now = (await ada.get(path)).headers.get('etag') ?? ''
    expect((await ada.delete(path, { 'If-Match': now })).status).toBe(204)
  })

  test('its requirement deletes it', async () => {
    const { id, work_item_id } = await comparison(ada, site.project.id)
    expect((await ada.delete(`/api/v1/requirements/${work_item_id}`)).status).toBe(204)
    expect((await ada.get(`/api/v1/dual-track/${id}`)).status).toBe(404)
  })
})
