/** Words that the code writes and the database checks: a new one needs a migration. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceScopes } from '../../api/credentials/scopes.ts'
import { HOOK_EVENTS, TRIGGERS } from '../../core/events/catalogue.ts'
import { CHANNEL_TYPES } from '../../core/notification-channels/types.ts'
import { notificationTypes } from '../../core/notifications/types.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { freshDatabase } from '../support/server.ts'

let sql: Sql

beforeAll(async () => {
  sql = connect(await freshDatabase(), 'signalbox test', 1)
})
afterAll(() => sql.end())

const quoted = (text = ''): string[] => [...text.matchAll(/'([^']+)'/g)].map(([, word = '']) => word).toSorted()

test.each([
  ['notification_channels', 'channel_type', CHANNEL_TYPES],
  ['deployment_hooks', 'trigger_on', Object.keys(TRIGGERS)],
  ['notifications', 'type', notificationTypes],
  ['service_accounts', 'scopes', serviceScopes],
])('%s accepts every %s', async (table, column, words) => {
  const [check] = await sql<{ definition: string }[]>`
    select pg_get_constraintdef(oid) as definition
    from pg_constraint
    where conrelid = ${table}::regclass
      and conname = ${`${table}_${column}_check`}
  `
  expect(quoted(check?.definition)).toEqual([...words].toSorted())
})

test('the index of the newest events that hooks receive has all of them', async () => {
  const [index] = await sql<{ predicate: string }[]>`
    select pg_get_expr(indpred, indrelid) as predicate
    from pg_index
    where indrelid = 'outbox'::regclass
      and pg_get_expr(indpred, indrelid) like '%test.ping%'
  `
  expect(quoted(index?.predicate)).toEqual([...HOOK_EVENTS].toSorted())
})
