import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { makeMachine } from '../support/service-accounts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  visitor = await PageClient.signedIn(box, ada)
})
afterAll(() => box.close())

test('an admin makes a service account, changes and disables it, and deletes it', async () => {
  const path = `/app/organizations/${site.organization.id}/service-accounts`
  const list = await visitor.open(path)
  expect(list.text).toContain('No service accounts yet.')
  const area = `project:${site.project.id}`
  const refused = await visitor.press(list, 'Create the service account', { name: 'Pipeline', area })
  expect([refused.status, refused.document.querySelector('#scopes-error') !== null]).toEqual([422, true])
  const made = await visitor.press(list, 'Create the service account', { name: '<u>Pipeline</u>', area, scopes: 'gates:open' })
  expect(made.text).toContain('The service account <u>Pipeline</u> was created.')
  expect(made.text).toContain('Platform / Checkout')
  const [account] = (await ada.get(`/api/v1/organizations/${site.organization.id}/service-accounts`)).body
  expect(account).toMatchObject({ scopes: ['gates:open'], project_id: site.project.id, workspace_id: site.workspace.id })
  const saved = await visitor.press(made, 'Save', { name: 'Pipeline', area: '', scopes: 'work:read' })
  expect(saved.text).toContain('The service account was saved.')
  const own = `/api/v1/service-accounts/${account.id}`
  expect((await ada.get(own)).body).toMatchObject({
    name: 'Pipeline',
    scopes: ['work:read'],
    workspace_id: null,
    project_id: null,
  })
  const disabled = await visitor.press(saved, 'Disable')
  expect(disabled.text).toContain('The service account was disabled.')
  expect((await ada.get(own)).body.enabled).toBe(false)
  const enabled = await visitor.press(disabled, 'Enable')
  expect((await ada.get(own)).body.enabled).toBe(true)
  const deleted = await visitor.press(enabled, 'Delete the service account')
  expect([deleted.path, (await ada.get(own)).status]).toEqual([path, 404])
  expect(deleted.text).toContain('The service account was deleted.')
})

test('a key is shown once, and revoked', async () => {
  const { account, caller } = await makeMachine(box, ada, site, ['work:read'])
  const page = await visitor.open(`/app/service-accounts/${account.id}`)
  const made = await visitor.press(page, 'Make a key', { name: 'Jenkins' })
  const [key = ''] = /sbx_svc_\w{68}/.exec(made.text) ?? []
  expect((await ada.as(key).get('/api/v1/users/me')).body.id).toBe(account.id)
  const again = await visitor.open(`/app/service-accounts/${account.id}`)
  expect(again.text).toContain('Jenkins')
  expect(again.text).not.toContain('sbx_svc_')
  const revoked = await visitor.press(again, 'Revoke')
  expect(revoked.text).toContain('The key was revoked.')
  expect((await ada.as(key).get('/api/v1/users/me')).status).toBe(401)
  expect((await caller.get('/api/v1/users/me')).status).toBe(200)
})

test('the page says why sign-ins were refused, and members do not see it', async () => {
  const { account } = await makeMachine(box, ada, site, ['work:read'])
  await box.sql`
    insert into audit_log_entries (
      organization_id, actor_type, actor_name, action, resource_type, resource_id, detail, ip_address
    )
    values (
      ${site.organization.id}, 'system', 'Signalbox', 'service_account.sign_in_refused', 'service_account', ${account.id},
      'The claim ref is refs/heads/other.', '203.0.113.7'
    )
  `
  const page = await visitor.open(`/app/service-accounts/${account.id}`)
  expect(page.text).toContain('The claim ref is refs/heads/other.')
  expect(page.text).toContain('203.0.113.7')
  const max = await box.user('Max')
  await box.join(max, site, 'member')
  const other = await PageClient.signedIn(box, max)
  expect((await other.open(`/app/service-accounts/${account.id}`)).status).toBe(403)
})
