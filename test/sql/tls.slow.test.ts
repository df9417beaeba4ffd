import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $ } from 'bun'
import { freePort } from '../../bin/support/ports.ts'
import { startPostgres } from '../../bin/support/postgres.ts'
import { version } from '../../package.json'
import { connect } from '../../sql/index.ts'
import { openJobPool } from '../../sql/job-pool.ts'
import { migrate } from '../../sql/migrate.ts'
import { targetOf } from '../../sql/target.ts'
import { emptyDatabase } from '../support/server.ts'
import { Process, signalbox } from '../support/signalbox.ts'

/** A server with a certificate for `localhost`, without IP addresses, signed by our own authority. */
let server: Awaited<ReturnType<typeof startPostgres>>
let folder: string
let byName: string
/** The folder of its Unix socket. */
let sockets: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-tls-'))
  const dataDir = join(folder, 'postgres')
  const first = await startPostgres({ dataDir })
  await first.stop()
  const at = join(dataDir, 'cluster')
  await $`
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Authority -keyout ${folder}/ca.key -out ${folder}/ca.pem
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Other -keyout ${folder}/other.key -out ${folder}/other.pem
    openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${at}/tls.key -out ${folder}/tls.csr
    openssl x509 -req -in ${folder}/tls.csr -CA ${folder}/ca.pem -CAkey ${folder}/ca.key -CAcreateserial -copy_extensions copy -days 2 -out ${at}/tls.pem
  `.quiet()
  const { uid, gid } = await stat(at)
  for (const file of ['tls.key', 'tls.pem']) await chown(join(at, file), uid, gid)
  await $`chmod 600 ${at}/tls.key`
  await $`
    openssl req -newkey rsa:2048 -nodes -subj /CN=client -keyout ${folder}/client.key -out ${folder}/client.csr
    openssl x509 -req -in ${folder}/client.csr -CA ${folder}/ca.pem -CAkey ${folder}/ca.key -days 2 -out ${folder}/client.pem
    cp ${folder}/ca.pem ${at}/ca.pem
    chmod 644 ${at}/ca.pem
  `.quiet()
  // The form of the folders in which Cloud SQL puts its sockets.
  sockets = join(at, 'project:region:instance')
  await mkdir(sockets)
  await chown(sockets, uid, gid)
  server = await startPostgres({
    dataDir,
    settings: {
      ssl: 'on',
      ssl_cert_file: 'tls.pem',
      ssl_key_file: 'tls.key',
      ssl_ca_file: 'ca.pem',
      unix_socket_directories: sockets,
    },
  })
  byName = server.url.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the release process, which uses both drivers. */
async function release(environment: Record<string, string>): Promise<{ code: number; output: string }> {
  const process = new Process('sql/migrate.ts', {
    JWT_SECRET: 'a-secret-for-tests-that-is-long-enough',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    EMAIL_VERIFICATION: 'off',
    ...environment,
  })
  const code = await process.exited
  return { code, output: process.lines.join('\n') }
}

describe('The release connects to the database', () => {
  const ca = () => join(folder, 'ca.pem')
  const cases: [string, () => Record<string, string>][] = [
    ['without TLS', () => ({ DATABASE_URL: server.url })],
    ['with TLS and any certificate', () => ({ DATABASE_URL: server.url, DATABASE_SSL: 'require' })],
    ['with TLS requested by the URL', () => ({ DATABASE_URL: `${server.url}?sslmode=require` })],
    ['with a verified certificate', () => ({ DATABASE_URL: byName, DATABASE_SSL: 'verify-full', DATABASE_CA: ca() })],
    [
      'directly, bypassing a pooler',
      () => ({ DATABASE_URL: 'postgres://127.0.0.1:9/x', DATABASE_DIRECT_URL: server.url, DATABASE_SSL: 'require' }),
    ],
  ]
  for (const [how, environment] of cases) {
    test(how, async () => {
      const { code, output } = await release(environment())
      expect([code, output]).toEqual([0, expect.stringMatching(/^(applying|The database is up to date)/)])
    })
  }
})

describe('Both drivers understand a URL', () => {
  const withQuery = (query: string, url = server.url) => `${url}?${query}`
  const socketUrl = (query: string) => {
    const { username, password, port } = new URL(server.url)
    return `postgres://${username}:${password}@/signalbox?host=${sockets}&port=${port}${query}`
  }
  const seen = { ssl: true, client: null, name: 'signalbox test', geqo: 'on', style: 'ISO, MDY' }
  const cases: [string, () => string, Partial<Record<keyof typeof seen, unknown>>][] = [
    ['of Neon', () => withQuery('sslmode=require&channel_binding=prefer&options=-c%20geqo%3Doff'), { geqo: 'off' }],
    ['of Supabase', () => withQuery('sslmode=no-verify&pgbouncer=true&supa=base-pooler.x&connect_timeout=15'), {}],
    ['of Azure', () => withQuery('sslmode=prefer&gssencmode=disable&target_session_attrs=read-write'), {}],
    [
      'with keepalives',
      () => withQuery('ssl=true&keepalives=1&keepalives_idle=30&keepalives_interval=10&tcp_user_timeout=9'),
      {},
    ],
    ['without keepalives and TLS', () => withQuery('sslmode=allow&keepalives=0'), { ssl: false }],
    ['with a name', () => withQuery('sslmode=require&application_name=eu'), { name: 'signalbox test (eu)' }],
    ['with direct TLS', () => withQuery('sslmode=require&sslnegotiation=direct'), {}],
    ['with an authority', () => withQuery(`sslmode=verify-full&sslrootcert=${folder}/ca.pem`, byName), {}],
    ['with an authority alone', () => withQuery(`sslrootcert=${folder}/ca.pem`, byName), {}],
    ['whose certificate is for another name', () => withQuery(`sslmode=verify-ca&sslrootcert=${folder}/ca.pem`), {}],
    [
      'with a client certificate',
      () => withQuery(`sslmode=require&sslcert=${folder}/client.pem&sslkey=${folder}/client.key`),
      { client: '/CN=client' },
    ],
    ['of a Unix socket', () => socketUrl('&sslmode=require'), { ssl: false }],
    ['of a Unix socket in place of the host', () => server.url.replace('127.0.0.1', encodeURIComponent(sockets)), { ssl: false }],
    [
      'that has everything in its query',
      () => {
        const { username, password, port } = new URL(server.url)
        return `postgresql:///?user=${username}&password=${password}&host=localhost&port=${port}&dbname=signalbox&sslmode=require`
      },
      {},
    ],
    ['without a password that escapes need', () => server.url.replace('signalbox:', 'sign%61lbox:'), { ssl: false }],
  ]
  test.each(cases)('%s', async (_, url, expected) => {
    const target = targetOf(url())
    const sql = connect(target, 'signalbox test', 1)
    const pool = openJobPool(target, 'signalbox test', 1, () => {})
    const look = `
      select ssl, client_dn as client, current_setting('application_name') as name,
        current_setting('geqo') as geqo, current_setting('DateStyle') as style
      from pg_stat_ssl
      where pid = pg_backend_pid()
    `
    try {
      expect<unknown[]>([...(await sql.unsafe(look))]).toEqual([{ ...seen, ...expected }])
      expect((await pool.query(look)).rows).toEqual([{ ...seen, ...expected }])
    } finally {
      await sql.end()
      await pool.end()
    }
  })

  test.each([
    ['of an authority that is not that of the server', () => withQuery(`sslmode=require&sslrootcert=${folder}/other.pem`)],
    ['of a name that is not in the certificate', () => withQuery(`sslmode=verify-full&sslrootcert=${folder}/ca.pem`)],
    ['of a Unix socket that does not exist', () => socketUrl('').replace('instance', 'other')],
  ])('%s, and refuse the server', async (_, url) => {
    const target = targetOf(url())
    const sql = connect(target, 'signalbox test', 1)
    const pool = openJobPool(target, 'signalbox test', 1, () => {})
    const codes = await Promise.all([sql`select`, pool.query('select')].map((query) => query.then(String, ({ code }) => code)))
    expect(codes).toEqual([codes[1], expect.stringMatching(/CERT|SIGNED|SIGNATURE|ALTNAME|ENOENT/)])
    await Promise.all([sql.end(), pool.end()])
  })
})

describe('The release refuses the database', () => {
  const cases: [string, () => Record<string, string>, RegExp][] = [
    [
      'for an unknown authority',
      () => ({ DATABASE_URL: byName, DATABASE_SSL: 'verify-full' }),
      /self.signed|issuer certificate|verify the first certificate/i,
    ],
    [
      'for a host that is not in the certificate',
      () => ({ DATABASE_URL: server.url, DATABASE_SSL: 'verify-full', DATABASE_CA: join(folder, 'ca.pem') }),
      /altnames|ERR_TLS_CERT_ALTNAME_INVALID/i,
    ],
  ]
  for (const [why, environment, complaint] of cases) {
    test(why, async () => {
      const { code, output } = await release(environment())
      expect([code, output]).toEqual([1, expect.stringMatching(complaint)])
    })
  }
})

describe.each(['api/server.ts', 'worker/main.ts'])('%s logs the setting for', (script) => {
  test.each([
    ['the authority of another server', 'DATABASE_CA', () => ({ DATABASE_URL: byName, DATABASE_CA: join(folder, 'other.pem') })],
    [
      'a host that is not in the certificate',
      'DATABASE_URL',
      () => ({ DATABASE_URL: server.url, DATABASE_CA: join(folder, 'ca.pem') }),
    ],
    [
      'a server without TLS',
      'DATABASE_SSL',
      async () => ({ DATABASE_URL: await emptyDatabase(), DATABASE_CA: join(folder, 'ca.pem') }),
    ],
  ])('%s', async (_, setting, environment) => {
    const process = new Process(script, {
      JWT_SECRET: 'a-secret-for-tests-that-is-long-enough',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      EMAIL_VERIFICATION: 'off',
      PORT: String(await freePort('0.0.0.0')),
      DATABASE_SSL: 'verify-full',
      ...(await environment()),
    })
    const line = JSON.parse(await process.said('"level":"error"'))
    expect([line.setting, line.message]).toEqual([setting, expect.stringContaining(setting)])
    process.kill('SIGTERM')
    expect(await process.exited).toBe(0)
  })
})

test('requests get 503 while the certificate is not trusted', async () => {
  const port = await freePort('0.0.0.0')
  const process = new Process('api/server.ts', {
    JWT_SECRET: 'a-secret-for-tests-that-is-long-enough',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    EMAIL_VERIFICATION: 'off',
    PORT: String(port),
    DATABASE_SSL: 'verify-full',
    DATABASE_CA: join(folder, 'other.pem'),
    DATABASE_URL: byName,
  })
  await process.said('API listening')
  const { status, headers } = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect([status, headers.get('retry-after')]).toEqual([503, '2'])
  process.kill('SIGTERM')
  await process.exited
})

test('every connection of API and worker is encrypted, including those of the job queue', async () => {
  await migrate(targetOf(server.url, { mode: 'require' }))
  const box = await signalbox({ url: server.url, environment: { DATABASE_SSL: 'require' } })
  try {
    expect((await fetch(`${box.base}/readyz`)).status).toBe(200)
    const connections = await box.sql<{ name: string; ssl: boolean }[]>`
      select distinct application_name as name, ssl
      from pg_stat_activity
      join pg_stat_ssl using (pid)
      where application_name like 'signalbox%'
        and application_name <> 'signalbox test'
      order by name
    `
    expect(connections.map(({ name, ssl }) => [name, ssl])).toEqual([
      ['signalbox jobs', true],
      [`signalbox main ${version}`, true],
      [`signalbox server ${version}`, true],
    ])
  } finally {
    await box.close()
  }
})
