import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Workbench } from '../notification-channels/workbench.ts'
import { labelsOf, SIGNING_SECRET, SlackServer, textOf } from '../support/slack.ts'

let bench: Workbench
let slack: SlackServer

beforeAll(async () => {
  bench = await Workbench.open({ environment: { SLACK_SIGNING_SECRET: SIGNING_SECRET } })
})
afterAll(() => bench.close())

beforeEach(() => {
  slack = new SlackServer()
  return () => slack.stop()
})

const done = (entries: { status: string }[], count: number) =>
  entries.length === count && entries.every(({ status }) => status === 'succeeded')

test('the first message about an execution is the root, later ones are replies', async () => {
  const { channel, project } = await bench.subscribedChannel('slack', slack.config, '*')
  const gate = await bench.openGate(project)
  await bench.logged(channel, (entries) => done(entries, 2))
  expect(slack.roots.length).toBe(1)
  const [root] = slack.roots
  expect(textOf(root!)).toContain('waiting for a decision')
  const [reply] = slack.repliesTo(root!)
  expect(labelsOf(reply!)).toEqual(['Approve', 'Reject', 'Open in Signalbox'])
  expect(reply?.isBroadcast).toBe(true)

  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Go' })
  await bench.logged(channel, (entries) => done(entries, 3))
  expect(textOf(root!)).toContain('🔵 running')
  expect(labelsOf(reply!)).toEqual([])
  expect(textOf(reply!)).toContain('Approved by')
  await bench.admin.make(`/api/v1/executions/${gate.execution_id}/fail`, { error: 'No disk' })
  await bench.logged(channel, (entries) => done(entries, 4))
  expect(textOf(root!)).toContain('🔴 failed')
  expect(slack.repliesTo(root!).map(({ isBroadcast }) => isBroadcast)).toEqual([true, false, true])
  expect(slack.inFlightMax).toBe(1)
})
