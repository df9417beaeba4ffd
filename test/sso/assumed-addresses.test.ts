/** Accounts from before the service asked for proofs of addresses. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { freshDatabase } from '../support/server.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { Provider, signOn } from './provider.ts'

let box: Box
let mail: Mailbox
let provider: Provider
let squatter: Actor
let other: Actor

beforeAll(async () => {
  mail = await Mailbox.open()
  provider = await Provider.open()
  const url = await freshDatabase()
  const before = await signalbox({ url, workers: 0 })
  squatter = await before.register('Squatter')
  other = await before.register('Other')
  await before.close()
  box = await signalbox({ own: true, url, environment: { ...mail.environment, ...provider.environment } })
})
afterAll(async () => {
  await box.close()
  await provider.stop()
})

const ask = ({ token }: Actor) => box.request('GET', '/api/v1/users/me', undefined, { Authorization: `Bearer ${token}` })

test('whoever registered an address while nobody had to prove it does not share the account of its owner', async () => {
  expect((await ask(squatter)).status).toBe(200)
  const owner = new PageClient(box)
  const claims = { sub: 'owner', email: squatter.email, email_verified: true, name: 'Owner' }
  expect((await signOn(owner, provider, { claims })).path).toBe('/app')
  expect((await ask(squatter)).status).toBe(401)
  const [user] = await box.sql`select password_hash, is_address_assumed from users where email = ${squatter.email}`
  expect({ ...user }).toEqual({ password_hash: null, is_address_assumed: false })
})

test('an account that another person of the provider has is not taken from them', async () => {
  const claims = { sub: 'first', email: other.email, email_verified: true, name: 'First' }
  const first = new PageClient(box)
  await signOn(first, provider, { claims })
  await box.sql`update users set is_address_assumed = true where email = ${other.email}`
  const second = await signOn(new PageClient(box), provider, { claims: { ...claims, sub: 'second' } })
  expect(second.status).toBe(409)
  expect((await first.open('/app')).path).toBe('/app')
})
