import { afterAll, beforeAll, expect, test } from 'bun:test'
import { BOT_TOKEN, labelsOf, OTHER_BOT_TOKEN, type Posted, textOf } from '../support/slack.ts'
import { type Room, SlackWorkbench } from './workbench.ts'

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
})
afterAll(() => bench.close())

const rootOf = ({ slack }: Room): Posted => {
  expect(slack.roots.length).toBe(1)
  return slack.roots[0] as Posted
}

const fail = (execution_id: string) => bench.admin.make(`/api/v1/executions/${execution_id}/fail`, { error: 'No disk' })

test('the first message about an execution is the root, later ones are replies, and the root shows the state', async () => {
  const room = await bench.room()
  const { gate, message } = await bench.gateIn(room)
  await bench.sent(room, 2)
  const root = rootOf(room)
  expect(textOf(root)).toContain('waiting for a decision')
  expect(room.slack.repliesTo(root)).toEqual([message])

  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Go' })
  await bench.sent(room, 3)
  expect(textOf(root)).toContain('🔵 running')
  await fail(gate.execution_id)
  await bench.sent(room, 4)
  expect(textOf(root)).toContain('🔴 failed')
  expect(room.slack.repliesTo(root).length).toBe(3)
  expect(room.slack.inFlightMax).toBe(1)
})

test('execution.failed and gate.pending are broadcast to the channel, other replies are not', async () => {
  const room = await bench.room()
  const { gate } = await bench.gateIn(room)
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await fail(gate.execution_id)
  await bench.sent(room, 4)
  expect(room.slack.repliesTo(rootOf(room)).map(({ isBroadcast }) => isBroadcast)).toEqual([true, false, true])
})

test('while a gate waits, the root says that the execution waits, and for which gate', async () => {
  const room = await bench.room()
  const { gate } = await bench.gateIn(room)
  await bench.sent(room, 2)
  const root = rootOf(room)
  expect(textOf(root)).toContain('🟠 Execution waiting')
  expect(textOf(root)).toContain(`waits for a decision on the gate “${gate.name}”.`)
  expect(textOf(root)).not.toContain('is running')
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await bench.sent(room, 3)
  expect(textOf(root)).toContain('is running')
})

test('each execution has its own thread, and other events have none', async () => {
  const room = await bench.room()
  const [one, two] = [
    await bench.box.running(bench.admin, room.project.id),
    await bench.box.running(bench.admin, room.project.id),
  ]
  await Promise.all([fail(one.id), fail(two.id)])
  await bench.sent(room, 4)
  await bench.tested(room.channel)
  expect(room.slack.roots.length).toBe(3)
  expect(room.slack.roots.map((root) => room.slack.repliesTo(root).length)).toEqual([1, 1, 0])
})

test('a channel that subscribes to gate.pending alone shows how the gate was decided, without another message', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  expect(labelsOf(message)).toEqual(['Approve', 'Request changes', 'Reject', 'Open in Signalbox'])
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Go' })
  await bench.shows('the decision', () => textOf(message).includes('Approved by Ada Lovelace through the API.'))
  expect(labelsOf(message)).toEqual([])
  expect(textOf(message)).toContain('🔵 running')
  await fail(gate.execution_id)
  await bench.shows('the state', () => textOf(message).includes('🔴 failed'))
  expect(room.slack.messages.length).toBe(1)
})

test('a gate in a reply shows how it was decided, and one that is cancelled with its execution says so', async () => {
  const room = await bench.room()
  const first = await bench.gateIn(room)
  const second = await bench.admin.make(`/api/v1/executions/${first.gate.execution_id}/gates`, { name: 'Legal' })
  await bench.sent(room, 3)
  await bench.admin.make(`/api/v1/gates/${second.id}/reject`, { comment: 'Not yet' })
  await bench.shows('both decisions', () => room.slack.messages.every((message) => labelsOf(message).length === 0))
  const shown = room.slack.messages.map(textOf)
  expect(shown.some((text) => text.includes('Rejected by Ada Lovelace through the API.') && text.includes('Not yet'))).toBe(true)
  expect(textOf(first.message)).toContain('Gate cancelled')
})

test('a gate in a reply shows that its approval was revoked, by whom and why, and no longer an approval', async () => {
  const room = await bench.room()
  const { gate, message } = await bench.gateIn(room)
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Go' })
  await bench.shows('the approval', () => textOf(message).includes('Gate approved'))
  await bench.admin.make(`/api/v1/gates/${gate.id}/revoke`, { reason: 'The image is vulnerable.' })
  await bench.shows('the revocation', () => textOf(message).includes('Gate approval revoked'))
  const text = textOf(message)
  expect(text).toContain('The image is vulnerable.')
  expect(text).toContain('*Revoked by*\\nAda Lovelace')
  expect(text).not.toContain('🟢')
})

test('a gate that requires two approvals shows the first one, and keeps its buttons', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room, { required_approvals: 2 })
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await bench.shows('the first approval', () => textOf(message).includes('1 of 2'))
  expect(labelsOf(message)).toEqual(['Approve', 'Request changes', 'Reject', 'Open in Signalbox'])
})

test('if the root was deleted, a new one is posted with the current state', async () => {
  const room = await bench.room()
  const { gate } = await bench.gateIn(room)
  await bench.sent(room, 2)
  room.slack.delete(rootOf(room))
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await bench.sent(room, 3)
  const root = room.slack.roots.at(-1) as Posted
  expect(textOf(root)).toContain('🔵 running')
  expect(room.slack.repliesTo(root).length).toBe(1)
  await fail(gate.execution_id)
  await bench.sent(room, 4)
  expect(room.slack.repliesTo(root).length).toBe(2)
})

test('if the thread is missing when a reply is posted, the reply becomes the new root', async () => {
  const room = await bench.room('gate.*')
  const { gate, message } = await bench.gateIn(room, { required_approvals: 2 })
  await bench.sent(room, 1)
  // The root cannot be changed, so only the reply shows that it is gone.
  room.slack.fault = (method) => (method === 'chat.update' ? Response.json({ ok: false, error: 'cant_update_message' }) : null)
  room.slack.delete(message)
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await bench.sent(room, 2)
  expect(rootOf(room).text).toContain('Gate approval added')
})

test('a message that a person deleted is not posted again, unless it is the root', async () => {
  const room = await bench.room()
  const { gate, message } = await bench.gateIn(room)
  await bench.sent(room, 2)
  room.slack.delete(message)
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await bench.sent(room, 3)
  expect(room.slack.repliesTo(rootOf(room)).map(({ text }) => text.includes('approved'))).toEqual([true])
  await fail(gate.execution_id)
  await bench.sent(room, 4)
})

test('with another Slack channel, the execution gets a root there', async () => {
  const room = await bench.room()
  const execution = await bench.box.running(bench.admin, room.project.id)
  await bench.sent(room, 1)
  const { status } = await bench.admin.put(`${bench.path}/${room.channel.id}`, { config: { slack_channel: 'G0SECRET' } })
  expect(status).toBe(200)
  await fail(execution.id)
  await bench.sent(room, 2)
  expect(room.slack.messages.map(({ channel, thread_ts }) => [channel, thread_ts])).toEqual([
    ['C0RELEASES', null],
    ['G0SECRET', null],
  ])
})

test('with another bot token, the execution gets a new thread, and nothing that the former bot posted is changed', async () => {
  const room = await bench.room()
  const { gate, message } = await bench.gateIn(room)
  await bench.sent(room, 2)
  const { status } = await bench.admin.put(`${bench.path}/${room.channel.id}`, { config: { bot_token: OTHER_BOT_TOKEN } })
  expect(status).toBe(200)
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await fail(gate.execution_id)
  await bench.sent(room, 4)
  const [former, root] = room.slack.roots
  expect(room.slack.roots.map(({ token }) => token)).toEqual([BOT_TOKEN, OTHER_BOT_TOKEN])
  expect(room.slack.repliesTo(former as Posted)).toEqual([message])
  expect(room.slack.repliesTo(root as Posted).map(({ text }) => text.includes('Execution failed'))).toEqual([true])
  expect(textOf(root as Posted)).toContain('🔴 failed')
  const changed = room.slack.calls('chat.update').filter(({ headers }) => headers.authorization?.includes(OTHER_BOT_TOKEN))
  expect(changed.map(({ body }) => JSON.parse(body).ts)).toEqual(changed.map(() => root?.ts))
})

test('a channel with a webhook gets no threads and no buttons', async () => {
  const receiver = bench.receiver()
  const { channel, project } = await bench.subscribedChannel('slack', { webhook_url: receiver.url })
  await bench.openGate(project)
  await bench.settled(channel)
  expect(receiver.requests[0]?.body).not.toContain('"actions"')
})

test('a bot posts with its token, and the log does not contain it', async () => {
  const room = await bench.room()
  await bench.tested(room.channel)
  expect(room.slack.calls('chat.postMessage')[0]?.headers.authorization).toBe(`Bearer ${BOT_TOKEN}`)
  expect(JSON.stringify(await bench.log(room.channel))).not.toContain(BOT_TOKEN)
})

test('a gate says what it asks: criteria, cost, approvals, and until when', async () => {
  const room = await bench.room('gate.pending')
  const requirement = await bench.admin.make(`/api/v1/projects/${room.project.id}/requirements`, {
    title: 'Pay by invoice',
    acceptance_criteria: ['An invoice can be chosen', 'It is due in 30 days'],
  })
  const execution = await bench.admin.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
  await bench.admin.make(`/api/v1/executions/${execution.id}/start`)
  await bench.admin.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 4.5 })
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, {
    name: 'Release review',
    required_approvals: 2,
    expires_in_seconds: 5_400,
  })
  await bench.sent(room, 1)
  const shown = textOf(rootOf(room))
  const until = gate.expires_at.slice(0, 19).replace('T', ' ')
  for (const text of [
    '• An invoice can be chosen',
    '• It is due in 30 days',
    '$4.50',
    '0 of 2 given',
    `${until} UTC; open for 1 hour 30 minutes in all`,
  ]) {
    expect(shown).toContain(text)
  }
})

const HOSTILE = '<!channel> <@U0EVE> & <https://evil.example|Approve> &lt;!here&gt; *x*'

test('markup in names notifies nobody and is shown as it is', async () => {
  const project = await bench.project(HOSTILE)
  const room = await bench.room('*')
  await bench.subscribe(room.channel, '*', project)
  const execution = await bench.box.running(bench.admin, project.id, { agent: HOSTILE })
  const owner = await bench.box.user(`${HOSTILE} \u202e`)
  await bench.box.join(owner, bench.site, 'admin')
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: HOSTILE, description: HOSTILE })
  await bench.shows('the gate with its buttons', () => room.slack.messages.some((message) => labelsOf(message).length === 4))
  const asked = room.slack.messages.find((message) => labelsOf(message).length === 4) as Posted
  const { text } = asked.blocks.at(-1).elements[0].confirm.text
  expect(text).toContain('Approve “‹!channel›')
  await owner.make(`/api/v1/gates/${gate.id}/reject`, { comment: `${HOSTILE} \u202e` })
  await bench.sent(room, 4)
  const sent = room.slack.requests.map(({ body }) => body).join('\n')
  expect(sent).toContain('&lt;!channel&gt;')
  expect(sent).not.toMatch(/<!|<@|<https:\/\/evil|&lt;!here/)
  expect(sent).not.toContain('\u202e')
})

test('every button names what it does and asks for confirmation', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  const [approve, changes, reject, open] = message.blocks.at(-1).elements
  expect([approve.confirm.confirm.text, reject.confirm.confirm.text]).toEqual(['Approve', 'Reject'])
  for (const { confirm } of [approve, reject])
    expect(confirm.text.text).toContain(`“${gate.name}” in the project “${room.project.name}”`)
  const page = `${bench.box.environment.PUBLIC_URL ?? bench.box.base.replace('127.0.0.1', 'localhost')}/app/gates/${gate.id}`
  expect([changes.url, open.url]).toEqual([page, page])
})
