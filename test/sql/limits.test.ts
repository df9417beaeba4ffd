import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Sql } from '../../sql/index.ts'
import { freshDatabase } from '../support/server.ts'

let sql: Sql

beforeAll(async () => {
  sql = connect(await freshDatabase(), 'signalbox test', 1)
})
afterAll(() => sql.end({ timeout: 1 }))

/** What users change. */
const TABLES = [
  'deployment_hooks',
  'environment_policies',
  'groups',
  'notification_channels',
  'organizations',
  'projects',
  'requirements',
  'service_accounts',
  'users',
  'workspaces',
]

/** Others, with the reason. */
const UNCHANGED: Record<string, string> = {
  'deployment_hooks.template_secret_names': 'names in a template that is limited',
  'groups.name_key': 'made from the name, which is limited',
  'organizations.org_key': 'set once, and limited by the API',
  'organizations.slug': 'made from the name, which is limited, or set once',
  'service_accounts.last_used_address': 'an IP address',
  'users.password_hash': 'a hash',
  'workspaces.workspace_key': 'set once, and limited by the API',
}

test('every text that users change is limited by a check of its table, also where a schema forgets it', async () => {
  const unlimited = await sql<{ name: string }[]>`
    select relname || '.' || attname as name
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace
      and relname = any(${TABLES})
      and attnum > 0
      and not attisdropped
      and attgenerated = ''
      and atttypid in ('text'::regtype, 'text[]'::regtype)
      and not exists (select from pg_constraint where conrelid = attrelid and contype = 'c' and attnum = any(conkey))
    order by 1
  `
  expect(unlimited.map(({ name }) => name)).toEqual(Object.keys(UNCHANGED))
})
