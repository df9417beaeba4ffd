/** Every DELETE honors `If-Match`. That every PUT does is tested in `version-of-each-field.test.ts`. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { storeConnection, storeDomain, storeIdentity } from '../sso/stored-connection.ts'
import { addTotp } from '../support/second-factors.ts'
import { type Actor, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'
import { makeResources } from './resources.ts'

let box: Box
let ada: Actor
let site: Site
let ids: Record<string, string>

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  const grace = await box.user('Grace')
  site = await box.site(ada)
  await box.join(grace, site, 'member', 'member')
  ids = await makeResources(box, site, ada, grace, grace)
  await ada.put(`/api/v1/groups/${ids.group_id}/members/${grace.id}`)
  const invitation = await ada.make(`/api/v1/organizations/${site.organization.id}/members`, { email: 'new@example.com' })
  const token = await ada.make('/api/v1/auth/tokens', { name: 'Bound', organization_id: site.organization.id })
  Object.assign(ids, { invitation_id: invitation.id, token_id: token.id })
  await storeConnection(box.sql, site.organization.id)
  const domain_id = await storeDomain(box.sql, site.organization.id)
  const identity_id = await storeIdentity(box.sql, site.organization.id, grace.id)
  Object.assign(ids, { domain_id, identity_id })
  await addTotp(box, ada)
})
afterAll(() => box.close())

/** Not made here: their records cannot change, or it is only for operators. */
const ABSENT = ['/api/v1/auth/passkeys/{passkey_id}', '/api/v1/users/me/identities/{identity_id}', '/api/v1/github-app']

test('a DELETE of another version than the current one is refused', async () => {
  const paths = Object.entries(box.contract.document.paths).filter(([, { delete: operation }]) => operation !== undefined)
  const answers: [string, number][] = []
  for (const [template, { delete: operation }] of paths) {
    if (ABSENT.includes(template)) continue
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
    const body = operation?.requestBody ? { current_password: PASSWORD } : undefined
    const { status } = await ada.request('DELETE', path, body, { 'If-Match': '"earlier-1"' })
    answers.push([template, status])
  }
  expect(answers.length).toBeGreaterThan(20)
  expect(answers.filter(([, status]) => status !== 412)).toEqual([])
})

test('so is a PUT of the connection of single sign-on, which asks its provider otherwise', async () => {
  const path = `/api/v1/organizations/${site.organization.id}/sso`
  const { status } = await ada.request('PUT', path, { current_password: PASSWORD }, { 'If-Match': '"earlier-1"' })
  expect(status).toBe(412)
})
