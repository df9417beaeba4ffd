/** kill -9 of a worker, and of the API, while a message of Slack is on its way. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { SlackWorkbench } from '../test/slack/workbench.ts'
import { interact, labelsOf, SIGNING_SECRET, signed, textOf } from '../test/support/slack.ts'

let bench: SlackWorkbench

beforeEach(async () => {
  bench = await SlackWorkbench.open({ own: true, workers: 1, environment: { SLACK_SIGNING_SECRET: SIGNING_SECRET } })
  await bench.link(bench.admin, 'U0ADA')
})
afterEach(() => bench.close())

async function killWorker(): Promise<void> {
  const [worker] = bench.box.workers.splice(0)
  worker?.kill('SIGKILL')
  await worker?.exited
}

test.each(['before', 'after'] as const)(
  'a worker that is killed %s Slack has posted the root: none is lost, at most one is repeated, and the thread goes on',
  async (when) => {
    const room = await bench.room()
    let kills = 0
    room.slack.fault = async (method) => {
      if (method !== 'chat.postMessage' || kills > 0) return null
      kills += 1
      if (when === 'before') {
        await killWorker()
        return new Response('')
      }
      // Slack's own response is never read.
      setTimeout(() => void killWorker(), 0)
      return null
    }
    const execution = await bench.box.running(bench.admin, room.project.id)
    await bench.box.until('the worker is killed', async () => bench.box.workers.length === 0)
    await bench.box.startWorker()
    await bench.sent(room, 1)
    expect(room.slack.roots.length).toBeGreaterThanOrEqual(1)
    expect(room.slack.roots.length).toBeLessThanOrEqual(2)
    const roots = room.slack.roots.length
    await bench.admin.make(`/api/v1/executions/${execution.id}/fail`, { error: 'No disk' })
    await bench.sent(room, 2)
    expect(room.slack.roots.length).toBe(roots)
    const root = room.slack.roots.at(-1)
    expect(root && room.slack.repliesTo(root).length).toBe(1)
    expect(root && textOf(root)).toContain('🔴 failed')
  },
)

test('two workers make one root', async () => {
  await bench.box.startWorker()
  const room = await bench.room()
  const executions = await Promise.all(Array.from({ length: 5 }, () => bench.openGate(room.project)))
  await bench.sent(room, 10)
  expect(room.slack.roots.length).toBe(executions.length)
})

test('a worker that is killed before it answered a click leaves the answer to another', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  await killWorker()
  expect((await room.slack.click(bench.box, message, 'Approve', 'U0ADA')).status).toBe(200)
  expect(await bench.gate(gate)).toMatchObject({ status: 'approved' })
  expect(labelsOf(message)).toContain('Approve')
  await bench.box.startWorker()
  await bench.shows('the decision', () => labelsOf(message).length === 0)
})

test('a click while the API restarts is sent again, and decides once', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room, { required_approvals: 2 })
  const form = signed(room.slack.interaction(message, 'Approve', 'U0ADA'))
  await Promise.allSettled([interact(bench.box, form), bench.box.end(bench.box.api, 'SIGKILL')])
  await bench.box.startApi()
  expect((await interact(bench.box, form)).status).toBe(200)
  expect((await bench.gate(gate)).approvals.length).toBe(1)
  await bench.shows('the first approval', () => textOf(message).includes('1 of 2'))
})

test('while decisions on the execution are locked, a click is answered without waiting for them', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  await bench.box.sql.begin(async (tx) => {
    await tx`select from executions where id = ${gate.execution_id} for update`
    expect((await room.slack.click(bench.box, message, 'Approve', 'U0ADA')).status).toBe(200)
    await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('click again')))
  })
  await bench.expectPending(gate)
})
