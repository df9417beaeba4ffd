import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type NameServer, nameServer } from './name-server.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
let names: NameServer

beforeAll(async () => {
  names = await nameServer((name, question) => {
    if (name === 'open.test') return ['127.0.0.1']
    if (name === 'private.test') return ['10.0.0.1']
    if (name === 'metadata.test') return ['169.254.169.254']
    if (name === 'mixed.test') return ['127.0.0.1', '10.0.0.1']
    if (name === 'rebinding.test') return question % 2 ? ['127.0.0.1'] : ['10.0.0.1']
    return []
  })
  bench = await Workbench.open({ environment: { DNS_SERVERS: names.address, OUTBOUND_ALLOW: '127.0.0.0/8' } })
})

afterAll(async () => {
  await bench.close()
  await names.stop()
})

describe('a host name', () => {
  test('is resolved, and the Host header keeps it', async () => {
    const receiver = bench.receiver()
    const port = new URL(receiver.url).port
    const dispatch = await bench.pinged(`http://open.test:${port}/hook`)
    expect(dispatch).toMatchObject({ status: 'succeeded', attempts: [{ address: '127.0.0.1' }] })
    expect(receiver.requests[0]?.headers.host).toBe(`open.test:${port}`)
  })

  test.each([
    ['private.test', '10.0.0.1', 'private'],
    ['metadata.test', '169.254.169.254', 'linkLocal'],
    ['mixed.test', '10.0.0.1', 'private'],
  ])('%s, which resolves to %s, is blocked; the error names the range and the setting', async (name, address, range) => {
    const receiver = bench.receiver()
    const { status, error, attempts, response_status } = await bench.pinged(`http://${name}:${new URL(receiver.url).port}/`)
    expect({ status, response_status, error }).toMatchObject({
      status: 'failed',
      response_status: null,
      error: { code: 'blocked_address' },
    })
    for (const word of [name, address, `"${range}"`, 'OUTBOUND_ALLOW']) expect(error.detail).toContain(word)
    expect(attempts[0].address).toBeNull()
    expect(receiver.requests).toEqual([])
  })

  test('that does not resolve fails the dispatch', async () => {
    expect(await bench.pinged('http://nobody.test/')).toMatchObject({ status: 'failed', error: { code: 'dns_failure' } })
  })

  test('that resolves differently each time is checked and connected to with one resolution', async () => {
    const receiver = bench.receiver()
    const { hook } = await bench.hookTo(`http://rebinding.test:${new URL(receiver.url).port}/`)
    const ping = () => bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    const before = names.queries.length
    expect(await ping()).toMatchObject({ status: 'succeeded' })
    // One query per request: a second one would have been answered with 10.0.0.1.
    expect(names.queries.slice(before).filter((question) => question === 'A rebinding.test')).toHaveLength(1)
    expect(await ping()).toMatchObject({ status: 'failed', error: { code: 'blocked_address' } })
    expect(await ping()).toMatchObject({ status: 'succeeded' })
    expect(receiver.requests).toHaveLength(2)
  })
})
