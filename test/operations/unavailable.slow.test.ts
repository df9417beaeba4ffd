import { afterAll, beforeAll, expect, test } from 'bun:test'
import { APPROVE, buttonValue } from '../../core/notification-channels/slack/buttons.ts'
import { isUnavailable } from '../../core/platform/database-errors.ts'
import { PostgresError, type Sql } from '../../sql/index.ts'
import { onCitus } from '../support/databases.ts'
import { freshDatabase } from '../support/server.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { interact, SIGNING_SECRET, signed } from '../support/slack.ts'

/** A separate role, because its password changes. */
const ROLE = `rotated_${crypto.randomUUID().replaceAll('-', '')}`
let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  const database = await freshDatabase()
  const url = new URL(database)
  url.username = ROLE
  url.password = 'first'
  box = await signalbox({
    url: database,
    workers: 0,
    environment: { DATABASE_URL: url.href, SLACK_SIGNING_SECRET: SIGNING_SECRET },
  })
  await makeRole(box.sql)
  await box.until('the API is ready', async () => (await box.request('GET', '/readyz')).status === 200, 20_000)
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(async () => {
  await endSessions()
  await box.close()
})

const makeRole = (sql: Sql) => sql.unsafe(`create role ${ROLE} superuser login password 'first'`)
const endSessions = () => box.sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${ROLE}`

const outcome = async () => {
  const { status, body, headers } = await ada.get(`/api/v1/projects/${site.project.id}`)
  return [status, body.code, headers.get('retry-after')]
}

const AWAY = [503, 'database_unavailable', '2']

test('While the password of the role is wrong, requests get 503', async () => {
  await box.sql.unsafe(`alter role ${ROLE} password 'second'`)
  await endSessions()
  await box.until('the API reports it', async () => Bun.deepEquals(await outcome(), AWAY))
  await box.sql.unsafe(`alter role ${ROLE} password 'first'`)
  await box.until('requests succeed again', async () => (await outcome())[0] === 200, 20_000)
})

test('A click in Slack gets 503 while the database is away, and works afterwards', async () => {
  const message = { organization_id: site.organization.id, channel_id: ada.id, event_id: ada.id, gate_id: ada.id }
  const payload = {
    type: 'block_actions',
    team: { id: 'T0' },
    user: { id: 'U0' },
    actions: [{ action_id: APPROVE, value: buttonValue(message) }],
  }
  await box.sql.unsafe(`alter role ${ROLE} password 'third'`)
  await endSessions()
  await box.until('the API reports it', async () => (await interact(box, signed(payload))).status === 503)
  await box.sql.unsafe(`alter role ${ROLE} password 'first'`)
  await box.until('clicks succeed again', async () => (await interact(box, signed(payload))).status === 200, 20_000)
})

// On a cluster, a session does not show what it waits for.
test.skipIf(onCitus)('A statement that is cancelled, as by a timeout, leads to 503', async () => {
  const other = await box.sql.reserve()
  await other`begin`
  await other`select from projects where id = ${site.project.id} for update`
  const change = ada.put(`/api/v1/projects/${site.project.id}`, { name: 'Cancelled' })
  await box.until('it waits', async () => {
    const cancelled = await box.sql`
      select pg_cancel_backend(pid) from pg_stat_activity where usename = ${ROLE} and wait_event_type = 'Lock'
    `
    return cancelled.length > 0
  })
  const { status, body, headers } = await change
  expect([status, body.code, headers.get('retry-after')]).toEqual(AWAY)
  await other`rollback`
  other.release()
})

test.each([
  ['08006', true],
  ['28000', true],
  ['28P01', true],
  ['3D000', true],
  ['53100', true],
  ['53300', true],
  ['55P03', true],
  ['57014', true],
  ['57P01', true],
  ['40001', true],
  ['40P01', true],
  ['25006', true],
  ['23505', false],
  ['42P01', false],
  ['22003', false],
  ['XX000', false],
])('SQLSTATE %s leads to 503: %p', (code, expected) => {
  const error = Object.assign(Object.create(PostgresError.prototype), { code })
  expect(isUnavailable(error)).toBe(expected)
})

test.each([
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'CONNECTION_UNRESPONSIVE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('%s of the driver or the system leads to 503', (code) => {
  expect(isUnavailable(Object.assign(new Error('no'), { code }))).toBe(true)
  expect(isUnavailable(Object.assign(new Error('no'), { code: 'ENOENT' }))).toBe(false)
})
