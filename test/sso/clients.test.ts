import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ClientFlow } from '../oauth/client-flow.ts'
import { storeConnection } from './stored-connection.ts'

let flow: ClientFlow

beforeAll(async () => {
  flow = await ClientFlow.open()
})
afterAll(() => flow.close())

test('OAuth clients count if they were allowed in a session with a live proof, until the last sign-on has expired', async () => {
  const { box } = flow
  const site = await box.site(await box.user('Olga'))
  const member = await box.user('Mia')
  await box.join(member, site, 'member')
  const browser = await flow.browser(member)
  const allowed = async () => member.as((await flow.tokens(browser, { resource: undefined })).access_token)
  const without = await allowed()
  const connection_id = await storeConnection(box.sql, site.organization.id)
  await box.sql`
    insert into sso_proofs (session_id, connection_id, expires_at)
    select id, ${connection_id}, now() + interval '1 hour' from sessions where user_id = ${member.id}
  `
  await box.sql`
    insert into sso_identities (connection_id, issuer, subject, user_id, proven_until)
    values (${connection_id}, 'https://login.example.com', 'mia', ${member.id}, now() + interval '1 hour')
  `
  const proven = await allowed()
  await box.sql`
    update organization_members
    set sso_connection_id = ${connection_id}, sso_required = 'everyone'
    where organization_id = ${site.organization.id}
  `
  const statuses = async () => {
    const [one, other] = await Promise.all(
      [proven, without].map((each) => each.get(`/api/v1/organizations/${site.organization.id}`)),
    )
    return [one?.status, other?.status, other?.body.code]
  }
  expect(await statuses()).toEqual([200, 403, 'sso_required'])
  await box.sql`update sso_identities set proven_until = now() where user_id = ${member.id}`
  expect(await statuses()).toEqual([403, 403, 'sso_required'])
})
