import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendRaw } from '../support/raw.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let stranger: Actor
let member: Actor
let site: Site

const ABSENT = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'
const ORGANIZATIONS = '/api/v1/organizations'

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ;[ada, stranger, member] = await Promise.all([box.user('Ada'), box.user('Stranger'), box.user('Member')])
  site = await box.site(ada)
  await box.join(member, site, 'member', 'member')
})
afterAll(() => box.close())

const workspacePath = () => `/api/v1/workspaces/${site.workspace.id}`
const pointers = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer)
const deep = (levels: number) => `{"name":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

describe('The order of checks', () => {
  test('an unknown path is a 404, with or without a token', async () => {
    for (const answer of [await ada.get('/api/v1/nothing'), await box.request('GET', '/api/v1/nothing')]) {
      expect(answer.status).toBe(404)
      expect(answer.body.code).toBe('not_found')
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
    }
  })

  test('an unsupported method is a 405 with an Allow header, before the token is checked', async () => {
    const { status, headers, body } = await box.request('PATCH', workspacePath(), '{')
    expect(status).toBe(405)
    expect(body.code).toBe('method_not_allowed')
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'])
  })

  test('a missing or invalid token is a 401 with a challenge, whatever the body', async () => {
    const attempts: Record<string, string>[] = [
      {},
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer nonsense' },
      { Authorization: 'Basic YWRhOnNlY3JldA==' },
      { Authorization: `Bearer ${ada.token}x` },
    ]
    for (const headers of attempts) {
      for (const body of ['{', '{}', 'x'.repeat(2_000_000)]) {
        const answer = await box.request('POST', ORGANIZATIONS, body, headers)
        expect(answer.status).toBe(401)
        expect(answer.body.code).toBe('unauthenticated')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
  })

  test('strangers get 404, also for malformed bodies, as if the resource did not exist', async () => {
    const strange = ['{', '{"name":1,"x":2}', deep(40), new Uint8Array([0xff, 0xfe]), 'y'.repeat(1_100_000)]
    for (const body of strange) {
      const foreign = await stranger.put(workspacePath(), body)
      expect(foreign.status).toBe(404)
      const typed = await stranger.put(workspacePath(), body, { 'Content-Type': 'text/plain' })
      expect(typed.status).toBe(404)
    }
    expect((await stranger.get(`${workspacePath()}?nonsense=%`)).status).toBe(404)
  })

  test('resources of others and absent ones get the same response except for ids', async () => {
    const paths = (ids: Record<string, string>) => [
      `/api/v1/organizations/${ids.organization}`,
      `/api/v1/workspaces/${ids.workspace}`,
      `/api/v1/projects/${ids.project}`,
      `/api/v1/projects/${ids.project}/requirements`,
    ]
    const foreignPaths = paths({ organization: site.organization.id, workspace: site.workspace.id, project: site.project.id })
    const absentPaths = paths({ organization: ABSENT, workspace: ABSENT, project: ABSENT })
    for (const [index, path] of foreignPaths.entries()) {
      const foreign = await stranger.get(path)
      const absent = await stranger.get(absentPaths[index] ?? '')
      const { request_id: _1, instance: _2, ...foreignRest } = foreign.body
      const { request_id: _3, instance: _4, ...absentRest } = absent.body
      expect(foreign.status).toBe(404)
      expect(foreignRest).toEqual(absentRest)
      const names = ({ headers }: typeof foreign) => [...headers.keys()].sort()
      expect(names(foreign)).toEqual(names(absent))
    }
  })

  test('an insufficient role is a 403 that names the required one, before the body is parsed', async () => {
    for (const body of ['{', '{"nonsense":1}', '{}']) {
      const answer = await member.put(workspacePath(), body)
      expect(answer.status).toBe(403)
      expect(answer.body.code).toBe('forbidden')
      expect(answer.body.detail).toContain('admin')
    }
  })

  test('a content type other than JSON is a 415, also for malformed and oversized bodies', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/xml',
    ]) {
      for (const body of ['name=x', '{', 'x'.repeat(1_100_000)]) {
        const answer = await ada.post(ORGANIZATIONS, body, { 'Content-Type': type })
        expect(answer.status).toBe(415)
        expect(answer.body.code).toBe('unsupported_media_type')
      }
    }
    const named = await ada.post(ORGANIZATIONS, '{"name":"Charset"}', { 'Content-Type': 'application/json; charset=UTF-8' })
    expect(named.status).toBe(201)
  })

  test('a body of more than 1 MiB is a 413; exactly 1 MiB is read', async () => {
    const sized = (bytes: number) => {
      const frame = JSON.stringify({ name: 'Large', description: '' })
      return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`)
    }
    const over = await ada.post(ORGANIZATIONS, sized(1_048_577))
    expect([over.status, over.body.code]).toEqual([413, 'body_too_large'])
    const full = await ada.post(ORGANIZATIONS, sized(1_048_576))
    expect([full.status, pointers(full.body)]).toEqual([422, ['/description']])
  })

  test('a stream without a length is a 413 once it exceeds 1 MiB', async () => {
    let sent = 0
    const stream = new ReadableStream({
      pull(controller) {
        sent += 65_536
        if (sent > 4_000_000) controller.close()
        else controller.enqueue(new TextEncoder().encode('x'.repeat(65_536)))
      },
    })
    const answer = await ada.post(ORGANIZATIONS, stream)
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large'])
  })

  test('a Content-Length of 50 MiB is refused without waiting for the body', async () => {
    const { status } = await sendRaw(
      box.port,
      [
        `POST ${ORGANIZATIONS} HTTP/1.1`,
        'Host: 127.0.0.1',
        `Authorization: Bearer ${ada.token}`,
        'Content-Type: application/json',
        'Content-Length: 52428800',
        '',
        '{"name":"',
      ].join('\r\n'),
    )
    expect(status).toBe(413)
  })

  test('malformed JSON, malformed UTF-8 and deep nesting are a 400 with different codes', async () => {
    const cases: [string | Uint8Array, string][] = [
      ['{', 'malformed_json'],
      ['{"name": }', 'malformed_json'],
      ["{'name': 'x'}", 'malformed_json'],
      ['{"name":"x"} trailing', 'malformed_json'],
      ['{"name":NaN}', 'malformed_json'],
      [new Uint8Array([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]), 'malformed_encoding'],
      [deep(33), 'nested_too_deep'],
      [deep(5_000), 'nested_too_deep'],
    ]
    for (const [body, code] of cases) {
      const answer = await ada.post(ORGANIZATIONS, body)
      expect([answer.status, answer.body.code]).toEqual([400, code])
    }
    const allowed = await ada.post(ORGANIZATIONS, deep(32))
    expect([allowed.status, pointers(allowed.body)]).toEqual([422, ['/name']])
  })

  test('a query that cannot be decoded is a 400', async () => {
    for (const query of ['limit=%', 'limit=%zz', 'limit=%ff', '%=1']) {
      const answer = await ada.get(`${ORGANIZATIONS}?${query}`)
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_query'])
    }
  })

  test('a DELETE may have no body, and a malformed one is a 400', async () => {
    const project = await ada.make(`${workspacePath()}/projects`, { name: 'Short-lived' })
    const answer = await ada.delete(`/api/v1/projects/${project.id}`)
    expect(answer.status).toBe(204)
    const again = await ada.request('DELETE', `/api/v1/projects/${project.id}`, '{')
    expect(again.status).toBe(404)
    const kept = await ada.make(`${workspacePath()}/projects`, { name: 'Kept' })
    const broken = await ada.request('DELETE', `/api/v1/projects/${kept.id}`, '{')
    expect([broken.status, broken.body?.code]).toEqual([400, 'malformed_json'])
    expect((await ada.get(`/api/v1/projects/${kept.id}`)).status).toBe(200)
  })

  test('validation comes before If-Match, and If-Match before state conflicts', async () => {
    const wrong = await ada.put(workspacePath(), { name: '' }, { 'If-Match': '"old-tag"' })
    expect(wrong.status).toBe(422)
    const outdated = await ada.put(workspacePath(), { name: 'Fine' }, { 'If-Match': '"old-tag"' })
    expect([outdated.status, outdated.body.code]).toEqual([412, 'precondition_failed'])
  })
})

test('a Host of one letter is served, and a slash at the end of a path changes nothing', async () => {
  const { port } = new URL(box.base)
  expect((await sendRaw(Number(port), 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')).status).toBe(200)
  const texts = await Promise.all(
    ['/docs/json', '/docs/json/'].map(async (path) => (await fetch(new URL(path, box.base))).text()),
  )
  expect(texts[1]).toBe(texts[0] as string)
  const statuses = ['/docs/plugin', '/docs/plugin/', '/docs/quickstart/', '/app/nothing/'].map((path) =>
    fetch(new URL(path, box.base)),
  )
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 404, 200, 404])
  // What refuses a form of a page is a page.
  const refused = await fetch(new URL('/sign-in/', box.base), {
    method: 'POST',
    body: new URLSearchParams(),
    headers: { Origin: 'http://else' },
  })
  expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
})

test('a Host that names nothing is a 400 on every path, and never more than a problem', async () => {
  const port = Number(new URL(box.base).port)
  for (const host of ['[', 'a b', 'é', '', '?', 'a/b', '::1', 'a:99999999', '%', 'http://x']) {
    for (const path of ['/sign-in', ORGANIZATIONS, '/livez', '/nothing', '//']) {
      const { status, text } = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      expect([host, path, status]).toEqual([host, path, 400])
      expect(text).toContain('"code":"malformed_header"')
      expect(text).toMatch(/^x-request-id: /im)
    }
  }
})

describe('What would take long to read is refused before', () => {
  test('a body of too many values, whatever their shape', async () => {
    for (const value of [
      `[${'0,'.repeat(20_001)}0]`,
      `{${Array.from({ length: 20_001 }, (_, number) => `"k${number}":0`).join(',')}}`,
      `[${'[],'.repeat(20_001)}0]`,
      '['.repeat(50_000),
    ]) {
      const { status, body } = await ada.post(ORGANIZATIONS, `{"name":${value}}`)
      expect([status, body.code]).toEqual([400, 'too_many_values'])
    }
    const quoted = await ada.post(ORGANIZATIONS, { name: 'Quotes', description: '\\",[{'.repeat(30_000) })
    expect([quoted.status, pointers(quoted.body)]).toEqual([422, ['/description']])
  })

  test('text with more combining marks in a row than a language needs', async () => {
    const marks = (count: number) => `a${'\u0301'.repeat(count)}`
    for (const [body, pointer] of [
      [{ name: marks(17) }, '/name'],
      [{ name: marks(500_000) }, '/name'],
      [{ name: 'x', [marks(17)]: 0 }, `/${marks(17)}`],
    ] as const) {
      const answer = await ada.post(ORGANIZATIONS, body)
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        [{ pointer, code: 'forbidden_character', detail: 'must not contain more than 16 combining marks in a row' }],
      ])
    }
    expect((await ada.post(ORGANIZATIONS, { name: marks(16) })).status).toBe(201)
    const listed = await ada.get(`/api/v1/organizations/${site.organization.id}/members?query=${encodeURIComponent(marks(17))}`)
    expect([listed.status, pointers(listed.body)]).toEqual([422, ['/query']])
  })

  test('lists and objects with too many entries, before these are looked at', async () => {
    const gate_policy = { decide_via: ['api', 'app', 'slack', 'mail', 'api', 7] }
    const ways = await ada.put(workspacePath(), { gate_policy })
    expect([ways.status, ways.body.errors]).toEqual([
      422,
      [{ pointer: '/gate_policy/decide_via', code: 'too_many', detail: 'must not have more than 4 items' }],
    ])
    const headers = Object.fromEntries(Array.from({ length: 33 }, (_, number) => [`x y ${number}`, 7]))
    const hook = await ada.post(`/api/v1/projects/${site.project.id}/deployment-hooks`, { headers })
    expect([hook.status, pointers(hook.body)]).toEqual([422, ['/headers']])
  })

  test('the long name of an unknown field is not repeated in full', async () => {
    const { status, body } = await ada.post(ORGANIZATIONS, { name: 'x', ['k'.repeat(500_000)]: 0 })
    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: `/${'k'.repeat(499)}…`, code: 'unknown_field', detail: 'is not a field of this request' }],
    ])
    expect(body.detail.length).toBeLessThan(600)
  })
})
