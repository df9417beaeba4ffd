import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import type { Answer } from '../support/signalbox.ts'
import { type NameServer, nameServer } from './name-server.ts'
import { Workbench } from './workbench.ts'

/** The addresses of each name in this test. */
const ADDRESSES: Record<string, string[]> = {
  'loopback6.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'compatible.test': ['::127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'local-nat64.test': ['64:ff9b:1::7f00:1'],
  '6to4.test': ['2002:7f00:1::1'],
  'teredo.test': ['2001:0:7f00:1::1'],
  'unique-local.test': ['fd00:ec2::254'],
  'link-local.test': ['fe80::1'],
  'mixed4.test': ['198.51.100.7', '8.8.8.8'],
  'mixed6.test': ['8.8.8.8', '::1'],
  'last-of-many.test': ['8.8.8.8', '1.1.1.1', '9.9.9.9', '10.0.0.1'],
  'this-network.test': ['0.0.0.0'],
  'broadcast.test': ['255.255.255.255'],
}

let bench: Workbench
let names: NameServer
let port: number
let connections = 0

// Accepts connections on every address of this machine: none may arrive.
const trap = createServer((socket) => {
  connections += 1
  socket.destroy()
})

beforeAll(async () => {
  await new Promise<void>((resolve) => trap.listen(0, '::', resolve))
  port = (trap.address() as { port: number }).port
  names = await nameServer((name) => ADDRESSES[name] ?? [])
  // An empty OUTBOUND_ALLOW counts as unset: no private address may be used.
  bench = await Workbench.open({ environment: { DNS_SERVERS: names.address, OUTBOUND_ALLOW: '' } })
})

afterAll(async () => {
  await bench.close()
  await names.stop()
  trap.close()
})

/** The outcome of a test.ping for a hook that already has this URL, as if the operator had blocked its address later. */
async function pingStoredUrl(url: string): Promise<Answer['body']> {
  const { hook } = await bench.hookTo('https://ci.example.com/')
  await bench.box.sql`update deployment_hooks set url = ${url} where id = ${hook.id}`
  return bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=20' })
}

async function expectBlocked(host: string): Promise<void> {
  const { status, response_status, error } = await pingStoredUrl(`http://${host}:${port}/`)
  expect([host, status, response_status, error.code]).toEqual([host, 'failed', null, 'blocked_address'])
  expect(error.detail).toMatch(
    / resolves to \S+, which is in the special-purpose range "\w+"\. The operator can allow .* OUTBOUND_ALLOW\.$/,
  )
  expect(connections).toBe(0)
}

describe('no dispatch is sent to a special-purpose address', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '017700000001',
    '0x7f.0.0.1',
    '0x7f000001',
    '0x7F.1',
    '１２７.０.０.１',
    '0.0.0.0',
    '0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
  ])('written as %s', expectBlocked)

  test.each(Object.keys(ADDRESSES))('that the name %s resolves to', expectBlocked)

  test('whatever the spelling of the name', async () => {
    await expectBlocked('loopback6.test.')
    await expectBlocked('LOOPBACK6.test')
  })

  test.each(['localhost', 'localhost.', 'LOCALHOST', 'api.localhost', 'api.localhost.'])(
    'that %s resolves to, on this machine or by DNS',
    async (host) => {
      const { status, error } = await pingStoredUrl(`http://${host}:${port}/`)
      expect([status, ['blocked_address', 'dns_failure'].includes(error.code)]).toEqual(['failed', true])
      expect(connections).toBe(0)
    },
  )

  test('and the listener would have noticed a connection', async () => {
    await fetch(`http://127.0.0.1:${port}/`).catch(() => {})
    expect(connections).toBe(1)
  })
})
