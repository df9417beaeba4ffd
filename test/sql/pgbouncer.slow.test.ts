import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { freePort } from '../../bin/support/ports.ts'
import { version } from '../../package.json'
import { connect } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { targetOf } from '../../sql/target.ts'
import { hostileDatabase } from '../support/hostile-database.ts'
import { hasPooler, Pooler } from '../support/pooler.ts'
import { Receiver } from '../support/receiver.ts'
import { freshDatabase } from '../support/server.ts'
import { type Actor, type Box, Process, type Site, signalbox } from '../support/signalbox.ts'

describe.skipIf(!hasPooler)('Behind PgBouncer in transaction mode', () => {
  let pooler: Pooler
  let receiver: Receiver
  let box: Box
  let ada: Actor
  let site: Site

  beforeAll(async () => {
    const direct = new URL(await freshDatabase())
    pooler = await Pooler.before(direct)
    receiver = new Receiver()
    box = await signalbox({
      url: direct.href,
      workers: 2,
      environment: { DATABASE_URL: pooler.url.href, DATABASE_DIRECT_URL: direct.href },
    })
    ada = await box.user('Ada')
    site = await box.site(ada)
  })
  afterAll(async () => {
    await box?.close()
    await pooler?.stop()
  })

  test('API and worker connect through the pooler, and only the job queue bypasses it', async () => {
    const names = await box.sql<{ name: string }[]>`
      select distinct application_name as name
      from pg_stat_activity
      where datname = current_database()
        and application_name like 'signalbox%'
        and client_port is not null
      order by name
    `
    expect(names.map(({ name }) => name)).toContain('signalbox jobs')
    const answer = await ada.get(`/api/v1/organizations/${site.organization.id}`)
    expect(answer.status).toBe(200)
  })

  test('an approval leads to a dispatch', async () => {
    await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'CI',
      url: receiver.url,
      trigger_on: 'gate_approved',
    })
    const executions = await Promise.all(Array.from({ length: 10 }, () => box.running(ada, site.project.id)))
    await Promise.all(executions.map(({ id }) => box.approval(ada, id)))
    await receiver.waitFor(10)
    await box.settled()
    const [{ count }] = await box.sql<[{ count: number }]>`select count(*) as count from dispatches where status = 'succeeded'`
    expect(count).toBe(10)
  })

  test('a hundred concurrent requests share its few connections', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        ada.post(
          `/api/v1/projects/${site.project.id}/requirements`,
          { title: `Requirement ${index}` },
          { 'Idempotency-Key': `r${index}` },
        ),
      ),
    )
    expect(answers.filter(({ status }) => status !== 201)).toEqual([])
    // Three processes with a pool of eight connections each use no more sessions than the pooler has.
    const [{ sessions }] = await box.sql<[{ sessions: number }]>`
      select count(*) as sessions
      from pg_stat_activity
      where datname = current_database()
        and application_name in (${`signalbox server ${version}`}, ${`signalbox main ${version}`})
    `
    expect(sessions).toBeGreaterThan(0)
    expect(sessions).toBeLessThanOrEqual(4)
  })

  test('LISTEN bypasses the pooler', async () => {
    const ended = new AbortController()
    const stream = await fetch(`${box.base}/api/v1/notifications/stream`, {
      headers: { Authorization: `Bearer ${ada.token}` },
      signal: ended.signal,
    })
    expect(stream.status).toBe(200)
    await box.until('the API listens', async () => {
      const sessions = await box.sql`
        select from pg_stat_activity
        where datname = current_database()
          and application_name = ${`signalbox server ${version} listening`}
          and query like 'listen%'
      `
      return sessions.length === 1
    })
    ended.abort()
  })

  test('statements of every kind on one connection all get a result', async () => {
    const sql = connect(targetOf(pooler.url.href, { pooled: true }), 'signalbox one', 1)
    const mixed = Array.from({ length: 50 }, (_, index) => [
      sql`select 1 as one`,
      sql`select ${index}::int as index`,
      sql.begin((tx) => Promise.all([tx`select ${index}::int as index`, tx`select 2 as two`])),
    ])
    expect(await Promise.all(mixed.map((each) => Promise.all(each)))).toHaveLength(50)
    await sql.end()
  })

  test('a role default that sessions cannot override stops processes at start, and is named', async () => {
    const direct = await hostileDatabase({ bytea_output: 'escape', statement_timeout: '1s', search_path: '' })
    await migrate(direct)
    const url = new URL(direct)
    url.port = pooler.url.port
    for (const script of ['api/server.ts', 'worker/main.ts']) {
      const process = new Process(script, {
        ...box.environment,
        DATABASE_URL: url.href,
        DATABASE_DIRECT_URL: direct,
        PORT: String(await freePort('0.0.0.0')),
      })
      const line = JSON.parse(await process.said('unfit_settings'))
      expect(await process.exited).toBe(1)
      expect(line).toMatchObject({ level: 'fatal', setting: 'DATABASE_URL' })
      for (const name of ['bytea_output', 'statement_timeout', 'search_path']) expect(line.message).toContain(`${name} is`)
      expect(line.message).toContain("set bytea_output = 'hex'")
      expect(line.message).not.toContain('DateStyle')
    }
  })

  test('requests get 503 while the pooler is away, and succeed afterwards without a restart', async () => {
    await pooler.crash()
    const answer = await ada.get(`/api/v1/organizations/${site.organization.id}`)
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'database_unavailable', '2'])

    pooler.start()
    await box.until('requests succeed', async () => (await ada.get('/readyz')).status === 200)
    const before = receiver.requests.length
    await box.approval(ada, (await box.running(ada, site.project.id)).id)
    await receiver.waitFor(before + 1)
    await box.settled()
  })
})
