import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PageClient } from '../support/page-client.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import { type Company, SsoBench, tokenIn } from './workbench.ts'

let bench: SsoBench

beforeAll(async () => {
  bench = await SsoBench.open()
})
afterAll(() => bench.close())

const refusal = ({ status, body }: Answer) => [status, body?.code]
const REQUIRED = [403, 'sso_required']

async function memberOf(company: Company): Promise<Actor> {
  const member = await bench.box.user('Mia')
  await bench.box.join(member, company.site, 'member', 'admin')
  return member
}

test('personal tokens count if they were made in a session with a live proof, until the last sign-on has expired', async () => {
  const company = await bench.company()
  const org = `/api/v1/organizations/${company.site.organization.id}`
  const member = await memberOf(company)
  const { token: before } = await member.make('/api/v1/auth/tokens', { name: 'Before' })
  const claims = company.person()
  const browser = await company.linked(member, claims)
  const token = await tokenIn(browser)
  await company.require('everyone')
  expect(refusal(await member.as(before).get(org))).toEqual(REQUIRED)
  expect((await member.as(token).get(org)).status).toBe(200)
  await bench.box.sql`update sso_identities set proven_until = now() where user_id = ${member.id}`
  expect(refusal(await member.as(token).get(org))).toEqual(REQUIRED)
  await company.enter(claims, browser)
  expect((await member.as(token).get(org)).status).toBe(200)
  expect(refusal(await member.as(before).get(org))).toEqual(REQUIRED)
})

test('tokens of service accounts are untouched', async () => {
  const company = await bench.company()
  const org = `/api/v1/organizations/${company.site.organization.id}`
  const account = await company.owner.make(`${org}/service-accounts`, { name: 'CI', scopes: ['work:read'] })
  const { key } = await company.owner.make(`/api/v1/service-accounts/${account.id}/keys`, {
    name: 'Key',
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  await company.require('everyone')
  expect((await company.owner.as(key).get(`/api/v1/projects/${company.site.project.id}`)).status).toBe(200)
})

/** Signs a device in, which a browser allows. @returns its token */
async function deviceIn(browser: PageClient): Promise<string> {
  const ask = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(bench.box.base + path, { method: 'POST', body: new URLSearchParams(fields) })
    return response.json()
  }
  const client_id = 'signalbox-cli'
  const { device_code, user_code } = await ask('/oauth/device_authorization', { client_id, scope: 'write' })
  const consent = await browser.press(await browser.open('/device'), 'Continue', { user_code })
  await browser.press(consent, 'Allow')
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return (await ask('/oauth/token', { grant_type, device_code, client_id })).access_token
}

test('devices count if they were allowed in a session with a live proof', async () => {
  const company = await bench.company()
  const org = `/api/v1/organizations/${company.site.organization.id}`
  const member = await memberOf(company)
  const claims = company.person()
  const browser = await company.linked(member, claims)
  const good = await deviceIn(browser)
  await bench.box.sql`
    update sso_proofs set expires_at = now() where session_id in (select id from sessions where user_id = ${member.id})
  `
  const late = await deviceIn(browser)
  await company.require('everyone')
  expect((await member.as(good).get(org)).status).toBe(200)
  expect(refusal(await member.as(late).get(org))).toEqual(REQUIRED)
  // In lists, too.
  const listed = async (token: string) => (await member.as(token).get('/api/v1/search?q=Checkout')).body.length
  expect([await listed(good), await listed(late)]).toEqual([1, 0])
  await bench.box.sql`update sso_identities set proven_until = now() where user_id = ${member.id}`
  expect(refusal(await member.as(good).get(org))).toEqual(REQUIRED)
})
