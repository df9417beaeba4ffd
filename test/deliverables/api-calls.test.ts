/** The calls of API documentation are run by a shell, as a reader would paste them. Descriptions are input of a tenant. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { curl } from '../../core/openapi/curl.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

interface Received {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  form: [string, string][]
}

/** What a shell, or curl, would act on if it were not quoted. */
const HOSTILE = 'it\'s "x" $(touch pwned) `touch pwned` ; touch pwned # \\ $HOME !! {a,b} [1-3] %41 é漢\u202e'
const INJECTION = "'; touch pwned; '"

let received: Received | null = null
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const copy = request.clone()
    const isForm = request.headers.get('content-type')?.startsWith('multipart/') ?? false
    const form = isForm ? [...(await copy.formData())] : []
    received = {
      method: request.method,
      url: request.url.slice(new URL(request.url).origin.length),
      headers: Object.fromEntries(request.headers),
      body: isForm ? '' : await request.text(),
      form: await Promise.all(
        form.map(async ([name, value]) => [name, value instanceof Blob ? await value.text() : value] as [string, string]),
      ),
    }
    return new Response('ok')
  },
})

const text = (example: string) => ({ schema: { type: 'string' }, example })
const body = (type: string, media: object) => ({ requestBody: { content: { [type]: media } } })
const ok = { responses: { '200': { description: 'Good.' } } }
const post = (type: string, media: object) => ({ post: { ...body(type, media), ...ok } })

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Calls', version: '1' },
  servers: [{ url: `http://127.0.0.1:${server.port}/{stage}/`, variables: { stage: { default: 'v1' } } }],
  security: [{ bearer: [] }],
  paths: {
    '/things/{id}': {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true, ...text(HOSTILE) },
          { name: INJECTION, in: 'query', required: true, ...text(HOSTILE) },
          {
            name: 'tags',
            in: 'query',
            required: true,
            schema: { type: 'array', items: { type: 'string' } },
            example: ['a b', 'c&d'],
          },
          { name: 'filter', in: 'query', required: true, style: 'deepObject', schema: { type: 'object' }, example: { x: 1 } },
          { name: 'X-Note', in: 'header', required: true, ...text(`${INJECTION}\r\nX-Added: yes`) },
          { name: '@/etc/hostname', in: 'header', required: true, ...text('x') },
          { name: 'session', in: 'cookie', required: true, ...text(HOSTILE) },
          { name: 'optional', in: 'query', ...text('x') },
        ],
        ...ok,
      },
    },
    "/a'; touch pwned; '/{b,c}[1-3]": { get: ok },
    '/json': post('application/json', { example: { [INJECTION]: HOSTILE, text: '@/etc/hostname\n\u0003\u001b[2J' } }),
    '/form': post('application/x-www-form-urlencoded', {
      example: { [INJECTION]: HOSTILE, 'a@/etc/hostname': '@/etc/hostname' },
    }),
    '/text': post('text/plain', { example: '@/etc/hostname' }),
    '/parts': post('multipart/form-data', {
      schema: {
        type: 'object',
        properties: {
          file: { type: 'string', format: 'binary' },
          'b=@/etc/hostname': { type: 'string', format: 'binary' },
          c: { type: 'string' },
        },
      },
      example: { file: 'x', 'b=@/etc/hostname': 'x', c: '<@/etc/hostname;type=text/html' },
    }),
    '/type': post("text/plain'; touch pwned; '", { example: 'x' }),
    '/basic': { get: { security: [{ basic: [] }], ...ok } },
    '/query': { get: { security: [{ query: [] }], ...ok } },
    '/cookie': { get: { security: [{ cookie: [] }], ...ok } },
    '/HOME': { get: { security: [{ HOME: [] }], ...ok } },
    '/file': { get: { security: [{ file: [] }], ...ok } },
    '/two': { delete: { security: [{ bearer: [], HOME: [] }], ...ok } },
    '/head': { head: { security: [], ...ok } },
    '/elsewhere': { servers: [{ url: 'file:///etc/hostname' }], get: ok },
    '/option': { servers: [{ url: '-o pwned' }], get: ok },
    'x-a.evil.example/steal': { get: ok },
    '/relative': { servers: [{ url: "/v2/'; touch pwned; '" }], get: ok },
  },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
      query: { type: 'apiKey', in: 'query', name: INJECTION },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      HOME: { type: 'apiKey', in: 'header', name: 'X-Key' },
      file: { type: 'apiKey', in: 'header', name: '@/etc/hostname' },
    },
  },
}

let box: Box
let ada: Actor
let folder: string
/** The calls by the headings of their operations. */
let calls: Map<string, string>

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  folder = await mkdtemp(join(tmpdir(), 'signalbox-calls-'))
  const { project } = await box.site(ada)
  const path = `/api/v1/projects/${project.id}`
  expect((await ada.put(`${path}/api-description`, DESCRIPTION)).status).toBe(200)
  const generated = await ada.post(`${path}/deliverables/generate`, { deliverable_type: 'api_docs' }, { Prefer: 'wait=20' })
  const found = generated.body.content.matchAll(
    /^### (?<name>.+)$[\s\S]*?^```sh\n(?<call>curl --fail-with-body -sS [\s\S]*?)\n```$/gm,
  )
  calls = new Map(found.map(({ groups: { name = '', call = '' } = {} }: RegExpMatchArray) => [name.replaceAll('\\', ''), call]))
})
afterAll(async () => {
  await server.stop(true)
  await box.close()
  await rm(folder, { recursive: true })
})

/** Runs the call of an operation in an empty folder. */
async function run(name: string): Promise<Received> {
  const call = calls.get(name)
  if (call === undefined) throw new Error(`no call of ${name}: ${[...calls.keys()].join(', ')}`)
  received = null
  const shell = Bun.spawn(['bash', '-c', call], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      NO_PROXY: '*',
      BASE_URL: `http://127.0.0.1:${server.port}`,
      TOKEN: 'token-1',
      API_KEY: 'key-1',
      API_KEY_2: 'key-2',
      API_KEY_3: 'key-3',
      USER_AND_PASSWORD: 'ada:secret',
    },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [code, errors] = await Promise.all([shell.exited, new Response(shell.stderr).text()])
  expect([name, code, await readdir(folder)], errors).toEqual([name, 0, []])
  if (!received) throw new Error(`nothing was received for ${name}`)
  return received
}

test('every operation has a call', () => expect(calls.size).toBe(17))

test('parameters arrive as they are in the examples', async () => {
  const { method, url, headers } = await run('GET /things/{id}')
  const { pathname, searchParams } = new URL(url, 'http://x')
  expect([method, decodeURIComponent(pathname.slice('/v1/things/'.length))]).toEqual(['GET', HOSTILE])
  expect([...searchParams]).toEqual([
    [INJECTION, HOSTILE],
    ['tags', 'a b'],
    ['tags', 'c&d'],
    ['filter[x]', '1'],
  ])
  expect(headers).toMatchObject({ authorization: 'Bearer token-1', 'x-note': `${INJECTION} X-Added: yes` })
  expect(headers).not.toHaveProperty('x-added')
  expect(decodeURIComponent(headers.cookie ?? '')).toBe(`session=${HOSTILE}`)
})

test('a path without parameters arrives as it is', async () => {
  const { url } = await run("GET /a'; touch pwned; '/{b,c}[1-3]")
  expect(decodeURIComponent(url)).toBe("/v1/a'; touch pwned; '/b,c[1-3]")
})

test('bodies arrive as they are in the examples, and never read a file', async () => {
  const json = await run('POST /json')
  expect([json.method, json.headers['content-type']]).toEqual(['POST', 'application/json'])
  expect(JSON.parse(json.body)).toEqual({ [INJECTION]: HOSTILE, text: '@/etc/hostname\n\u0003\u001b[2J' })
  const form = await run('POST /form')
  expect([...new URLSearchParams(form.body)]).toEqual([
    [INJECTION, HOSTILE],
    ['a@/etc/hostname', '@/etc/hostname'],
  ])
  expect((await run('POST /text')).body).toBe('@/etc/hostname')
  expect((await run('POST /parts')).form).toEqual([
    ['file', 'example'],
    ['b', '@/etc/hostname=x'],
    ['c', '<@/etc/hostname;type=text/html'],
  ])
  expect((await run('POST /type')).body).toBe('x')
})

test('secrets come from variables, whose names are never those of the description', async () => {
  expect((await run('GET /basic')).headers.authorization).toBe(`Basic ${btoa('ada:secret')}`)
  expect([...new URL((await run('GET /query')).url, 'http://x').searchParams]).toEqual([[INJECTION, 'key-1']])
  expect((await run('GET /cookie')).headers.cookie).toBe('sid=key-2')
  expect((await run('GET /HOME')).headers['x-key']).toBe('key-3')
  expect(JSON.stringify(await run('GET /file'))).not.toContain('key-4')
  const { method, headers } = await run('DELETE /two')
  expect([method, headers.authorization, headers['x-key']]).toEqual(['DELETE', 'Bearer token-1', 'key-3'])
  expect((await run('HEAD /head')).headers).not.toHaveProperty('authorization')
  for (const call of calls.values()) expect(call).not.toContain('"$HOME"')
})

test('only servers with HTTP addresses are called; others are a variable', async () => {
  expect((await run('GET /elsewhere')).url).toBe('/elsewhere')
  expect((await run('GET /option')).url).toBe('/option')
  expect(decodeURIComponent((await run('GET /relative')).url)).toBe("/v2/'; touch pwned; '/relative")
})

test('what is sent cannot go to another host: keys that are not paths are left out, and a path begins with a slash', () => {
  for (const [name, call] of calls) expect([name, call]).not.toEqual([expect.anything(), expect.stringContaining('evil')])
  const operation = { method: 'GET', tag: '', operation: {}, parameters: [], security: [] }
  const servers = [{ url: 'https://api.example.com' }]
  for (const path of ['.evil.example/', '@evil.example/', ':1/', '{host}']) {
    const call = curl({}, { ...operation, path, servers }, { variables: new Map(), body: null })
    const [, url = ''] = /'(https:[^']*)'/.exec(call) ?? []
    expect([path, new URL(url).host]).toEqual([path, 'api.example.com'])
  }
  expect(curl({}, { ...operation, path: '.evil.example', servers: [] }, { variables: new Map(), body: null })).toContain(
    `"$BASE_URL"'/.evil.example'`,
  )
})

test('the host of a call is that of the server, whatever follows it; a host that curl reads differently is a variable', () => {
  const operation = { method: 'GET', path: '/x', tag: '', operation: {}, security: [] }
  const parameters = [{ name: 'Host', in: 'header', required: true, ...text('evil.example') }]
  const addressOf = (url: string, variables = {}) => {
    const call = curl({}, { ...operation, parameters, servers: [{ url, variables }] }, { variables: new Map(), body: null })
    expect(call).not.toContain('Host:')
    return call.replace('curl --fail-with-body -sS ', '')
  }
  for (const rest of ['#', '#.evil.example', '\\@evil.example', '\\.evil.example', '?.evil.example', '/../@evil.example'])
    expect([rest, addressOf(`https://api.example.com${rest}`)]).toEqual([
      rest,
      expect.stringMatching(/^'https:\/\/api\.example\.com[/?]/),
    ])
  for (const url of [
    'https:///evil.example',
    'https://{evil.example,api.example.com}',
    'https://api.{evil.example',
    'https:evil.example',
    '\thttps://evil.example',
    'https://*.example.com',
    'https://$HOST',
  ])
    expect([url, addressOf(url)]).toEqual([url, expect.stringMatching(/^"\$BASE_URL"'\/x'/)])
  const both = { host: { default: '{evil.example,api.example.com}' } }
  expect(addressOf('https://{host}', both)).toStartWith('"$BASE_URL"')
  expect(addressOf('https://[::1]:8443/v1')).toBe("'https://[::1]:8443/v1/x'")
  expect(addressOf('https://münchen.example')).toBe("'https://xn--mnchen-3ya.example/x'")
})

test('commands contain no control characters and no overrides', () => {
  for (const call of calls.values()) expect(call.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_C}/u)
})
