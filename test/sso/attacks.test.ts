/** What attackers try who have an account at the provider, an organization of their own, or an address that they have not proved. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { StreamClient } from '../notifications/inbox.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { addTotp, codeOf, forgetCodes } from '../support/second-factors.ts'
import { type Actor, type Answer, PASSWORD } from '../support/signalbox.ts'
import { leave, pathOf, SECRET } from './provider.ts'
import { type Company, SsoBench, tokenIn } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

const titleOf = ({ document }: Visit): string => document.querySelector('h1')?.textContent ?? ''
const who = async (browser: PageClient): Promise<string> => (await browser.open('/sign-out')).text
const refusal = ({ status, body }: Answer) => [status, body?.code]

/** Gives a user an address of a company. */
async function move(user: Actor, company: Company): Promise<string> {
  const email = `${user.name.toLowerCase()}-${crypto.randomUUID()}@${company.domain}`
  await bench.box.sql`update users set email = ${email} where id = ${user.id}`
  return email
}

/** A group of a company that a value of the claim gives. */
async function mappedGroup({ owner, site, api }: Company, value: string): Promise<string> {
  const { id } = await owner.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: value })
  const { status, body } = await owner.put(api, { mappings: [{ value, group_id: id.toUpperCase() }] })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return id
}

const membersOf = async ({ owner }: Company, group_id: string): Promise<string[]> =>
  (await owner.get(`/api/v1/groups/${group_id}/members`)).body.map(({ user_id }: { user_id: string }) => user_id)

describe('An address', () => {
  test('that a colleague claims at the provider, unverified, is not theirs once its owner resets the password', async () => {
    const company = await bench.company({ provision: true })
    const group = await mappedGroup(company, 'releases')
    const claims = company.person({ email_verified: false, groups: ['releases'] })
    const thief = new PageClient(bench.box)
    await company.enter(claims, thief)
    expect(await who(thief)).toContain(claims.email)
    expect(await membersOf(company, group)).toHaveLength(1)
    await bench.box.request('POST', '/api/v1/auth/password-reset', { email: claims.email })
    const token = await bench.mail.token(bench.box, claims.email, 'reset-password')
    const reset = await bench.box.request('POST', '/api/v1/auth/password-reset/confirm', { token, password: PASSWORD })
    expect(reset.status).toBe(204)
    expect((await thief.open('/app')).path).toStartWith('/sign-in')
    expect(titleOf(await company.enter(claims))).toBe('Sign in first')
    expect(await membersOf(company, group)).toEqual([])
  })

  test('that a colleague claims, unverified, is not theirs once the provider says that it is of another', async () => {
    const company = await bench.company({ provision: true })
    const claims = company.person({ email_verified: false })
    const thief = new PageClient(bench.box)
    await company.enter(claims, thief)
    const owner = new PageClient(bench.box)
    await company.enter({ ...claims, sub: `${claims.sub}-owner`, email_verified: true }, owner)
    expect(await who(owner)).toContain(claims.email)
    expect((await thief.open('/app')).path).toStartWith('/sign-in')
    expect(titleOf(await company.enter(claims))).toBe('Sign in first')
  })

  test('is compared as mail servers do: no look-alike and no subdomain is in the domain', async () => {
    const company = await bench.company({ provision: true })
    for (const domain of [
      company.domain.replace('acme', 'аcme'),
      company.domain.replace('acme', 'acme\u200b'),
      `${company.domain}.`,
      `x.${company.domain}`,
      `${company.domain}\0.example`,
      `evil.example/@${company.domain}.example`,
    ]) {
      const page = await company.enter(company.person({ email: `ada@${domain}` }))
      expect([domain, titleOf(page)]).toEqual([domain, 'Sign in first'])
    }
    const claims = company.person()
    const browser = new PageClient(bench.box)
    // Letters of full width are the same domain, by UTS 46.
    await company.enter({ ...claims, email: claims.email.replace('acme', 'ａｃｍｅ').toUpperCase() }, browser)
    expect(await who(browser)).toContain(claims.email)
  })
})

describe('A domain', () => {
  test('that has lapsed, or is of another organization now, opens no session of its accounts', async () => {
    const first = await bench.company({ provision: true })
    const claims = first.person()
    await first.enter(claims)
    const second = await bench.company({ provision: true })
    const claimed = await second.owner.make(`${second.api}/domains`, { domain: first.domain })
    bench.names.records.set(claimed.record.name, [claimed.record.value])
    expect((await second.owner.post(`${second.api}/domains/${claimed.id}/verify`)).status).toBe(200)
    expect(titleOf(await first.enter(claims))).toBe('Sign in first')
    // The new owner of the domain gets no account of the old one by its address.
    expect(titleOf(await second.enter(claims))).toBe('Sign in first')
  })

  test('is verified for one organization, if two verify it at once', async () => {
    const companies = [await bench.company(), await bench.company(), await bench.company()]
    const domain = bench.newDomain()
    const claims = await Promise.all(companies.map(({ owner, api }) => owner.make(`${api}/domains`, { domain })))
    bench.names.records.set(
      `_signalbox.${domain}`,
      claims.map(({ record }) => record.value),
    )
    const answers = await Promise.all(
      companies.map(({ owner, api }, index) => owner.post(`${api}/domains/${claims[index]?.id}/verify`)),
    )
    expect(answers.map(refusal).toSorted()).toEqual([
      [200, undefined],
      [409, 'domain_taken'],
      [409, 'domain_taken'],
    ])
  })

  test('of another organization is not found', async () => {
    const [own, other] = [await bench.company(), await bench.company()]
    const [{ id }] = (await other.owner.get(`${other.api}/domains`)).body
    expect(refusal(await own.owner.post(`${own.api}/domains/${id}/verify`))).toEqual([404, 'not_found'])
    expect(refusal(await own.owner.delete(`${own.api}/domains/${id}`))).toEqual([404, 'not_found'])
  })

  test('is claimed, verified and removed with a proof of who is there', async () => {
    const { owner, api } = await bench.company()
    const [{ id }] = (await owner.get(`${api}/domains`)).body
    await bench.box.sql`update sessions set created_at = created_at - interval '11 minutes' where user_id = ${owner.id}`
    const recent = [403, 'recent_sign_in_required']
    const proof = { current_password: PASSWORD }
    expect(refusal(await owner.post(`${api}/domains`, { domain: 'x.example' }))).toEqual(recent)
    expect(refusal(await owner.post(`${api}/domains/${id}/verify`))).toEqual(recent)
    expect(refusal(await owner.request('DELETE', `${api}/domains/${id}`))).toEqual(recent)
    expect(refusal(await owner.put(api, { provision: true }))).toEqual(recent)
    expect(refusal(await owner.request('DELETE', api))).toEqual(recent)
    expect((await owner.post(`${api}/domains`, { domain: bench.newDomain(), ...proof })).status).toBe(201)
    expect((await owner.post(`${api}/domains/${id}/verify`, proof)).status).toBe(200)
    expect((await owner.request('DELETE', `${api}/domains/${id}`, proof)).status).toBe(204)
  })
})

describe('A link', () => {
  test('that ends takes the mapped groups along: who leaves must not stay an approver', async () => {
    const company = await bench.company({ provision: true })
    const group = await mappedGroup(company, 'releases')
    const claims = company.person({ groups: ['releases'] })
    const browser = new PageClient(bench.box)
    await company.enter(claims, browser)
    expect(await membersOf(company, group)).toHaveLength(1)
    const page = await browser.open('/app/account')
    expect((await browser.press(page, 'Unlink')).status).toBe(200)
    expect(await membersOf(company, group)).toEqual([])
    const log = await company.owner.get(
      `/api/v1/organizations/${company.site.organization.id}/audit-logs?action=group_member.removed`,
    )
    expect(log.body.items[0]).toMatchObject({ actor_type: 'system', via: 'sso' })
  })

  test('that ends while the second factor is asked for opens no session', async () => {
    const company = await bench.company()
    const member = await bench.box.user('Mia')
    await bench.box.join(member, company.site, 'member')
    const email = await move(member, company)
    const claims = company.person()
    const first = new PageClient(bench.box)
    await first.post('/sign-in', { email, password: PASSWORD })
    await company.linkIn(first, claims)
    const { secret } = await addTotp(bench.box, member)
    const browser = new PageClient(bench.box)
    const step = await company.enter(claims, browser)
    expect(titleOf(step)).toBe('Second factor')
    const [{ id }] = (await company.owner.get(`${company.api}/identities`)).body
    expect((await company.owner.delete(`${company.api}/identities/${id}`)).status).toBe(204)
    await forgetCodes(bench.box, member)
    expect((await browser.press(step, 'Sign in', { code: codeOf(secret) })).path).toStartWith('/sign-in')
    expect((await browser.open('/app')).path).toStartWith('/sign-in')
  })

  test('of another organization is not found', async () => {
    const [own, other] = [await bench.company(), await bench.company({ provision: true })]
    await other.enter(other.person())
    const [{ id, user_id }] = (await other.owner.get(`${other.api}/identities`)).body
    expect(refusal(await own.owner.delete(`${own.api}/identities/${id}`))).toEqual([404, 'not_found'])
    const browser = await PageClient.signedIn(bench.box, own.owner)
    const path = `/app/organizations/${own.site.organization.id}/sso/people/${user_id}/unlink`
    expect((await browser.post(path)).status).toBe(404)
    expect((await other.owner.get(`${other.api}/identities`)).body).toHaveLength(1)
  })

  test('is made once, if the same new person signs on several times at once', async () => {
    const company = await bench.company({ provision: true })
    const claims = company.person()
    const browsers = Array.from({ length: 4 }, () => new PageClient(bench.box))
    const pages = await Promise.all(browsers.map((browser) => company.enter(claims, browser)))
    expect(pages.map(({ path }) => path)).toEqual(['/app', '/app', '/app', '/app'])
    expect(await bench.box.sql`select from users where email = ${claims.email}`).toHaveLength(1)
    expect(await bench.box.sql`select from sso_identities where subject = ${claims.sub}`).toHaveLength(1)
  })
})

describe('A session', () => {
  test('gets another cookie when its person signs on, and none that the browser had', async () => {
    const company = await bench.company({ provision: true })
    const browser = new PageClient(bench.box)
    browser.cookies.set('__Host-signalbox', 'sbx_sc_chosen-by-an-attacker')
    await company.enter(company.person(), browser)
    expect(browser.cookies.get('__Host-signalbox')).toMatch(/^sbx_sc_[\w-]{43}$/)
    const other = new PageClient(bench.box)
    other.cookies.set('__Host-signalbox', 'sbx_sc_chosen-by-an-attacker')
    expect((await other.open('/app')).path).toStartWith('/sign-in')
  })

  test('without a proof gets no content by the stream of notifications either, although its person has signed on elsewhere', async () => {
    const company = await bench.company()
    const member = await bench.box.user('Mia')
    await bench.box.join(member, company.site, 'member', 'admin')
    // In the domain, so that mails to her have the content.
    await move(member, company)
    const [{ email }] = await bench.box.sql<[{ email: string }]>`select email from users where id = ${member.id}`
    const browser = new PageClient(bench.box)
    await browser.post('/sign-in', { email, password: PASSWORD })
    await company.linkIn(browser, company.person())
    const owner = await company.require('everyone')
    const stream = new StreamClient(bench.box.base, member.token)
    await stream.connect()
    const token = await tokenIn(owner)
    await company.owner.as(token).make(`/api/v1/projects/${company.site.project.id}/gates`, { name: 'Secret plan' })
    await stream.until('a notification came', () => stream.titles().length > 0)
    stream.disconnect()
    expect(stream.titles()).toEqual(['Sign in to read this'])
    expect(JSON.stringify(stream.events)).not.toContain('Secret plan')
    expect(JSON.stringify((await member.get('/api/v1/notifications')).body)).not.toContain('Secret plan')
    expect((await browser.open('/app/notifications')).text).toContain('Secret plan')
  })

  test('that was started for another path does not lead out of the service, however long that is', async () => {
    const company = await bench.company({ provision: true })
    const claims = company.person()
    for (const [next, path] of [
      [`/app/account?${'x'.repeat(10_000)}`, '/app'],
      ['//evil.example', '/app'],
      ['/.//evil.example', '/app'],
      ['/app/account#x', '/app/account#x'],
    ] as const) {
      const browser = new PageClient(bench.box)
      const at = await leave(browser, `${company.path}?next=${encodeURIComponent(next)}`)
      expect((await browser.open(pathOf(bench.provider.signIn(at, { claims })))).path).toBe(path)
    }
  })
})

describe('A tenant', () => {
  test('with the issuer and the client of another one gets nothing by them', async () => {
    const victim = await bench.company({ provision: true })
    const claims = victim.person()
    await victim.enter(claims)
    const mallory = await bench.box.user('Mallory')
    const { organization } = await bench.box.site(mallory)
    const evil = await bench.connect(mallory, organization.id, { client_secret: 'guessed', provision: true })
    // A code of the other connection, with a sign-on that was started here.
    const browser = new PageClient(bench.box)
    const at = await leave(browser, `/sign-in/sso/${evil.id}`)
    const stolen = bench.provider.signIn(await leave(new PageClient(bench.box), victim.path), { claims })
    const state = at.searchParams.get('state') ?? ''
    stolen.searchParams.set('state', state)
    const page = await browser.open(`/sign-in/sso/${evil.id}/callback${stolen.search}`)
    expect([page.status, titleOf(page)]).toEqual([400, 'The sign-in was refused'])
    expect((await browser.open('/app')).path).toStartWith('/sign-in')
  })

  test('that changes its secret does not change that of another with the same issuer', async () => {
    const [one, two] = [await bench.company({ provision: true }), await bench.company({ provision: true })]
    await one.owner.put(one.api, { client_secret: 'wrong' })
    expect((await one.enter(one.person())).status).toBe(400)
    expect((await two.enter(two.person())).path).toBe('/app')
    await one.owner.put(one.api, { client_secret: SECRET })
    expect((await one.enter(one.person())).path).toBe('/app')
  })

  test('whose connection or organization is deleted signs nobody in any more', async () => {
    const company = await bench.company({ provision: true })
    const claims = company.person()
    const browser = new PageClient(bench.box)
    await company.enter(claims, browser)
    const waiting = new PageClient(bench.box)
    const back = pathOf(bench.provider.signIn(await leave(waiting, company.path), { claims }))
    const path = `/api/v1/organizations/${company.site.organization.id}`
    expect((await company.owner.delete(path)).status).toBe(204)
    expect((await waiting.open(back)).status).toBe(404)
    expect((await browser.open('/app')).path).toStartWith('/sign-in')
    for (const table of ['sso_connections', 'sso_domains'])
      expect(
        await bench.box.sql`select from ${bench.box.sql(table)} where organization_id = ${company.site.organization.id}`,
      ).toHaveLength(0)
    expect(await bench.box.sql`select from sso_identities where connection_id = ${company.connection.id}`).toHaveLength(0)
  })
})

test('claims with characters that cannot be stored are taken for what they are, and break nothing', async () => {
  const company = await bench.company({ provision: true })
  await mappedGroup(company, 'releases')
  const member = await bench.box.user('Mia')
  await bench.box.join(member, company.site, 'member')
  const hostile = ['a\0b', '\ud800', '__proto__', 'constructor', '🚀'.repeat(500), '']
  const claims = company.person({ email: 'mia@private.example', name: 'Mia\0\u202e', groups: hostile, __proto__: 1 })
  const browser = await PageClient.signedIn(bench.box, member)
  const page = await company.enter(claims, browser)
  expect(titleOf(page)).toBe('Connect your account')
  expect((await browser.press(page, 'Connect')).status).toBe(200)
  for (const groups of [{ __proto__: {}, constructor: 1 }, 7, true, null, [[['releases']]], { releases: { a: 1 } }]) {
    const { path } = await company.enter(company.person({ groups }), new PageClient(bench.box))
    expect(path).toBe('/app')
  }
})
