/** `agent` on Node, and killed at any request; test/pull-hooks has the rest, on Bun. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Pulled, PullWorkbench } from '../pull-hooks/workbench.ts'
import type { Process } from '../support/signalbox.ts'
import { Gateway, Home, RUNTIMES, STRANGERS } from './support.ts'

let bench: PullWorkbench
let home: Home

beforeAll(async () => {
  bench = await PullWorkbench.open()
  home = await Home.make()
})

afterAll(async () => {
  await home[Symbol.asyncDispose]()
  await bench.close()
})

/** Whether a process exists and is not a zombie. */
const isRunning = (pid: number): boolean =>
  /^[^Z]/.test(
    Bun.spawnSync(['ps', '-o', 'stat=', '-p', String(pid)])
      .stdout.toString()
      .trim(),
  )

describe.each(RUNTIMES)('on %s', (_, runtime) => {
  const agentFor = ({ hook, token }: Pulled, script: string, url = bench.box.base, more: string[] = []): Process =>
    home.start(['agent', '--hook', hook.id, '--url', url, ...more, '--', 'sh', '-c', script], {
      runtime,
      environment: { SIGNALBOX_TOKEN: token, SIGNALBOX_ID_TOKEN: 'a secret' },
    })

  test('runs the command with payload and variables, reports, and acknowledges', async () => {
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    const { id } = await bench.trigger(pulled)
    const names = ['EVENT', 'DELIVERY', 'ATTEMPT', 'SEQUENCE', 'TOKEN', 'ID_TOKEN'].map((name) => `$SIGNALBOX_${name}`)
    agentFor(pulled, `echo "${names.join(' ')}"; cat`)
    const dispatch = await bench.once({ id }, ({ status, rollout }) => status !== 'pending' && rollout.state === 'succeeded')
    const [line = '', payload = ''] = dispatch.response_body.split('\n')
    expect([dispatch.status, dispatch.rollout.state, line.trim()]).toEqual(['succeeded', 'succeeded', `manual.trigger ${id} 1 1`])
    expect(JSON.parse(payload).hook.id).toBe(pulled.hook.id)
  })

  test('exit codes, a signal, and a command that cannot be started', async () => {
    const pulled = await bench.pulled()
    agentFor(pulled, 'case "$SIGNALBOX_SEQUENCE" in 1) exit 3;; 2) kill -9 $$;; *) exit 0;; esac')
    const outcomes: unknown[] = []
    for (let number = 1; number <= 3; number++) {
      const { status, error } = await bench.once(await bench.trigger(pulled), (found) => found.status !== 'pending')
      outcomes.push([status, error?.code])
    }
    expect(outcomes).toEqual([
      ['failed', 'claimer_failed'],
      ['failed', 'claimer_failed'],
      ['succeeded', undefined],
    ])
    const other = await bench.pulled()
    const args = ['agent', '--hook', other.hook.id, '--url', bench.box.base, '--token', other.token, '--json', '--', './none.sh']
    const agent = home.start(args, { runtime })
    const { id } = await bench.trigger(other)
    const line = JSON.parse(await agent.said('{"dispatch_id"'))
    expect(line).toEqual({ dispatch_id: id, event: 'manual.trigger', exit_code: 127, outcome: 'failed' })
  })

  test('stopped, it finishes the command; killed, it takes the command along', async () => {
    const pulled = await bench.pulled()
    const first = await bench.trigger(pulled)
    const agent = agentFor(pulled, 'echo command=$$; sleep 1; echo finished')
    await agent.said('command=')
    agent.kill('SIGTERM')
    expect(await agent.exited).toBe(0)
    expect(await bench.dispatch(first.id)).toMatchObject({ status: 'succeeded' })
    await bench.trigger(pulled)
    const killed = agentFor(pulled, 'echo command=$$; trap "" TERM; sleep 300; sleep 300')
    const pid = Number(/=(\d+)/.exec(await killed.said('command='))?.[1])
    killed.kill('SIGKILL')
    await bench.box.until('the command has ended', async () => !isRunning(pid), 10_000)
  })

  /** A command that leaves a line for each of its runs. */
  const counting = () => {
    const file = join(home.path, crypto.randomUUID())
    return { script: `echo ran >> ${file}`, runs: async () => (await Bun.file(file).text()).match(/ran/g)?.length }
  }

  test('reports go where it claims from, and neither the acknowledgement nor the next claim waits for them', async () => {
    await using gateway = new Gateway(bench.box.base)
    const held = Promise.withResolvers<void>()
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    const { script, runs } = counting()
    for (const answer of [undefined, STRANGERS[0]?.[1]]) {
      gateway.turn = (request) =>
        request.endsWith('/report') ? (answer ? { instead: answer() } : { before: () => held.promise }) : {}
      const { id } = await bench.trigger(pulled)
      const agent = agentFor(pulled, `${script}; echo "$SIGNALBOX_REPORT_URL"`, gateway.url)
      const dispatch = await bench.once({ id }, ({ status }) => status !== 'pending')
      expect([dispatch.status, dispatch.attempt_count, dispatch.response_body]).toEqual([
        'succeeded',
        1,
        `${gateway.url}/api/v1/dispatches/${id}/report`,
      ])
      const next = await bench.trigger(pulled)
      expect((await bench.once(next, ({ status }) => status !== 'pending')).status).toBe('succeeded')
      agent.kill('SIGTERM')
      expect(await agent.exited).toBe(0)
    }
    held.resolve()
    expect(await runs()).toBe(4)
  })

  test('a report that could not be delivered at first arrives', async () => {
    await using gateway = new Gateway(bench.box.base)
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    let refused = 0
    gateway.turn = (request) =>
      request.endsWith('/report') && refused++ < 3 ? { instead: new Response('', { status: 503 }) } : {}
    const { id } = await bench.trigger(pulled)
    agentFor(pulled, 'exit 4', gateway.url)
    expect((await bench.once({ id }, ({ rollout }) => rollout.state === 'failed')).status).toBe('failed')
  })

  test('an acknowledgement that does not arrive is repeated, and what ran does not run again', async () => {
    await using gateway = new Gateway(bench.box.base)
    const pulled = await bench.pulled()
    const { script, runs } = counting()
    const strangers = STRANGERS.map(([, stranger]) => stranger)
    const answers = [...strangers.slice(0, 2), ...strangers.slice(-2), () => new Response('', { status: 500 })]
    gateway.turn = (request) => ({ instead: request.endsWith('/acknowledge') ? answers.shift()?.() : undefined })
    const first = await bench.trigger(pulled)
    agentFor(pulled, script, gateway.url)
    const dispatch = await bench.once(first, ({ status }) => status !== 'pending')
    expect([dispatch.status, dispatch.attempt_count, await runs()]).toEqual(['succeeded', 1, 1])
    // It may have arrived, and only the answer be lost.
    let lost = 0
    gateway.turn = (request) =>
      request.endsWith('/acknowledge') && lost++ < 2 ? { lost: new Response('', { status: 502 }) } : {}
    for (let number = 2; number <= 3; number++) {
      const stored = await bench.once(await bench.trigger(pulled), ({ status }) => status !== 'pending')
      expect([stored.status, stored.attempt_count, await runs()]).toEqual(['succeeded', 1, number])
    }
    // Until the lease has ended: then it comes again, and is acknowledged with its outcome.
    gateway.turn = (request) => ({ instead: request.endsWith('/acknowledge') ? new Response('', { status: 502 }) : undefined })
    const second = await bench.trigger(pulled)
    await bench.box.until('the command has run', async () => (await runs()) === 4)
    await bench.box.until('it is acknowledged', async () => gateway.requests.at(-1)?.endsWith('/acknowledge') === true)
    await bench.runOut({ dispatch: second })
    gateway.turn = () => ({})
    const again = await bench.once(second, ({ status }) => status !== 'pending')
    expect([again.status, again.attempt_count, await runs()]).toEqual(['succeeded', 2, 4])
  })

  test('claims that something else answers are made again, and those that are answered at once after a pause', async () => {
    await using gateway = new Gateway(bench.box.base)
    const pulled = await bench.pulled()
    const answers = STRANGERS.map(([, stranger]) => stranger).slice(-4)
    gateway.turn = (request) => ({ instead: request.endsWith('/claim') ? answers.shift()?.() : undefined })
    const agent = agentFor(pulled, 'true', gateway.url)
    await agent.said('does not answer as Signalbox does')
    const first = await bench.trigger(pulled)
    expect((await bench.once(first, ({ status }) => status !== 'pending')).status).toBe('succeeded')
    gateway.turn = (request) => ({ instead: request.endsWith('/claim') ? Response.json([]) : undefined })
    const { id } = await bench.trigger(pulled)
    await bench.box.until('a claim is answered', async () => gateway.requests.at(-1)?.endsWith('/claim') === true)
    gateway.requests.length = 0
    await Bun.sleep(2_500)
    expect(gateway.requests.length).toBeWithin(1, 5)
    gateway.turn = (request) => (request.endsWith('/claim') ? { before: () => Bun.sleep(1_100), instead: Response.json([]) } : {})
    const asked = gateway.requests.length
    await bench.box.until('claims are answered late', async () => gateway.requests.length > asked + 2)
    expect(agent.lines.filter((line) => line.includes('Warning'))).toEqual([])
    gateway.turn = () => ({})
    expect((await bench.once({ id }, ({ status }) => status !== 'pending')).status).toBe('succeeded')
  })

  test('an answer that asks for a pause of weeks is not repeated at once', async () => {
    const busy = () => new Response('', { status: 503, headers: { 'Retry-After': '3000000' } })
    await using gateway = new Gateway(bench.box.base)
    gateway.turn = () => ({ instead: busy() })
    const agent = agentFor(await bench.pulled(), 'true', gateway.url)
    await agent.said('answered 503')
    await Bun.sleep(1_000)
    expect(gateway.requests).toHaveLength(1)
    agent.kill('SIGTERM')
    expect(await agent.exited).toBe(0)
  })

  test('what reads its output may end before it', async () => {
    const pulled = await bench.pulled()
    const { script, runs } = counting()
    const args = [
      'agent',
      '--hook',
      pulled.hook.id,
      '--url',
      bench.box.base,
      '--',
      'sh',
      '-c',
      `echo a; sleep 1; echo b; ${script}`,
    ]
    const agent = Bun.spawn([runtime, 'cli/signalbox.js', ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: home.path, SIGNALBOX_TOKEN: pulled.token },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    try {
      const { id } = await bench.trigger(pulled)
      for (const stream of [agent.stdout, agent.stderr]) {
        const reader = stream.getReader()
        await reader.read()
        await reader.cancel()
      }
      for (const each of [{ id }, await bench.trigger(pulled)])
        expect((await bench.once(each, ({ status }) => status !== 'pending')).status).toBe('succeeded')
      expect(await runs()).toBe(2)
    } finally {
      agent.kill('SIGTERM')
    }
    expect(await agent.exited).toBe(0)
  })

  test('killed at any request, the dispatch comes again', async () => {
    await using gateway = new Gateway(bench.box.base)
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    for (const point of ['/claim', '/report', '/acknowledge'])
      for (const when of ['before', 'after'] as const) {
        const { id } = await bench.trigger(pulled)
        const agent = agentFor(pulled, 'true', gateway.url)
        gateway.turn = (request) => (request.endsWith(point) ? { [when]: () => agent.kill('SIGKILL') } : {})
        expect(await agent.exited).toBe(137)
        gateway.turn = () => ({})
        if ((await bench.dispatch(id)).status === 'pending') await bench.runOut({ dispatch: { id } })
        const next = agentFor(pulled, 'true', gateway.url)
        await next.said('Claiming from')
        expect((await bench.once({ id }, ({ status }) => status !== 'pending')).status).toBe('succeeded')
        next.kill('SIGTERM')
        expect(await next.exited).toBe(0)
      }
  })
})
