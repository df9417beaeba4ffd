import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp } from '../support/second-factors.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { Provider, signOn } from './provider.ts'

let box: Box
let mail: Mailbox
let provider: Provider
let client: PageClient
let count = 0

beforeAll(async () => {
  mail = await Mailbox.open()
  provider = await Provider.open()
  box = await signalbox({ own: true, environment: { ...mail.environment, ...provider.environment } })
})
afterAll(async () => {
  await box.close()
  await provider.stop()
})
beforeEach(() => {
  client = new PageClient(box)
})

function someone(more: object = {}) {
  count += 1
  return { sub: `p-${count}`, email: `p-${count}@acme.example`, email_verified: true, name: `Person ${count}`, ...more }
}

async function organization(more: object = {}) {
  const owner = await box.user('Olga')
  const site = await box.site(owner)
  const path = `/api/v1/organizations/${site.organization.id}/sso`
  const { status, body } = await owner.put(path, { use_instance: true, ...more })
  if (status !== 200) throw new Error(JSON.stringify(body))
  // It counts sign-ons only while the provider knows its owner.
  await signOn(new PageClient(box), provider, { claims: someone({ email: owner.email }) })
  return { owner, site, path }
}

test('an organization counts the sign-ons of the instance: for its groups, and for what it requires', async () => {
  const { owner, site, path } = await organization()
  const mappings = [{ value: 'admins', role: 'admin' }]
  expect((await owner.put(path, { mappings, provision: true })).body).toMatchObject({ use_instance: true, issuer: null })
  expect((await owner.post(`${path}/domains`, { domain: 'acme.example' })).body.code).toBe('invalid_transition')
  const claims = someone({ groups: ['admins'] })
  await signOn(client, provider, { claims })
  const members = await owner.get(`/api/v1/organizations/${site.organization.id}/members`)
  expect(members.body.find(({ user_email }: { user_email: string }) => user_email === claims.email)?.role).toBe('admin')
  const stranger = someone({ groups: ['others'] })
  await signOn(new PageClient(box), provider, { claims: stranger })
  const after = await owner.get(`/api/v1/organizations/${site.organization.id}/members`)
  expect(after.body).toHaveLength(2)
  await box.sql`update sso_identities set proven_until = now() where user_id = ${owner.id}`
  expect((await owner.put(path, { required: 'everyone' })).body.code).toBe('sso_not_tested')
  const [own] = await box.sql`select subject from sso_identities where user_id = ${owner.id}`
  const browser = await PageClient.signedIn(box, owner)
  await signOn(browser, provider, { claims: { ...someone({ email: owner.email }), sub: own?.subject } })
  await addTotp(box, owner)
  expect((await owner.put(path, { required: 'everyone' })).status).toBe(200)
  const refused = await owner.get(`/api/v1/organizations/${site.organization.id}`)
  expect(refused.body).toMatchObject({ code: 'sso_required', sign_in_url: expect.stringMatching(/\/sign-in\/sso\/instance$/) })
  expect((await browser.open(`/app/organizations/${site.organization.id}`)).status).toBe(200)
  expect((await client.open(`/app/organizations/${site.organization.id}`)).status).toBe(200)
})

test('its provider cannot be changed, and deleting it unlinks nobody of the instance', async () => {
  const { owner, path } = await organization()
  expect((await owner.put(path, { use_instance: false })).body.errors[0].code).toBe('immutable')
  expect((await owner.put(path, { issuer: provider.url })).body.errors[0].code).toBe('immutable')
  await signOn(client, provider, { claims: someone() })
  expect((await owner.delete(path)).status).toBe(204)
  expect(await box.sql`select from sso_identities where user_id = ${owner.id}`).toHaveLength(1)
  expect((await client.open('/app')).status).toBe(200)
})

test('one sign-on makes a person a member of ten organizations of one owner at most; the next goes on', async () => {
  const { owner } = await organization()
  const made = await Promise.all(Array.from({ length: 12 }, (_, at) => box.site(owner, `Many ${at}`)))
  const input = { use_instance: true, provision: true, mappings: [{ value: 'crowd', role: 'admin' }] }
  for (const {
    organization: { id },
  } of made)
    expect((await owner.put(`/api/v1/organizations/${id}/sso`, input)).status).toBe(200)
  const claims = someone({ groups: ['crowd'] })
  const count = async () =>
    (
      await box.sql`
        select from organization_members where user_id = (select id from users where email = ${claims.email})
      `
    ).length
  for (const expected of [10, 12]) {
    await signOn(new PageClient(box), provider, { claims })
    expect(await count()).toBe(expected)
  }
})

test('what one organization has set keeps nobody out of the service', async () => {
  const full = await organization({ provision: true, mappings: [{ value: 'everyone', role: 'admin' }] })
  await full.owner.put(`/api/v1/organizations/${full.site.organization.id}`, { max_members: 1 })
  const next = await organization({ provision: true, mappings: [{ value: 'everyone', role: 'admin' }] })
  const claims = someone({ groups: ['everyone'] })
  expect((await signOn(client, provider, { claims })).path).toBe('/app')
  const members = await next.owner.get(`/api/v1/organizations/${next.site.organization.id}/members`)
  expect(members.body.map(({ user_email }: { user_email: string }) => user_email)).toContain(claims.email)
  const many = Array.from({ length: 1_100 }, (_, at) => `g${at}`)
  expect((await signOn(new PageClient(box), provider, { claims: someone({ groups: many }) })).path).toBe('/app')
})
