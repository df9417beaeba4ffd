import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { addTotp, codeOf, forgetCodes } from '../support/second-factors.ts'
import { type Actor, type Answer, PASSWORD } from '../support/signalbox.ts'
import { type Company, SsoBench, tokenIn } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

const refusal = ({ status, body }: Answer) => [status, body?.code]
const REQUIRED = [403, 'sso_required']

async function memberOf(company: Company, name = 'Mia'): Promise<Actor> {
  const member = await bench.box.user(name)
  await bench.box.join(member, company.site, 'member', 'admin')
  return member
}

describe('Requiring single sign-on', () => {
  test('needs an own sign-on and a second factor, which then stays', async () => {
    const company = await bench.company()
    const { owner, api } = company
    expect(refusal(await owner.put(api, { required: 'everyone' }))).toEqual([409, 'sso_not_tested'])
    const browser = await company.linked(owner)
    expect(refusal(await owner.put(api, { required: 'everyone' }))).toEqual([409, 'second_factor_required'])
    await addTotp(bench.box, owner)
    await bench.box.sql`update sso_identities set proven_until = now() where user_id = ${owner.id}`
    expect(refusal(await owner.put(api, { required: 'everyone' }))).toEqual([409, 'sso_not_tested'])
    await bench.box.sql`update sso_identities set proven_until = now() + interval '1 hour' where user_id = ${owner.id}`
    expect((await owner.put(api, { required: 'everyone' })).status).toBe(200)
    expect((await browser.open(`/app/organizations/${company.site.organization.id}`)).status).toBe(200)
    expect(refusal(await owner.request('DELETE', '/api/v1/auth/totp'))).toEqual([409, 'second_factor_required'])
    expect(refusal(await owner.delete(api))).toEqual(REQUIRED)
    // In a session with a proof it is the state that forbids it.
    const settings = `/app/organizations/${company.site.organization.id}`
    const deleted = await browser.post(`${settings}/sso/delete`, { confirm_name: new URL(bench.provider.url).host })
    expect([deleted.status, deleted.text]).toEqual([409, expect.stringContaining('Members must sign on with it.')])
    // A new owner needs a second factor, too.
    const heir = await memberOf(company)
    const transfer = () =>
      browser.post(`${settings}/settings/transfer`, { new_owner_id: heir.id, confirm_name: company.site.organization.name })
    const refused = await transfer()
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('The new owner has no second factor')])
    await addTotp(bench.box, heir)
    expect((await transfer()).status).toBe(200)
  })

  test('closes the organization at once to members who have not signed on, also with API sessions, and names the page', async () => {
    const company = await bench.company()
    const { organization, workspace, project } = company.site
    const member = await memberOf(company)
    const paths = [`organizations/${organization.id}`, `workspaces/${workspace.id}`, `projects/${project.id}`]
    for (const path of paths) expect((await member.get(`/api/v1/${path}`)).status).toBe(200)
    await company.require('everyone')
    for (const path of paths) {
      const answer = await member.get(`/api/v1/${path}`)
      expect(refusal(answer)).toEqual(REQUIRED)
      expect(answer.body.sign_in_url).toEndWith(company.path)
    }
    // Strangers learn nothing.
    expect(refusal(await (await bench.box.user('Sid')).get(`/api/v1/${paths[0]}`))).toEqual([404, 'not_found'])
    const browser = await PageClient.signedIn(bench.box, member)
    const page = await browser.open(`/app/projects/${project.id}`)
    expect(page.status).toBe(403)
    expect(page.html).toContain(company.path)
    expect((await browser.open('/app')).text).not.toContain('Checkout')
    expect((await member.get('/api/v1/search?q=Checkout')).body).toEqual([])
    const claims = company.person()
    await company.linkIn(browser, claims)
    expect((await browser.open(`/app/projects/${project.id}`)).status).toBe(200)
    // The proof is of that session alone, and ends.
    expect(refusal(await member.get(`/api/v1/${paths[0]}`))).toEqual(REQUIRED)
    expect((await (await PageClient.signedIn(bench.box, member)).open(`/app/projects/${project.id}`)).status).toBe(403)
    await bench.box.sql`
      update sso_proofs set expires_at = now() where session_id in (select id from sessions where user_id = ${member.id})
    `
    expect((await browser.open(`/app/projects/${project.id}`)).status).toBe(403)
    await company.enter(claims, browser)
    expect((await browser.open(`/app/projects/${project.id}`)).status).toBe(200)
  })

  test('of `domains` binds members with an identity, or an address in a verified or lapsed domain', async () => {
    const company = await bench.company()
    const path = `/api/v1/organizations/${company.site.organization.id}`
    const [guest, linked, staff] = [
      await memberOf(company, 'Gus'),
      await memberOf(company, 'Lin'),
      await memberOf(company, 'Stef'),
    ]
    await company.linked(linked)
    await bench.box.sql`update users set email = ${`stef@${company.domain}`} where id = ${staff.id}`
    await company.require('domains')
    expect((await guest.get(path)).status).toBe(200)
    expect(refusal(await linked.get(path))).toEqual(REQUIRED)
    expect(refusal(await staff.get(path))).toEqual(REQUIRED)
    await bench.box.sql`update sso_domains set status = 'lapsed', check_at = null where domain = ${company.domain}`
    expect(refusal(await staff.get(path))).toEqual(REQUIRED)
    await bench.box.sql`update sso_domains set status = 'pending' where domain = ${company.domain}`
    expect((await staff.get(path)).status).toBe(200)
  })

  test('binds who joins later, and ends with `none`', async () => {
    const company = await bench.company()
    const browser = await company.require('everyone')
    const late = await bench.box.user('Lars')
    const org = `/api/v1/organizations/${company.site.organization.id}`
    const token = await tokenIn(browser)
    await company.owner.as(token).make(`${org}/members`, { user_id: late.id })
    expect(refusal(await late.get(org))).toEqual(REQUIRED)
    await forgetCodes(bench.box, company.owner)
    const none = await browser.send('GET', `/app/organizations/${company.site.organization.id}`)
    expect(none.status).toBe(200)
    const { status } = await company.owner.put(company.api, { required: 'none' })
    // The API session of the owner has no proof, and began without a second factor.
    expect(status).toBe(403)
  })
})

describe('Mailed links and notifications', () => {
  test('count until the last sign-on has expired; a refused link is not used up', async () => {
    const company = await bench.company()
    const member = await memberOf(company)
    const claims = company.person()
    const browser = await company.linked(member, claims)
    await company.require('everyone')
    const token = await tokenIn(browser)
    const opened = async (name: string) => member.as(token).make(`/api/v1/projects/${company.site.project.id}/gates`, { name })
    const linkOf = async (gate: { id: string }): Promise<string> => {
      const found = () => bench.mail.to(member.email).find(({ text }) => text.includes(gate.id))
      await bench.box.until('the mail came', async () => found() !== undefined)
      return /(\/decide\?token=[\w.-]+)/.exec(found()?.text ?? '')?.[1] ?? ''
    }
    const gate = await opened('First')
    const link = await linkOf(gate)
    const expire = () => bench.box.sql`update sso_identities set proven_until = now() where user_id = ${member.id}`
    await expire()
    const nobody = new PageClient(bench.box)
    expect((await nobody.open(link)).status).toBe(403)
    expect((await nobody.post(link, { decision: 'approve' })).status).toBe(403)
    await company.enter(claims, browser)
    const page = await nobody.open(link)
    expect(page.status).toBe(200)
    expect((await nobody.press(page, 'Approve')).status).toBe(200)
    expect((await member.as(token).get(`/api/v1/gates/${gate.id}`)).body).toMatchObject({
      status: 'approved',
      decided_via: 'mail',
    })
    // The next mail goes to an address of which the provider knows nothing.
    await expire()
    const browserOfOwner = await ownerBrowser(company)
    const ownerToken = await tokenIn(browserOfOwner)
    await company.owner.as(ownerToken).make(`/api/v1/projects/${company.site.project.id}/gates`, { name: 'Second secret' })
    await bench.mail.newest(bench.box, member.email, 'Sign in to read this')
    expect(bench.mail.to(member.email).some(({ text, subject }) => `${subject} ${text}`.includes('Second secret'))).toBe(false)
    const inbox = await member.get('/api/v1/notifications')
    expect(JSON.stringify(inbox.body)).not.toContain('Second secret')
  })
})

/** A browser in which the owner has signed on again. */
async function ownerBrowser(company: Company): Promise<PageClient> {
  const [{ subject }] = await bench.box.sql<[{ subject: string }]>`
    select subject from sso_identities where user_id = ${company.owner.id} and connection_id = ${company.connection.id}
  `
  const browser = new PageClient(bench.box)
  await forgetCodes(bench.box, company.owner)
  const { secret } = company.secret
  const step = await browser.post('/sign-in', { email: company.owner.email, password: PASSWORD })
  await browser.press(step, 'Sign in', { code: codeOf(secret) })
  await company.enter(company.person({ sub: subject }), browser)
  return browser
}
