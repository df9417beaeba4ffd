import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import { Workbench } from '../test/deployment-hooks/workbench.ts'
import { Process } from '../test/support/signalbox.ts'

let bench: Workbench
/** A DNS server that receives queries and never responds. */
const silentNames = createSocket('udp4')

beforeAll(async () => {
  await new Promise<void>((resolve) => silentNames.bind(0, '127.0.0.1', resolve))
  bench = await Workbench.open({ environment: { DNS_SERVERS: `127.0.0.1:${silentNames.address().port}` } })
})

afterAll(async () => {
  await bench.close()
  silentNames.close()
})

/** A port with a full backlog and no accept: the next connection gets no response at all. */
async function blackHole(): Promise<{ url: string; stop: () => Promise<void> }> {
  const source =
    "const s = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log('port', s.address().port))"
  const listener = new Process(['--eval', source], {})
  const port = Number((await listener.said('port')).split(' ')[1])
  listener.kill('SIGSTOP')
  const callers: Socket[] = []
  const connects = () =>
    new Promise<boolean>((resolve) => {
      const caller = connect(port, '127.0.0.1', () => resolve(true))
      caller.on('error', () => {})
      callers.push(caller)
      setTimeout(resolve, 1_500, false)
    })
  while (await connects());
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      for (const caller of callers) caller.destroy()
      listener.kill('SIGKILL')
      await listener.exited
    },
  }
}

/** Writes a little at a time, without end. */
function drip(socket: Socket, start: string, piece: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(piece), 500)
  socket.on('close', () => clearInterval(timer))
}

const pingRaw = async (answer: (socket: Socket) => void) => bench.pinged((await bench.raw(answer)).url)

test('a request has 15 seconds in total: silence is a failure, a 200 with a dripping body a success, and others are served meanwhile', async () => {
  const slow = Promise.all([
    pingRaw(() => {}),
    pingRaw((socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X-Slow: and slow\r\n')),
    pingRaw((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n', '.')),
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
  for (const dispatch of [silent, headers])
    expect(dispatch).toMatchObject({
      status: 'failed',
      response_status: null,
      error: { code: 'timeout', detail: 'No response came from 127.0.0.1 within 15 seconds.' },
    })
  // The status arrived in time and decides.
  expect(body).toMatchObject({
    status: 'succeeded',
    response_status: 200,
    error: null,
    attempts: [{ error: { code: 'timeout', detail: 'The response was not complete within 15 seconds.' } }],
  })
  expect(body.attempts[0].response_body).toMatch(/^\.{10,30}$/)
})

test('an address that drops packets times out after 15 seconds, and so does a name server that never responds', async () => {
  const hole = await blackHole()
  const [dropped, unnamed] = await Promise.all([bench.pinged(hole.url), bench.pinged('http://silent.test/')])
  await hole.stop()
  expect(dropped).toMatchObject({
    status: 'failed',
    response_status: null,
    error: { code: 'timeout', detail: 'No response came from 127.0.0.1 within 15 seconds.' },
    attempts: [{ address: '127.0.0.1', dns_ms: expect.any(Number), first_byte_ms: null }],
  })
  expect(unnamed).toMatchObject({ status: 'failed', error: { code: 'dns_failure' }, attempts: [{ address: null, dns_ms: null }] })
  expect(unnamed.error.detail).toMatch(/^The name silent\.test could not be resolved: the name servers did not answer \(\w+\)\.$/)
})
