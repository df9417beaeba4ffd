import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

let box: Box

beforeAll(async () => {
  box = await signalbox({ workers: 0, environment: { REGISTRATION: 'closed' } })
})
afterAll(() => box.close())

const register = (email: string) => box.request('POST', '/api/v1/auth/register', { email, name: 'Nora', password: PASSWORD })
const closed = { status: 403, body: { code: 'registration_closed' } }

test('when registration is closed, only invited people can register', async () => {
  expect(await register('stranger@example.com')).toMatchObject(closed)
  // The first account of an installation is created while registration is open.
  const [{ owner, organization }] = await box.sql<[{ owner: string; organization: string }]>`
    with owner as (
      insert into users (email, email_verified, name, password_hash) values ('first@example.com', true, 'First', '') returning id
    ),
    organization as (
      insert into organizations (name, org_key, slug, owner_id) select 'First', 'F', 'first', id from owner returning id, owner_id
    ),
    member as (
      insert into organization_members (organization_id, user_id, role) select id, owner_id, 'owner' from organization
    )
    select owner_id as owner, id as organization from organization
  `
  const invite = (email: string, expires: string, status = 'pending') => box.sql`
    insert into invitations (organization_id, email, role, status, invited_by, expires_at)
    values (${organization}, ${email}, 'member', ${status}, ${owner}, now() + ${expires}::interval)
  `
  await invite('nora@example.com', '7 days')
  await invite('late@example.com', '-1 second')
  await invite('gone@example.com', '7 days', 'revoked')
  for (const email of ['late@example.com', 'gone@example.com', 'nora@example.org']) {
    expect(await register(email)).toMatchObject(closed)
  }
  // People without an invitation do not learn whether an account exists.
  expect(await register('first@example.com')).toMatchObject(closed)
  expect((await register('NORA@example.com')).status).toBe(201)

  await invite('doomed@example.com', '7 days')
  await box.sql`update organizations set deleted_at = now() where id = ${organization}`
  expect(await register('doomed@example.com')).toMatchObject(closed)
})
