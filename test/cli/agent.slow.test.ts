/** `agent` on Node, and killed at any request; test/pull-hooks has the rest, on Bun. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Pulled, PullWorkbench } from '../pull-hooks/workbench.ts'
import type { Process } from '../support/signalbox.ts'
import { Gateway, Home, RUNTIMES } from './support.ts'

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
    const dispatch = await bench.once({ id }, ({ status }) => status !== 'pending')
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

  test('killed at any request, the dispatch comes again', async () => {
    await using gateway = new Gateway(bench.box.base)
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    for (const point of ['/claim', '/report', '/acknowledge'])
      for (const when of ['before', 'after'] as const) {
        const { id } = await bench.trigger(pulled)
        const agent = agentFor(pulled, 'true', gateway.url)
        gateway.turn = (request) => (request.endsWith(point) ? { [when]: () => agent.kill('SIGKILL') } : {})
        // Reports go to the address that the service names.
        if (point === '/report') {
          await bench.once({ id }, ({ rollout }) => rollout.state !== 'awaiting')
          agent.kill('SIGKILL')
        }
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
