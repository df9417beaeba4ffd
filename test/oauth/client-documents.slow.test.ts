/** Clients, as their metadata documents describe them, and documents that are wrong, hostile or not there. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { PageClient, Visit } from '../support/page-client.ts'
import { ClientFlow } from './client-flow.ts'

let flow: ClientFlow
let browser: PageClient

beforeAll(async () => {
  flow = await ClientFlow.open({ RATE_LIMIT: '0' })
  browser = await flow.browser(await flow.box.user('Ada'))
})
afterAll(() => flow.close())

const ask = (client_id: string, more: Record<string, string> = {}): Promise<Visit> => flow.ask(browser, { client_id, ...more })

/** Nothing is sent to where an unknown client wants it: the person sees why. */
async function expectRefusal(page: Visit, why: RegExp): Promise<void> {
  expect([page.status, page.document.querySelector('h1')?.textContent]).toEqual([400, 'This client cannot be allowed'])
  expect(page.text).toMatch(why)
  expect(page.path).toStartWith('/oauth/authorize?')
  expect(page.document.querySelector('main form')).toBeNull()
}

const endless = () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(10_000, 'x')) }))

describe('A client is refused whose document', () => {
  test.each<[string, (client_id: string) => Response, RegExp]>([
    ['is not there', () => new Response('', { status: 404 }), /status 404/],
    ['fails', () => new Response('', { status: 500 }), /status 500/],
    ['is a page', () => new Response('<html>'), /not a JSON object/],
    ['is a list', () => Response.json([]), /not a JSON object/],
    ['is nested without an end', () => new Response('['.repeat(16_000)), /not a JSON object/],
    ['is huge', (client_id) => Response.json({ client_id, x: 'x'.repeat(20_000) }), /longer than 16384 bytes/],
    ['never ends', endless, /longer than 16384 bytes/],
    ['is compressed', () => new Response(gzipSync('{}'), { headers: { 'Content-Encoding': 'gzip' } }), /compressed/],
    [
      'is elsewhere',
      () => Response.redirect('https://secure.test/elsewhere.json', 302),
      /redirect \(302\), which is not followed/,
    ],
    ['leads to the address of metadata', () => Response.redirect('http://169.254.169.254/', 307), /redirect \(307\)/],
    [
      'names another client',
      () => Response.json({ client_id: 'https://claude.ai/oauth/x', redirect_uris: [] }),
      /another client_id/,
    ],
    ['names none', () => Response.json({ redirect_uris: ['http://127.0.0.1/callback'] }), /another client_id/],
  ])('%s', async (_, answer, why) => expectRefusal(await ask(flow.host.answering(answer)), why))

  test.each<[string, object, RegExp]>([
    ['lists no addresses', { redirect_uris: undefined }, /list redirect_uris/],
    ['lists one that is no list', { redirect_uris: 'http://127.0.0.1/callback' }, /list redirect_uris/],
    ['lists very many', { redirect_uris: Array(51).fill('http://127.0.0.1/callback') }, /at most 50/],
    ['lists others', { redirect_uris: ['https://agent.example.com/callback', 7, null] }, /does not list/],
    ['says that it authenticates', { token_endpoint_auth_method: 'private_key_jwt' }, /not supported/],
    ['offers only such ways', { token_endpoint_auth_method: ['private_key_jwt', 'tls_client_auth'] }, /not supported/],
    [
      'lists only such ways',
      { token_endpoint_auth_method: undefined, token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      /not supported/,
    ],
    ['has a secret', { client_secret: 'secret' }, /not supported/],
  ])('%s', async (_, more, why) => expectRefusal(await ask(flow.host.client(more)), why))

  test.each([
    'javascript:alert(document.domain)',
    'http://evil.example/callback',
    'https://a;script-src/callback',
    'agent:/callback',
  ])('lists %s, and that wants its answer there', async (uri) =>
    expectRefusal(await ask(flow.host.client({ redirect_uris: [uri] }), { redirect_uri: uri }), /never sent to/),
  )

  test.each([
    ['http://evil.example/client.json', /https/],
    ['https://10.0.0.1/client.json', /special-purpose range/],
    ['https://private.test/client.json', /special-purpose range/],
    ['https://169.254.169.254/latest/meta-data', /special-purpose range/],
    ['signalbox-cli', /address of the client's metadata document/],
    ['', /client_id is required/],
  ])('would be at %s', async (client_id, why) => expectRefusal(await ask(client_id), why))

  test('is slow, while others are asked', async () => {
    const slow = Promise.withResolvers<Response>()
    const waiting = ask(flow.host.answering(() => slow.promise))
    expect((await ask(flow.client_id)).status).toBe(200)
    await expectRefusal(await waiting, /within 5 seconds/)
    slow.resolve(new Response(''))
  }, 30_000)
})

describe('A document', () => {
  test.each<[string, object]>([
    ['says nothing', { token_endpoint_auth_method: undefined }],
    ['says null', { token_endpoint_auth_method: null }],
    ['has a list', { token_endpoint_auth_method: ['private_key_jwt', 'none'] }],
    [
      'prefers another way',
      { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'] },
    ],
  ])('that %s of how the client authenticates is one of a public client', async (_, more) => {
    expect((await ask(flow.host.client(more))).status).toBe(200)
  })

  test('is fetched once by several requests, and kept for a while; a failure is not', async () => {
    let answer = () => new Response('', { status: 500 })
    const client_id = flow.host.answering(() => answer())
    const { pathname } = new URL(client_id)
    await expectRefusal(await ask(client_id), /status 500/)
    answer = () => Response.json({ client_id, redirect_uris: ['http://127.0.0.1/callback'] })
    const pages = await Promise.all([ask(client_id), ask(client_id), ask(client_id)])
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await ask(client_id)).status).toBe(200)
    expect(flow.host.asked[pathname]).toBe(2)
  })

  test('is not fetched for a stranger', async () => {
    const client_id = flow.host.client()
    const { PageClient } = await import('../support/page-client.ts')
    const page = await flow.ask(new PageClient(flow.box), { client_id })
    expect(page.path).toStartWith('/sign-in?next=')
    expect(flow.host.asked[new URL(client_id).pathname]).toBeUndefined()
  })

  test('cannot make a person believe in a name that hides something: its host is shown instead', async () => {
    for (const client_name of [
      'Signalbox\u202egnp.exe',
      'Claude\nCode',
      'Claude\u200bCode',
      '\u0301Claude',
      `Z${'\u0301'.repeat(40)}`,
      '\ud800',
      'x'.repeat(61),
      ' ',
      7,
      { name: 'Claude' },
    ]) {
      const { document, status } = await ask(flow.host.client({ client_name }))
      const [name] = [...document.querySelectorAll('main dd')].map((each) => each.textContent)
      expect([client_name, status, name]).toEqual([client_name, 200, flow.host.host])
    }
  })

  test('cannot put markup into the page', async () => {
    const client_name = '<img src=x onerror=alert(1)>"\'</title><script>'
    const page = await ask(flow.host.client({ client_name }))
    expect(page.text).toContain(client_name)
    expect([page.document.querySelectorAll('main img').length, page.html.includes('<img')]).toEqual([0, false])
  })
})
