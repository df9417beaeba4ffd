import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Workbench } from '../test/deployment-hooks/workbench.ts'

setDefaultTimeout(60_000)

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

test('there are 15 seconds for all of a request: silence is a failure, and a 200 whose body drips a success with a note', async () => {
  const mute = await bench.raw(() => {})
  const drip = await bench.raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n')
    const timer = setInterval(() => socket.write('.'), 500)
    socket.on('close', () => clearInterval(timer))
  })
  const [never, drips] = await Promise.all([bench.pinged(mute.url), bench.pinged(drip.url)])
  expect(never).toMatchObject({ status: 'failed', response_status: null, error: { code: 'timeout' } })
  expect(never.duration_ms).toBeWithin(14_900, 17_000)
  expect(drips).toMatchObject({ status: 'succeeded', response_status: 200, error: null })
  expect(drips.attempts[0].error.code).toBe('timeout')
  expect(drips.attempts[0].response_body).toMatch(/^\.{10,30}$/)
  expect(drips.duration_ms).toBeWithin(14_900, 17_000)
})
