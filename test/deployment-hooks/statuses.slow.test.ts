import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 2 })
})

afterAll(() => bench.close())

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('every 2xx status is a success; any other is recorded as a failure', async () => {
  const receiver = bench.receiver()
  receiver.answer = ({ path }) => {
    const status = Number(path.slice(1))
    return new Response([204, 205, 304].includes(status) ? null : `said ${status}`, { status })
  }
  const statuses = [...range(200, 208), 226, ...range(300, 308), ...range(400, 431), 451, 499, ...range(500, 511), 599]
  const outcomes = await Promise.all(
    statuses.map(async (status) => {
      const dispatch = await bench.pinged(`${receiver.url}/${status}`)
      return [dispatch.response_status, dispatch.status, dispatch.error?.code ?? null]
    }),
  )
  expect(outcomes).toEqual(
    statuses.map((status) => {
      if (status < 300) return [status, 'succeeded', null]
      return [status, 'failed', status < 400 ? 'redirect' : status === 410 ? 'gone' : 'http_error']
    }),
  )
})

describe('a response body', () => {
  test.each([
    ['after a 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello', 204],
    ['of HTTP/1.0, without a length', 'HTTP/1.0 200 OK\r\n\r\nhello', 200],
    ['of HTTP/1.0, with a length', 'HTTP/1.0 201 Made\r\nContent-Length: 5\r\n\r\nhello', 201],
    [
      'that is not UTF-8, after headers that are not ASCII',
      'HTTP/1.1 200 OK\r\nX-Name: \xe9\r\nContent-Length: 2\r\n\r\n\xff\xfe',
      200,
    ],
  ])('%s does not affect the success', async (_, bytes, status) => {
    const server = await bench.raw((socket) => socket.end(bytes, 'latin1'))
    expect(await bench.pinged(server.url)).toMatchObject({ status: 'succeeded', response_status: status, error: null })
    expect(server.count()).toBe(1)
  })
})

test.each([
  ['refused', (socket: { destroy: () => void }) => socket.destroy()],
  ['reset', (socket: { resetAndDestroy: () => void }) => socket.resetAndDestroy()],
])('a connection that is %s while the request is being sent fails the dispatch after one try', async (_, end) => {
  const { createServer } = await import('node:net')
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => {})
    end(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  expect(await bench.pinged(`http://127.0.0.1:${port}/`)).toMatchObject({
    status: 'failed',
    error: { code: 'connection_failed' },
  })
  expect(connections).toBe(1)
  await new Promise((resolve) => server.close(resolve))
})

test('deleting a hook deletes its waiting dispatches, and those in flight record nothing', async () => {
  const { project, hook, receiver } = await bench.hooked()
  const answer = Promise.withResolvers<void>()
  receiver.answer = async () => {
    await answer.promise
    return new Response('too late')
  }
  await bench.subscribeToOutcomes(project)
  for (let index = 0; index < 12; index++) await bench.ask(hook, 'trigger')
  await receiver.waitFor(10)
  expect((await bench.admin.delete(`/api/v1/deployment-hooks/${hook.id}`)).status).toBe(204)
  answer.resolve()
  const { hook: other, receiver: otherReceiver } = await bench.hooked()
  expect((await bench.ask(other, 'trigger', undefined, { Prefer: 'wait=10' })).body.status).toBe('succeeded')
  await bench.box.until(
    'the worker has finished the requests that were in flight',
    async () =>
      bench.box.workers
        .flatMap(({ lines }) => lines)
        .filter((line) => line.includes('"message":"dispatch"') && line.includes(hook.id)).length === 10,
  )
  expect([receiver.requests.length, otherReceiver.requests.length]).toEqual([10, 1])
  expect(await bench.box.sql`select from outbox where project_id = ${project.id} and name like 'deployment.%'`).toHaveLength(0)
})
