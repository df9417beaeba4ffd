import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

test('a kept connection that is closed just as it is used again is no failure of the receiver', async () => {
  const answered = new Set<Socket>()
  let closed = 0
  const server = await bench.raw((socket) => {
    if (answered.has(socket)) {
      closed += 1
      socket.resetAndDestroy()
      return
    }
    answered.add(socket)
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
  })
  const { hook } = await bench.hookTo(server.url, { paused: true })
  for (let each = 0; each < 40; each++) expect((await bench.ask(hook, 'trigger')).status).toBe(202)
  await bench.change(hook, { paused: false })
  await bench.box.settled()
  const { items, total } = await bench.listed(hook, '?page_size=100')
  expect(total).toBe(40)
  for (const { status, attempt_count } of items) expect([status, attempt_count]).toEqual(['succeeded', 1])
  expect(closed).toBeGreaterThan(0)
  expect(server.count()).toBe(40 + closed)
})
