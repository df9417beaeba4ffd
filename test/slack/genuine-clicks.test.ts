import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { interact, type Payload, type Posted, signed } from '../support/slack.ts'
import { waitingLocks } from '../support/waiting-locks.ts'
import { SlackWorkbench } from './workbench.ts'

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
  await bench.link(bench.admin, 'U0ADA')
})
afterAll(() => bench.close())

describe('a click counts only under the message that was posted for the gate:', () => {
  const REFUSED = 'this is not the message that Signalbox posted for the gate'

  test.each<[string, (payload: Payload, other: Posted) => void]>([
    ['under another message', (payload) => Object.assign(payload.container, { message_ts: '1700009999.000100' })],
    [
      'under the message of another gate',
      (payload, other) => {
        payload.container.message_ts = other.ts
        payload.message.ts = other.ts
      },
    ],
    [
      'in another channel',
      (payload) => {
        payload.container.channel_id = 'C0ATTIC'
        payload.channel.id = 'C0ATTIC'
      },
    ],
    ['in another Slack workspace', (payload) => Object.assign(payload.team, { id: 'T0OTHER' })],
    ['under no message', (payload) => Object.assign(payload, { container: { type: 'view' }, message: undefined })],
  ])('not %s', async (_, change) => {
    const room = await bench.room('gate.pending')
    const [{ gate, message }, other] = [await bench.gateIn(room), await bench.gateIn(room)]
    const payload = room.slack.interaction(message, 'Approve', 'U0ADA')
    change(payload, other.message)
    expect((await interact(bench.box, signed(payload))).status).toBe(200)
    await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes(REFUSED)))
    await bench.expectPending(gate)
    expect(room.slack.messages.every(({ edits }) => edits === 0)).toBe(true)
  })

  test('a person who is not linked gets no link there', async () => {
    const room = await bench.room('gate.pending')
    const { message } = await bench.gateIn(room)
    const payload = room.slack.interaction(message, 'Approve', 'U0NOBODY')
    payload.container.message_ts = '1700009999.000100'
    await interact(bench.box, signed(payload))
    await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes(REFUSED)))
  })
})

describe('the Slack workspace of the person decides who clicked:', () => {
  test('in an app of a whole enterprise, which names no team', async () => {
    const room = await bench.room('gate.pending')
    const { gate, message } = await bench.gateIn(room)
    const payload = room.slack.interaction(message, 'Approve', 'U0ADA')
    Object.assign(payload, { team: null, enterprise: { id: 'E0ACME', name: 'Acme' }, is_enterprise_install: true })
    expect((await interact(bench.box, signed(payload))).status).toBe(200)
    expect(await bench.gate(gate)).toMatchObject({ status: 'approved', decided_by: bench.admin.id })
  })

  test('in a channel that is shared with another Slack workspace', async () => {
    const room = await bench.room('gate.pending')
    const guest = await bench.box.user('Guest')
    await bench.box.join(guest, bench.site, 'member', 'admin')
    await bench.link(guest, 'U0ADA', 'T0PARTNER')
    const { gate, message } = await bench.gateIn(room)
    await room.slack.click(bench.box, message, 'Approve', 'U0ADA', 'T0PARTNER')
    expect(await bench.gate(gate)).toMatchObject({ status: 'approved', decided_by: guest.id })
  })
})

test('a click that waits while its account is unlinked decides nothing', async () => {
  const room = await bench.room('gate.pending')
  const approver = await bench.approver('Leaver', 'U0LEAVER')
  const { gate, message } = await bench.gateIn(room)
  const { sql } = bench.box
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = sql.begin(async (tx) => {
    await tx`select from executions where id = ${gate.execution_id} for no key update`
    locked.resolve()
    await end.promise
  })
  await Promise.race([locked.promise, holder])
  const click = interact(bench.box, signed(room.slack.interaction(message, 'Approve', 'U0LEAVER')))
  try {
    await bench.box.until('the click waits', async () => (await waitingLocks(sql)) > 0)
    const [identity] = (await approver.get('/api/v1/users/me/identities')).body
    expect((await approver.delete(`/api/v1/users/me/identities/${identity.id}`)).status).toBe(204)
  } finally {
    end.resolve()
    await holder
  }
  expect((await click).status).toBe(200)
  await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('was unlinked')))
  await bench.expectPending(gate)
})
