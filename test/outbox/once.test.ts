import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

let box: Box
let receiver: Receiver

beforeAll(async () => {
  receiver = new Receiver()
  box = await signalbox()
})
afterAll(async () => {
  await box.close()
  await receiver.stop()
})

test('an event that is drained again, as after restoring a backup, is not sent a second time', async () => {
  const ada = await box.user('Ada')
  const { workspace, project } = await box.site(ada)
  await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: `${receiver.url}/hook`,
    trigger_on: 'gate_approved',
  })
  const channel = await ada.make(`/api/v1/workspaces/${workspace.id}/notification-channels`, {
    name: 'Room',
    channel_type: 'webhook',
    config: { url: `${receiver.url}/channel` },
  })
  await ada.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: 'gate.approved' })
  await box.approval(ada, (await box.running(ada, project.id)).id)
  await receiver.waitFor(2)
  await box.settled()
  const before = await box.sql`select id, tableoid::regclass::text as place from dispatches`
  const [{ id }] = before as unknown as [{ id: string }]
  // The id has the time and version of the event, and the variant of a derived UUID.
  const [{ event_id }] = await box.sql<[{ event_id: string }]>`select event_id from dispatches`
  expect(id.slice(0, 18)).toBe(event_id.slice(0, 18))
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

  await box.sql`
    insert into waiting_events (id, organization_id) select id, organization_id from outbox where id = ${event_id}
  `
  await box.until('the event is quarantined', async () => {
    const broken = await box.sql<{ error: string }[]>`select error from ops.broken_events_detail where id = ${event_id}`
    return broken[0]?.error.startsWith('23505: duplicate key value') ?? false
  })
  expect(receiver.requests).toHaveLength(2)
  expect([...(await box.sql`select id, tableoid::regclass::text as place from dispatches`)]).toEqual([...before])
})
