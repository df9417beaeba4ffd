import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Socket } from 'node:net'
import { Workbench } from '../test/deployment-hooks/workbench.ts'

setDefaultTimeout(60_000)

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

/** Writes a little, again and again. */
function drip(socket: Socket, begin: string, piece: string): void {
  socket.write(begin)
  const timer = setInterval(() => socket.write(piece), 500)
  socket.on('close', () => clearInterval(timer))
}

const pinged = async (answer: (socket: Socket) => void) => bench.pinged((await bench.raw(answer)).url)

test('there are 15 seconds for all of a request: silence is a failure, a 200 whose body drips a success, and others are served meanwhile', async () => {
  const slow = Promise.all([
    pinged(() => {}),
    pinged((socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X-Slow: and slow\r\n')),
    pinged((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n', '.')),
  ])
  let settled = false
  void slow.finally(() => {
    settled = true
  })
  const { project, hook, receiver } = await bench.hooked()
  for (let count = 1; count <= 5; count++) {
    await bench.approve(project)
    await receiver.waitFor(count)
  }
  await bench.dispatches(hook, (found) => found.length === 5 && found.every(({ status }) => status === 'succeeded'))
  expect(settled).toBeFalse()

  const [silent, headers, body] = await slow
  for (const dispatch of [silent, headers]) {
    expect(dispatch).toMatchObject({ status: 'failed', response_status: null, error: { code: 'timeout' } })
    expect(dispatch.error.detail).toBe('There was no whole answer within 15 seconds.')
  }
  // The status came in time, and it decides.
  expect(body).toMatchObject({
    status: 'succeeded',
    response_status: 200,
    error: null,
    attempts: [{ error: { code: 'timeout' } }],
  })
  expect(body.attempts[0].response_body).toMatch(/^\.{10,30}$/)
  for (const { duration_ms } of [silent, headers, body]) expect(duration_ms).toBeWithin(14_900, 17_000)
})
