/** Addresses are stored in canonical form only, whatever code writes them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Sql } from '../../sql/index.ts'
import { freshDatabase } from '../support/server.ts'

let sql: Sql

beforeAll(async () => {
  sql = connect(await freshDatabase(), 'signalbox test', 1)
})
afterAll(() => sql.end({ timeout: 1 }))

test('every column with an address to write to has the type of canonical addresses', async () => {
  const columns = await sql<{ column: string; type: string }[]>`
    select table_name || '.' || column_name as column, coalesce(domain_name, data_type) as type
    from information_schema.columns
    where table_schema = 'public'
      and column_name in ('email', 'pending_email')
    order by 1
  `
  expect(Object.fromEntries(columns.map(({ column, type }) => [column, type]))).toEqual({
    'address_reversals.email': 'email_address',
    'decision_links.email': 'email_address',
    'email_verifications.email': 'email_address',
    'invitations.email': 'email_address',
    'password_resets.email': 'email_address',
    // A view of the users.
    'people.email': 'email_address',
    'second_factor_resets.email': 'email_address',
    // As the provider names it: nothing is sent there.
    'sso_identities.email': 'text',
    // Log entries keep the address as it was recorded.
    'security_log_entries.email': 'text',
    // As Slack says it, shown to the person who confirms the link.
    'slack_link_tokens.email': 'text',
    'users.email': 'email_address',
    'users.pending_email': 'email_address',
  })
})

const isCanonical = (address: string): Promise<string> =>
  sql`select ${address}::text::email_address`.then(
    () => 'accepted',
    ({ constraint_name }) => constraint_name,
  )

test.each(['olga@example.com', 'nora@xn--mnchen-3ya.example', 'olga@xn--github-qyd.example', 'ölga.b@example.com'])(
  '%s is accepted',
  async (address) => {
    expect(await isCanonical(address)).toBe('accepted')
  },
)

test.each([
  ['ASCII capitals', 'Olga@example.com'],
  ['a capital in the domain', 'olga@Example.com'],
  ['a domain that is not ASCII', 'olga@gİthub.example'],
  ['a dot at the beginning', '.nora@example.com'],
  ['no domain', 'nora'],
  ['white space', 'no ra@example.com'],
  ['a decomposed letter', 'o\u0308lga@example.com'],
  ['a local part of 65 bytes', `${'a'.repeat(65)}@example.com`],
])('an address with %s is refused', async (_, address) => {
  expect(await isCanonical(address)).toBe('email_address_canonical')
})
