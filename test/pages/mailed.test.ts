/** The pages behind mailed links, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MailingBox, newAddress } from '../invitations/mailing-box.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Box, PASSWORD, type Site } from '../support/signalbox.ts'

const NEW = 'a new password to keep'

let mailbox: MailingBox
let box: Box
let owner: Actor
let site: Site

beforeAll(async () => {
  mailbox = await MailingBox.open()
  box = mailbox.box
  owner = await box.user('Owner')
  site = await box.site(owner, 'Inviting')
})
afterAll(() => mailbox.close())

/** The path of the newest link to a page that was mailed to an address. */
async function mailedLink(email: string, page: string, count = 1): Promise<string> {
  const paths = () =>
    mailbox.mail.messages
      .filter(({ to }) => to.includes(email))
      .flatMap(({ text }) => new RegExp(`https://signalbox\\.example\\.com(/${page}\\?token=[\\w.-]+)`).exec(text)?.[1] ?? [])
  await box.until(`${count} links to ${page} came to ${email}`, async () => paths().length >= count)
  return paths()[0] ?? ''
}

async function invite(email: string, count = 1): Promise<string> {
  await owner.post(`/api/v1/organizations/${site.organization.id}/members`, { email })
  return mailedLink(email, 'invitations', count)
}

const roleOf = async (email: string) => {
  const [row] = await box.sql<{ role: string }[]>`
    select role from organization_members join users on users.id = user_id
    where email = ${email} and organization_id = ${site.organization.id}
  `
  return row?.role ?? null
}

test('registering mails a link, whose page verifies the address with a button', async () => {
  const visitor = new PageClient(box)
  const email = newAddress()
  const done = await visitor.press(await visitor.open('/register'), 'Create', { email, name: 'Grace', password: PASSWORD })
  expect([done.path, visitor.cookies.has('__Host-signalbox')]).toEqual(['/app', true])
  expect(done.text).toContain(`A link to verify your address was mailed to ${email}.`)
  const link = await mailedLink(email, 'verify-email')
  const verified = async () => (await box.sql`select from users where email = ${email} and email_verified`).length === 1
  const page = await visitor.open(link)
  expect(await verified()).toBe(false)
  expect((await visitor.press(page, 'Confirm')).text).toContain(`${email} is verified.`)
  expect(await verified()).toBe(true)
  const again = await visitor.press(page, 'Confirm')
  expect([again.status, again.text.includes('This link is invalid, used, or older than 24 hours; request a new link.')]).toEqual([
    422,
    true,
  ])
})

test('a cookie over https is secure and bound to the host', async () => {
  const body = new URLSearchParams({ email: owner.email, password: PASSWORD }).toString()
  const [cookie = ''] = (await new PageClient(box).send('POST', '/sign-in', body)).headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-signalbox=[\w-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/)
})

test('a forgotten password is replaced with a mailed link, once, and sessions end', async () => {
  const user = await box.user('Forgetful')
  const before = await PageClient.signedIn(box, user)
  const visitor = new PageClient(box)
  const asked = await visitor.press(await visitor.open('/reset-password'), 'Send link', { email: user.email })
  expect(asked.text).toContain(`If ${user.email} has an account, a link was mailed.`)
  const page = await visitor.open(await mailedLink(user.email, 'reset-password'))
  expect(page.html).not.toContain(page.path.split('token=')[1] ?? '')
  const short = await visitor.press(page, 'Set password', { password: 'short' })
  expect([short.status, short.document.querySelector('#password-error')?.textContent]).toEqual([
    422,
    'New password must not have fewer than 12 characters.',
  ])
  expect((await visitor.press(page, 'Set password', { password: NEW })).text).toContain('Your password was changed.')
  expect((await before.open('/app')).path).toBe('/sign-in?next=%2Fapp')
  expect((await visitor.post('/sign-in', { email: user.email, password: NEW })).path).toBe('/app')
  const used = await visitor.press(page, 'Set password', { password: NEW })
  expect([used.status, used.text.includes('This link is invalid, used, or older than an hour')]).toEqual([422, true])
})

test('the mailed link also works in a browser where its user is signed in', async () => {
  const user = await box.user('Signed in')
  const visitor = await PageClient.signedIn(box, user)
  await visitor.post('/reset-password/link', { email: user.email })
  const page = await visitor.open(await mailedLink(user.email, 'reset-password'))
  expect((await visitor.press(page, 'Set password', { password: NEW })).text).toContain('Your password was changed.')
  expect((await visitor.open('/app')).path).toBe('/sign-in?next=%2Fapp')
  expect((await visitor.post('/sign-in', { email: user.email, password: NEW })).path).toBe('/app')
})

describe('An invitation', () => {
  test('is accepted with a new account, which is then signed in', async () => {
    const visitor = new PageClient(box)
    const email = newAddress()
    const page = await visitor.open(await invite(email))
    expect(page.text).toContain('Owner invites you to Inviting as a member.')
    expect(page.document.querySelector('label[for="name"]')?.textContent).toBe('Your name')
    const nameless = await visitor.press(page, 'Accept', { password: PASSWORD })
    expect([nameless.status, nameless.document.querySelector('#name-error')?.textContent]).toEqual([
      422,
      'Your name is required.',
    ])
    const done = await visitor.press(page, 'Accept', { name: 'Newcomer', password: PASSWORD })
    expect([done.path, done.text.includes('You joined as a member.'), await roleOf(email)]).toEqual([
      expect.stringMatching(/^\/app\/organizations\//),
      true,
      'member',
    ])
    const dead = await visitor.open(page.path)
    expect([dead.status, dead.text.includes('This invitation was used or revoked, or is older than 7 days.')]).toEqual([
      410,
      true,
    ])
  })

  test('is accepted with an account of the address, by its password or its session', async () => {
    const ghost = await box.register('Ghost')
    const visitor = new PageClient(box)
    const page = await visitor.open(await invite(ghost.email))
    const wrong = await visitor.press(page, 'Accept', { account: 'old', password: 'wrong' })
    expect([wrong.status, await roleOf(ghost.email)]).toEqual([401, null])
    expect((await visitor.press(page, 'Accept', { account: 'old', password: PASSWORD })).text).toContain(
      'You joined as a member.',
    )

    const other = await box.register('Other')
    const signedIn = await PageClient.signedIn(box, other)
    const done = await signedIn.press(await signedIn.open(await invite(other.email)), 'Accept')
    expect([done.text.includes('You joined as a member.'), await roleOf(other.email)]).toEqual([true, 'member'])
  })

  test('is declined by its link, without an account or as the invited', async () => {
    const email = newAddress()
    const visitor = new PageClient(box)
    const page = await visitor.open(await invite(email))
    const done = await visitor.press(page, 'Decline')
    expect([done.status, done.text.includes('You declined the invitation to Inviting.')]).toEqual([200, true])
    const dead = await visitor.open(page.path)
    expect([dead.status, dead.text.includes('This invitation was used or revoked, or is older than 7 days.')]).toEqual([
      410,
      true,
    ])
    expect((await visitor.press(page, 'Accept', { name: 'Late', password: PASSWORD })).status).toBe(404)
    expect(await roleOf(email)).toBeNull()

    const other = await box.register('Weary')
    const signedIn = await PageClient.signedIn(box, other)
    await signedIn.press(await signedIn.open(await invite(other.email)), 'Decline')
    const audit = `/api/v1/organizations/${site.organization.id}/audit-logs?action=invitation.declined`
    expect((await owner.get(audit)).body.items).toMatchObject([
      { actor_type: 'human', actor_id: other.id, detail: 'Weary declined the invitation to the organization Inviting.' },
      { actor_type: 'system', detail: `${email} declined the invitation to the organization Inviting.` },
    ])
  })

  test('for another address cannot be accepted', async () => {
    const email = newAddress()
    const visitor = await PageClient.signedIn(box, await box.user('Curious'))
    const page = await visitor.open(await invite(email))
    expect(page.text).toContain(`It is for ${email}, and you are signed in as`)
    expect((await visitor.post(page.path)).status).toBe(404)
  })
})
