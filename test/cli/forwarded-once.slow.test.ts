/** `listen --forward`: nothing is posted twice, and nothing is taken from another process. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Listeners, started } from './listeners.ts'
import { Gateway, RUNTIMES } from './support.ts'

const fixture = new Listeners()
let { bench, home, token }: Listeners = fixture

beforeAll(async () => {
  await fixture.open()
  ;({ bench, home, token } = fixture)
})

afterAll(() => fixture.close())

describe.each(RUNTIMES)('on %s', (_, runtime) => {
  test('the status decides: a body that breaks, is long or never ends repeats nothing', async () => {
    const listen = await fixture.listening(runtime)
    const came: string[] = []
    const bodies: Record<string, (socket: Bun.Socket) => unknown> = {
      'Content-Length: 100': (socket) => socket.end('half'),
      'Content-Length: 101': (socket) => socket.terminate(),
      'Transfer-Encoding: chunked': (socket) => socket.end('5\r\nha'),
      'Content-Length: 900000': (socket) => socket.write('x'.repeat(60_000)),
      'X-Endless: true': (socket) => socket.write('drip'),
    }
    const [headers, endings] = [Object.keys(bodies), Object.values(bodies)]
    using server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket, data) {
          const id = /x-signalbox-delivery: (\S+)/i.exec(data.toString())?.[1]
          if (!id) return
          came.push(id)
          const number = (came.length - 1) % headers.length
          socket.write(`HTTP/1.1 200 OK\r\n${headers[number]}\r\n\r\n`)
          endings[number]?.(socket)
        },
      },
    })
    // Without a scheme it is http.
    const args = ['listen', '--project', listen.project.id, '--forward', `LOCALHOST:${server.port}/hooks`, '--secret', 'a']
    const listener = home.start(args, { runtime, environment: { SIGNALBOX_URL: bench.box.base, SIGNALBOX_TOKEN: token } })
    await listener.said('/cli.tgz" trigger')
    const [hook] = await listen.hooks()
    for (const each of headers) {
      const dispatch = await bench.once(await bench.trigger({ hook }), ({ status }) => status !== 'pending')
      expect([each, dispatch.status, dispatch.attempt_count]).toEqual([each, 'succeeded', 1])
      expect(dispatch.response_body).toStartWith('200\n\n')
      expect(dispatch.response_body).toEndWith('(the body was cut)')
    }
    expect(came).toHaveLength(headers.length)
  })

  test('what was answered is not posted again when its acknowledgement is lost', async () => {
    await using gateway = new Gateway(bench.box.base)
    const listen = await fixture.listening(runtime, gateway.url)
    const { hook } = await started(listen)
    gateway.turn = (request) => ({ instead: request.endsWith('/acknowledge') ? new Response('', { status: 502 }) : undefined })
    const dispatch = await bench.trigger({ hook })
    await bench.box.until('it is acknowledged', async () => gateway.requests.some((each) => each.endsWith('/acknowledge')))
    await bench.runOut({ dispatch })
    gateway.turn = () => ({})
    const done = await bench.once(dispatch, ({ status }) => status !== 'pending')
    expect([done.status, done.attempt_count, listen.receiver.requests.length]).toEqual(['succeeded', 2, 1])
  })

  test('two for the same URL have a hook each, and a third takes up only that of one that was killed', async () => {
    const listen = await fixture.listening(runtime)
    const first = await started(listen, '--secret', 'a')
    const second = listen.start('--secret', 'a')
    await second.said('/cli.tgz" trigger')
    const hooks = await listen.hooks()
    expect(hooks).toHaveLength(2)
    first.listener.kill('SIGTERM')
    expect(await first.listener.exited).toBe(0)
    const [left, ...others] = await listen.hooks()
    expect([left.id, others]).toEqual([hooks.find(({ id }) => id !== first.hook.id)?.id, []])
    expect((await bench.once(await bench.trigger({ hook: left }), ({ status }) => status !== 'pending')).status).toBe('succeeded')
    second.kill('SIGKILL')
    await second.exited
    // Two at once: one of them takes it up.
    const both = [listen.start('--secret', 'a'), listen.start('--secret', 'a')]
    await Promise.all(both.map((each) => each.said('/cli.tgz" trigger')))
    expect((await listen.hooks()).map(({ id }) => id)).toContain(left.id)
    expect(await listen.hooks()).toHaveLength(2)
    expect(both.filter(({ lines }) => lines.some((line) => line.includes('left by an earlier run')))).toHaveLength(1)
    for (const each of both) each.kill('SIGTERM')
    expect(await Promise.all(both.map(({ exited }) => exited))).toEqual([0, 0])
    expect(await listen.hooks()).toEqual([])
    // What was left for another URL goes a day later, and what somebody made stays.
    const killed = await started(listen, '--secret', 'a')
    killed.listener.kill('SIGKILL')
    await killed.listener.exited
    const made = ['listen: mine', killed.hook.name.replace('→', '→ elsewhere')]
    for (const name of made)
      await bench.admin.make(`/api/v1/projects/${listen.project.id}/deployment-hooks`, {
        name,
        mode: 'pull',
        trigger_on: 'gate_approved',
      })
    await bench.box
      .sql`update deployment_hooks set claimed_at = now() - interval '25 hours' where project_id = ${listen.project.id}`
    const names = async () => (await listen.hooks()).map(({ name }) => name).sort()
    await bench.box.until('it is removed', async () => (await names()).length === 2)
    expect(await names()).toEqual([...made].sort())
    // Taken over from elsewhere, it is not removed.
    const last = await started(listen, '--secret', 'a')
    await bench.admin.put(`/api/v1/deployment-hooks/${last.hook.id}`, { name: 'Taken' })
    last.listener.kill('SIGTERM')
    await last.listener.said('Another process has taken up the hook.')
    expect(await last.listener.exited).toBe(0)
    expect((await listen.hooks()).map(({ name }) => name).sort()).toEqual(['Taken', ...made].sort())
  })
})
