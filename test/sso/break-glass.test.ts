import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { addTotp, codeOf, complete, forgetCodes, login } from '../support/second-factors.ts'
import { type Actor, type Answer, PASSWORD } from '../support/signalbox.ts'
import { SsoBench } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

const refusal = ({ status, body }: Answer) => [status, body?.code]
const REQUIRED = [403, 'sso_required']

/** A new session of the API, with the second factor. */
async function signedInAgain(owner: Actor, secret: string): Promise<Actor> {
  await forgetCodes(bench.box, owner)
  const { ticket } = (await login(bench.box, owner)).body
  const { body } = await complete(bench.box, ticket, { code: codeOf(secret) })
  return owner.as(body.access_token)
}

test('an owner who has signed in within 10 minutes with a second factor reads and changes the connection, and nothing else', async () => {
  const company = await bench.company()
  const { owner, api, site } = company
  const admin = await bench.box.user('Adam')
  await bench.box.join(admin, site, 'admin')
  await company.linked(owner)
  const { secret } = await addTotp(bench.box, owner)
  expect((await owner.put(api, { required: 'everyone' })).status).toBe(200)
  // This session began before there was a second factor.
  expect(refusal(await owner.get(api))).toEqual(REQUIRED)
  const fresh = await signedInAgain(owner, secret)
  expect((await fresh.get(api)).body.required).toBe('everyone')
  for (const path of ['', '/members', '/sso/domains', '/audit-logs'])
    expect(refusal(await fresh.get(`/api/v1/organizations/${site.organization.id}${path}`))).toEqual(REQUIRED)
  expect(refusal(await fresh.delete(api))).toEqual(REQUIRED)
  const { token } = await fresh.make('/api/v1/auth/tokens', { name: 'Script' })
  expect(refusal(await owner.as(token).get(api))).toEqual(REQUIRED)
  expect(refusal(await admin.get(api))).toEqual(REQUIRED)
  await bench.mail.newest(bench.box, admin.email, 'The settings of single sign-on of Acme Robotics were opened')
  expect((await fresh.put(api, { required: 'none' })).status).toBe(200)
  const log = await fresh.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=sso.break_glass`)
  expect(log.body.total).toBe(1)
  const page = await PageClient.signedIn(bench.box, admin)
  expect((await page.open('/app')).status).toBe(200)
})

test('without its record, nothing is opened; each organization has its own', async () => {
  const company = await bench.company()
  const { owner, api, site } = company
  const other = await bench.box.site(owner, 'Second')
  const connection = await bench.connect(owner, other.organization.id)
  await bench.box.sql`
    update organization_members
    set sso_connection_id = ${connection.id}, sso_required = 'everyone'
    where organization_id = ${other.organization.id}
  `
  await company.require('everyone')
  const fresh = await signedInAgain(owner, company.secret.secret)
  const recorded = async (organization_id: string) =>
    (
      await bench.box.sql`
        select from audit_log_entries where organization_id = ${organization_id} and action = 'sso.break_glass'
      `
    ).length
  await bench.box.sql.unsafe(`
    create function refuse_break_glass() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse_break_glass before insert on audit_log_entries
      for each row when (new.action = 'sso.break_glass') execute function refuse_break_glass()
  `)
  expect((await fresh.get(api)).status).toBe(500)
  await bench.box.sql.unsafe('drop trigger refuse_break_glass on audit_log_entries; drop function refuse_break_glass()')
  for (const path of [api, `/api/v1/organizations/${other.organization.id}/sso`])
    for (let times = 0; times < 2; times++) expect((await fresh.get(path)).status).toBe(200)
  expect([await recorded(site.organization.id), await recorded(other.organization.id)]).toEqual([1, 1])
})

test('in the browser, an owner sees the connection alone, and ends the requirement', async () => {
  const company = await bench.company()
  const { owner, domain, site } = company
  await company.require('everyone')
  const { secret } = company.secret
  const path = `/app/organizations/${site.organization.id}`
  const browser = new PageClient(bench.box)
  await forgetCodes(bench.box, owner)
  const step = await browser.post('/sign-in', { email: owner.email, password: PASSWORD })
  await browser.press(step, 'Sign in', { code: codeOf(secret) })
  const page = await browser.open(`${path}/sso`)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Only its settings are open to you.')])
  expect(page.text).not.toContain(domain)
  for (const below of ['', '/people', '/sso/people', '/sso/groups', '/settings'])
    expect([below, (await browser.open(path + below)).status]).toEqual([below, 403])
  expect((await browser.post(`${path}/sso/domains`, { domain: 'x.example' })).status).toBe(403)
  expect((await browser.post(`${path}/sso/delete`, { confirm_name: 'x' })).status).toBe(403)
  const saved = await browser.press(page, 'Save', { required: 'none' })
  expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('Single sign-on was saved.')])
  expect((await browser.open(path)).status).toBe(200)
  // Once more, but too late.
  const { status } = await owner.put(company.api, { required: 'everyone' })
  expect(status).toBe(200)
  await bench.box.sql`update sessions set created_at = created_at - interval '11 minutes' where user_id = ${owner.id}`
  expect((await browser.open(`${path}/sso`)).status).toBe(403)
})
