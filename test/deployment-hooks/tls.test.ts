import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type NameServer, nameServer } from './name-server.ts'
import { Workbench } from './workbench.ts'

// Made for these tests and good for nothing else: an authority, and servers' certificates with one key.
const folder = `${import.meta.dir}/certificates`

let bench: Workbench
let names: NameServer

beforeAll(async () => {
  names = await nameServer(() => ['127.0.0.1'])
  bench = await Workbench.open({ environment: { DNS_SERVERS: names.address, OUTBOUND_CA: `${folder}/ca.pem` } })
})

afterAll(async () => {
  await bench.close()
  await names.stop()
})

/** Pings a server that shows a certificate, by the name secure.test. */
async function pinged(certificate: string) {
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
  try {
    return { dispatch: await bench.pinged(`https://secure.test:${server.port}/`), requests }
  } finally {
    await server.stop(true)
  }
}

test('a certificate of a trusted authority for the name is accepted', async () => {
  expect((await pinged('good')).dispatch).toMatchObject({ status: 'succeeded', attempts: [{ address: '127.0.0.1' }] })
})

test.each([
  ['expired', 'EXPIRED'],
  ['wrong-host', 'ALTNAME_INVALID'],
  ['self-signed', 'SELF_SIGNED'],
])('a certificate that is %s is refused, and nothing is sent', async (certificate, code) => {
  const { dispatch, requests } = await pinged(certificate)
  expect(dispatch).toMatchObject({ status: 'failed', response_status: null, error: { code: 'tls_error' } })
  expect(dispatch.error.detail).toContain(code)
  expect(requests).toBe(0)
})

test('a server that speaks no TLS is a failure', async () => {
  const receiver = bench.receiver()
  const { status, error } = await bench.pinged(`https://secure.test:${new URL(receiver.url).port}/`)
  expect([status, ['tls_error', 'connection_failed'].includes(error.code)]).toEqual(['failed', true])
  expect(receiver.requests).toHaveLength(0)
})
