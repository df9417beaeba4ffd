import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { addTotp } from '../support/second-factors.ts'
import { SECRET } from './provider.ts'
import { SsoBench } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

test('an owner sets single sign-on up in the browser: provider, domain, mappings, a dry run, and requiring it', async () => {
  const owner = await bench.box.user('Olga')
  const { organization, workspace } = await bench.box.site(owner)
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

  const mapped = await browser.press(verified, 'Add the mapping', { value: 'leads', gives: `admin ${workspace.id}` })
  expect(mapped.text).toContain('Admin of the workspace Platform')
  const people = await browser.open(`${path}/people?groups=leads,other`)
  expect(people.text).toContain('With leads, other: admin of the workspace Platform.')
  expect(people.text).toContain('Everyone would bind all 1. 1 of 1 could not get in until they have connected their account.')

  const untested = await browser.press(await browser.open(path), 'Save', { required: 'everyone' })
  expect([untested.status, untested.text]).toEqual([409, expect.stringContaining('Sign in with this provider yourself')])
  const { body } = await owner.get(`/api/v1/organizations/${organization.id}/sso`)
  const at = await browser.send('POST', `/sign-in/sso/${body.id}`, '')
  const back = bench.provider.signIn(new URL(at.headers.get('location') ?? ''), { claims: { sub: 'olga', groups: [] } })
  await browser.press(await browser.open(back.pathname + back.search), 'Connect')
  await addTotp(bench.box, owner)
  const required = await browser.press(await browser.open(path), 'Save', { required: 'everyone', session_hours: '24' })
  expect(required.text).toContain('Single sign-on was saved.')
  expect((await browser.open(`${path}/people`)).text).toContain('All of them are linked.')

  const none = await browser.press(await browser.open(path), 'Save', { required: 'none' })
  expect(none.status).toBe(200)
  const deleted = await browser.press(none, 'Delete the connection', { confirm_name: new URL(bench.provider.url).host })
  expect(deleted.text).toContain('The connection was deleted')
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
