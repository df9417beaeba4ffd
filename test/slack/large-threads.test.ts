/** What is read to keep a thread up to date, however much evidence its gates have. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ThreadState } from '../../worker/notification-channels/slack/threads.ts'
import { textOf } from '../support/slack.ts'
import { SlackWorkbench } from './workbench.ts'

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
})
afterAll(() => bench.close())

async function readThread(key: object): Promise<ThreadState> {
  const program = Bun.spawn(['bun', `${import.meta.dir}/thread-reader.ts`, JSON.stringify(key)], {
    env: { ...process.env, ...bench.box.environment },
  })
  return JSON.parse(await new Response(program.stdout).text())
}

test('of the evidence of gates only what messages show is read', async () => {
  const room = await bench.room('gate.pending')
  const execution = await bench.box.running(bench.admin, room.project.id)
  const detail = 'd'.repeat(1_000)
  const checks = Array.from({ length: 50 }, (_, index) => ({
    name: `Check ${index}`,
    state: index ? 'passed' : 'failed',
    detail,
  }))
  const count = 4
  for (let index = 0; index < count; index++) {
    await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, {
      name: `Gate ${index}`,
      description: detail.repeat(9),
      evidence: { checks, metrics: { tests: 418 } },
    })
  }
  await bench.sent(room, count)
  await bench.shows('all gates', () => room.slack.messages.length === count)
  for (const message of room.slack.messages) {
    for (const text of ['failed: Check 0; 49 passed', 'tests 418', 'Its approval sends']) expect(textOf(message)).toContain(text)
  }
  const state = await readThread({
    organization_id: bench.site.organization.id,
    channel_id: room.channel.id,
    topic: { type: 'execution', id: execution.id },
  })
  expect([state.gates.length, state.replies.length]).toEqual([count, count - 1])
  expect(JSON.stringify([state.gates, state.replies])).not.toContain(detail.repeat(3))
  expect(JSON.stringify([state.gates, state.replies]).length).toBeLessThan(count * 12_000)
})
