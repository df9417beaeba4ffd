/** Processes of an older version alongside a release that has added a type of channel. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
})
afterAll(() => bench.close())

test('a message to a channel of an unknown type waits, its attempt says why, and pages name the type', async () => {
  const { channel, project } = await bench.subscribedChannel('webhook', { url: bench.receiver().url })
  await bench.box.sql`alter table notification_channels drop constraint notification_channels_channel_type_check`
  await bench.box.sql`update notification_channels set channel_type = 'carrier_pigeon' where id = ${channel.id}`
  await bench.openGate(project)
  expect(await bench.tried(channel)).toMatchObject({ status: 'pending', error: { code: 'unknown_channel_type' } })
  const visitor = await PageClient.signedIn(bench.box, bench.admin)
  for (const path of [`/app/notification-channels/${channel.id}`, `/app/workspaces/${bench.site.workspace.id}`]) {
    const page = await visitor.open(path)
    expect([page.status, page.html]).toEqual([200, expect.stringContaining('carrier_pigeon (unknown to this version')])
  }
})
