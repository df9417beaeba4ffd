import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let stranger: Actor
let site: Site

const ABSENT = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'
const ORGANIZATIONS = '/api/v1/organizations'

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ;[ada, stranger] = await Promise.all([box.user('Ada'), box.user('Stranger')])
  site = await box.site(ada)
})
afterAll(() => box.close())

const workspacePath = () => `/api/v1/workspaces/${site.workspace.id}`

describe('Every response', () => {
  test('carries the X-Request-Id of the request, in its header, in problems and in the log', async () => {
    const id = 'my-request.1_x'
    const answer = await ada.get(`${ORGANIZATIONS}/${ABSENT}`, { 'X-Request-Id': id })
    expect(answer.headers.get('x-request-id')).toBe(id)
    expect(answer.body.request_id).toBe(id)
    expect(answer.body.instance).toBe(`${ORGANIZATIONS}/${ABSENT}`)
    const line = JSON.parse(await box.api.said(`"${id}"`))
    expect(line).toMatchObject({ level: 'info', message: 'request', status: 404, method: 'GET', caller: ada.id })
  })

  test('gets a new request id when none or an invalid one was sent', async () => {
    const seen = new Set<string>()
    const unusable = ['', 'x'.repeat(129), 'with space', '%C3%BCmlaut', 'a,b', '"quoted"']
    for (const given of unusable) {
      const { headers } = await ada.get('/api/v1/users/me', { 'X-Request-Id': given })
      const id = headers.get('x-request-id') ?? ''
      expect(id).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
      expect(id).not.toBe(given)
      seen.add(id)
    }
    expect(seen.size).toBe(unusable.length)
    const longest = 'x'.repeat(128)
    const { headers } = await ada.get('/api/v1/users/me', { 'X-Request-Id': longest })
    expect(headers.get('x-request-id')).toBe(longest)
  })

  test('carries the security headers, for successes and errors', async () => {
    const answers = [
      await ada.get('/api/v1/users/me'),
      await ada.get('/api/v1/nothing'),
      await box.request('GET', '/api/v1/users/me'),
      await ada.post(ORGANIZATIONS, '{'),
      await box.request('GET', '/livez'),
      await box.request('GET', '/docs'),
    ]
    for (const { headers } of answers) {
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('strict-transport-security')).toContain('max-age=')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-request-id')).toBeTruthy()
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })

  test('to HEAD equals that to GET without a body', async () => {
    const get = await ada.get(workspacePath())
    const head = await ada.request('HEAD', workspacePath())
    expect([head.status, head.body]).toEqual([200, null])
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
    expect(head.headers.get('content-type')).toBe('application/json')
    expect((await box.request('HEAD', workspacePath())).status).toBe(401)
    expect((await stranger.request('HEAD', workspacePath())).status).toBe(404)
  })

  test('is JSON, and cannot be cached without an entity tag', async () => {
    const list = await ada.get(ORGANIZATIONS)
    expect(list.headers.get('content-type')).toBe('application/json')
    expect(list.headers.get('cache-control')).toBe('no-store')
    expect(list.headers.get('etag')).toBeNull()
  })

  test('to a creation has a Location header', async () => {
    const { status, headers, body } = await ada.post(ORGANIZATIONS, { name: 'Located' })
    expect([status, headers.get('location')]).toEqual([201, `${ORGANIZATIONS}/${body.id}`])
    expect((await ada.get(headers.get('location') ?? '')).body.id).toBe(body.id)
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })
})

describe('Entity tags', () => {
  test('an unchanged representation is a 304 without a body', async () => {
    const { headers } = await ada.get(workspacePath())
    const tag = headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[!#-~]+"$/)
    expect(headers.get('cache-control')).toBe('private, no-cache')
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await ada.get(workspacePath(), { 'If-None-Match': known })
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, tag])
    }
    expect((await ada.get(workspacePath(), { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('what its texts contain makes no list of it', async () => {
    const template = { items: [{ '{{ event }}': 1 }], page: 1, total: 1 }
    const hook = { name: 'Listed', url: 'http://127.0.0.1:9/', trigger_on: 'gate_approved', body_template: template }
    const made = await ada.post(`/api/v1/projects/${site.project.id}/deployment-hooks`, hook)
    const path = `/api/v1/deployment-hooks/${made.body.id}`
    const read = await ada.get(`${path}/`)
    const tag = read.headers.get('etag') ?? ''
    expect([made.status, made.headers.get('etag'), tag]).toEqual([201, expect.any(String), expect.stringMatching(/^".+"$/)])
    expect((await ada.get(path, { 'If-None-Match': tag })).status).toBe(304)
    expect((await ada.put(path, { name: 'Changed' }, { 'If-Match': tag })).headers.get('etag')).not.toBeNull()
    expect((await ada.put(path, { name: 'Lost' }, { 'If-Match': tag })).status).toBe(412)
  })

  test('a change based on an outdated tag is refused and changes nothing; the current tag works', async () => {
    const old = (await ada.get(workspacePath())).headers.get('etag') ?? ''
    const first = await ada.put(workspacePath(), { description: 'first' }, { 'If-Match': old })
    expect(first.status).toBe(200)
    for (const tag of [old, `W/${old}`, '"nonsense"', `"other", ${old}`]) {
      const late = await ada.put(workspacePath(), { description: 'late' }, { 'If-Match': tag })
      expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
    }
    expect((await ada.delete(workspacePath(), { 'If-Match': old })).status).toBe(412)
    expect((await ada.get(workspacePath())).body.description).toBe('first')
    const current = first.headers.get('etag') ?? ''
    expect((await ada.put(workspacePath(), { description: 'second' }, { 'If-Match': `${old}, ${current}` })).status).toBe(200)
    expect((await ada.put(workspacePath(), { description: 'third' }, { 'If-Match': '*' })).status).toBe(200)
  })

  test('a changed counter changes the tag for GET, and is no conflict for PUT', async () => {
    const tag = (await ada.get(workspacePath())).headers.get('etag') ?? ''
    const execution = await box.running(ada, site.project.id)
    await ada.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 1.5 })
    const moved = await ada.get(workspacePath(), { 'If-None-Match': tag })
    expect([moved.status, moved.body.budget_used_usd]).toEqual([200, 1.5])
    const changed = await ada.put(workspacePath(), { description: 'still mine' }, { 'If-Match': tag })
    expect([changed.status, changed.body.description]).toEqual([200, 'still mine'])
  })

  test('of concurrent changes based on one tag, one succeeds', async () => {
    const tag = (await ada.get(workspacePath())).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ada.put(workspacePath(), { description: `racer ${index}` }, { 'If-Match': tag })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  })
})

describe('Lists and pages', () => {
  test('following the links of a list returns every item once, newest first', async () => {
    const walker = await box.user('Walker')
    const names = Array.from({ length: 7 }, (_, index) => `Walk ${index}`)
    for (const name of names) await walker.make(ORGANIZATIONS, { name })
    const seen: string[] = []
    let pages = 0
    for (let path: string | undefined = `${ORGANIZATIONS}?limit=3`; path; pages++) {
      const answer = await walker.get(path)
      expect(answer.status).toBe(200)
      seen.push(...answer.body.map(({ name }: { name: string }) => name))
      path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(names.reverse())
    expect(pages).toBe(3)
    expect((await walker.get(`${ORGANIZATIONS}?limit=7`)).headers.get('link')).toBeNull()
  })

  test('numbered pages have a total and end with an empty page', async () => {
    const project = await ada.make(`${workspacePath()}/projects`, { name: 'Paged' })
    const path = `/api/v1/projects/${project.id}/requirements`
    for (let number = 1; number <= 5; number++) await ada.make(path, { title: `Requirement ${number}` })
    const numbers = async (query: string) => {
      const { body } = await ada.get(`${path}?${query}`)
      return [body.total, body.page, body.page_size, body.items.map(({ number }: { number: number }) => number)]
    }
    expect(await numbers('')).toEqual([5, 1, 20, [5, 4, 3, 2, 1]])
    expect(await numbers('page=2&page_size=2')).toEqual([5, 2, 2, [3, 2]])
    expect(await numbers('page=3&page_size=2')).toEqual([5, 3, 2, [1]])
    expect(await numbers('page=4&page_size=2')).toEqual([5, 4, 2, []])
  })
})
