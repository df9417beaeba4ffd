import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pg from 'pg'
import { version } from '../../package.json'
import { connect, type Sql } from '../../sql/index.ts'
import { openJobPool } from '../../sql/job-pool.ts'
import { migrate } from '../../sql/migrate.ts'
import { dropPartitions, FAMILIES } from '../../sql/partitions.ts'
import { REQUIRED_SETTINGS } from '../../sql/session.ts'
import { targetOf } from '../../sql/target.ts'
import { SETTINGS } from '../github/workbench.ts'
import { Provider } from '../sso/provider.ts'
import { TextServer } from '../sso/text-server.ts'
import { onCitus } from '../support/databases.ts'
import { hostileDatabase } from '../support/hostile-database.ts'
import { Mailbox } from '../support/mailbox.ts'
import { ModelServer, settingsFor } from '../support/model-server.ts'
import { Receiver } from '../support/receiver.ts'
import { emptyDatabase, SECRETS } from '../support/server.ts'
import { type Actor, type Box, Process, type Site, signalbox } from '../support/signalbox.ts'
import { SIGNING_SECRET, SlackServer } from '../support/slack.ts'
import { walkDeletions, walkRoutes } from './every-route.ts'
import { extremeSettings } from './extreme-settings.ts'

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

/** What libpq reads from the environment, for other programs: the URL says all. */
const FOR_LIBPQ = {
  PGOPTIONS: '-c array_nulls=off -c statement_timeout=1',
  PGTARGETSESSIONATTRS: 'standby',
  PGDATESTYLE: 'German',
  PGTZ: 'Asia/Kathmandu',
  PGCLIENTENCODING: 'LATIN1',
  PGSSLMODE: 'verify-full',
  PGHOST: 'nowhere.invalid',
  PGUSER: 'nobody',
  PGDATABASE: 'nothing',
}

async function release(url: string, own: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const process = new Process('sql/migrate.ts', { ...SECRETS, ...own, DATABASE_URL: url, EMAIL_VERIFICATION: 'off' })
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

describe.each(['first', 'last'] as const)('Whatever a role can set, at the %s of the allowed values', (end) => {
  test('the release, every route and every task work', async () => {
    const sql = connect(await emptyDatabase(), 'signalbox test', 1)
    const settings = Object.entries(await extremeSettings(sql, end))
    await sql.end()
    // Those that a session cannot override are refused.
    const url = await hostileDatabase(
      Object.fromEntries(settings.filter(([name]) => REQUIRED_SETTINGS[name]?.pinned !== 'never')),
    )
    await migrate(url)
    const mail = await Mailbox.open()
    const receiver = new Receiver()
    const slack = new SlackServer()
    const model = new ModelServer()
    const provider = await Provider.open()
    const names = await TextServer.open()
    const box = await signalbox({
      url,
      environment: {
        ...SETTINGS,
        ...mail.environment,
        ...settingsFor(model),
        SLACK_SIGNING_SECRET: SIGNING_SECRET,
        SLACK_CLIENT_ID: 'client',
        SLACK_CLIENT_SECRET: 'client-secret',
        SLACK_API_URL: slack.url,
        ...provider.environment,
        DNS_SERVERS: names.address,
        RATE_LIMIT: '1000000',
        TRUST_PROXY: '1',
      },
    })
    try {
      await walkDeletions(await walkRoutes({ box, mail, receiver, slack, provider, names }))
      // Partitions are named by the server.
      await box.sql`select ensure_partitions('{ops.job_runs}', '1 day', now() - interval '20 days', now() - interval '19 days')`
      expect(await dropPartitions(box.sql, FAMILIES.job_runs, 14)).toBeGreaterThan(0)
      const lines = [box.api, ...box.workers].flatMap((process) => process.lines)
      expect(lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
    } finally {
      await box.close()
      await Promise.all([receiver.stop(), model.stop(), slack.stop(), provider.stop(), names.stop()])
      // The other end registers the same people.
      mail.clear()
    }
  }, 600_000)
})

test.each([
  ['session_replication_role', 'replica'],
  ['restrict_nonsystem_relation_kind', 'view'],
  ['default_tablespace', 'pg_default'],
  ['deadlock_timeout', '60000'],
  ['track_activities', 'off'],
  ['track_counts', 'off'],
])('The release refuses a setting that cannot be overridden, and what it names helps: %s', async (name, value) => {
  const url = await hostileDatabase({ [name]: value })
  const { code, output } = await release(url)
  expect([code, output]).toEqual([1, expect.stringContaining(`${name} is '${value}'`)])
  const statement = /run (alter role .*)\.$/m.exec(output)?.[1] ?? ''
  const sql = connect(url, 'signalbox test', 1)
  await sql.unsafe(statement)
  await sql.end()
  expect((await release(url)).code).toBe(0)
})

test('Options of the URL and variables of libpq change nothing, or are named', async () => {
  const url = await emptyDatabase()
  const { code, output } = await release(`${url}?options=-c%20default_tablespace%3Dpg_default`)
  expect([code, output]).toEqual([
    1,
    expect.stringContaining("default_tablespace is 'pg_default': remove it from the options in DATABASE_URL."),
  ])
  // What connections send themselves overrides the rest.
  const others = Object.entries(DEFAULTS).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  const full = `${url}?options=${encodeURIComponent([...others, '-c array_nulls=off'].join(' '))}`
  expect(await release(full, FOR_LIBPQ)).toMatchObject({ code: 0 })
  const box = await signalbox({ url: full, environment: FOR_LIBPQ })
  try {
    const ada = await box.user('Ada')
    const { project } = await box.site(ada)
    const receiver = new Receiver()
    await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'CI',
      url: receiver.url,
      trigger_on: 'gate_approved',
    })
    await box.approval(ada, (await box.running(ada, project.id)).id)
    await receiver.waitFor(1)
    await receiver.stop()
  } finally {
    await box.close()
  }
})

describe.skipIf(onCitus)('Where the account takes on another role by default', () => {
  const [owner, login] = ['owner', 'login'].map((name) => `signalbox_${name}_${process.pid}`) as [string, string]
  let admin: Sql
  let box: Box

  beforeAll(async () => {
    const url = await emptyDatabase()
    admin = connect(url, 'tests', 1)
    await admin.unsafe(`
      create role ${owner};
      create role ${login} login password 'secret' in role ${owner};
      alter role ${login} set role = '${owner}';
      alter database ${new URL(url).pathname.slice(1)} owner to ${owner};
    `)
    const own = Object.assign(new URL(url), { username: login, password: 'secret' }).href
    expect(await release(own)).toMatchObject({ code: 0 })
    box = await signalbox({ url: own })
  })
  afterAll(async () => {
    await box?.close()
    await admin.unsafe(`reassign owned by ${owner} to current_user; drop owned by ${owner}; drop role ${login}, ${owner}`)
    await admin.end()
  })

  test('the tables are those of that role, and an event is fanned out', async () => {
    const owners = await admin`select distinct tableowner as name from pg_tables where schemaname in ('public', 'ops')`
    expect([...owners]).toEqual([{ name: owner }])
    const ada = await box.user('Ada')
    const { project } = await box.site(ada)
    const hook = { name: 'CI', mode: 'pull', trigger_on: 'gate_approved' }
    const { id } = await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, hook)
    await box.approval(ada, (await box.running(ada, project.id)).id)
    const { status, body } = await ada.post(`/api/v1/deployment-hooks/${id}/claim`, { wait: 20 })
    expect([status, body.length]).toEqual([200, 1])
  })

  test('sessions of the account that are stuck in a statement are ended', async () => {
    const client = new pg.Client({ connectionString: box.url, application_name: 'signalbox stuck' })
    client.on('error', () => {})
    await client.connect()
    const ended = new Promise<void>((resolve) => client.on('end', resolve))
    // The server waits for the rest of it.
    const { connection } = client as unknown as { connection: { parse(query: object): void } }
    connection.parse({ text: 'select 1' })
    await ended
    const lines = () => box.workers.flatMap((worker) => worker.lines).join('\n')
    await box.until('the worker says so', async () => lines().includes('terminated database sessions'))
    const metrics = await (await fetch(`${box.base}/metrics`, { headers: { Authorization: 'Bearer metrics' } })).text()
    expect(metrics).toContain(`db_client_connections{db_client_connection_pool_name="signalbox main ${version}"`)
  }, 90_000)
})

test('The release refuses a database without a schema for its tables', async () => {
  const url = await hostileDatabase({})
  const sql = connect(url, 'signalbox test', 1)
  await sql`drop schema public`
  await sql.end()
  const { code, output } = await release(url)
  expect([code, output]).toEqual([1, expect.stringContaining('search_path is empty')])
})
