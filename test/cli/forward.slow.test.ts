/** `listen --forward`: what arrives, what is acknowledged, and that nothing is lost when it is killed. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { verifyWebhook } from '../../sdk/index.js'
import type { Answer } from '../support/signalbox.ts'
import { Listeners, started } from './listeners.ts'
import { Gateway, RUNTIMES } from './support.ts'

type Body = Answer['body']

const fixture = new Listeners()
let { bench, home, token }: Listeners = fixture

beforeAll(async () => {
  await fixture.open()
  ;({ bench, home, token } = fixture)
})

afterAll(() => fixture.close())

const codesOf = ({ attempts }: Body) => attempts.map(({ error }: Body) => error?.code)

describe.each(RUNTIMES)('on %s', (_, runtime) => {
  test('forwards with the real headers, acknowledges the answer, and removes its hook at the end', async () => {
    const listen = await fixture.listening(runtime)
    listen.receiver.answer = () => new Response('deployed', { status: 201 })
    const { listener, hook, secret } = await started(listen)
    expect(hook).toMatchObject({ mode: 'pull', trigger_on: 'gate_approved', environment: 'development' })
    await bench.approve(listen.project)
    const [request] = await listen.receiver.waitFor(1)
    if (!request) throw new Error('nothing came')
    expect([request.method, request.path]).toEqual(['POST', '/hooks'])
    const event = verifyWebhook(request.body, request.headers, secret)
    expect(event.event).toBe('gate.approved')
    const { headers } = request
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Signalbox-Hooks/1',
      'x-signalbox-event': 'gate.approved',
      'x-signalbox-sequence': '1',
      'x-signalbox-attempt': '1',
    })
    const dispatch = await bench.once({ id: headers['x-signalbox-delivery'] }, ({ status }) => status !== 'pending')
    expect([dispatch.status, dispatch.response_body]).toEqual(['succeeded', '201\n\ndeployed'])
    await listener.said('gate.approved      sequence 1, attempt 1  201 in')
    listener.kill('SIGINT')
    expect(await listener.exited).toBe(0)
    expect(await listen.hooks()).toEqual([])
  })

  test('what is not 2xx is attempted again; 410 and X-Signalbox-Control: stop end it', async () => {
    const listen = await fixture.listening(runtime)
    const { hook } = await started(listen)
    listen.receiver.answer = (_request, number) => new Response(`answer ${number}`, { status: [503, 302][number - 1] ?? 200 })
    const retried = await bench.once(await bench.trigger({ hook }), ({ status }) => status !== 'pending')
    expect([retried.status, codesOf(retried)]).toEqual(['succeeded', ['retry_requested', 'retry_requested', undefined]])
    expect(retried.attempts.map(({ response_body }: Body) => response_body)).toEqual([
      '503\n\nanswer 1',
      '302\n\nanswer 2',
      '200\n\nanswer 3',
    ])
    listen.receiver.answer = () => new Response('no', { status: 400, headers: { 'X-Signalbox-Control': 'stop' } })
    const stopped = await bench.once(await bench.trigger({ hook }), ({ status }) => status !== 'pending')
    expect([stopped.status, stopped.attempt_count]).toEqual(['failed', 1])
    listen.receiver.answer = () => new Response('gone', { status: 410 })
    const gone = await bench.once(await bench.trigger({ hook }), ({ status }) => status !== 'pending')
    expect([gone.status, gone.attempt_count, (await listen.hooks())[0].enabled]).toEqual(['failed', 1, true])
  })

  test('while the local server is away, dispatches are attempted again', async () => {
    const listen = await fixture.listening(runtime)
    const args = [
      'listen',
      '--project',
      listen.project.id,
      '--forward',
      'http://127.0.0.1:9/hooks',
      '--json',
      '--secret',
      'a',
      '--trigger-on',
      'workflow_done',
      '--environment',
      'eu',
    ]
    const listener = home.start(args, { runtime, environment: { SIGNALBOX_URL: bench.box.base, SIGNALBOX_TOKEN: token } })
    await listener.said('/cli.tgz" trigger')
    const [hook] = await listen.hooks()
    expect(hook).toMatchObject({ trigger_on: 'workflow_done', environment: 'eu' })
    const { id } = await bench.trigger({ hook })
    const line = JSON.parse(await listener.said('{"dispatch_id"'))
    expect(line).toMatchObject({
      dispatch_id: id,
      event: 'manual.trigger',
      sequence: 1,
      status: null,
      error: 'ECONNREFUSED',
      outcome: 'retry',
    })
    listener.kill('SIGTERM')
    expect(await listener.exited).toBe(0)
  })

  test('many at once arrive while one is slow', async () => {
    const listen = await fixture.listening(runtime)
    const { hook } = await started(listen)
    const slow = Promise.withResolvers<void>()
    listen.receiver.answer = async ({ headers }) => {
      if (headers['x-signalbox-sequence'] === '1') await slow.promise
      return new Response('ok')
    }
    const dispatches = await Promise.all(Array.from({ length: 25 }, () => bench.trigger({ hook })))
    const made = dispatches.filter(({ sequence }) => sequence !== 1)
    for (const each of made) expect((await bench.once(each, ({ status }) => status !== 'pending')).status).toBe('succeeded')
    // What a killed process was forwarding comes again when its lease ends.
    const [lease] = await bench.box.sql<{ seconds: number }[]>`
      select extract(epoch from lease_until - leased_at)::integer as seconds from deliveries where lease_until is not null
    `
    expect(lease?.seconds).toBeWithin(30, 61)
    slow.resolve()
    const [first] = dispatches.filter(({ sequence }) => sequence === 1)
    expect((await bench.once(first, ({ status }) => status !== 'pending')).attempt_count).toBe(1)
  })

  test('killed at any request, it takes up its hook, and what came meanwhile arrives', async () => {
    await using gateway = new Gateway(bench.box.base)
    const points = [
      'GET …/hooks before',
      'POST …/hooks after',
      'PUT …/hooks after',
      'claim before',
      'claim after',
      'forwarded',
      'acknowledge before',
      'acknowledge after',
    ]
    const listen = await fixture.listening(runtime, gateway.url)
    let hook: Body
    const wanted: string[] = []
    for (const point of points) {
      const listener = listen.start('--secret', 'shared')
      const kill = () => listener.kill('SIGKILL')
      let triggered = false
      listen.receiver.answer = () => {
        if (point === 'forwarded') kill()
        return new Response('ok')
      }
      gateway.turn = (request) => {
        const [what, when = ''] = point.split(/ (?=before$|after$)/)
        const fits =
          (what === 'GET …/hooks' && request === 'GET /api/v1/projects/…/deployment-hooks') ||
          (what === 'POST …/hooks' && request === 'POST /api/v1/projects/…/deployment-hooks') ||
          (what === 'PUT …/hooks' && request.startsWith('PUT ')) ||
          // Not the first one, which waits for the dispatch.
          (triggered && what === 'claim' && request.endsWith('/claim')) ||
          (what === 'acknowledge' && request.endsWith('/acknowledge'))
        return fits ? { [when]: kill } : {}
      }
      const [left] = await listen.hooks()
      if (left) {
        hook ??= left
        if (point.startsWith('PUT')) await listener.exited
        else await listener.said('left by an earlier run')
        wanted.push((await bench.trigger({ hook })).id)
        triggered = true
        if (point.startsWith('claim')) {
          await bench.box.until(
            'it was claimed, or killed',
            async () => listener.hasExited || (await bench.dispatch(wanted.at(-1) ?? '')).status !== 'pending',
          )
          wanted.push((await bench.trigger({ hook })).id)
        }
      }
      expect([point, await listener.exited]).toEqual([point, 137])
      const hooks = await listen.hooks()
      expect(hooks.length).toBeLessThan(2)
      if (hook) expect(hooks.map(({ id }) => id)).toEqual([hook.id])
    }
    gateway.turn = () => ({})
    listen.receiver.answer = () => new Response('ok')
    // Leases of the killed end, as if their time had passed.
    for (const id of wanted) {
      const { status } = await bench.dispatch(id)
      if (status === 'pending') await bench.runOut({ dispatch: { id } })
    }
    const listener = listen.start('--secret', 'shared')
    for (const id of wanted) expect((await bench.once({ id }, ({ status }) => status !== 'pending')).status).toBe('succeeded')
    const arrived = new Set(listen.receiver.requests.map(({ headers }) => headers['x-signalbox-delivery']))
    expect(wanted.filter((id) => !arrived.has(id))).toEqual([])
    listener.kill('SIGTERM')
    expect(await listener.exited).toBe(0)
    expect(await listen.hooks()).toEqual([])
  })

  test('suspended, as while a laptop sleeps, it loses nothing', async () => {
    await using gateway = new Gateway(bench.box.base)
    const listen = await fixture.listening(runtime, gateway.url)
    const { listener, hook } = await started(listen)
    await bench.box.until('it claims', async () => gateway.requests.some((request) => request.endsWith('/claim')))
    listener.kill('SIGSTOP')
    const dispatches = await Promise.all([bench.trigger({ hook }), bench.trigger({ hook })])
    await bench.box.until('the claim that waited has leased one', async () => (await leases(dispatches)) > 0)
    for (const dispatch of dispatches) await bench.runOut({ dispatch })
    listener.kill('SIGCONT')
    for (const each of dispatches) expect((await bench.once(each, ({ status }) => status !== 'pending')).status).toBe('succeeded')
  })

  test('says when someone has removed its hook, and what a wrong call lacks', async () => {
    const listen = await fixture.listening(runtime)
    const { listener, hook } = await started(listen)
    await bench.admin.delete(`/api/v1/deployment-hooks/${hook.id}`)
    await listener.said('Someone removed the hook.')
    expect(await listener.exited).toBe(1)
    const environment = { SIGNALBOX_URL: bench.box.base, SIGNALBOX_TOKEN: token }
    const alone = await home.run(['listen', '--project', listen.project.id], { runtime, environment })
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('--project and --forward belong together.')])
  })
})

async function leases(dispatches: Body[]): Promise<number> {
  const [{ count }] = await bench.box.sql<[{ count: number }]>`
    select count(*)::int as count
    from deliveries
    where id = any(${dispatches.map(({ id }) => id)}::uuid[])
      and lease_until is not null
  `
  return count
}
