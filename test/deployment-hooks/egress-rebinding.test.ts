import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type NameServer, nameServer } from './name-server.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
let names: NameServer

beforeAll(async () => {
  names = await nameServer((name, question) => {
    // Open when it is checked, closed when somebody asks again.
    if (name === 'rebinding.test') return question === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    if (name === 'rebinding6.test') return question === 1 ? ['127.0.0.1'] : ['::1']
    if (name === 'both.test') return ['127.0.0.1', '::1']
    if (name === 'open.test') return ['127.0.0.1']
    return []
  })
  // One address alone is open: what listens beside it must stay out of reach.
  bench = await Workbench.open({ environment: { DNS_SERVERS: names.address, OUTBOUND_ALLOW: '127.0.0.1/32' } })
})

afterAll(async () => {
  await bench.close()
  await names.stop()
})

/** A receiver, and the same port of a neighbouring address, where nothing may arrive. */
async function neighbours(address: string) {
  const receiver = bench.receiver()
  const port = Number(new URL(receiver.url).port)
  let knocks = 0
  const trap = Bun.listen({ hostname: address, port, socket: { open: () => void knocks++, data: () => {} } })
  return { receiver, port, knocks: () => knocks, stop: () => trap.stop(true) }
}

describe('what was checked is what is connected to', () => {
  test.each([
    ['rebinding.test', '127.0.0.2'],
    ['rebinding6.test', '::1'],
  ])('%s is asked for once, and is not at %s meanwhile', async (name, elsewhere) => {
    const { receiver, port, knocks, stop } = await neighbours(elsewhere)
    const first = await bench.pinged(`http://${name}:${port}/`)
    expect(first).toMatchObject({ status: 'succeeded', attempts: [{ address: '127.0.0.1' }] })
    expect(names.asked.filter((question) => question === `A ${name}`)).toHaveLength(1)
    expect(await bench.pinged(`http://${name}:${port}/`)).toMatchObject({ status: 'failed' })
    expect([receiver.requests.length, knocks()]).toEqual([1, 0])
    stop()
  })

  test('one closed address refuses a name, however many are open', async () => {
    const { receiver, port, knocks, stop } = await neighbours('::1')
    const { error } = await bench.pinged(`http://both.test:${port}/`)
    expect(error).toMatchObject({ code: 'blocked_address', detail: expect.stringContaining('both.test is at ::1') })
    expect([receiver.requests.length, knocks()]).toEqual([0, 0])
    stop()
  })

  test('a redirect to a closed address is not followed, nor one to an open one', async () => {
    const { receiver, port, knocks, stop } = await neighbours('127.0.0.2')
    for (const location of [`http://127.0.0.2:${port}/`, 'http://169.254.169.254/latest/meta-data/', `${receiver.url}/next`]) {
      receiver.answer = () => new Response('', { status: 307, headers: { Location: location } })
      expect(await bench.pinged(receiver.url)).toMatchObject({ status: 'failed', error: { code: 'redirect' } })
    }
    expect([receiver.requests.map(({ path }) => path), knocks()]).toEqual([['/', '/', '/'], 0])
    stop()
  })
})
