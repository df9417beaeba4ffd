/**
 * kill -9 between GitHub and Signalbox. No request of a run is lost, and GitHub never gets two contrary answers: the answer is written
 * down before it is sent, and if another one is due by then, GitHub is asked whether the first one has arrived.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ANSWER, GithubBench } from '../test/github/workbench.ts'
import type { WorkflowRun } from '../test/support/github/runs.ts'
import type { Repository } from '../test/support/github/world.ts'

const ANSWERING = /\/deployment_protection_rule$/

let bench: GithubBench
let project: { id: string }
let repository: Repository

beforeEach(async () => {
  bench = await GithubBench.connected({ own: true })
  ;({ project, repository } = await bench.linked())
})
afterEach(() => bench.close())

async function kill(): Promise<void> {
  const [worker] = bench.box.workers.splice(0)
  worker?.kill('SIGKILL')
  await worker?.exited
}

/** A run whose gate is pending, with a report that GitHub has taken. */
async function waiting(): Promise<{ run: WorkflowRun; gate: { id: string } }> {
  const run = bench.github.startRun(repository, { environment: 'production' })
  const gate = await bench.gateOf(project.id)
  await bench.github.until(() => run.gate('production').reports.length > 0, 'the report')
  return { run, gate }
}

const approve = (gate: { id: string }) => bench.approve(gate)

const revoke = async (gate: { id: string }) =>
  expect((await bench.admin.post(`/api/v1/gates/${gate.id}/revoke`, { reason: 'A leak' })).status).toBe(200)

/** The answers that GitHub has taken. */
const taken = () => bench.github.callsOf(ANSWER).filter(({ body, status }) => body?.state !== undefined && status === 204)

const recorded = (gate: { id: string }) =>
  bench.box.until('the answer is recorded', async () => {
    const { body } = await bench.admin.get(`/api/v1/gates/${gate.id}`)
    return body.source.state === 'answered'
  })

describe('A worker that is killed', () => {
  test('while it reads what is known of a commit leaves the request to the next one, which opens one gate', async () => {
    const fault = bench.github.failFor({ path: /\/check-runs/, times: 1, hangs: true })
    bench.github.startRun(repository, { environment: 'production' })
    await bench.box.until('it reads', async () => fault.hits === 1)
    await kill()
    await bench.box.startWorker()
    await bench.gateOf(project.id)
    await bench.box.settled()
    expect(await bench.gates(project.id)).toHaveLength(1)
  })

  test('before its answer arrives has it sent by the next one', async () => {
    const { run, gate } = await waiting()
    const fault = bench.github.failFor({ path: ANSWERING, times: 1, hangs: true })
    await approve(gate)
    await bench.box.until('it sends', async () => fault.hits === 1)
    await kill()
    await bench.box.startWorker()
    await bench.github.until(() => run.gate('production').state === 'approved', 'the approval')
    await recorded(gate)
    expect(taken()).toHaveLength(1)
  })

  test('before its answer arrives, and whose approval is revoked meanwhile, has a rejection sent alone', async () => {
    const { run, gate } = await waiting()
    const fault = bench.github.failFor({ path: ANSWERING, times: 1, hangs: true })
    await approve(gate)
    await bench.box.until('it sends', async () => fault.hits === 1)
    await kill()
    await revoke(gate)
    await bench.box.startWorker()
    await bench.github.until(() => run.gate('production').state === 'rejected', 'the rejection')
    await recorded(gate)
    expect(taken().map(({ body }) => body.state)).toEqual(['rejected'])
  })

  test('after its answer has arrived has nothing else sent, whatever was decided since', async () => {
    const { run, gate } = await waiting()
    await approve(gate)
    await bench.github.until(() => run.gate('production').state === 'approved', 'the approval')
    const [worker] = bench.box.workers
    worker?.kill('SIGKILL')
    await kill()
    await revoke(gate)
    await bench.box.startWorker()
    await recorded(gate)
    expect(taken().map(({ body }) => body.state)).toEqual(['approved'])
  })
})

test('An API that is killed during a delivery has it sent again', async () => {
  const { github, box } = bench
  let ended: Promise<unknown> = Promise.resolve()
  await box.sql.begin(async (tx) => {
    await tx`lock table github_requests in access exclusive mode`
    github.startRun(repository, { environment: 'production' })
    await box.until('the delivery waits', async () => {
      const [{ count } = { count: 0 }] = await box.sql<{ count: number }[]>`
        select count(*)::integer as count
        from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and strpos(query, 'insert into github_requests') > 0
      `
      return count > 0
    })
    box.api.kill('SIGKILL')
    ended = box.api.exited
    await ended
  })
  await github.until(
    () => github.webhooks.of('deployment_protection_rule').some(({ statusCode }) => statusCode === 502),
    'the failure',
  )
  await box.startApi()
  github.clock.advance({ seconds: 11 })
  await bench.gateOf(project.id)
  expect(github.webhooks.of('deployment_protection_rule').at(-1)?.isRedelivery).toBe(true)
})
