import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { inboxOf, StreamClient } from './inbox.ts'

let box: Box
let owner: Actor
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ;[owner, ada] = await Promise.all([box.user('Olga Owner'), box.user('Ada')])
  site = await box.site(owner)
})
afterAll(() => box.close())

const invitation = () => ({
  id: crypto.randomUUID(),
  organization_id: site.organization.id as string,
  organization_name: 'Acme Robotics',
  role: 'admin',
  invited_by_name: 'Olga Owner',
  expires_at: '2026-12-01T09:30:00.000Z',
})

/** Tells of invitations in a transaction of a process of its own, as the code does that makes them. */
async function tellOf(invitations: object[], ending = ''): Promise<void> {
  const program = `
    import { commit } from './core/outbox.ts'
    import { sql } from './core/database.ts'
    import { notifyInvited } from './core/notifications.ts'
    const invitations = ${JSON.stringify(invitations)}
    await commit(async (tx) => {
      await notifyInvited(tx, '${ada.id}', invitations)
      ${ending}
    }).catch((error) => { if (error.message !== 'taken back') throw error })
    await sql.end()
  `
  const child = Bun.spawn([process.execPath, '-e', program], {
    cwd: `${import.meta.dir}/../..`,
    env: { ...process.env, ...box.environment },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  expect(await child.exited).toBe(0)
}

test('an invitation is told to the invited, who is no member yet, once, and if its transaction commits', async () => {
  const client = new StreamClient(box.base, ada.token)
  await client.connect()
  await client.until('the number came', () => client.counts().length === 1)
  const first = invitation()
  await tellOf([first], "throw new Error('taken back')")
  expect((await inboxOf(ada)).total).toBe(0)
  await tellOf([first])
  await tellOf([first, invitation()])
  await client.until('both came', () => client.titles().length === 2)
  const { total, unread_count, items } = await inboxOf(ada)
  expect([total, unread_count]).toEqual([2, 2])
  expect(items[1]).toMatchObject({
    type: 'invitation_received',
    title: 'Olga Owner invites you to Acme Robotics',
    body: 'You would be an admin. The invitation is good until 2026-12-01.',
    organization_id: site.organization.id,
    workspace_id: null,
    project_id: null,
    resource_type: 'invitation',
    resource_id: first.id,
    data: { organization_name: 'Acme Robotics', role: 'admin', expires_at: first.expires_at },
  })
  client.cut()
})

test('who does not want to hear of invitations does not', async () => {
  const before = (await inboxOf(ada)).total
  await ada.put('/api/v1/notifications/preferences', { types: ['gate_pending'] })
  await tellOf([invitation()])
  expect((await inboxOf(ada)).total).toBe(before)
})

test('of one told by two at once there is one, and it is counted once', async () => {
  await ada.put('/api/v1/notifications/preferences', { types: ['invitation_received'] })
  const before = (await inboxOf(ada)).total
  const same = invitation()
  await Promise.all([tellOf([same]), tellOf([same]), tellOf([same, invitation()])])
  const { total, unread_count } = await inboxOf(ada)
  expect([total, unread_count]).toEqual([before + 2, before + 2])
  const [{ count }] = await box.sql<[{ count: number }]>`select count(*) as count from notifications where user_id = ${ada.id}`
  expect(count).toBe(total)
})
