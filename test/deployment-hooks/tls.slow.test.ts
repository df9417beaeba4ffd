import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createServer, type TlsOptions } from 'node:tls'
import { type NameServer, nameServer } from './name-server.ts'
import { Workbench } from './workbench.ts'

// Made for these tests only: an authority, and server certificates with one key. The certificate that names its host
// only in its common name is trusted like an authority.
const folder = `${import.meta.dir}/certificates`
const file = (name: string) => readFileSync(`${folder}/${name}`, 'utf8')

let bench: Workbench
let names: NameServer
let addresses = ['127.0.0.1']

beforeAll(async () => {
  names = await nameServer(() => addresses)
  bench = await Workbench.open({
    environment: { DNS_SERVERS: names.address, OUTBOUND_CA: file('ca.pem') + file('common-name.pem') },
  })
})

afterAll(async () => {
  await bench.close()
  await names.stop()
})

/** Pings a server that presents a certificate, as secure.test. */
async function sendPing(certificate: string, onListening: (port: number) => void = () => {}) {
  let requests = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { cert: Bun.file(`${folder}/${certificate}.pem`), key: Bun.file(`${folder}/server.key`) },
    fetch() {
      requests += 1
      return new Response('ok')
    },
  })
  onListening(server.port ?? 0)
  try {
    return { dispatch: await bench.pinged(`https://secure.test:${server.port}/`), requests }
  } finally {
    await server.stop(true)
  }
}

test('a certificate of a trusted authority for the host is accepted', async () => {
  expect((await sendPing('good')).dispatch).toMatchObject({ status: 'succeeded', attempts: [{ address: '127.0.0.1' }] })
})

test('a server that never answers the TLS handshake is followed by the next address', async () => {
  addresses = ['127.0.0.2', '127.0.0.1']
  let silent: Bun.TCPSocketListener | undefined
  try {
    const { dispatch, requests } = await sendPing('good', (port) => {
      silent = Bun.listen({ hostname: '127.0.0.2', port, socket: { data: () => {} } })
    })
    expect(dispatch).toMatchObject({ status: 'succeeded', attempt_count: 1, attempts: [{ address: '127.0.0.1' }] })
    expect(requests).toBe(1)
  } finally {
    addresses = ['127.0.0.1']
    silent?.stop(true)
  }
})

test.each([
  ['expired', 'EXPIRED'],
  ['wrong-host', 'ALTNAME_INVALID'],
  ['self-signed', 'SELF_SIGNED'],
])('a certificate that is %s is rejected, and nothing is sent', async (certificate, code) => {
  const { dispatch, requests } = await sendPing(certificate)
  expect(dispatch).toMatchObject({ status: 'failed', response_status: null, error: { code: 'tls_error' } })
  expect(dispatch.error.detail).toContain(code)
  expect(requests).toBe(0)
})

test('a server without TLS fails the dispatch', async () => {
  const receiver = bench.receiver()
  const { status, error } = await bench.pinged(`https://secure.test:${new URL(receiver.url).port}/`)
  expect([status, ['tls_error', 'connection_failed'].includes(error.code)]).toEqual(['failed', true])
  expect(receiver.requests).toHaveLength(0)
})

test('a certificate that names its host only in its common name is rejected', async () => {
  const { dispatch, requests } = await sendPing('common-name')
  expect(dispatch).toMatchObject({ status: 'failed', response_status: null, error: { code: 'tls_error' } })
  expect(dispatch.error.detail).toContain('subjectAltName')
  expect(dispatch.error.detail).toContain('ERR_TLS_CERT_WITHOUT_SAN')
  expect(requests).toBe(0)
})

test.each<[string, TlsOptions, RegExp]>([
  ['requires a client certificate', { requestCert: true, rejectUnauthorized: true }, /requires a client certificate/],
  [
    'requires one and speaks TLS 1.2',
    { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' },
    /requires a client certificate/,
  ],
  ['only speaks TLS 1.0', { minVersion: 'TLSv1', maxVersion: 'TLSv1' }, /does not support TLS 1\.2 or 1\.3/],
])('the error names the cause for a server that %s', async (_, options, meaning) => {
  const server = createServer({ cert: file('good.pem'), key: file('server.key'), ca: file('ca.pem'), ...options }, (socket) => {
    socket.on('error', () => {})
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as { port: number }
    const { status, error } = await bench.pinged(`https://secure.test:${port}/`)
    expect([status, error.code]).toEqual(['failed', 'tls_error'])
    expect(error.detail).toMatch(meaning)
  } finally {
    server.close()
  }
})
