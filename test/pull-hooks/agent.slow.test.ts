/** What the agent does with a command that does not end. Each waits for real time, so they run together. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Process } from '../support/signalbox.ts'
import { type Pulled, PullWorkbench } from './workbench.ts'

let bench: PullWorkbench
let folder: string
const agents: Process[] = []

beforeAll(async () => {
  bench = await PullWorkbench.open()
  folder = await mkdtemp(join(tmpdir(), 'signalbox-agent-'))
})

afterAll(async () => {
  await bench.close()
  for (const each of agents) each.kill('SIGKILL')
  await Promise.all(agents.map(({ exited }) => exited))
  await rm(folder, { recursive: true })
})

interface Started {
  /** Arguments of the runtime. */
  runtime?: string[]
  environment?: Record<string, string>
  options?: string[]
}

function agentFor({ hook, token }: Pulled, script: string, { runtime = [], environment, options = [] }: Started = {}): Process {
  const own = ['--hook', hook.id, '--url', bench.box.base, ...options]
  const agent = new Process([...runtime, 'cli/signalbox.js', 'agent', ...own, '--', 'sh', '-c', script], {
    ...environment,
    SIGNALBOX_TOKEN: token,
  })
  agents.push(agent)
  return agent
}

const codesOf = ({ attempts }: { attempts: { error: { code: string } | null }[] }) => attempts.map(({ error }) => error?.code)

test.concurrent('Stopped in the middle of a command that goes on, the agent ends it and gives the dispatch back', async () => {
  const pulled = await bench.pulled()
  const { id } = await bench.trigger(pulled)
  const agent = agentFor(pulled, 'trap "echo told; exit 9" TERM; echo started; sleep 300 & wait')
  await agent.said('started')
  agent.kill('SIGTERM')
  expect(await agent.exited).toBe(0)
  const dispatch = await bench.dispatch(id)
  expect([dispatch.status, dispatch.attempt_count, codesOf(dispatch)]).toEqual(['pending', 1, ['retry_requested']])
  expect(dispatch.attempts[0].response_body).toBe('started\ntold')
  expect((await bench.claimOne(pulled)).dispatch.id).toBe(id)
})

test.concurrent('A command that outlasts its lease is stopped before it ends, and nothing is acknowledged', async () => {
  const pulled = await bench.pulled({ report_within_seconds: 600 })
  const { id } = await bench.trigger(pulled)
  const script = 'test "$SIGNALBOX_ATTEMPT" = 1 || exit 0; echo started; sleep 300'
  const agent = agentFor(pulled, script, { options: ['--lease', '30'] })
  await agent.said('the lease ends')
  expect((await bench.dispatch(id)).attempts).toEqual([])
  const dispatch = await bench.once({ id }, ({ status, rollout }) => status !== 'pending' && rollout.state === 'succeeded')
  expect([dispatch.status, codesOf(dispatch), dispatch.rollout.state]).toEqual([
    'succeeded',
    ['lease_expired', undefined],
    'succeeded',
  ])
})

test.concurrent('Stopped shortly before the lease ends, the agent ends in time, and the dispatch is attempted again', async () => {
  const pulled = await bench.pulled()
  const { id } = await bench.trigger(pulled)
  const agent = agentFor(pulled, 'echo started; sleep 300', { options: ['--lease', '30'] })
  await agent.said('started')
  await bench.box.until('less of the lease is left than a command may take after SIGTERM', async () => {
    const [lease] = await bench.box.sql<{ left: number }[]>`
      select extract(epoch from lease_until - now())::double precision as left from deliveries where id = ${id}
    `
    return (lease?.left ?? 0) < 15
  })
  agent.kill('SIGTERM')
  expect(await agent.exited).toBe(0)
  expect((await bench.claimOne(pulled)).dispatch.attempt_count).toBe(1)
  expect(codesOf(await bench.dispatch(id))).toEqual(['lease_expired'])
})

for (const offset of [3_600, -3_600])
  test.concurrent(`A clock of the claimer that is off by ${offset} seconds changes nothing`, async () => {
    const file = join(folder, String(offset))
    writeFileSync(file, String(offset))
    const pulled = await bench.pulled({ report_within_seconds: 600 })
    const { id } = await bench.trigger(pulled)
    const agent = agentFor(pulled, 'echo started; sleep 2; date', {
      runtime: ['--preload', './faults/shifted-clock.ts'],
      environment: { CLOCK_OFFSET: file },
      options: ['--lease', '30'],
    })
    await agent.said('started')
    const [lease] = await bench.box.sql<{ left: number }[]>`
      select extract(epoch from lease_until - now())::double precision as left from deliveries where id = ${id}
    `
    expect(lease?.left).toBeWithin(0, 30)
    const dispatch = await bench.once({ id }, ({ status, rollout }) => status !== 'pending' && rollout.state === 'succeeded')
    expect([dispatch.status, codesOf(dispatch), dispatch.rollout.state]).toEqual(['succeeded', [undefined], 'succeeded'])
  })
