import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { addTotp } from '../support/second-factors.ts'
import { PASSWORD } from '../support/signalbox.ts'
import { SECRET } from './provider.ts'
import { SsoBench } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

test('an owner sets single sign-on up in the browser: provider, domain, mappings, a dry run, and requiring it', async () => {
  const owner = await bench.box.user('Olga')
  const site = await bench.box.site(owner)
  const { organization, workspace } = site
  const path = `/app/organizations/${organization.id}/sso`
  const browser = await PageClient.signedIn(bench.box, owner)
  const empty = await browser.open(path)
  const wrong = await browser.press(empty, 'Connect', {
    issuer: 'http://127.0.0.1:1',
    client_id: 'signalbox',
    client_secret: SECRET,
  })
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Issuer cannot be used.')])
  expect(wrong.html).not.toContain(SECRET)
  const made = await browser.press(empty, 'Connect', {
    issuer: bench.provider.url,
    client_id: bench.provider.client_id,
    client_secret: SECRET,
  })
  expect(made.text).toContain('Single sign-on was saved.')
  expect(made.text).toContain('/callback')

  const domain = bench.newDomain()
  const claimed = await browser.press(made, 'Add the domain', { domain })
  expect(claimed.text).toContain(`_signalbox.${domain}`)
  const unproven = await browser.press(claimed, 'Check the record')
  expect([unproven.status, unproven.text]).toEqual([409, expect.stringContaining('There is no TXT record')])
  const value = /signalbox-domain-verification=[\w-]+/.exec(claimed.html)?.[0] ?? ''
  bench.names.records.set(`_signalbox.${domain}`, [value])
  const verified = await browser.press(claimed, 'Check the record')
  expect(verified.text).toContain(`The domain ${domain} is verified.`)

  const group = await owner.make(`/api/v1/organizations/${organization.id}/groups`, { name: 'Releases' })
  const groups = await browser.open(`${path}/groups`)
  const mapped = await browser.press(groups, 'Add the mapping', { value: 'leads', gives: `admin ${workspace.id}` })
  expect(mapped.text).toContain('Admin of the workspace Platform')
  const both = await browser.press(mapped, 'Add the mapping', { value: 'releases', gives: `group ${group.id}` })
  const tried = await browser.open(`${path}/groups?groups=leads,other`)
  expect(tried.text).toContain('givenWorkspace Platformnone → admin')
  expect(tried.text).toContain('unchangedGroup Releasesnone')
  const ada = await bench.box.user('Ada')
  await bench.box.join(ada, site, 'member', 'admin')
  expect((await owner.put(`/api/v1/groups/${group.id}/members/${ada.id}`)).body.code).toBe('managed_by_sso')
  const hers = await browser.open(`${path}/groups?groups=releases&person=${encodeURIComponent(ada.email)}`)
  expect(hers.text).toContain('givenGroup Releasesnone → member')
  expect(hers.text).toContain('taken awayWorkspace Platformadmin → none')
  expect((await browser.open(`${path}/groups?person=nobody@example.com`)).status).toBe(422)
  const fewer = await browser.press(both, 'Remove: leads')
  expect(fewer.text).not.toContain('Remove: leads')

  const before = await browser.open(path)
  expect(before.text).toContain('Linked members, and those with an address in a domain: 0 members, all linked.')
  expect(before.text).toContain('Everyone: 2 members; no access until they connect their account: Ada, Olga.')
  const untested = await browser.press(before, 'Save', { required: 'everyone' })
  expect([untested.status, untested.text]).toEqual([409, expect.stringContaining('Sign in with this provider yourself')])
  const { body } = await owner.get(`/api/v1/organizations/${organization.id}/sso`)
  const at = await browser.send('POST', `/sign-in/sso/${body.id}`, '')
  const back = bench.provider.signIn(new URL(at.headers.get('location') ?? ''), { claims: { sub: 'olga', groups: [] } })
  await browser.press(await browser.open(back.pathname + back.search), 'Connect')
  await addTotp(bench.box, owner)
  const required = await browser.press(await browser.open(path), 'Save', { required: 'everyone', session_hours: '24' })
  expect(required.text).toContain('Single sign-on was saved.')
  expect(required.text).toContain('Everyone: 2 members; no access until they connect their account: Ada.')
  expect((await browser.open(`${path}/people`)).text).toContain('not linkedAda')

  const none = await browser.press(await browser.open(path), 'Save', { required: 'none' })
  expect(none.status).toBe(200)
  const deleted = await browser.press(none, 'Delete the connection', { confirm_name: new URL(bench.provider.url).host })
  expect(deleted.text).toContain('The connection was deleted')
})

test('changes are confirmed, if the sign-in is older than 10 minutes', async () => {
  const { owner, site, domain } = await bench.company()
  const path = `/app/organizations/${site.organization.id}/sso`
  const browser = await PageClient.signedIn(bench.box, owner)
  const age = () => bench.box.sql`
    update sessions
    set created_at = created_at - interval '11 minutes', confirmed_at = confirmed_at - interval '11 minutes'
    where user_id = ${owner.id}
  `
  await age()
  const page = await browser.open(path)
  expect(page.text).toContain('Your sign-in is older than 10 minutes.')
  const posts: [path: string, fields?: Record<string, string>][] = [
    [path, { session_hours: '24' }],
    [`${path}/domains`, { domain: 'other.example' }],
    [`${path}/groups`, { value: 'leads', gives: 'admin' }],
    [`${path}/groups/0/remove`],
    [`${path}/delete`, { confirm_name: new URL(bench.provider.url).host }],
  ]
  for (const [at, fields] of posts) expect([at, (await browser.post(at, fields)).status]).toEqual([at, 403])
  const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/sso/domains`)
  for (const action of ['verify', 'remove'])
    expect((await browser.post(`${path}/domains/${body[0].id}/${action}`)).status).toBe(403)
  const link = [...page.document.querySelectorAll('a')].find((each) => each.textContent === 'Confirm that it is you')
  const confirm = await browser.open(link?.getAttribute('href') ?? '')
  // Without a proof, it confirms nothing, however recent the last one.
  expect((await browser.post(confirm.path)).status).toBe(403)
  expect((await browser.press(confirm, 'Confirm', { current_password: 'wrong' })).status).toBe(422)
  const back = await browser.press(confirm, 'Confirm', { current_password: PASSWORD })
  expect(back.path).toBe(path)
  expect(back.text).not.toContain('Your sign-in is older')
  expect((await browser.post(path, { session_hours: '24' })).status).toBe(200)
  expect((await browser.post(confirm.path)).status).toBe(403)
  await age()
  expect((await browser.post(path, { session_hours: '12' })).status).toBe(403)
  expect((await owner.get(`/api/v1/organizations/${site.organization.id}/sso/domains`)).body[0].domain).toBe(domain)
})

test('admins read the page, and change nothing there; members do not see it', async () => {
  const company = await bench.company()
  const [admin, member] = [await bench.box.user('Adam'), await bench.box.user('Mia')]
  await bench.box.join(admin, company.site, 'admin')
  await bench.box.join(member, company.site, 'member')
  const path = `/app/organizations/${company.site.organization.id}/sso`
  const page = await (await PageClient.signedIn(bench.box, admin)).open(path)
  expect(page.text).toContain(company.domain)
  expect(page.document.querySelectorAll('main form button')).toHaveLength(0)
  expect((await (await PageClient.signedIn(bench.box, member)).open(path)).status).toBe(403)
})

test('an organization has at most ten domains, and the page then offers no more', async () => {
  const { owner, api, site } = await bench.company()
  for (let count = 1; count < 10; count++) await owner.make(`${api}/domains`, { domain: bench.newDomain() })
  const { status, body } = await owner.post(`${api}/domains`, { domain: bench.newDomain() })
  expect([status, body.code]).toEqual([409, 'domain_limit_reached'])
  const browser = await PageClient.signedIn(bench.box, owner)
  const page = await browser.open(`/app/organizations/${site.organization.id}/sso`)
  expect(page.text).not.toContain('Add the domain')
})
