/** Ways out of a sign-on that is required, and into accounts of others. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { addTotp } from '../support/second-factors.ts'
import { type Actor, type Answer, PASSWORD } from '../support/signalbox.ts'
import { type Company, SsoBench } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

const refusal = ({ status, body }: Answer) => [status, body?.code]
const titleOf = ({ document }: Visit): string => document.querySelector('h1')?.textContent ?? ''
const REQUIRED = [403, 'sso_required']
const ME = '/api/v1/users/me'

async function memberOf(company: Company, name: string, role: 'admin' | 'member' = 'member'): Promise<Actor> {
  const member = await bench.box.user(name)
  await bench.box.join(member, company.site, role, 'admin')
  return member
}

const pathOf = ({ site }: Company): string => `/api/v1/organizations/${site.organization.id}`
const fresh = (): string => `${crypto.randomUUID()}@elsewhere.example`

async function mappedGroup({ owner, api, site }: Company, value: string): Promise<string> {
  const { id } = await owner.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: value })
  const { status, body } = await owner.put(api, { mappings: [{ value, group_id: id }] })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return id
}

const membersOf = async ({ owner }: Company, group_id: string): Promise<string[]> =>
  (await owner.get(`/api/v1/groups/${group_id}/members`)).body.map(({ user_id }: { user_id: string }) => user_id)

describe('Who is bound by `domains`', () => {
  test('stays bound after changing the address of the account, which needs no sign-on', async () => {
    const company = await bench.company()
    const staff = await memberOf(company, 'Stef')
    await bench.box.sql`update users set email = ${`stef@${company.domain}`} where id = ${staff.id}`
    await company.require('domains')
    expect(refusal(await staff.get(pathOf(company)))).toEqual(REQUIRED)
    const email = fresh()
    expect((await staff.put(ME, { email, current_password: PASSWORD })).status).toBe(200)
    const token = await bench.mail.token(bench.box, email, 'verify-email')
    expect((await bench.box.request('POST', '/api/v1/auth/verify-email', { token })).status).toBe(200)
    expect(refusal(await staff.get(pathOf(company)))).toEqual(REQUIRED)
  })

  test('does not get in because an admin unlinks them, which is to end their access at once', async () => {
    const company = await bench.company()
    const guest = await memberOf(company, 'Gus')
    await company.linked(guest)
    const owner = await company.require('domains')
    expect(refusal(await guest.get(pathOf(company)))).toEqual(REQUIRED)
    const people = `/app/organizations/${company.site.organization.id}/sso/people`
    expect((await owner.post(`${people}/${guest.id}/unlink`)).status).toBe(200)
    expect(refusal(await guest.get(pathOf(company)))).toEqual(REQUIRED)
  })

  test('does not unbind themselves by the page of admins', async () => {
    const company = await bench.company()
    const admin = await memberOf(company, 'Adam', 'admin')
    const browser = await company.linked(admin)
    await company.require('domains')
    const account = await browser.open('/app/account')
    expect((await browser.press(account, 'Unlink')).status).toBe(409)
    const people = `/app/organizations/${company.site.organization.id}/sso/people`
    await browser.post(`${people}/${admin.id}/unlink`)
    expect(refusal(await admin.get(pathOf(company)))).toEqual(REQUIRED)
  })

  test('does not unbind themselves by taking back a change of address from before they were linked', async () => {
    const company = await bench.company()
    const guest = await memberOf(company, 'Gus')
    expect((await guest.put(ME, { email: fresh(), current_password: PASSWORD })).status).toBe(200)
    const { text } = await bench.mail.newest(bench.box, guest.email, 'Your account was changed')
    const [, token] = /\/restore-email\?token=([\w-]+)\n/.exec(text) ?? []
    await company.linked(guest)
    await company.require('domains')
    expect(refusal(await guest.get(pathOf(company)))).toEqual(REQUIRED)
    expect((await bench.box.request('POST', '/api/v1/auth/restore-email', { token })).status).toBe(204)
    const reset = await bench.mail.token(bench.box, guest.email, 'reset-password')
    const done = await bench.box.request('POST', '/api/v1/auth/password-reset/confirm', { token: reset, password: PASSWORD })
    expect(done.status).toBe(204)
    const { body } = await bench.box.request('POST', '/api/v1/auth/login', { email: guest.email, password: PASSWORD })
    expect(refusal(await guest.as(body.access_token).get(pathOf(company)))).toEqual(REQUIRED)
  })
})

describe('An account that the provider made', () => {
  test('is not ended by a stranger who registers its address, which the provider did not call verified', async () => {
    const company = await bench.company({ provision: true })
    const claims = company.person({ email_verified: undefined })
    const browser = new PageClient(bench.box)
    await company.enter(claims, browser)
    expect((await browser.open('/app')).path).toBe('/app')
    await bench.box.request('POST', '/api/v1/auth/register', { email: claims.email, name: 'Mallory', password: PASSWORD })
    expect((await browser.open('/app')).path).toBe('/app')
    const identities = await company.owner.get(`${company.api}/identities`)
    expect(identities.body).toHaveLength(1)
  })

  test('is not kept by the provider of whom the domain is no longer', async () => {
    const first = await bench.company({ provision: true })
    const auth_time = () => Math.floor(Date.now() / 1000)
    const claims = first.person({ auth_time: auth_time() })
    const browser = new PageClient(bench.box)
    await first.enter(claims, browser)
    const second = await bench.company()
    const claimed = await second.owner.make(`${second.api}/domains`, { domain: first.domain })
    bench.names.records.set(claimed.record.name, [claimed.record.value])
    expect((await second.owner.post(`${second.api}/domains/${claimed.id}/verify`)).status).toBe(200)
    // The session is about to end, and the sign-in is not recent any more.
    await bench.box.sql`
      update sessions
      set expires_at = now() + interval '1 minute', authenticated_at = now() - interval '11 hours'
      where opened_by = ${first.connection.id}
    `
    // It is the session of an account that the provider may not open any more: signing on only proves.
    await first.enter({ ...claims, auth_time: auth_time() }, browser)
    const [session] = await bench.box.sql`
      select expires_at < now() + interval '2 minutes' as ends from sessions where opened_by = ${first.connection.id}
    `
    expect({ ...session }).toEqual({ ends: true })
    expect((await browser.post('/app/account/password', { password: 'of the thief, for ever' })).status).toBe(403)
  })

  test('that was removed from the organization does not come back by itself', async () => {
    const company = await bench.company({ provision: true })
    const claims = company.person()
    await company.enter(claims)
    const [{ user_id }] = (await company.owner.get(`${company.api}/identities`)).body
    expect((await company.owner.delete(`${pathOf(company)}/members/${user_id}`)).status).toBe(204)
    await company.enter(claims, new PageClient(bench.box))
    const members = (await company.owner.get(`${pathOf(company)}/members`)).body
    expect(members.map((each: { user_id: string }) => each.user_id)).toEqual([company.owner.id])
  })
})

describe('A sign-on without the second factor', () => {
  test('changes neither groups nor roles', async () => {
    const company = await bench.company()
    const group = await mappedGroup(company, 'releases')
    const member = await memberOf(company, 'Mia')
    const email = `${crypto.randomUUID()}@${company.domain}`
    await bench.box.sql`update users set email = ${email} where id = ${member.id}`
    const first = new PageClient(bench.box)
    await first.post('/sign-in', { email, password: PASSWORD })
    const claims = company.person()
    await company.linkIn(first, claims)
    await addTotp(bench.box, member)
    const page = await company.enter({ ...claims, groups: ['releases'] })
    expect(titleOf(page)).toBe('Second factor')
    expect(await membersOf(company, group)).toEqual([])
  })
})
