import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pg from 'pg'
import { connect } from '../../sql/index.ts'
import { openJobPool } from '../../sql/job-pool.ts'
import { migrate } from '../../sql/migrate.ts'
import { targetOf } from '../../sql/target.ts'
import { hostileDatabase } from '../support/hostile-database.ts'
import { Receiver } from '../support/receiver.ts'
import { SECRETS } from '../support/server.ts'
import { type Actor, type Box, Process, type Site, signalbox } from '../support/signalbox.ts'

/** Defaults that may be set for the role and would break something. */
const DEFAULTS = {
  DateStyle: 'German, DMY',
  TimeZone: 'Asia/Kathmandu',
  IntervalStyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  search_path: '',
  client_encoding: 'LATIN1',
  default_transaction_isolation: 'serializable',
  row_security: 'off',
  lock_timeout: '1ms',
  statement_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '1s',
}

async function release(url: string): Promise<{ code: number; output: string }> {
  const process = new Process('sql/migrate.ts', { ...SECRETS, DATABASE_URL: url, EMAIL_VERIFICATION: 'off' })
  const code = await process.exited
  return { code, output: process.lines.join('\n') }
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('Whatever the defaults of the role are', () => {
  let url: string
  let receiver: Receiver
  let box: Box
  let ada: Actor
  let site: Site

  beforeAll(async () => {
    url = await hostileDatabase(DEFAULTS)
    await migrate(url)
    receiver = new Receiver()
    box = await signalbox({ url, workers: 1 })
    ada = await box.user('Ada Løvelace')
    site = await box.site(ada)
  })
  afterAll(async () => {
    await box?.close()
    await receiver?.stop()
  })

  test('they apply to a session that does not override them', async () => {
    // A busy machine takes longer than the millisecond that the role allows.
    const client = new pg.Client({ connectionString: url, options: '-c statement_timeout=0' })
    await client.connect()
    const { rows } = await client.query("select current_setting('DateStyle') as dates, current_setting('bytea_output') as bytes")
    await client.end()
    expect(rows).toEqual([{ dates: 'German, DMY', bytes: 'escape' }])
  })

  test('sessions of both drivers have the same settings', async () => {
    const names = Object.keys(DEFAULTS).filter((name) => !/^(statement|idle_in)/.test(name))
    const sql = connect(url, 'signalbox test', 1)
    const ours = await sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings where name = any(${names}) order by name
    `
    await sql.end()
    const pool = openJobPool(targetOf(`${url}?options=-c%20DateStyle%3DSQL`), 'signalbox test', 1, () => {})
    const { rows } = await pool.query('select name, setting from pg_settings where name = any($1) order by name', [names])
    await pool.end()
    expect(rows).toEqual([...ours])
    const hostile = ours.filter(({ name, setting }) => DEFAULTS[name as keyof typeof DEFAULTS] === setting)
    expect(hostile).toEqual([])
  })

  test('times, money and names are returned as usual', async () => {
    const before = Date.now()
    const { body } = await ada.put(`/api/v1/organizations/${site.organization.id}`, {
      name: 'Ünïcode',
      budget_monthly_limit_usd: 0.1,
    })
    expect(body).toMatchObject({ name: 'Ünïcode', budget_monthly_limit_usd: 0.1 })
    expect(body.created_at).toMatch(INSTANT)
    expect(Date.parse(body.updated_at)).toBeWithin(before - 1, Date.now() + 2)
  })

  test('concurrent changes succeed, and a signed dispatch is sent for each', async () => {
    await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'CI',
      url: receiver.url,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      trigger_on: 'gate_approved',
    })
    const executions = await Promise.all(Array.from({ length: 10 }, () => box.running(ada, site.project.id)))
    await Promise.all(executions.map(({ id }) => box.approval(ada, id)))
    await receiver.waitFor(10)
    await box.settled()
    for (const { headers } of receiver.requests) expect(headers['webhook-signature']).toMatch(/^v1,/)
    const { body } = await ada.get(`/api/v1/organizations/${site.organization.id}/audit-logs`)
    expect(body.items).not.toBeEmpty()
    for (const { created_at } of body.items) expect(created_at).toMatch(INSTANT)
  })
})

test('A read-only default is not overridden, and the release names it', async () => {
  const { code, output } = await release(await hostileDatabase({ default_transaction_read_only: 'on' }))
  expect([code, output]).toEqual([1, expect.stringContaining('Check default_transaction_read_only of the role in DATABASE_URL')])
})

test.each([
  ['session_replication_role', 'replica'],
  ['search_path', null],
] as const)('The release names and refuses a setting that cannot be overridden: %s', async (name, value) => {
  const url = await hostileDatabase(value === null ? {} : { [name]: value })
  if (value === null) {
    const sql = connect(url, 'signalbox test', 1)
    await sql`drop schema public`
    await sql.end()
  }
  const { code, output } = await release(url)
  expect([code, output]).toEqual([1, expect.stringContaining(`${name} is ${value === null ? 'empty' : `'${value}'`}`)])
})
