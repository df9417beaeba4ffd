/** Invitations in the app, for people whose address is verified. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { Actor, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox()
  owner = await box.user('Olga Owner')
  site = await box.site(owner, 'Inviting')
})
afterAll(() => box.close())

/** Someone who registers after they were invited. */
async function invited(role = 'member'): Promise<{ person: Actor; browser: PageClient; id: string }> {
  const email = `nora.${crypto.randomUUID()}@example.com`
  const { id } = await owner.make(`/api/v1/organizations/${site.organization.id}/members`, { email, role })
  const { body } = await box.request('POST', '/api/v1/auth/register', { email, name: 'Nora New', password: PASSWORD })
  const person = new Actor(box, 'Nora New', email, body.user.id, body.access_token, body.refresh_token)
  return { person, browser: await PageClient.signedIn(box, person), id }
}

const statusOf = async (id: string) =>
  (await box.sql<{ status: string }[]>`select status from invitations where id = ${id}`)[0]?.status

test('what needs me has my invitations, which are accepted there', async () => {
  const { browser, person, id } = await invited('admin')
  const home = await browser.open('/app')
  expect(home.document.querySelector('#invitations')?.textContent).toContain('Olga Owner invites you as an admin')
  const done = await browser.press(home, 'Accept')
  expect([done.path, done.text.includes('You joined as an admin.')]).toEqual([`/app/organizations/${site.organization.id}`, true])
  expect((await person.get(`/api/v1/organizations/${site.organization.id}/my-role`)).body.role).toBe('admin')
  expect(await statusOf(id)).toBe('accepted')
  expect((await browser.open('/app')).document.querySelector('#invitations')).toBeNull()
})

test('an invitation has a page of its own, where it is declined', async () => {
  const { browser, id } = await invited()
  const home = await browser.open('/app')
  const path = `/app/invitations/${id}`
  expect(home.document.querySelector('#invitations a')?.getAttribute('href')).toBe(path)
  const page = await browser.open(path)
  expect(page.text).toContain('Olga Owner invites you to Inviting as a member.')
  const done = await browser.press(page, 'Decline')
  expect([done.path, done.text.includes('You declined the invitation to Inviting.')]).toEqual(['/app', true])
  expect(await statusOf(id)).toBe('declined')
  const again = await browser.press(page, 'Accept')
  expect([again.status, again.text.includes('This invitation does not exist, was used, declined or revoked')]).toEqual([
    404,
    true,
  ])
})

test('the invitation of someone else is not shown, and cannot be answered', async () => {
  const { id } = await invited()
  const stranger = await PageClient.signedIn(box, await box.user('Stranger'))
  expect((await stranger.open('/app')).text).not.toContain('invites you to')
  expect((await stranger.open(`/app/invitations/${id}`)).status).toBe(404)
  expect((await stranger.post(`/app/invitations/${id}`, { answer: 'accept' })).status).toBe(404)
  expect(await statusOf(id)).toBe('pending')
})

test('its notification leads to its page, and is read once it is answered', async () => {
  for (const answer of ['Accept', 'Decline']) {
    const { browser, person, id } = await invited()
    const inbox = await browser.open('/app/notifications')
    const link = inbox.document.querySelector('main .rows .what > a')?.getAttribute('href')
    expect(link).toBe(`/app/invitations/${id}`)
    await browser.press(await browser.open(link ?? ''), answer)
    const { items } = (await person.get('/api/v1/notifications')).body
    expect(items.filter(({ type }: { type: string }) => type === 'invitation_received')).toMatchObject([{ is_read: true }])
  }
})
