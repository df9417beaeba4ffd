import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { moveExpiry } from '../support/fixed-gates.ts'
import { interact, labelsOf, SIGNING_SECRET, signed, signedBody, textOf } from '../support/slack.ts'
import { SlackWorkbench } from './workbench.ts'

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
  await bench.link(bench.admin, 'U0ADA')
})
afterAll(() => bench.close())

const auditOf = async (gate: { id: string }) => {
  const { body } = await bench.admin.get(`/api/v1/organizations/${bench.site.organization.id}/audit-logs?action=gate.*`)
  return body.items.filter(({ resource_id }: { resource_id: string }) => resource_id === gate.id)
}

test('a click on Approve decides the gate as the linked user, and the message shows the decision instead of the buttons', async () => {
  const room = await bench.room('gate.pending')
  const grace = await bench.approver('Grace Hopper', 'U0GRACE')
  const { gate, message } = await bench.gateIn(room)
  expect((await room.slack.click(bench.box, message, 'Approve', 'U0GRACE')).status).toBe(200)
  expect(await bench.gate(gate)).toMatchObject({
    status: 'approved',
    decided_by: grace.id,
    decided_via: 'slack',
    approvals: [{ user_id: grace.id, via: 'slack' }],
  })
  await bench.shows('the decision', () => textOf(message).includes('Approved by Grace Hopper in Slack.'))
  expect(labelsOf(message)).toEqual([])
  expect((await auditOf(gate))[0]).toMatchObject({ action: 'gate.approved', actor_type: 'human', actor_id: grace.id })
})

test('a click on Reject rejects the gate', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  await room.slack.click(bench.box, message, 'Reject', 'U0ADA')
  expect(await bench.gate(gate)).toMatchObject({ status: 'rejected', decided_by: bench.admin.id, decided_via: 'slack' })
  await bench.shows('the decision', () => textOf(message).includes('Rejected by Ada Lovelace in Slack.'))
})

test('the answer replaces a reply by itself, also while the bot cannot', async () => {
  const room = await bench.room()
  const { message } = await bench.gateIn(room)
  await bench.sent(room, 2)
  room.slack.fault = (method) => (method.startsWith('chat.') ? new Response('', { status: 503 }) : null)
  await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
  await bench.shows('the decision', () => labelsOf(message).length === 0)
})

test('the answer is sent again while Slack is down', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  let failures = 0
  room.slack.fault = (method) => {
    if (!method.startsWith('/actions') && !method.startsWith('actions')) return new Response('', { status: 503 })
    failures += 1
    return failures === 1 ? new Response('', { status: 500 }) : null
  }
  await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
  expect(await bench.gate(gate)).toMatchObject({ status: 'approved' })
  await bench.shows('the decision', () => labelsOf(message).length === 0)
  expect(failures).toBe(2)
})

describe('a refusal is shown to the person alone, and decides nothing:', () => {
  test('someone who is no member', async () => {
    const room = await bench.room('gate.pending')
    await bench.link(await bench.box.user('Eve'), 'U0EVE')
    const { gate, message } = await bench.gateIn(room)
    expect((await room.slack.click(bench.box, message, 'Approve', 'U0EVE')).status).toBe(200)
    await bench.shows('the refusal', () => room.slack.ephemerals.length === 1)
    expect(room.slack.ephemerals).toEqual([{ user: 'U0EVE', text: 'This gate does not exist, or you have no access to it.' }])
    expect(labelsOf(message)).toContain('Approve')
    await bench.expectPending(gate)
  })

  test('an approver who lost the role after the message was posted', async () => {
    const room = await bench.room('gate.pending')
    const linus = await bench.approver('Linus', 'U0LINUS')
    const { gate, message } = await bench.gateIn(room)
    const { status } = await bench.admin.put(`/api/v1/workspaces/${bench.site.workspace.id}/members/${linus.id}`, {
      role: 'member',
    })
    expect(status).toBe(200)
    await room.slack.click(bench.box, message, 'Approve', 'U0LINUS')
    await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('requires the role admin')))
    await bench.expectPending(gate)
  })

  test('the policy: no self-approval, and a second approval by the same person', async () => {
    const room = await bench.room('gate.pending')
    const own = await bench.gateIn(room, { prevent_self_approval: true })
    await room.slack.click(bench.box, own.message, 'Approve', 'U0ADA')
    await bench.shows('the refusal', () =>
      room.slack.ephemerals.some(({ text }) => text.includes('another person has to approve')),
    )
    await bench.expectPending(own.gate)

    const two = await bench.gateIn(room, { required_approvals: 2 })
    await room.slack.click(bench.box, two.message, 'Approve', 'U0ADA')
    await bench.shows('the first approval', () => textOf(two.message).includes('1 of 2'))
    await room.slack.click(bench.box, two.message, 'Approve', 'U0ADA')
    await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('already approved')))
    expect((await bench.gate(two.gate)).approvals.length).toBe(1)
  })

  test('an approver without the second factor that the organization requires', async () => {
    const room = await bench.room('gate.pending')
    const alan = await bench.approver('Alan', 'U0ALAN')
    const { gate, message } = await bench.gateIn(room)
    await bench.box.sql`update organization_members set second_factor_required = true where user_id = ${alan.id}`
    await room.slack.click(bench.box, message, 'Approve', 'U0ALAN')
    await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('second factor')))
    await bench.expectPending(gate)
  })

  test('a policy that requires a passkey, also of a click on a button that the message lacks', async () => {
    const room = await bench.room('gate.pending')
    const path = `/api/v1/projects/${room.project.id}/environments/production/policy`
    expect((await bench.admin.put(path, { require_passkey: true })).status).toBe(200)
    const { gate, message } = await bench.gateIn(room, { environment: 'production' })
    expect(labelsOf(message)).toEqual(['Approve with a passkey', 'Request changes', 'Reject', 'Open in Signalbox'])
    const payload = room.slack.interaction(message, 'Reject', 'U0ADA')
    payload.actions[0].action_id = 'gate.approve'
    await interact(bench.box, signed(payload))
    await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('needs a passkey')))
    await bench.expectPending(gate)
  })

  test('a policy without Slack', async () => {
    const grace = await bench.box.user('Barbara')
    const site = await bench.box.site(grace)
    const other = new SlackWorkbench(bench.box, grace, site)
    await bench.link(grace, 'U0BARBARA')
    await grace.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy: { decide_via: ['api', 'app'] } })
    const room = await other.room('gate.pending')
    const { gate, message } = await other.gateIn(room)
    await room.slack.click(bench.box, message, 'Reject', 'U0BARBARA')
    await bench.shows('the refusal', () =>
      room.slack.ephemerals.some(({ text }) => text.includes('cannot be decided through Slack')),
    )
    await other.expectPending(gate)
    await Promise.all([room.slack.stop()])
  })
})

test('a gate that was decided elsewhere is shown as it stands to anyone who clicks', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  await bench.sent(room, 1)
  // The update of the message fails, so its buttons are still there.
  room.slack.fault = (method) => (method === 'chat.update' ? new Response('', { status: 503 }) : null)
  await bench.admin.make(`/api/v1/gates/${gate.id}/reject`)
  await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
  await bench.shows('the decision', () => textOf(message).includes('Rejected by Ada Lovelace through the API.'))
  expect(await bench.gate(gate)).toMatchObject({ status: 'rejected' })
})

test('an expired gate cannot be approved, and is shown as expired', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room, { expires_in_seconds: 60 })
  await moveExpiry(bench.box.sql, gate.id, 0.01)
  await bench.box.until('it has expired', async () => {
    const [{ is_past }] = await bench.box.sql<[{ is_past: boolean }]>`
      select expires_at <= clock_timestamp() as is_past from gates where id = ${gate.id}
    `
    return is_past
  })
  await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
  await bench.shows('the expiry', () => textOf(message).includes('expired without a decision'))
  expect(labelsOf(message)).toEqual([])
  expect((await bench.gate(gate)).approvals).toEqual([])
})

test('of two people who click at once, one decides, and both see that decision', async () => {
  const room = await bench.room('gate.pending')
  await bench.approver('Ken', 'U0KEN')
  const { gate, message } = await bench.gateIn(room)
  const answers = await Promise.all([
    room.slack.click(bench.box, message, 'Approve', 'U0ADA'),
    room.slack.click(bench.box, message, 'Reject', 'U0KEN'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const { status, approvals } = await bench.gate(gate)
  expect(['approved', 'rejected']).toContain(status)
  expect(approvals.length).toBe(status === 'approved' ? 1 : 0)
  expect((await auditOf(gate)).filter(({ action }: { action: string }) => action !== 'gate.pending').length).toBe(1)
  await bench.shows('the decision', () => textOf(message).includes(status === 'approved' ? 'Approved by' : 'Rejected by'))
})

test('a replayed request decides nothing, and sends no message', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room, { required_approvals: 2 })
  const form = signed(room.slack.interaction(message, 'Approve', 'U0ADA'))
  const answers = await Promise.all([1, 2, 3].map(() => interact(bench.box, form)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await bench.shows('the first approval', () => textOf(message).includes('1 of 2'))
  expect((await interact(bench.box, form)).status).toBe(200)
  expect((await bench.gate(gate)).approvals.length).toBe(1)
  const [{ count }] = await bench.box.sql<
    [{ count: number }]
  >`select count(*) as count from slack_clicks where gate_id = ${gate.id}`
  expect(count).toBe(1)
  expect(room.slack.ephemerals).toEqual([])
})

describe('the signature:', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const body = 'payload=%7B%22type%22%3A%22shortcut%22%7D'
  const good = () => signedBody(body)
  const without = (name: string) => {
    const { [name]: _, ...headers } = good().headers
    return { body, headers }
  }

  test.each([
    ['the current secret', () => signedBody(body, SIGNING_SECRET), 200],
    ['another secret of the list', () => signedBody(body, 'former-secret'), 200],
    ['a foreign secret', () => signedBody(body, 'a-secret-of-another-app'), 401],
    ['the whole list as a secret', () => signedBody(body, `former-secret,${SIGNING_SECRET}`), 401],
    ['nearly five minutes old', () => signedBody(body, SIGNING_SECRET, now() - 295), 200],
    ['more than five minutes old', () => signedBody(body, SIGNING_SECRET, now() - 301), 401],
    ['more than five minutes ahead', () => signedBody(body, SIGNING_SECRET, now() + 305), 401],
    ['a timestamp that is no number', () => signedBody(body, SIGNING_SECRET, 'soon'), 401],
    ['no signature', () => without('X-Slack-Signature'), 401],
    ['no timestamp', () => without('X-Slack-Request-Timestamp'), 401],
    ['another body', () => ({ ...good(), body: `${body}&x=1` }), 401],
    ['another timestamp', () => ({ body, headers: { ...good().headers, 'X-Slack-Request-Timestamp': String(now() - 1) } }), 401],
    ['a truncated signature', () => ({ body, headers: { ...good().headers, 'X-Slack-Signature': 'v0=00' } }), 401],
  ])('%s', async (_, form, status) => {
    const answer = await interact(bench.box, form())
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer.body.code).toBe('invalid_signature')
  })
})

describe('a signed body that is no interaction is a 400:', () => {
  const click = {
    type: 'block_actions',
    team: { id: 'T0' },
    user: { id: 'U0' },
    actions: [{ action_id: 'gate.approve', value: 'x' }],
  }
  test.each([
    ['nothing', ''],
    ['no payload', 'a=b'],
    ['no JSON', 'payload=%7B'],
    ['null', 'payload=null'],
    ['a list', 'payload=[]'],
    ['no type', 'payload={}'],
    ['no actions', `payload=${JSON.stringify({ ...click, actions: [] })}`],
    ['no team', `payload=${JSON.stringify({ ...click, team: null })}`],
    ['no user', `payload=${JSON.stringify({ ...click, user: { id: '<@U0>' } })}`],
  ])('%s', async (_, body) => {
    const answer = await interact(bench.box, signedBody(body))
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_interaction'])
  })

  test.each([
    ['another kind of interaction', { type: 'view_submission' }],
    ['a button of someone else', { ...click, actions: [{ action_id: 'lunch.order', value: 'pizza' }] }],
    ['a forged value of our button', click],
  ])('%s is accepted and ignored', async (_, payload) => {
    expect((await interact(bench.box, signed(payload))).status).toBe(200)
  })
})

test('the value of a button is bound to its gate', async () => {
  const room = await bench.room('gate.pending')
  const [one, two] = [await bench.gateIn(room), await bench.gateIn(room)]
  const payload = room.slack.interaction(one.message, 'Approve', 'U0ADA')
  const [{ value }] = payload.actions
  payload.actions[0].value = value.replace(one.gate.id, two.gate.id)
  expect((await interact(bench.box, signed(payload))).status).toBe(200)
  await bench.expectPending(two.gate)
})

test('a body of at most 64 KiB is accepted', async () => {
  const of = (size: number) => signedBody(`payload=${JSON.stringify({ type: 'shortcut' })}&x=`.padEnd(size, 'x'))
  expect((await interact(bench.box, of(65_536))).status).toBe(200)
  const answer = await interact(bench.box, of(65_537))
  expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large'])
})

test('a response_url that is not of Slack gets no request; the decision stands', async () => {
  const room = await bench.room('gate.pending')
  const receiver = bench.receiver()
  for (const url of [
    'https://hooks.slack.com.evil.example/actions/1',
    'http://hooks.slack.com/actions/1',
    'https://hooks.slack.com:8443/actions/1',
    'https://user@hooks.slack.com/actions/1',
    `http://evil.example:${new URL(receiver.url).port}/`,
    'http://169.254.169.254/latest',
    'nonsense',
  ]) {
    const { gate, message } = await bench.gateIn(room)
    const payload = { ...room.slack.interaction(message, 'Approve', 'U0ADA'), response_url: url }
    expect((await interact(bench.box, signed(payload))).status).toBe(200)
    expect(await bench.gate(gate)).toMatchObject({ status: 'approved' })
    await bench.shows('the decision', () => labelsOf(message).length === 0)
    const [click] = await bench.box.sql`select response_url from slack_clicks where gate_id = ${gate.id}`
    expect(click?.response_url).toBeNull()
  }
  expect(receiver.requests).toEqual([])
})

test('those who forge clicks do not learn where a gate was opened: an unknown gate is answered like a foreign one', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  const payload = room.slack.interaction(message, 'Approve', 'U0ADA')
  await bench.admin.delete(`/api/v1/projects/${room.project.id}`)
  expect((await bench.admin.get(`/api/v1/gates/${gate.id}`)).status).toBe(404)
  expect((await interact(bench.box, signed(payload))).status).toBe(200)
  await bench.shows('the refusal', () => room.slack.ephemerals.length === 1)
  expect(room.slack.ephemerals[0]?.text).toBe('This gate does not exist, or you have no access to it.')
})
