import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { compare, comparison } from '../dual-track/tracks.ts'
import { says } from '../support/model-server.ts'
import { type NameServer, nameServer } from './name-server.ts'
import { Workbench } from './workbench.ts'

/** For ci.test, valid for a hundred years; trusted by this test alone. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBjzCCATWgAwIBAgIUB/JamzTTM4uo/Q5MCEMsZNid+6MwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHY2kudGVzdDAgFw0yNjExMjEwNzA3MjRaGA8yMTI2MTAyODA3
MDcyNFowEjEQMA4GA1UEAwwHY2kudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABPHCmOinOm1nNhA3PFBw1mtYGLAk+svYFliqvwXZZXD6xf2X3hZGHvwn0Q63
Bkgot2IeAK5Q4aZ6Yix0ccEhGuijZzBlMB0GA1UdDgQWBBSGhX/oS+orTMdNAGPj
ZxcuRfJSZDAfBgNVHSMEGDAWgBSGhX/oS+orTMdNAGPjZxcuRfJSZDAPBgNVHRMB
Af8EBTADAQH/MBIGA1UdEQQLMAmCB2NpLnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIh
ALb7iLU9rcpmtsgG+WyqM+sIkTQug8WojRui6KhPvJeMAiBW/NADcIfHYCJROtqn
upL1c+VUjXUQ82w0WVVPJB5myg==
-----END CERTIFICATE-----`

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQrupzSJHN2ToooPH
CvcAE2SKdEXeZFrk9vNJg9q59gyhRANCAATxwpjopzptZzYQNzxQcNZrWBiwJPrL
2BZYqr8F2WVw+sX9l94WRh78J9EOtwZIKLdiHgCuUOGmemIsdHHBIRro
-----END PRIVATE KEY-----`

let bench: Workbench
let names: NameServer
let server: Server
let port: number
const proxied: string[] = []
const requests: { name: unknown; host: string | undefined }[] = []

// The proxy that the environment names: no request to a URL of a tenant may reach it.
const proxy = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    proxied.push(request.url)
    return request.url === 'http://model.test/v1/chat/completions' ? says() : new Response('from the proxy')
  },
})

beforeAll(async () => {
  names = await nameServer((name) => (['ci.test', 'other.test'].includes(name) ? ['127.0.0.1'] : []))
  server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    requests.push({ name: (request.socket as TLSSocket & { servername?: unknown }).servername, host: request.headers.host })
    response.end('from the receiver')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as { port: number }).port
  const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  bench = await Workbench.open({
    environment: {
      DNS_SERVERS: names.address,
      OUTBOUND_CA: CERTIFICATE,
      // This name has no address here: only the proxy can reach it.
      AI_BASE_URL: 'http://model.test/v1',
      AI_MODEL: 'served-model',
      ...Object.fromEntries(variables.map((name) => [name, proxy.url.href])),
      NO_PROXY: 'example.com',
      no_proxy: 'example.com',
    },
  })
})

afterAll(async () => {
  await bench.close()
  await names.stop()
  await proxy.stop(true)
  server.close()
})

describe('over TLS', () => {
  test.each(['ci.test', 'ci.test.', 'CI.test'])(
    '%s must present a certificate for ci.test, and SNI names ci.test',
    async (host) => {
      requests.length = 0
      const dispatch = await bench.pinged(`https://${host}:${port}/hook`)
      expect(dispatch).toMatchObject({
        status: 'succeeded',
        response_body: 'from the receiver',
        attempts: [{ address: '127.0.0.1' }],
      })
      expect(requests).toEqual([{ name: 'ci.test', host: `${host.toLowerCase()}:${port}` }])
    },
  )

  test.each(['other.test', '127.0.0.1'])('a certificate for another name than %s is rejected', async (host) => {
    requests.length = 0
    const { status, error } = await bench.pinged(`https://${host}:${port}/`)
    expect([status, error.code]).toEqual(['failed', 'tls_error'])
    expect(error.detail).toContain('The certificate was not accepted')
    expect(requests).toEqual([])
  })
})

describe('a proxy named in the environment', () => {
  test('is used for the model, which the operator chose', async () => {
    const site = await bench.box.site(bench.admin)
    const { id } = await comparison(bench.admin, site.project.id, {})
    expect((await compare(bench.admin, id)).result.judge).toMatchObject({ kind: 'model', fallback_reason: null })
    expect(new Set(proxied)).toEqual(new Set(['http://model.test/v1/chat/completions']))
    proxied.length = 0
  })

  test('is never used for dispatches, with or without TLS, whatever NO_PROXY says', async () => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response('from the receiver')
    for (const url of [receiver.url, `http://ci.test:${new URL(receiver.url).port}/`, `https://ci.test:${port}/`])
      expect(await bench.pinged(url)).toMatchObject({ status: 'succeeded', response_body: 'from the receiver' })
    expect(proxied).toEqual([])
  })
})
