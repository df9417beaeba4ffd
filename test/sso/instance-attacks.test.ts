/** What tenants, and strangers, do with the provider of the instance. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp } from '../support/second-factors.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { Provider, signOn } from './provider.ts'

let box: Box
let mail: Mailbox
let provider: Provider

beforeAll(async () => {
  mail = await Mailbox.open()
  provider = await Provider.open()
  box = await signalbox({ own: true, environment: { ...mail.environment, ...provider.environment } })
})
afterAll(async () => {
  await box.close()
  await provider.stop()
})

test('a tenant does not learn in which groups of the provider strangers are, and does not make them members', async () => {
  const mallory = await box.user('Mallory')
  const { organization } = await box.site(mallory)
  const path = `/api/v1/organizations/${organization.id}`
  const group = await mallory.make(`${path}/groups`, { name: 'Who may be blackmailed' })
  const mappings = [{ value: 'works-council', group_id: group.id }]
  const { status } = await mallory.put(`${path}/sso`, { use_instance: true, provision: true, mappings })
  expect(status).toBe(200)
  const victim = { sub: 'victim', email: 'victim@acme.example', email_verified: true, name: 'Vic', groups: ['works-council'] }
  await signOn(new PageClient(box), provider, { claims: victim })
  expect((await mallory.get(`${path}/members`)).body).toHaveLength(1)
  expect((await mallory.get(`/api/v1/groups/${group.id}/members`)).body).toEqual([])
})

test('a person whose sign-in lacks the second factor of the account that has their address is not linked to it', async () => {
  const former = await box.user('Former')
  await addTotp(box, former)
  const claims = { sub: 'successor', email: former.email, email_verified: true, name: 'Successor' }
  await signOn(new PageClient(box), provider, { claims })
  expect(await box.sql`select subject from sso_identities where user_id = ${former.id}`).toHaveLength(0)
})

test('a tenant does not decide whether others can sign in: their groups claim is asked for only where it counts', async () => {
  const claims = { sub: 'ann', email: 'ann@acme.example', email_verified: true, name: 'Ann' }
  // All that is needed is in the ID token of this provider, whose userinfo endpoint is closed to this service.
  provider.answer = (path) => (path === '/userinfo' ? new Response('', { status: 403 }) : undefined)
  expect((await signOn(new PageClient(box), provider, { claims })).path).toBe('/app')
  const mallory = await box.user('Mallory')
  const { organization } = await box.site(mallory)
  const mappings = [{ value: 'x', role: 'admin' }]
  const input = { use_instance: true, groups_claim: 'no-such-claim', mappings }
  expect((await mallory.put(`/api/v1/organizations/${organization.id}/sso`, input)).status).toBe(200)
  const again = await signOn(new PageClient(box), provider, { claims })
  provider.answer = null
  expect(again.path).toBe('/app')
})
