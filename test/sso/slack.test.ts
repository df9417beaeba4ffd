import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SlackWorkbench } from '../slack/workbench.ts'

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
})
afterAll(() => bench.close())

test('a click counts until the last sign-on of its person has expired, and says so otherwise', async () => {
  const room = await bench.room('gate.pending')
  const grace = await bench.approver('Grace Hopper', 'U0SSO')
  const { gate, message } = await bench.gateIn(room)
  const connection_id = crypto.randomUUID()
  await bench.box.sql`
    update organization_members
    set sso_connection_id = ${connection_id}, sso_required = 'everyone'
    where organization_id = ${bench.site.organization.id} and user_id = ${grace.id}
  `
  await bench.box.sql`
    insert into sso_identities (connection_id, issuer, subject, user_id, proven_until)
    values (${connection_id}, 'https://login.example.com', 'grace', ${grace.id}, now())
  `
  await room.slack.click(bench.box, message, 'Approve', 'U0SSO')
  await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('requires single sign-on')))
  await bench.expectPending(gate)
  await bench.box.sql`update sso_identities set proven_until = now() + interval '1 hour' where user_id = ${grace.id}`
  await room.slack.click(bench.box, message, 'Approve', 'U0SSO')
  expect(await bench.gate(gate)).toMatchObject({ status: 'approved', decided_by: grace.id })
})
