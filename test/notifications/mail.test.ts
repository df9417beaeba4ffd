import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { CapturedMail, MailCatcher } from '../../bin/support/mail-catcher.ts'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import { PageClient } from '../support/page-client.ts'
import { whereIs } from '../support/secrecy.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { inboxOf, TYPES, waitForNotifications } from './inbox.ts'

const PREFERENCES = '/api/v1/notifications/preferences'

let box: Box
let mail: MailCatcher
let owner: Actor
let lead: Actor
let site: Site

beforeAll(async () => {
  mail = await mailCatcher()
  box = await signalbox({
    environment: mailSettings(mail),
  })
})
afterAll(() => box.close())

beforeEach(async () => {
  ;[owner, lead] = await Promise.all([box.user('Olga Owner'), box.user('Lea Lead')])
  site = await box.site(owner)
  await box.join(lead, site, 'member', 'admin')
})

const openGate = async (name = 'Release review') => {
  const execution = await box.running(owner, site.project.id)
  return owner.make(`/api/v1/executions/${execution.id}/gates`, { name })
}

const mailsTo = ({ email }: Actor) => mail.messages.filter(({ to }) => to.includes(email))

/** Waits until all events are drained and all mails sent. */
async function waitUntilSent(): Promise<void> {
  await box.settled()
  await box.until('no mail waits', async () => (await box.sql`select from graphile_worker.jobs`).length === 0)
}

async function mailTo(user: Actor): Promise<CapturedMail> {
  await waitUntilSent()
  const [newest] = mailsTo(user)
  if (!newest) throw new Error(`No mail to ${user.name} came`)
  return newest
}

test('a type that is added later reaches people who saved preferences before, in the app and by mail', async () => {
  await lead.put(PREFERENCES, { types: ['budget_alert'], email_types: ['budget_alert'] })
  // As if the type had not existed then.
  await box.sql`
    update notification_preferences set known_types = array_remove(known_types, 'gate_pending') where user_id = ${lead.id}
  `
  const gate = await openGate()
  expect((await mailTo(lead)).headers.subject).toContain(gate.name)
  expect((await inboxOf(lead)).items.map(({ type }: { type: string }) => type)).toContain('gate_pending')
})

test('the mail about a gate says how many approvals it needs, the acceptance criteria, the cost, and until when', async () => {
  const requirement = await owner.make(`/api/v1/projects/${site.project.id}/requirements`, {
    title: 'Pay by invoice',
    acceptance_criteria: ['An invoice can be chosen', 'It is due in 30 days', 'Customers see:\n\nits number\nits sum'],
  })
  const execution = await owner.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
  await owner.make(`/api/v1/executions/${execution.id}/start`)
  await owner.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 4.5 })
  const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, {
    name: 'Release review',
    required_approvals: 2,
    expires_in_seconds: 5_400,
  })
  const { text, html } = await mailTo(lead)
  for (const shown of [
    'It needs 2 approvals; none was given yet. The execution has cost $4.50 so far.',
    '• An invoice can be chosen',
    '• It is due in 30 days',
    `It is open for 1 hour 30 minutes in all and expires at ${gate.expires_at.slice(0, 19).replace('T', ' ')} UTC`,
  ]) {
    expect(text).toContain(shown)
    expect(html).toContain(shown)
  }
  expect(text).toContain('• Customers see:\n  its number\n  its sum\n')
  expect(html).toMatch(/• Customers see:<br ?\/?> {2}its number<br ?\/?> {2}its sum</)
})

/** The path of the unsubscribe link. */
const linkIn = (message: CapturedMail): string => {
  const [, path] =
    /^<https:\/\/signalbox\.example\.com(\/unsubscribe\?token=[\w.-]+)>$/.exec(message.headers['list-unsubscribe'] ?? '') ?? []
  if (!path) throw new Error(`There is no link in ${JSON.stringify(message.headers)}`)
  return path
}

/** The request of a one-click unsubscribe (RFC 8058). */
const oneClick = (path: string) =>
  box.request('POST', path, 'List-Unsubscribe=One-Click', { 'Content-Type': 'application/x-www-form-urlencoded' })

describe('A mail', () => {
  test('contains the notification as text and HTML, with an unsubscribe link', async () => {
    await openGate()
    const message = await mailTo(lead)
    const [notification] = (await inboxOf(lead)).items
    expect(message).toMatchObject({
      to: [lead.email],
      subject: 'The gate “Release review” awaits your review: #1 Pay by invoice',
    })
    for (const shown of [message.text, message.html]) {
      expect(shown).toContain('Hello Lea Lead,')
      expect(shown).toContain('Checkout · Platform · Acme Robotics')
      // The next step, and where to take it.
      expect(shown).toContain('Approve or reject it.')
      expect(shown).toContain(`https://signalbox.example.com/decide?token=${notification.resource_id}.`)
      expect(shown).not.toContain('/api/')
      expect(shown).toContain(`https://signalbox.example.com${linkIn(message)}`)
    }
    expect(message.headers).toMatchObject({
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'auto-submitted': 'auto-generated',
      'message-id': `<${notification.id}@signalbox.example.com>`,
    })
    // Each user gets a separate mail.
    expect(mailsTo(owner)).toHaveLength(1)
    expect(mailsTo(owner)[0]?.to).toEqual([owner.email])
  })

  test('shows names as text', async () => {
    await openGate('<img src=x onerror=alert(1)>&amp;')
    const message = await mailTo(lead)
    expect(message.html).toContain('&lt;img src=x onerror=alert(1)>&amp;amp;')
    expect(message.html).not.toContain('<img')
    expect(message.subject).toBe('The gate “<img src=x onerror=alert(1)>&amp;” awaits your review: #1 Pay by invoice')
  })

  test('has the name of the gate in its subject, cut and in quotation marks that it cannot close', async () => {
    await openGate(`Ready” was approved: “${'x'.repeat(100)}`)
    const { subject } = await mailTo(lead)
    expect(subject).toBe(`The gate “Ready' was approved: '${'x'.repeat(37)}…” awaits your review: #1 Pay by invoice`)
  })

  test('is not sent to users who disabled mail or this type, or whose address is unverified', async () => {
    const [off, untyped, unproven] = await Promise.all(['Off', 'Untyped', 'Unproven'].map((name) => box.user(name)))
    if (!off || !untyped || !unproven) throw new Error('A user is missing')
    for (const user of [off, untyped, unproven]) await box.join(user, site, 'member', 'admin')
    await off.put(PREFERENCES, { email_enabled: false })
    await untyped.put(PREFERENCES, { email_types: TYPES.filter((type) => type !== 'gate_pending') })
    await box.sql`update users set email_verified = false where id = ${unproven.id}`
    await openGate()
    await mailTo(lead)
    for (const user of [off, untyped, unproven]) {
      expect((await inboxOf(user)).total).toBe(1)
      expect(mailsTo(user)).toEqual([])
    }
  })

  test('is checked again when it is sent: users who lost access or disabled it get none', async () => {
    const [left, weary] = await Promise.all(['Left', 'Weary'].map((name) => box.user(name)))
    if (!left || !weary) throw new Error('A user is missing')
    for (const user of [left, weary]) await box.join(user, site, 'member', 'admin')
    await openGate()
    await waitUntilSent()
    const everybody = [left, weary, lead]
    expect(everybody.map((user) => mailsTo(user).length)).toEqual([1, 1, 1])

    await box.sql`delete from workspace_members where user_id = ${left.id}`
    await weary.put(PREFERENCES, { types: ['budget_alert'] })
    for (const user of everybody) {
      const [{ id }] = (await inboxOf(user)).items
      await box.sql`select graphile_worker.add_job('mail_notification', ${box.sql.json({ notification_id: id })}::json)`
    }
    await waitUntilSent()
    expect(everybody.map((user) => mailsTo(user).length)).toEqual([1, 1, 2])
    // A repeated mail has the same Message-ID.
    const [second, first] = mailsTo(lead)
    expect(second?.headers['message-id']).toBe(first?.headers['message-id'] ?? '')
  })
})

describe('Unsubscribing from a type', () => {
  test('works with one click without signing in, affects only this type, and can be repeated', async () => {
    await openGate()
    const path = linkIn(await mailTo(lead))
    const { updated_at } = (await lead.get(PREFERENCES)).body
    expect(await oneClick(path)).toMatchObject({ status: 200, body: { type: 'gate_pending' } })
    const { body } = await lead.get(PREFERENCES)
    expect(body).toEqual({
      email_enabled: true,
      desktop_enabled: false,
      types: TYPES,
      email_types: TYPES.filter((type) => type !== 'gate_pending'),
      updated_at: expect.any(String),
    })
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(updated_at))
    expect((await oneClick(path)).status).toBe(200)
    expect((await lead.get(PREFERENCES)).body).toEqual(body)
    expect((await owner.get(PREFERENCES)).body.email_types).toEqual(TYPES)
    await openGate('Second')
    await waitForNotifications(box, lead, 2)
    await waitUntilSent()
    expect(mailsTo(lead)).toHaveLength(1)
    expect(mailsTo(owner)).toHaveLength(2)
  })

  test('accepts any body that mail clients send', async () => {
    await openGate()
    const path = linkIn(await mailTo(lead))
    const form = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    expect((await box.request('POST', path, form, { 'Content-Type': 'multipart/form-data; boundary=x' })).status).toBe(200)
    expect((await box.request('POST', path)).status).toBe(200)
  })

  test('requires a button on the page behind the link', async () => {
    await openGate()
    const path = linkIn(await mailTo(lead))
    const response = await fetch(box.base + path, { redirect: 'manual' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const html = await response.text()
    expect(html).toContain('<button type="submit">Unsubscribe</button>')
    expect((await lead.get(PREFERENCES)).body.email_types).toEqual(TYPES)
    const [, source = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? []
    const script = await fetch(box.base + source)
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    const visitor = new PageClient(box)
    const done = await visitor.press(await visitor.open(path), 'Unsubscribe')
    expect([done.status, done.text.includes('You will not receive mails of the type gate_pending')]).toEqual([200, true])
    expect((await lead.get(PREFERENCES)).body.email_types).not.toContain('gate_pending')
    await lead.put(PREFERENCES, { email_types: TYPES })
    const forged = await visitor.post('/unsubscribe/confirm?token=x')
    expect([forged.status, forged.text.includes('This link is invalid; use the link in the mail as it is.')]).toEqual([422, true])
  })

  test('is refused without a valid token, which grants nothing else', async () => {
    await openGate()
    const path = linkIn(await mailTo(lead))
    const [, token = ''] = path.split('token=')
    const [user_id = '', type = '', signature = ''] = token.split('.')
    const forged = [
      '',
      'x',
      `${user_id}.${type}`,
      `${user_id}.${type}.`,
      `${user_id}.budget_alert.${signature}`,
      `${owner.id}.${type}.${signature}`,
      `${token}x`,
    ]
    for (const each of forged) {
      const { status, body } = await oneClick(`/unsubscribe?token=${each}`)
      expect([each, status, body.errors[0].code]).toEqual([each, 422, 'invalid_token'])
    }
    expect((await oneClick('/unsubscribe')).status).toBe(422)
    expect((await box.request('GET', '/api/v1/users/me', undefined, { Authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await owner.get(PREFERENCES)).body.email_types).toEqual(TYPES)
  })

  test('has a token that appears only in the mail', async () => {
    await openGate()
    const path = linkIn(await mailTo(lead))
    await oneClick(path)
    const signature = path.split('.').at(-1) ?? ''
    expect(signature.length).toBeGreaterThan(40)
    await lead.get(PREFERENCES)
    expect(await whereIs(box, lead.id)).toContain('output')
    expect(await whereIs(box, signature)).toEqual([])
  })
})
