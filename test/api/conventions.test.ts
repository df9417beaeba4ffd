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

describe('What a request is refused for, in this order', () => {
  test('a path that nobody knows: 404, with or without a token', async () => {
    for (const answer of [await ada.get('/api/v1/nothing'), await box.request('GET', '/api/v1/nothing')]) {
      expect(answer.status).toBe(404)
      expect(answer.body.code).toBe('not_found')
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
    }
  })

  test('a method that the path does not know: 405 with what it knows, before any token is asked for', async () => {
    const { status, headers, body } = await box.request('PATCH', workspacePath(), '{')
    expect(status).toBe(405)
    expect(body.code).toBe('method_not_allowed')
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'PUT'])
  })

  test('no token, or one that is none: 401 with a challenge, whatever the body', async () => {
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

  test('a stranger with a broken body hears 404, as if nothing were there', async () => {
    const strange = ['{', '{"name":1,"x":2}', deep(40), new Uint8Array([0xff, 0xfe]), 'y'.repeat(1_100_000)]
    for (const body of strange) {
      const foreign = await stranger.put(workspacePath(), body)
      expect(foreign.status).toBe(404)
      const typed = await stranger.put(workspacePath(), body, { 'Content-Type': 'text/plain' })
      expect(typed.status).toBe(404)
    }
    expect((await stranger.get(`${workspacePath()}?nonsense=%`)).status).toBe(404)
  })

  test('what belongs to others and what does not exist get the same answer, but for the ids', async () => {
    const paths = (ids: Record<string, string>) => [
      `/api/v1/organizations/${ids.organization}`,
      `/api/v1/workspaces/${ids.workspace}`,
      `/api/v1/projects/${ids.project}`,
      `/api/v1/projects/${ids.project}/requirements`,
    ]
    const theirs = paths({ organization: site.organization.id, workspace: site.workspace.id, project: site.project.id })
    const nobodys = paths({ organization: ABSENT, workspace: ABSENT, project: ABSENT })
    for (const [index, path] of theirs.entries()) {
      const foreign = await stranger.get(path)
      const absent = await stranger.get(nobodys[index] ?? '')
      const { request_id: _1, instance: _2, ...foreignRest } = foreign.body
      const { request_id: _3, instance: _4, ...absentRest } = absent.body
      expect(foreign.status).toBe(404)
      expect(foreignRest).toEqual(absentRest)
      const names = ({ headers }: typeof foreign) => [...headers.keys()].sort()
      expect(names(foreign)).toEqual(names(absent))
    }
  })

  test('too low a role: 403 that names the role needed, before the body is looked at', async () => {
    for (const body of ['{', '{"nonsense":1}', '{}']) {
      const answer = await member.put(workspacePath(), body)
      expect(answer.status).toBe(403)
      expect(answer.body.code).toBe('forbidden')
      expect(answer.body.detail).toContain('admin')
    }
  })

  test('a body that is not announced as JSON: 415, also where it is no JSON or too large', async () => {
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

  test('more than 1 MiB: 413; exactly 1 MiB is read', async () => {
    const sized = (bytes: number) => {
      const frame = JSON.stringify({ name: 'Large', description: '' })
      return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`)
    }
    const over = await ada.post(ORGANIZATIONS, sized(1_048_577))
    expect([over.status, over.body.code]).toEqual([413, 'body_too_large'])
    const full = await ada.post(ORGANIZATIONS, sized(1_048_576))
    expect([full.status, pointers(full.body)]).toEqual([422, ['/description']])
  })

  test('a stream without a length is cut off at 1 MiB with 413', async () => {
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

  test('an announced 50 MiB is refused without being waited for', async () => {
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

  test('a body that is no JSON, no UTF-8, or nested too deep: 400, each with its code', async () => {
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

  test('a query that cannot be decoded: 400', async () => {
    for (const query of ['limit=%', 'limit=%zz', 'limit=%ff', '%=1']) {
      const answer = await ada.get(`${ORGANIZATIONS}?${query}`)
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_query'])
    }
  })

  test('a broken body where none is read does no harm, or is named like any other', async () => {
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

  test('a wrong field before an outdated If-Match, and that before what the state forbids', async () => {
    const wrong = await ada.put(workspacePath(), { name: '' }, { 'If-Match': '"old-tag"' })
    expect(wrong.status).toBe(422)
    const outdated = await ada.put(workspacePath(), { name: 'Fine' }, { 'If-Match': '"old-tag"' })
    expect([outdated.status, outdated.body.code]).toEqual([412, 'precondition_failed'])
  })
})

describe('A field that is wrong is named', () => {
  const cases: [string, unknown, string, string][] = [
    ['an unknown field', { name: 'x', budget_montly_limit_usd: 1 }, '/budget_montly_limit_usd', 'unknown_field'],
    ['a field that is missing', {}, '/name', 'required'],
    ['a number for a text', { name: 1 }, '/name', 'wrong_type'],
    ['null for a text', { name: null }, '/name', 'wrong_type'],
    ['a list for a text', { name: ['x'] }, '/name', 'wrong_type'],
    ['a text for money', { name: 'x', budget_monthly_limit_usd: '1' }, '/budget_monthly_limit_usd', 'wrong_type'],
    ['negative money', { name: 'x', budget_monthly_limit_usd: -1 }, '/budget_monthly_limit_usd', 'too_small'],
    ['more than a billion', { name: 'x', budget_monthly_limit_usd: 1e9 + 1 }, '/budget_monthly_limit_usd', 'too_large'],
    ['a ratio of 0', { name: 'x', budget_alert_threshold: 0 }, '/budget_alert_threshold', 'too_small'],
    ['a ratio above 1', { name: 'x', budget_alert_threshold: 1.01 }, '/budget_alert_threshold', 'too_large'],
    ['U+0000', { name: 'a\0b' }, '/name', 'forbidden_character'],
    ['U+0000 in the name of a field', { name: 'x', 'a\0': 1 }, '/a\0', 'forbidden_character'],
    ['only spaces', { name: ' \t\n　' }, '/name', 'too_short'],
  ]
  for (const [what, body, pointer, code] of cases) {
    test(`${what}: 422`, async () => {
      const answer = await ada.post(`${ORGANIZATIONS}/${site.organization.id}/workspaces`, body)
      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
      expect(answer.body.errors.map(({ pointer, code }: never) => [pointer, code])).toEqual([[pointer, code]])
    })
  }

  test('seven decimals of money: 422; six are kept as they are', async () => {
    const path = `${ORGANIZATIONS}/${site.organization.id}/workspaces`
    const seven = await ada.post(path, { name: 'Seven', budget_monthly_limit_usd: 0.1234567 })
    expect([seven.status, pointers(seven.body)]).toEqual([422, ['/budget_monthly_limit_usd']])
    const six = await ada.post(path, { name: 'Six', budget_monthly_limit_usd: 999_999_999.123456 })
    expect([six.status, six.body.budget_monthly_limit_usd]).toEqual([201, 999_999_999.123456])
  })

  test('an unpaired surrogate: 422, escaped or not at the end of a text', async () => {
    for (const body of ['{"name":"a\\ud800"}', '{"name":"\\udc00b"}']) {
      const answer = await ada.post(ORGANIZATIONS, body)
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0]).toMatchObject({ pointer: '/name', code: 'forbidden_character' })
    }
  })

  test('every wrong field at once', async () => {
    const { status, body } = await ada.post(`${ORGANIZATIONS}/${site.organization.id}/workspaces`, {
      name: 7,
      description: false,
      colour: 'red',
    })
    expect(status).toBe(422)
    expect(pointers(body).sort()).toEqual(['/colour', '/description', '/name'])
  })

  test('a body that is no object: 422', async () => {
    for (const body of ['[]', '"text"', '1', 'null', 'true']) expect((await ada.post(ORGANIZATIONS, body)).status).toBe(422)
  })

  test('an id in the path that is no UUID: 422 that names it', async () => {
    for (const id of ['1', 'me', `${ABSENT}0`, 'ZZZa2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d']) {
      const answer = await ada.get(`${ORGANIZATIONS}/${id}`)
      expect(answer.status).toBe(422)
      expect(pointers(answer.body)).toEqual(['/org_id'])
    }
    const upper = await ada.get(`${ORGANIZATIONS}/${site.organization.id.toUpperCase()}`)
    expect([upper.status, upper.body.id]).toEqual([200, site.organization.id])
  })

  test('an unknown query parameter, and a value of the wrong kind or range: 422', async () => {
    const requirements = `/api/v1/projects/${site.project.id}/requirements`
    const cases: [string, string][] = [
      [`${ORGANIZATIONS}?limt=1`, '/limt'],
      [`${ORGANIZATIONS}?limit=0`, '/limit'],
      [`${ORGANIZATIONS}?limit=1001`, '/limit'],
      [`${ORGANIZATIONS}?limit=ten`, '/limit'],
      [`${ORGANIZATIONS}?limit=1.5`, '/limit'],
      [`${ORGANIZATIONS}?limit=`, '/limit'],
      [`${ORGANIZATIONS}?limit=1&limit=2`, '/limit'],
      [`${ORGANIZATIONS}?after=nonsense`, '/after'],
      [`${requirements}?page=0`, '/page'],
      [`${requirements}?page=-1`, '/page'],
      [`${requirements}?page=99999999999`, '/page'],
      [`${requirements}?page_size=0`, '/page_size'],
      [`${requirements}?page_size=101`, '/page_size'],
      [`${requirements}?status=ready`, '/status'],
      [`${requirements}?created_after=yesterday`, '/created_after'],
      [`${requirements}?created_after=2026-02-30T00:00:00Z`, '/created_after'],
      [`${requirements}?created_after=2026-02-20T00:00:00`, '/created_after'],
      [`/api/v1/users/me?verbose=1`, '/verbose'],
      [`${ORGANIZATIONS}/${site.organization.id}?x=1`, '/x'],
    ]
    for (const [path, pointer] of cases) {
      const answer = await ada.get(path)
      expect([path, answer.status]).toEqual([path, 422])
      expect(pointers(answer.body)).toEqual([pointer])
    }
  })

  test('U+0000 in a query: 422, not a failure of the database', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Query' })
    const answer = await ada.get(`/api/v1/requirements/${requirement.id}/executions?agent=a%00b`)
    expect([answer.status, pointers(answer.body)]).toEqual([422, ['/agent']])
  })

  test('a page far beyond the end is empty', async () => {
    const { status, body } = await ada.get(`/api/v1/projects/${site.project.id}/requirements?page=2147483647&page_size=100`)
    expect([status, body.items]).toEqual([200, []])
  })
})

describe('Text', () => {
  const create = (name: string) => ada.post(ORGANIZATIONS, { name })

  test('is kept in NFC, and names are trimmed', async () => {
    const { status, body } = await create('  Cafe\u0301 \n')
    expect([status, body.name]).toEqual([201, 'Café'])
    expect(body.slug).toMatch(/^cafe(-\d+)?$/)
  })

  test('counts code points: 120 emoji are a name, 121 are not', async () => {
    const most = await create('🚂'.repeat(120))
    expect([most.status, most.body.name]).toEqual([201, '🚂'.repeat(120)])
    const over = await create('🚂'.repeat(121))
    expect([over.status, over.body.errors[0].code]).toEqual([422, 'too_long'])
    const padded = await create(` ${'x'.repeat(120)} `)
    expect(padded.status).toBe(201)
  })

  test('of any script is kept as it is', async () => {
    for (const name of ['خدمة الإشارات', 'שירות', '信号所', 'a‏b', 'Ω≈ç√∫', '👩‍👩‍👧‍👦 & <b>"quotes"</b>']) {
      const made = await create(name)
      expect([made.status, made.body.name]).toEqual([201, name.normalize('NFC')])
      expect((await ada.get(`${ORGANIZATIONS}/${made.body.id}`)).body.name).toBe(name.normalize('NFC'))
    }
  })
})

describe('Every answer', () => {
  test('carries the request id that was sent, in the header, in problems, and in the log', async () => {
    const id = 'my-request.1_x'
    const answer = await ada.get(`${ORGANIZATIONS}/${ABSENT}`, { 'X-Request-Id': id })
    expect(answer.headers.get('x-request-id')).toBe(id)
    expect(answer.body.request_id).toBe(id)
    expect(answer.body.instance).toBe(`${ORGANIZATIONS}/${ABSENT}`)
    const line = JSON.parse(await box.api.said(`"${id}"`))
    expect(line).toMatchObject({ level: 'info', message: 'request', status: 404, method: 'GET', caller: ada.id })
  })

  test('gets a fresh id where none, or none that can be used, was sent', async () => {
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

  test('carries the security headers, good or bad', async () => {
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

  test('to HEAD is that to GET without a body', async () => {
    const get = await ada.get(workspacePath())
    const head = await ada.request('HEAD', workspacePath())
    expect([head.status, head.body]).toEqual([200, null])
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
    expect(head.headers.get('content-type')).toBe('application/json')
    expect((await box.request('HEAD', workspacePath())).status).toBe(401)
    expect((await stranger.request('HEAD', workspacePath())).status).toBe(404)
  })

  test('is JSON, and nothing that is not tagged may be kept', async () => {
    const list = await ada.get(ORGANIZATIONS)
    expect(list.headers.get('content-type')).toBe('application/json')
    expect(list.headers.get('cache-control')).toBe('no-store')
    expect(list.headers.get('etag')).toBeNull()
  })

  test('that makes something says where it is', async () => {
    const { status, headers, body } = await ada.post(ORGANIZATIONS, { name: 'Located' })
    expect([status, headers.get('location')]).toEqual([201, `${ORGANIZATIONS}/${body.id}`])
    expect((await ada.get(headers.get('location') ?? '')).body.id).toBe(body.id)
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })
})

describe('Entity tags', () => {
  test('an answer that did not change is 304 without a body', async () => {
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

  test('a change based on what is gone is refused, and changes nothing; the current tag works', async () => {
    const old = (await ada.get(workspacePath())).headers.get('etag') ?? ''
    const first = await ada.put(workspacePath(), { description: 'first' }, { 'If-Match': old })
    expect(first.status).toBe(200)
    for (const tag of [old, `W/${old}`, '"nonsense"', `"other", ${old}`]) {
      const late = await ada.put(workspacePath(), { description: 'late' }, { 'If-Match': tag })
      expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
    }
    expect((await ada.delete(workspacePath(), { 'If-Match': old })).status).toBe(412)
    expect((await ada.get(workspacePath())).body.description).toBe('first')
    const now = first.headers.get('etag') ?? ''
    expect((await ada.put(workspacePath(), { description: 'second' }, { 'If-Match': `${old}, ${now}` })).status).toBe(200)
    expect((await ada.put(workspacePath(), { description: 'third' }, { 'If-Match': '*' })).status).toBe(200)
  })

  test('a counter that moved changes the tag for GET, and is no conflict for PUT', async () => {
    const tag = (await ada.get(workspacePath())).headers.get('etag') ?? ''
    const execution = await box.running(ada, site.project.id)
    await ada.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 1.5 })
    const moved = await ada.get(workspacePath(), { 'If-None-Match': tag })
    expect([moved.status, moved.body.budget_used_usd]).toEqual([200, 1.5])
    const changed = await ada.put(workspacePath(), { description: 'still mine' }, { 'If-Match': tag })
    expect([changed.status, changed.body.description]).toEqual([200, 'still mine'])
  })

  test('of two changes at once based on one tag, one wins', async () => {
    const tag = (await ada.get(workspacePath())).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ada.put(workspacePath(), { description: `racer ${index}` }, { 'If-Match': tag })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  })
})

describe('Lists and pages', () => {
  test('a list is walked to its end by its links, newest first, each once', async () => {
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

  test('pages count, follow one another, and end', async () => {
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
