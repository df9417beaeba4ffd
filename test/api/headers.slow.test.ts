import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0, environment: { TRUST_PROXY: '2' } })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

describe('If-Match', () => {
  const path = () => `/api/v1/workspaces/${site.workspace.id}`
  const tag = async () => (await ada.get(path())).headers.get('etag') ?? ''
  const change = (header: string, body: object = { description: header }) => ada.put(path(), body, { 'If-Match': header })

  test('that is malformed is a 400, and nothing changes', async () => {
    const now = await tag()
    const bare = now.replaceAll('"', '')
    for (const header of [
      bare,
      `x${bare}"`,
      `'${bare}'`,
      `"${bare}`,
      `x${now}`,
      `${now} ${now}`,
      `w/${now}`,
      `${now}, *`,
      `${now},,"`,
      '""x',
    ]) {
      const { status, body } = await change(header)
      expect([header, status, body.code]).toEqual([header, 400, 'malformed_header'])
      expect((await ada.delete(path(), { 'If-Match': header })).status).toBe(400)
    }
    expect(await tag()).toBe(now)
    // It comes before validation, and after body and token.
    expect((await change('x', { name: '' })).status).toBe(400)
    expect((await ada.put(path(), '{', { 'If-Match': 'x' })).body.code).toBe('malformed_json')
    expect((await box.request('PUT', path(), {}, { 'If-Match': 'x' })).status).toBe(401)
  })

  test('may contain empty list elements, which RFC 9110 tells recipients to ignore', async () => {
    for (const write of [(now: string) => `, ${now}`, (now: string) => `"x",, ${now} ,`]) {
      expect((await change(write(await tag()))).status).toBe(200)
    }
    expect((await change(',')).status).toBe(400)
  })

  test('with a tag of another version is a 412', async () => {
    const now = await tag()
    const version = now.slice(1, now.indexOf('-'))
    for (const header of [
      `"x${version.slice(1)}-0"`,
      `"${version}"`,
      `"${version}x-0"`,
      `" ${version}-0"`.replace(' ', '!'),
      '"-"',
      '""',
      'W/"x-0"',
    ]) {
      expect([header, (await change(header)).status]).toEqual([header, 412])
    }
    for (const header of [now, `"${version}-other"`, `"a,b", ${now}`, `W/${now}`, ` ${now} , "x"`]) {
      const current = (await tag()).slice(1).split('-')[0] ?? ''
      const sent = header.replace(version, current)
      expect([sent, (await change(sent)).status]).toEqual([sent, 200])
    }
  })
})

test('a malformed Idempotency-Key is refused before validation and after the role is checked', async () => {
  const headers = { 'Idempotency-Key': '"' }
  const wrong = await ada.post('/api/v1/organizations', { name: 7 }, headers)
  expect([wrong.status, wrong.body.code]).toEqual([400, 'malformed_header'])
  const member = await box.user('Member')
  await box.join(member, site, 'member', 'member')
  expect((await member.post(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'x' }, headers)).status).toBe(403)
})

test('behind proxies, a caller has the forwarded address without its port, or else that of the peer', async () => {
  const cases: [forwarded: string, address: string][] = [
    ['203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['spoofed, 203.0.113.8:51234, 10.0.0.1', '203.0.113.8'],
    ['[2001:db8::7]:51234, 10.0.0.1', '2001:db8::7'],
    ['[2001:db8::8], 10.0.0.1', '2001:db8::8'],
    ['2001:DB8:0:0::9, 10.0.0.1', '2001:db8::9'],
    ['::ffff:203.0.113.9, 10.0.0.1', '203.0.113.9'],
    ['unknown, 10.0.0.1', '127.0.0.1'],
    ['_hidden:80, 10.0.0.1', '127.0.0.1'],
    ['203.0.113.7.8, 10.0.0.1', '127.0.0.1'],
    ['127.1, 10.0.0.1', '127.0.0.1'],
    ["1' or 1=1, 10.0.0.1", '127.0.0.1'],
    [', 10.0.0.1', '127.0.0.1'],
    ['203.0.113.7', '127.0.0.1'],
  ]
  for (const [index, [forwarded, address]] of cases.entries()) {
    const made = await ada.make('/api/v1/organizations', { name: `Proxied ${index}` }, { 'X-Forwarded-For': forwarded })
    const { body } = await ada.get(`/api/v1/organizations/${made.id}/audit-logs`)
    expect([forwarded, body.items[0].ip_address]).toEqual([forwarded, address])
  }
})

describe('A body', () => {
  test('that is not JSON is not repeated in the response or the log', async () => {
    const bodies = [
      '{"password": hunter2hunter2}',
      'hunter2hunter2',
      '{"a": "hunter2hunter2',
      "{'hunter2hunter2': 1}",
      '{"a":1} hunter2hunter2',
    ]
    for (const body of bodies) {
      const answer = await ada.post('/api/v1/organizations', body, { 'X-Request-Id': 'quoted' })
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json'])
      expect(JSON.stringify(answer.body)).not.toContain('hunter2')
    }
    const description = await ada.put(`/api/v1/projects/${site.project.id}/api-description`, '{"openapi": hunter2hunter2}')
    expect(description.status).toBe(422)
    expect(JSON.stringify(description.body)).not.toContain('hunter2')
    expect(await box.api.said('"quoted"')).not.toContain('hunter2')
  })

  test('whose client disconnects is not logged as an error of ours', async () => {
    for (const [id, length] of [
      ['aborted-length', 'Content-Length: 1000'],
      ['aborted-chunks', 'Transfer-Encoding: chunked'],
    ] as const) {
      const head = [
        'POST /api/v1/organizations HTTP/1.1',
        'Host: 127.0.0.1',
        `Authorization: Bearer ${ada.token}`,
        'Content-Type: application/json',
        `X-Request-Id: ${id}`,
        length,
      ]
      const socket = await Bun.connect({ hostname: '127.0.0.1', port: box.port, socket: { data() {} } })
      socket.write(`${head.join('\r\n')}\r\n\r\n${length.startsWith('T') ? '5\r\n{"nam\r\n' : '{"nam'}`)
      socket.flush()
      // The API has begun to read the body by the time it answers another request.
      await ada.get('/api/v1/users/me')
      socket.terminate()
      const line = JSON.parse(await box.api.said(`"${id}"`))
      expect([line.level, line.status]).toEqual(['info', 400])
    }
    const metrics = await (await fetch(`${box.base}/metrics`)).text()
    expect(metrics).not.toContain('error_type="internal"')
  })
})
