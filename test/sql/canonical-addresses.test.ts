import { afterAll, beforeEach, expect, test } from 'bun:test'
import { connect, type Sql } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { emptyDatabase } from '../support/server.ts'
import { migrateUntil } from './releases.ts'

let url: string
let sql: Sql
const open: Sql[] = []

afterAll(() => Promise.all(open.map((each) => each.end({ timeout: 1 }))))

/** A database as it was before addresses had a canonical form. */
beforeEach(async () => {
  url = await emptyDatabase()
  sql = connect(url, 'signalbox test', 1)
  open.push(sql)
  await migrateUntil(sql, '0051')
})

/** A user who invited somebody. */
async function user(email: string, pending_email: string | null, invited: string): Promise<void> {
  await sql`
    with owner as (
      insert into users (email, pending_email, name, password_hash) values (${email}, ${pending_email}, 'Olga', '') returning id
    ),
    organization as (
      insert into organizations (name, org_key, slug, owner_id) select 'First', 'F', 'first', id from owner returning id, owner_id
    ),
    member as (
      insert into organization_members (organization_id, user_id, role) select id, owner_id, 'owner' from organization
    ),
    link as (
      insert into email_verifications (hash, user_id, email, expires_at) select '\\x00', id, ${email}, now() from owner
    )
    insert into invitations (organization_id, email, role, invited_by, expires_at)
    select id, ${invited}, 'member', owner_id, now()
    from organization
  `
}

const addresses = async () =>
  (
    await sql`
  select email, pending_email, (select email from invitations) as invited, (select email from email_verifications) as link
  from users
`
  )[0]

test('stored addresses get their canonical form, and no row is touched otherwise', async () => {
  await user('Olga@Example.com', 'Olga@Example.org', 'Nora@XN--MNCHEN-3YA.example')
  const [before] = await sql`select updated_at from users`
  await migrate(url)
  expect({ ...(await addresses()) }).toEqual({
    email: 'olga@example.com',
    pending_email: 'olga@example.org',
    invited: 'nora@xn--mnchen-3ya.example',
    link: 'olga@example.com',
  })
  expect(await sql`select updated_at from users`).toEqual([before] as never)
})

test('an address that cannot be converted stops the release, which names it and changes nothing', async () => {
  await user('Olga@gİthub.example', null, '.nora@example.com')
  const before = await addresses()
  const refusal = await migrate(url).then(
    () => '',
    (error) => error.message,
  )
  const [{ user_id, invitation_id }] = await sql<[{ user_id: string; invitation_id: string }]>`
    select users.id as user_id, invitations.id as invitation_id from users, invitations
  `
  expect(refusal).toContain(`no canonical form: user ${user_id}, invitation ${invitation_id}.`)
  expect(await addresses()).toEqual(before as never)
  await sql`update users set email = 'olga@xn--github-qyd.example'`
  await sql`delete from invitations`
  await migrate(url)
  expect((await addresses())?.email).toBe('olga@xn--github-qyd.example')
})
