import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Process } from '../support/signalbox.ts'
import { beforeWaitEnds } from '../support/within.ts'
import { type Pulled, PullWorkbench } from './workbench.ts'

let bench: PullWorkbench
const agents: Process[] = []

beforeAll(async () => {
  bench = await PullWorkbench.open()
})

afterAll(async () => {
  await bench.close()
  for (const each of agents) each.kill('SIGKILL')
  await Promise.all(agents.map(({ exited }) => exited))
})

function agentFor({ hook, token }: Pulled, script: string, ...options: string[]): Process {
  const agent = new Process(
    ['cli/signalbox.js', 'agent', '--hook', hook.id, '--url', bench.box.base, ...options, '--', 'sh', '-c', script],
    {
      SIGNALBOX_TOKEN: token,
    },
  )
  agents.push(agent)
  return agent
}

/** Whether a process exists and is not a zombie. */
function isRunning(pid: number): boolean {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'stat=', '-p', String(pid)])
  return /^[^Z]/.test(stdout.toString().trim())
}

describe('bun run agent', () => {
  test('runs the command with payload and variables, reports, and acknowledges', async () => {
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    const { id } = await bench.trigger(pulled)
    agentFor(pulled, 'echo "$SIGNALBOX_EVENT $SIGNALBOX_DELIVERY $SIGNALBOX_ATTEMPT $SIGNALBOX_SEQUENCE [$SIGNALBOX_TOKEN]"; cat')
    const dispatch = await bench.once({ id }, ({ status, rollout }) => status !== 'pending' && rollout.state === 'succeeded')
    const [line = '', payload = ''] = dispatch.response_body.split('\n')
    expect([dispatch.status, dispatch.rollout.state, line]).toEqual(['succeeded', 'succeeded', `manual.trigger ${id} 1 1 []`])
    expect(JSON.parse(payload).hook.id).toBe(pulled.hook.id)
    expect(dispatch.rollout.reported_by).toBeNull()
  })

  test('acknowledges other exit codes as failed, and 75 as retry', async () => {
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    const first = await bench.trigger(pulled)
    agentFor(pulled, 'test "$SIGNALBOX_SEQUENCE" = 1 && exit 3; exit 75')
    const failed = await bench.once(first, ({ status, rollout }) => status !== 'pending' && rollout.state === 'failed')
    expect([failed.status, failed.attempt_count, failed.error.code, failed.rollout.state]).toEqual([
      'failed',
      1,
      'claimer_failed',
      'failed',
    ])
    const retried = await bench.once(await bench.trigger(pulled), ({ status }) => status !== 'pending')
    expect([retried.attempt_count, retried.error.code, retried.rollout.state]).toEqual([3, 'retry_requested', 'in_progress'])
  })

  test('finishes the running command on SIGTERM, and claims nothing more', async () => {
    const pulled = await bench.pulled()
    const first = await bench.trigger(pulled)
    const agent = agentFor(pulled, 'echo started; sleep 1; echo finished')
    await agent.said('started')
    const second = await bench.trigger(pulled)
    agent.kill('SIGTERM')
    expect(await agent.exited).toBe(0)
    expect(await bench.dispatch(first.id)).toMatchObject({ status: 'succeeded', response_body: 'started\nfinished' })
    expect((await bench.dispatch(second.id)).attempt_count).toBe(0)
  })

  test('ends at once on SIGTERM while it waits', async () => {
    const agent = agentFor(await bench.pulled(), 'true')
    await agent.said('Claiming from')
    agent.kill('SIGTERM')
    expect(await beforeWaitEnds('the exit', agent.exited)).toBe(0)
  })

  test('killed in between leaves the dispatch to the next one', async () => {
    const pulled = await bench.pulled()
    const { id } = await bench.trigger(pulled)
    const agent = agentFor(pulled, 'echo started; sleep 2')
    await agent.said('started')
    agent.kill('SIGKILL')
    await agent.exited
    expect((await bench.dispatch(id)).status).toBe('pending')
    await bench.runOut({ dispatch: { id } })
    agentFor(pulled, 'true')
    const dispatch = await bench.once({ id }, ({ status }) => status !== 'pending')
    expect([dispatch.status, dispatch.attempt_count]).toEqual(['succeeded', 2])
  })

  test('killed takes its command and what that started with it, also what ignores SIGTERM', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    const agent = agentFor(pulled, 'sh -c \'trap "" TERM; echo child=$$; sleep 300; sleep 300\' & echo command=$$; wait')
    const lines = [await agent.said('command='), await agent.said('child=')]
    const pids = lines.map((line) => Number(/=(\d+)/.exec(line)?.[1]))
    agent.kill('SIGKILL')
    await agent.exited
    await bench.box.until('both have ended', async () => !pids.some(isRunning), 10_000)
  })

  test('stopped leaves nothing of its command that ignores SIGTERM', async () => {
    const pulled = await bench.pulled()
    const first = await bench.trigger(pulled)
    const agent = agentFor(pulled, 'sh -c \'trap "" TERM; echo child=$$; sleep 300; sleep 300\' & wait', '--lease', '30')
    const child = Number(/=(\d+)/.exec(await agent.said('child='))?.[1])
    await agent.said('the lease ends')
    expect(isRunning(child)).toBe(false)
    expect((await bench.dispatch(first.id)).status).toBe('pending')
  })

  test('whose lease ended while the command ran says so, and changes nothing', async () => {
    const pulled = await bench.pulled()
    const { id } = await bench.trigger(pulled)
    const agent = agentFor(pulled, 'test "$SIGNALBOX_ATTEMPT" = 1 || exit 0; echo started; sleep 1')
    await agent.said('started')
    await bench.runOut({ dispatch: { id } })
    await agent.said('could not acknowledge')
    const dispatch = await bench.once({ id }, ({ status }) => status !== 'pending')
    expect([dispatch.status, dispatch.attempt_count]).toEqual(['succeeded', 2])
  })

  test('says what is wrong', async () => {
    const pulled = await bench.pulled()
    const wrong = agentFor({ ...pulled, token: 'sbx_pull_wrong' }, 'true')
    await wrong.said('Signalbox answered 401')
    expect(await wrong.exited).toBe(1)
    const short = agentFor(pulled, 'true', '--lease', '5')
    await short.said('--lease must be')
    expect(await short.exited).toBe(1)
  })
})
