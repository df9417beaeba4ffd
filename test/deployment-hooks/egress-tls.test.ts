import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { type NameServer, nameServer } from './name-server.ts'
import { Workbench } from './workbench.ts'

/** For ci.test, valid for a hundred years; nobody else trusts it. */
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
const heard: { name: unknown; host: string | undefined }[] = []

// What a request through a proxy would arrive at.
const proxy = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    proxied.push(request.url)
    return new Response('from the proxy')
  },
})

beforeAll(async () => {
  names = await nameServer((name) => (['ci.test', 'other.test'].includes(name) ? ['127.0.0.1'] : []))
  server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    heard.push({ name: (request.socket as TLSSocket & { servername?: unknown }).servername, host: request.headers.host })
    response.end('from the receiver')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as { port: number }).port
  const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  bench = await Workbench.open({
    environment: {
      DNS_SERVERS: names.address,
      OUTBOUND_CA: CERTIFICATE,
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
  test.each(['ci.test', 'ci.test.', 'CI.test'])('%s must prove to be ci.test, and is asked for by that name', async (host) => {
    heard.length = 0
    const dispatch = await bench.pinged(`https://${host}:${port}/hook`)
    expect(dispatch).toMatchObject({
      status: 'succeeded',
      response_body: 'from the receiver',
      attempts: [{ address: '127.0.0.1' }],
    })
    expect(heard).toEqual([{ name: 'ci.test', host: `${host.toLowerCase()}:${port}` }])
  })

  test.each(['other.test', '127.0.0.1'])('a certificate for another name than %s is not accepted', async (host) => {
    heard.length = 0
    const { status, error } = await bench.pinged(`https://${host}:${port}/`)
    expect([status, error.code]).toEqual(['failed', 'tls_error'])
    expect(error.detail).toContain('The certificate was not accepted')
    expect(heard).toEqual([])
  })
})

describe('a proxy of the environment', () => {
  test('gets no dispatch, with TLS or without, whatever NO_PROXY says', async () => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response('from the receiver')
    for (const url of [receiver.url, `http://ci.test:${new URL(receiver.url).port}/`, `https://ci.test:${port}/`])
      expect(await bench.pinged(url)).toMatchObject({ status: 'succeeded', response_body: 'from the receiver' })
    expect(proxied).toEqual([])
  })
})
