import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { addTotp } from '../support/second-factors.ts'
import { whereIs } from '../support/secrecy.ts'
import { type Answer, PASSWORD } from '../support/signalbox.ts'
import { leave, SECRET } from './provider.ts'
import { SsoBench } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

const refusal = ({ status, body }: Answer) => [status, body?.code]
const field = ({ status, body }: Answer) => [status, body?.errors?.[0].pointer, body?.errors?.[0].code]
const titleOf = ({ document }: Visit): string => document.querySelector('h1')?.textContent ?? ''
const who = async (browser: PageClient): Promise<string> => (await browser.open('/sign-out')).text
const memberOf = async (org_id: string, email: string) =>
  (
    await bench.box.sql`
    select from organization_members join users on users.id = user_id where organization_id = ${org_id} and email = ${email}
  `
  ).length === 1

describe('The connection of an organization', () => {
  test('is made by the first PUT of the owner, shows no secret, and is read by admins', async () => {
    const owner = await bench.box.user('Olga')
    const site = await bench.box.site(owner)
    const path = `/api/v1/organizations/${site.organization.id}/sso`
    expect(refusal(await owner.get(path))).toEqual([404, 'not_found'])
    const made = await bench.connect(owner, site.organization.id)
    expect(made).toMatchObject({
      ...{ issuer: bench.provider.url, client_id: 'signalbox', client_secret: '********', scopes: 'openid email profile' },
      ...{ claims: {}, groups_claim: 'groups', mappings: [], provision: false, trust_email: false, session_hours: 12 },
      ...{ required: 'none', use_instance: false },
      callback_url: expect.stringMatching(new RegExp(`/sign-in/sso/${made.id}/callback$`)),
    })
    expect(await whereIs(bench.box, SECRET)).toEqual([])
    const [admin, member, stranger] = [await bench.box.user('Adam'), await bench.box.user('Mia'), await bench.box.user('Sid')]
    await bench.box.join(admin, site, 'admin')
    await bench.box.join(member, site, 'member')
    expect((await admin.get(path)).status).toBe(200)
    expect(refusal(await admin.put(path, { provision: true }))).toEqual([403, 'forbidden'])
    expect(refusal(await member.get(path))).toEqual([403, 'forbidden'])
    expect(refusal(await stranger.get(path))).toEqual([404, 'not_found'])
    expect((await owner.put(path, { client_secret: '********', session_hours: 24 })).body.session_hours).toBe(24)
    expect(field(await owner.put(path, { issuer: 'https://other.example' }))).toEqual([422, '/issuer', 'immutable'])
    expect((await owner.put(path, { issuer: bench.provider.url })).status).toBe(200)
    const { token } = await owner.make('/api/v1/auth/tokens', { name: 'Script' })
    expect(refusal(await owner.as(token).put(path, { provision: true }))).toEqual([403, 'session_required'])
    const log = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=sso_connection.*`)
    expect(log.body.items.map(({ action }: { action: string }) => action)).toEqual([
      'sso_connection.updated',
      'sso_connection.created',
    ])
    expect((await owner.delete(path)).status).toBe(204)
    expect(refusal(await owner.get(path))).toEqual([404, 'not_found'])
  })

  test('is refused with an issuer that cannot be used, and says why', async () => {
    const owner = await bench.box.user('Olga')
    const { organization } = await bench.box.site(owner)
    const path = `/api/v1/organizations/${organization.id}/sso`
    const put = (issuer: string, more: object = {}) => owner.put(path, { issuer, client_id: 'x', client_secret: 'y', ...more })
    expect(field(await put(`${bench.provider.url}/`))).toEqual([422, '/issuer', 'issuer_unreachable'])
    expect(field(await put('http://127.0.0.1:1'))).toEqual([422, '/issuer', 'issuer_unreachable'])
    expect(field(await put('http://login.example.com'))).toEqual([422, '/issuer', 'malformed'])
    expect(field(await put('https://10.0.0.1'))).toEqual([422, '/issuer', 'malformed'])
    expect(field(await put('https://accounts.google.com'))).toEqual([422, '/claims', 'too_broad'])
    expect(field(await put('https://gitlab.com', { claims: { sub: ['1'] } }))).toEqual([422, '/claims', 'too_broad'])
    const personal = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0'
    expect(field(await put(personal, { claims: { tid: ['x'] } }))).toEqual([422, '/issuer', 'too_broad'])
    for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint']) {
      bench.provider.discovery = { [name]: 'https://10.0.0.1/x' }
      expect(field(await put(bench.provider.url))).toEqual([422, '/issuer', 'issuer_unreachable'])
    }
    bench.provider.discovery = {}
    expect(field(await owner.put(path, { issuer: bench.provider.url }))).toEqual([422, '/client_id', 'required'])
    expect(field(await owner.put(path, { use_instance: true }))).toEqual([422, '/use_instance', 'not_allowed'])
    expect(field(await put(bench.provider.url, { client_secret: '********' }))).toEqual([
      422,
      '/client_secret',
      'nothing_to_keep',
    ])
  })
})

describe('A domain', () => {
  test('counts once its TXT record is there, and lapses when that is missing three times', async () => {
    const { owner, api, site, domain } = await bench.company()
    const { body: list } = await owner.get(`${api}/domains`)
    expect(list).toMatchObject([{ domain, status: 'verified', record: { name: `_signalbox.${domain}` } }])
    const other = await owner.make(`${api}/domains`, { domain: `SUB.${domain}` })
    expect(other).toMatchObject({ domain: `sub.${domain}`, status: 'pending', checked_at: null })
    expect(refusal(await owner.post(`${api}/domains/${other.id}/verify`))).toEqual([409, 'domain_not_proven'])
    bench.names.records.set(other.record.name, ['signalbox-domain-verification=other', `${other.record.value}x`])
    expect(refusal(await owner.post(`${api}/domains/${other.id}/verify`))).toEqual([409, 'domain_not_proven'])
    expect(refusal(await owner.post(`${api}/domains`, { domain }))).toEqual([409, 'already_exists'])
    for (const wrong of ['localhost', 'a b.example', 'acme.example/x', '10.0.0.1', 'x@acme.example'])
      expect(field(await owner.post(`${api}/domains`, { domain: wrong }))).toEqual([422, '/domain', 'malformed'])
    const admin = await bench.box.user('Adam')
    await bench.box.join(admin, site, 'admin')
    // Queries that are not answered do not count.
    bench.names.answers = false
    const name = `_signalbox.${domain}`
    const asked = () => bench.names.asked.get(name) ?? 0
    const before = asked()
    await bench.box.until('the record was asked for several times', async () => asked() >= before + 4, 30_000)
    expect((await owner.get(`${api}/domains`)).body.at(-1).status).toBe('verified')
    bench.names.answers = true
    bench.names.records.delete(name)
    await bench.box.until(
      'it has lapsed',
      async () => (await owner.get(`${api}/domains`)).body.at(-1).status === 'lapsed',
      20_000,
    )
    for (const { email } of [owner, admin])
      await bench.mail.newest(bench.box, email, 'A domain of Acme Robotics is not proven any more')
    const log = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=sso_domain.*`)
    const actions = log.body.items.map(({ action }: { action: string }) => action)
    expect(actions).toContain('sso_domain.lapsed')
    expect(actions).toContain('sso_domain.verified')
    expect((await owner.delete(`${api}/domains/${other.id}`)).status).toBe(204)
  }, 60_000)

  test('of another organization is taken, unless its record is gone', async () => {
    const first = await bench.company()
    const second = await bench.company()
    const claimed = await second.owner.make(`${second.api}/domains`, { domain: first.domain })
    const { name, value } = claimed.record
    const own = bench.names.records.get(name) ?? []
    bench.names.records.set(name, [...own, value])
    const verify = () => second.owner.post(`${second.api}/domains/${claimed.id}/verify`)
    expect(refusal(await verify())).toEqual([409, 'domain_taken'])
    bench.names.records.set(name, [value])
    expect((await verify()).body.status).toBe('verified')
    expect((await first.owner.get(`${first.api}/domains`)).body[0].status).toBe('lapsed')
  })
})

describe('Signing on with the provider of an organization', () => {
  test('begins at a page that names the organization, to which the address leads', async () => {
    const company = await bench.company()
    const client = new PageClient(bench.box)
    const email = `Anyone@${company.domain.toUpperCase()}`
    const start = await client.press(await client.open('/sign-in?next=/app/account'), 'Continue', { email })
    expect(start.path).toBe(`${company.path}?next=%2Fapp%2Faccount`)
    expect(start.text).toContain('Acme Robotics')
    expect(start.text).toContain(new URL(bench.provider.url).host)
    // An address without a provider leads to the password, whether or not there is an account.
    const { owner } = company
    const asked = await Promise.all(
      [owner.email, 'ada@nowhere.example'].map(async (address) => {
        const page = await client.press(await client.open('/sign-in'), 'Continue', { email: address })
        return page.html.replaceAll(address, '')
      }),
    )
    expect(asked[0]).toBe(asked[1])
    expect(asked[0]).toContain('name="password"')
    // The password of an account whose domain has a provider, which may be lost.
    await bench.box.sql`update users set email = ${`olga@${company.domain}`} where id = ${owner.id}`
    const form = await client.open(start.document.querySelector('.more a')?.getAttribute('href') ?? '')
    const done = await client.press(form, 'Sign in', { email: `olga@${company.domain}`, password: PASSWORD })
    expect(done.path).toBe('/app/account')
  })

  test('makes an account and a membership with `provision`, of an address in a verified domain that nobody proved', async () => {
    const company = await bench.company({ provision: true })
    const org_id = company.site.organization.id
    const claims = company.person()
    const browser = new PageClient(bench.box)
    expect((await company.enter(claims, browser)).path).toBe('/app')
    expect(await who(browser)).toContain(claims.email)
    expect(await memberOf(org_id, claims.email)).toBe(true)
    for (const email of [
      'x@elsewhere.example',
      `x@sub.${company.domain}`,
      `x@${company.domain}.example`,
      `x@not${company.domain}`,
    ]) {
      const page = await company.enter(company.person({ email }))
      expect(titleOf(page)).toBe('Sign in first')
      expect(await memberOf(org_id, email)).toBe(false)
    }
    const known = await bench.box.user('Kim')
    await bench.box.sql`update users set email = ${`kim@${company.domain}`} where id = ${known.id}`
    const page = await company.enter(company.person({ email: `kim@${company.domain}` }))
    expect(titleOf(page)).toBe('Sign in first')
    expect(await bench.box.sql`select from sso_identities where user_id = ${known.id}`).toHaveLength(0)
  })

  test('makes none without `provision`, and proves addresses by mail that it does not call verified', async () => {
    const closed = await bench.company()
    expect(titleOf(await closed.enter(closed.person()))).toBe('Sign in first')
    const company = await bench.company({ provision: true })
    const claims = company.person({ email_verified: false })
    await company.enter(claims)
    const [user] = await bench.box.sql`select email_verified from users where email = ${claims.email}`
    expect({ ...user }).toEqual({ email_verified: false })
    await bench.mail.newest(bench.box, claims.email, 'Verify your e-mail address')
    const trusting = await bench.company({ provision: true, trust_email: true })
    const trusted = trusting.person({ email_verified: undefined })
    await trusting.enter(trusted)
    expect(await bench.box.sql`select from users where email = ${trusted.email} and email_verified`).toHaveLength(1)
  })

  test('connects the account of a member on a page that names both, with a proof, for that session alone', async () => {
    const company = await bench.company()
    const member = await bench.box.user('Mia')
    await bench.box.join(member, company.site, 'member')
    const claims = company.person({ email: 'mia@private.example' })
    const browser = await PageClient.signedIn(bench.box, member)
    const page = await company.enter(claims, browser)
    expect(titleOf(page)).toBe('Connect your account')
    for (const text of ['Acme Robotics', 'mia@private.example', member.email]) expect(page.text).toContain(text)
    const other = await PageClient.signedIn(bench.box, member)
    expect((await other.open(`${company.path}/connect`)).status).toBe(410)
    await bench.box.sql`update sessions set created_at = created_at - interval '11 minutes' where user_id = ${member.id}`
    expect((await browser.post(`${company.path}/connect`)).status).toBe(403)
    const done = await browser.post(`${company.path}/connect`, { current_password: 'correct horse battery staple' })
    expect(done.path).toBe('/app')
    expect((await bench.mail.newest(bench.box, member.email, 'Your account was changed')).text).toContain('was linked')
    const again = await company.enter(claims)
    // Its address is in no domain of the company: the provider does not sign in.
    expect(titleOf(again)).toBe('Sign in first')
    const { body } = await member.get('/api/v1/users/me/identities')
    expect(body).toMatchObject([{ provider: 'oidc', external_id: claims.sub, organization_id: company.site.organization.id }])
    const second = await company.enter(company.person(), browser)
    expect((await browser.press(second, 'Connect', { current_password: PASSWORD })).status).toBe(409)
  })

  test('connects a person who is signed in and becomes a member by that, with `provision` and an address in a domain', async () => {
    const company = await bench.company({ provision: true })
    const stranger = await bench.box.user('Sid')
    const browser = await PageClient.signedIn(bench.box, stranger)
    const outside = await company.enter(company.person({ email: 'sid@private.example' }), browser)
    expect([outside.status, titleOf(outside)]).toEqual([403, 'You are not allowed to sign in'])
    const page = await company.enter(company.person(), browser)
    expect(titleOf(page)).toBe('Connect your account')
    expect(await memberOf(company.site.organization.id, stranger.email)).toBe(false)
    expect((await browser.press(page, 'Connect')).status).toBe(200)
    expect(await memberOf(company.site.organization.id, stranger.email)).toBe(true)
    // Bound, they do not unlink it themselves.
    await company.require('domains')
    const refused = await browser.press(await browser.open('/app/account'), 'Unlink')
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('You must sign in with this provider')])
  })

  test('in the session of a stranger, or of another account, is refused', async () => {
    const company = await bench.company()
    const [member, stranger] = [await bench.box.user('Mia'), await bench.box.user('Sid')]
    await bench.box.join(member, company.site, 'member')
    const claims = company.person()
    await company.linked(member, claims)
    const browser = await PageClient.signedIn(bench.box, stranger)
    expect((await company.enter(company.person(), browser)).status).toBe(403)
    expect((await company.enter(claims, browser)).status).toBe(409)
    expect(await bench.box.sql`select from sso_identities where user_id = ${stranger.id}`).toHaveLength(0)
    expect(
      await bench.box.sql`select from sso_proofs join sessions on sessions.id = session_id where user_id = ${stranger.id}`,
    ).toHaveLength(0)
  })

  test('of one tenant does not name the people of another: the same issuer and subject are another person there', async () => {
    const [acme, evil] = [await bench.company({ provision: true }), await bench.company({ provision: true })]
    const claims = acme.person()
    await acme.enter(claims)
    // The other tenant claims the subject and the address of that person.
    const page = await evil.enter(claims)
    expect(titleOf(page)).toBe('Sign in first')
    const member = await bench.box.user('Eve')
    await bench.box.join(member, evil.site, 'member')
    await evil.linked(member, claims)
    const [{ owner }] = await bench.box.sql<[{ owner: string }]>`
      select users.email as owner from sso_identities join users on users.id = user_id
      where connection_id = ${acme.connection.id} and subject = ${claims.sub}
    `
    expect(owner).toBe(claims.email)
    // An answer for one connection does not pass at another.
    const at = await leave(new PageClient(bench.box), acme.path)
    const back = bench.provider.signIn(at, { claims })
    const elsewhere = `${evil.path}/callback${back.search}`
    expect((await new PageClient(bench.box).open(elsewhere)).status).toBe(400)
  })

  test('asks for the second factor of the account', async () => {
    const company = await bench.company()
    const member = await bench.box.user('Mia')
    await bench.box.join(member, company.site, 'member')
    await bench.box.sql`update users set email = ${`mia@${company.domain}`} where id = ${member.id}`
    const claims = company.person()
    const browser = new PageClient(bench.box)
    await browser.post('/sign-in', { email: `mia@${company.domain}`, password: 'correct horse battery staple' })
    await company.linkIn(browser, claims)
    expect((await company.enter(claims)).path).toBe('/app')
    await addTotp(bench.box, member)
    expect(titleOf(await company.enter(claims))).toBe('Second factor')
  })

  test('ends with the link: admins unlink, whose sessions end, and the reason of a refusal is in the audit log', async () => {
    const company = await bench.company({ provision: true })
    const claims = company.person()
    const browser = new PageClient(bench.box)
    await company.enter(claims, browser)
    const { body } = await company.owner.get(`${company.api}/identities`)
    expect(body).toMatchObject([{ subject: claims.sub, user_email: claims.email, email: claims.email }])
    expect((await company.owner.delete(`${company.api}/identities/${body[0].id}`)).status).toBe(204)
    expect((await browser.open('/app')).path).toStartWith('/sign-in')
    for (let tries = 0; tries < 12; tries++) await company.enter({ ...claims, nonce: 'other' })
    const log = await company.owner.get(`/api/v1/organizations/${company.site.organization.id}/audit-logs?action=sso.refused`)
    expect(log.body.total).toBe(10)
    expect(log.body.items[0]).toMatchObject({ actor_type: 'system', detail: expect.stringContaining('its nonce differs') })
  })
})
