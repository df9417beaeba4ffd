/** Gates without an execution in Slack: each has a thread of its own. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { moveExpiry } from '../support/fixed-gates.ts'
import type { Answer } from '../support/signalbox.ts'
import { buttonsOf, labelsOf, type Posted, textOf } from '../support/slack.ts'
import { type Room, SlackWorkbench } from './workbench.ts'

const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'a'.repeat(64) }, version: 'v1.5.0' }
const BUTTONS = ['Approve', 'Request changes', 'Reject', 'Open in Signalbox']

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
  await bench.link(bench.admin, 'U0ADA')
})
afterAll(() => bench.close())

/** Opens a gate in the project of a room. @returns the gate and its message */
async function openedIn(room: Room, input: object = {}): Promise<{ gate: Answer['body']; message: Posted }> {
  const gate = await bench.admin.make(`/api/v1/projects/${room.project.id}/gates`, { name: 'New region', ...input })
  const holds = (message: Posted) => buttonsOf(message).some(({ value = '' }) => value.includes(gate.id))
  await bench.shows('the gate', () => room.slack.messages.some(holds))
  const message = room.slack.messages.find(holds) as Posted
  await bench.box.until('its message is on record', () => bench.isOnRecord(room, message))
  return { gate, message }
}

test('it is a message of its own, and a click decides it', async () => {
  const room = await bench.room('gate.pending')
  const [{ gate, message }, other] = [await openedIn(room, { subject }), await openedIn(room, { name: 'Rotate keys' })]
  expect([message.thread_ts, other.message.thread_ts]).toEqual([null, null])
  expect(labelsOf(message)).toEqual(BUTTONS)
  expect(textOf(message)).not.toContain('Execution by')
  await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
  expect(await bench.gate(gate)).toMatchObject({ status: 'approved', decided_via: 'slack' })
  await bench.shows('the decision', () => textOf(message).includes('Approved by Ada Lovelace in Slack.'))
  expect(labelsOf(message)).toEqual([])
  expect(labelsOf(other.message)).toEqual(BUTTONS)
  expect(room.slack.messages.length).toBe(2)
})

test('what happens to it is posted in its thread, and its message shows it', async () => {
  const room = await bench.room('gate.*')
  const { gate, message } = await openedIn(room, { required_approvals: 2 })
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await bench.sent(room, 2)
  expect(textOf(message)).toContain('1 of 2')
  await bench.admin.make(`/api/v1/gates/${gate.id}/reject`, { comment: 'Not yet' })
  await bench.sent(room, 3)
  expect(room.slack.roots).toEqual([message])
  expect(room.slack.repliesTo(message).length).toBe(2)
  expect(textOf(message)).toContain('Rejected by Ada Lovelace through the API.')
  expect(labelsOf(message)).toEqual([])
})

test('its message says that it was replaced, also where nothing is subscribed any more', async () => {
  const room = await bench.room('gate.pending')
  const replaced = await openedIn(room, { subject })
  const newer = await openedIn(room, { subject: { ...subject, version: 'v1.5.1' } })
  const why = 'a newer one with another subject has replaced it'
  await bench.shows('that it was replaced', () => textOf(replaced.message).includes(why))
  expect(labelsOf(replaced.message)).toEqual([])
  const { body: subscriptions } = await bench.admin.get(`/api/v1/notification-channels/${room.channel.id}/subscriptions`)
  for (const { id } of subscriptions)
    await bench.admin.delete(`/api/v1/workspaces/${room.channel.workspace_id}/subscriptions/${id}`)
  const newest = { name: 'New region', subject: { ...subject, version: 'v1.5.2' } }
  await bench.admin.make(`/api/v1/projects/${room.project.id}/gates`, newest)
  await bench.shows('that it was replaced in turn', () => textOf(newer.message).includes(why))
  expect(room.slack.messages.length).toBe(2)
})

test('its message shows that it has expired', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await openedIn(room, { expires_in_seconds: 3_600 })
  await moveExpiry(bench.box.sql, gate.id)
  await bench.shows('the expiry', () => textOf(message).includes('Gate expired'))
  expect(labelsOf(message)).toEqual([])
  expect(room.slack.messages.length).toBe(1)
})

test('its button under another message decides nothing', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await openedIn(room)
  const { message: other } = await openedIn(room, { name: 'Rotate keys' })
  await room.slack.click(bench.box, { ...message, ts: other.ts }, 'Approve', 'U0ADA')
  await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('Nothing was decided')))
  await bench.expectPending(gate)
})

test('if its message was deleted, a new one shows the outcome', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await openedIn(room)
  room.slack.delete(message)
  await bench.admin.make(`/api/v1/gates/${gate.id}/reject`)
  await bench.shows('a new message', () => room.slack.roots.some((root) => textOf(root).includes('Rejected by Ada Lovelace')))
})
