import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { MailCatcher } from '../../bin/support/mail-catcher.ts'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import { PageClient } from '../support/page-client.ts'
import { Actor, type Answer, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'
import { inboxOf, waitForNotifications } from './inbox.ts'

let box: Box
let mail: MailCatcher
let owner: Actor
let site: Site
let email: string

beforeAll(async () => {
  mail = await mailCatcher()
  box = await signalbox({
    environment: mailSettings(mail),
  })
  owner = await box.user('Olga Owner')
  site = await box.site(owner)
})
afterAll(() => box.close())

beforeEach(() => {
  email = `invited.${crypto.randomUUID()}@example.com`
})

const invite = async (organization_id: string, role = 'member') => {
  const { status, body } = await owner.post(`/api/v1/organizations/${organization_id}/members`, { email, role })
  expect(status).toBe(202)
  return body
}

async function register(): Promise<Actor> {
  const { body } = await box.request('POST', '/api/v1/auth/register', { email, name: 'Ada', password: PASSWORD })
  return new Actor(box, 'Ada', email, body.user.id, body.access_token, body.refresh_token)
}

/** The token of the newest mailed link to a page. */
async function mailedToken(page: string): Promise<string> {
  const link = new RegExp(`https://signalbox\\.example\\.com/${page}\\?token=([\\w-]+)`)
  const find = () => mail.messages.find(({ to, text }) => to.includes(email) && link.test(text))
  await box.until(`a link to ${page} came`, async () => find() !== undefined)
  return link.exec(find()?.text ?? '')?.[1] ?? ''
}

describe('invitation_received', () => {
  test('is sent once the address is verified, in the app: the invitation is the one mail about it', async () => {
    const invitation = await invite(site.organization.id, 'admin')
    const ada = await register()
    expect((await inboxOf(ada)).total).toBe(0)
    await box.request('POST', '/api/v1/auth/verify-email', { token: await mailedToken('verify-email') })
    const { total, unread_count, items } = await inboxOf(ada)
    expect([total, unread_count]).toEqual([1, 1])
    expect(items[0]).toEqual({
      id: expect.any(String),
      type: 'invitation_received',
      title: '“Olga Owner” invites you to “Acme Robotics”',
      body: `You are invited as an admin. The invitation expires on ${invitation.expires_at.slice(0, 10)}.`,
      organization_id: site.organization.id,
      workspace_id: null,
      project_id: null,
      resource_type: 'invitation',
      resource_id: invitation.id,
      url: expect.stringMatching(/^https?:\/\/[^/]+\/app$/),
      data: { organization_name: 'Acme Robotics', role: 'admin', expires_at: invitation.expires_at },
      is_read: false,
      read_at: null,
      created_at: expect.any(String),
    })
    await box.until('no mail waits', async () => (await box.sql`select from graphile_worker.jobs`).length === 0)
    const mails = mail.messages.filter(({ to, text }) => to.includes(email) && !text.includes('/verify-email?'))
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('/invitations?token=')])
  })

  test('is sent once, however often the address is verified', async () => {
    await invite(site.organization.id)
    const ada = await register()
    await box.request('POST', '/api/v1/auth/verify-email', { token: await mailedToken('verify-email') })
    await box.request('POST', '/api/v1/auth/password-reset', { email })
    const token = await mailedToken('reset-password')
    const password = 'another horse battery staple'
    expect((await box.request('POST', '/api/v1/auth/password-reset/confirm', { token, password })).status).toBe(204)
    const { body } = await box.request('POST', '/api/v1/auth/login', { email, password })
    expect((await inboxOf(ada.as(body.access_token))).total).toBe(1)
  })

  test('is sent for other invitations when one is accepted by its link, which verifies the address', async () => {
    const other = await box.site(owner, 'Other Works')
    await invite(site.organization.id)
    const second = await invite(other.organization.id)
    const ada = await register()
    const tokens = mail.messages
    await box.until(
      'both links came',
      async () => tokens.filter(({ to, text }) => to.includes(email) && text.includes('/invitations?')).length === 2,
    )
    const link = tokens.find(({ to, text }) => to.includes(email) && text.includes('Acme Robotics'))?.text ?? ''
    const [, token = ''] = /invitations\?token=([\w-]+)/.exec(link) ?? []
    await ada.make('/api/v1/invitations/accept', { token })
    const items = await waitForNotifications(box, ada, 2)
    const byType = Object.fromEntries(items.map((item: { type: string }) => [item.type, item]))
    expect(byType).toMatchObject({
      invitation_received: { resource_id: second.id, title: '“Olga Owner” invites you to “Other Works”' },
      member_added: { title: 'You are now a member of “Acme Robotics”' },
    })
  })
})

describe('invitation_received is read by itself', () => {
  const invited = async (ada: Actor, to: Site) =>
    (await inboxOf(ada)).items.find(
      ({ type, data }: Answer['body']) => type === 'invitation_received' && data.organization_name === to.organization.name,
    )?.is_read

  test('when the invitation is revoked, declined by its link, or replaced by another way in', async () => {
    const sites = (await Promise.all(['Revoked', 'Joined', 'Declined'].map((name) => box.site(owner, name)))) as [
      Site,
      Site,
      Site,
    ]
    const [revoked, joined, declined] = sites
    const revocable = await invite(revoked.organization.id)
    await invite(joined.organization.id)
    await invite(declined.organization.id)
    const linked = () => mail.messages.find(({ to, text }) => to.includes(email) && text.includes('Declined'))
    await box.until('the link came', async () => linked() !== undefined)
    const [, token] = /invitations\?token=([\w-]+)/.exec(linked()?.text ?? '') ?? []
    const ada = await register()
    await box.request('POST', '/api/v1/auth/verify-email', { token: await mailedToken('verify-email') })
    for (const each of sites) expect([each.organization.name, await invited(ada, each)]).toEqual([each.organization.name, false])

    await owner.delete(`/api/v1/organizations/${revoked.organization.id}/invitations/${revocable.id}`)
    const visitor = new PageClient(box)
    await visitor.press(await visitor.open(`/invitations?token=${token}`), 'Decline')
    await owner.put(`/api/v1/organizations/${joined.organization.id}`, { registration_mode: 'open' })
    await ada.make(`/api/v1/organizations/${joined.organization.id}/join`)
    for (const each of sites) expect([each.organization.name, await invited(ada, each)]).toEqual([each.organization.name, true])
  })

  test('when the address changes, and those of the new address come', async () => {
    const other = await box.site(owner, 'Other address')
    const ada = await register()
    await box.request('POST', '/api/v1/auth/verify-email', { token: await mailedToken('verify-email') })
    const former = email
    email = `fresh.${former}`
    await invite(other.organization.id)
    await ada.put('/api/v1/users/me', { email, current_password: PASSWORD })
    await box.request('POST', '/api/v1/auth/verify-email', { token: await mailedToken('verify-email') })
    expect(await invited(ada, other)).toBe(false)
    const third = await box.site(owner, 'Third')
    email = former
    await invite(third.organization.id)
    const token = await mailedToken('restore-email')
    expect((await box.request('POST', '/api/v1/auth/restore-email', { token })).status).toBe(204)
    const { body } = await box.request('POST', '/api/v1/auth/password-reset/confirm', {
      token: await mailedToken('reset-password'),
      password: PASSWORD,
    })
    expect(body).toBeNull()
    const back = ada.as((await box.request('POST', '/api/v1/auth/login', { email, password: PASSWORD })).body.access_token)
    expect([await invited(back, other), await invited(back, third)]).toEqual([true, false])
  })
})

describe('member_added', () => {
  test('tells a new owner of the transfer', async () => {
    const [admin, handed] = [await box.user('Handed'), await box.site(owner, 'Handed On')]
    await box.join(admin, handed, 'admin')
    await owner.make(`/api/v1/organizations/${handed.organization.id}/transfer-ownership`, { new_owner_id: admin.id })
    const title = 'You are now the owner of “Handed On”'
    await box.until('the owner is notified', async () =>
      (await inboxOf(admin)).items.some((item: Answer['body']) => item.title === title),
    )
    await box.settled()
    const titles = (await inboxOf(owner, '?page_size=100')).items.map((item: Answer['body']) => item.title)
    expect(titles).not.toContain(title)
  })

  test('is sent to the new member and, if an admin added them, to the owner', async () => {
    const people = await Promise.all(['Adam Admin', 'Berta', 'Carla'].map((name) => box.register(name)))
    const [admin, berta, carla] = people as [Actor, Actor, Actor]
    // Who adds people has a proven address.
    await box.sql`update users set email_verified = true where id = ${admin.id}`
    const own = await box.site(owner, 'Own Works')
    const path = `/api/v1/organizations/${own.organization.id}/members`
    await owner.make(path, { user_id: admin.id, role: 'admin' })
    await owner.make(path, { user_id: berta.id })
    await admin.make(path, { user_id: carla.id })
    for (const user of people)
      expect((await waitForNotifications(box, user as Actor, 1))[0]).toMatchObject({
        title: 'You are now a member of “Own Works”',
      })
    await box.settled()
    const mine = (await inboxOf(owner, '?page_size=100')).items.filter(
      (item: { organization_id: string }) => item.organization_id === own.organization.id,
    )
    expect(mine).toMatchObject([{ type: 'member_added', title: '“Carla” is now a member of “Own Works”', resource_id: carla.id }])
  })
})
