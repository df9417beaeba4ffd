import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type NameServer, nameServer } from './name-server.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
let names: NameServer

beforeAll(async () => {
  names = await nameServer((name, question) => {
    // Allowed on the first query, which the check makes; blocked on any further one.
    if (name === 'rebinding.test') return question === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    if (name === 'rebinding6.test') return question === 1 ? ['127.0.0.1'] : ['::1']
    if (name === 'both.test') return ['127.0.0.1', '::1']
    if (name === 'open.test') return ['127.0.0.1']
    return []
  })
  // Exactly one address is allowed: listeners on others must stay out of reach.
  bench = await Workbench.open({ environment: { DNS_SERVERS: names.address, OUTBOUND_ALLOW: '127.0.0.1/32' } })
})

afterAll(async () => {
  await bench.close()
  await names.stop()
})

/** A receiver, and a listener on the same port of another address, where no connection may arrive. */
async function receiverAndTrap(address: string) {
  const receiver = bench.receiver()
  const port = Number(new URL(receiver.url).port)
  let connections = 0
  const trap = Bun.listen({ hostname: address, port, socket: { open: () => void connections++, data: () => {} } })
  return { receiver, port, knocks: () => connections, stop: () => trap.stop(true) }
}

describe('the address that was checked is the one that is connected to', () => {
  test.each([
    ['rebinding.test', '127.0.0.2'],
    ['rebinding6.test', '::1'],
  ])('%s is resolved once, and %s is never connected to', async (name, elsewhere) => {
    const { receiver, port, knocks, stop } = await receiverAndTrap(elsewhere)
    const first = await bench.pinged(`http://${name}:${port}/`)
    expect(first).toMatchObject({ status: 'succeeded', attempts: [{ address: '127.0.0.1' }] })
    expect(names.queries.filter((question) => question === `A ${name}`)).toHaveLength(1)
    expect(await bench.pinged(`http://${name}:${port}/`)).toMatchObject({ status: 'failed' })
    expect([receiver.requests.length, knocks()]).toEqual([1, 0])
    stop()
  })

  test('one blocked address blocks a name, however many others are allowed', async () => {
    const { receiver, port, knocks, stop } = await receiverAndTrap('::1')
    const { error } = await bench.pinged(`http://both.test:${port}/`)
    expect(error).toMatchObject({ code: 'blocked_address', detail: expect.stringContaining('both.test resolves to ::1') })
    expect([receiver.requests.length, knocks()]).toEqual([0, 0])
    stop()
  })

  test('no redirect is followed, whether to a blocked address or an allowed one', async () => {
    const { receiver, port, knocks, stop } = await receiverAndTrap('127.0.0.2')
    for (const location of [`http://127.0.0.2:${port}/`, 'http://169.254.169.254/latest/meta-data/', `${receiver.url}/next`]) {
      receiver.answer = () => new Response('', { status: 307, headers: { Location: location } })
      expect(await bench.pinged(receiver.url)).toMatchObject({ status: 'failed', error: { code: 'redirect' } })
    }
    expect([receiver.requests.map(({ path }) => path), knocks()]).toEqual([['/', '/', '/'], 0])
    stop()
  })
})
