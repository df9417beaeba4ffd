import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { codeOf } from '../../core/platform/error-fields.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { onCitus } from '../support/databases.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { sealed } from './support.ts'

let box: Box
let ada: Actor
/** The application as it should run: a role with full table privileges that is not a superuser. */
let plain: Sql
let id: string
const role = `plain_${crypto.randomUUID().slice(0, 8)}`

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  id = (await box.site(ada)).organization.id
  await sealed(box)
  await box.sql.unsafe(`create role ${role} login password 'plain'; grant all on all tables in schema public to ${role}`)
  const url = new URL(box.url)
  url.username = role
  url.password = 'plain'
  plain = connect(url.href, 'signalbox test', 1)
})
afterAll(async () => {
  await plain.end()
  await box.sql.unsafe(`drop owned by ${role}; drop role ${role}`)
  await box.close()
})

const contents = () => box.sql`
  select *
  from audit_log_entries as entry
  full join audit_log_seals as seal on seal.entry_id = entry.id and seal.organization_id = entry.organization_id
  order by id
`

describe('The database refuses', () => {
  const CHANGES: Record<string, (sql: Sql) => Promise<unknown>> = {
    'to change an entry': (sql) => sql`update audit_log_entries set detail = 'nothing'`,
    'to change an entry with a condition that matches none': (sql) =>
      sql`update audit_log_entries set detail = 'nothing' where false`,
    'to delete an entry': (sql) => sql`delete from audit_log_entries where organization_id = ${id}`,
    'to truncate the entries': (sql) => sql`truncate audit_log_entries`,
    'to truncate organizations with all dependent tables': (sql) => sql`truncate organizations cascade`,
    'to change a seal': (sql) => sql`update audit_log_seals set hash = sha256('x')`,
    'to delete a seal': (sql) => sql`delete from audit_log_seals where organization_id = ${id}`,
    'to truncate the seals': (sql) => sql`truncate audit_log_seals`,
    'to seal an entry twice': (sql) => sql`
      insert into audit_log_seals select organization_id, 1000, entry_id, hash from audit_log_seals limit 1
    `,
    'to use a sequence number twice': (sql) => sql`
      insert into audit_log_seals select organization_id, seq, gen_random_uuid(), hash from audit_log_seals limit 1
    `,
  }
  for (const [what, change] of Object.entries(CHANGES)) {
    // A cluster sends no statement for a condition that is always false.
    test.skipIf(onCitus && what.endsWith('matches none'))(what, async () => {
      const before = await contents()
      expect(before.length).toBe(3)
      for (const sql of [plain, box.sql]) {
        const attempt = () => change(sql).then(() => 'done', codeOf)
        let code = await attempt()
        // Truncating locks all tables, one after the other, and can meet a sweep that has locked another one.
        while (code === '40P01') code = await attempt()
        expect(['23001', '23505', '42501']).toContain(code)
      }
      expect([...(await contents())]).toEqual([...before])
    })
  }
})

test('entries and seals are deleted with their organization', async () => {
  const other = await ada.make('/api/v1/organizations', { name: 'Doomed' })
  await sealed(box)
  await box.sql`delete from organizations where id = ${other.id}`
  for (const table of ['audit_log_entries', 'audit_log_seals', 'audit_log_counts', 'audit_log_unsealed']) {
    expect(await box.sql`select from ${box.sql(table)} where organization_id = ${other.id}`).toHaveLength(0)
  }
  expect(await contents()).toHaveLength(3)
})
