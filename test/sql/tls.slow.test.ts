import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $ } from 'bun'
import { freePort } from '../../bin/support/ports.ts'
import { startPostgres } from '../../bin/support/postgres.ts'
import { migrate } from '../../sql/migrate.ts'
import { targetOf } from '../../sql/target.ts'
import { emptyDatabase } from '../support/server.ts'
import { Process, signalbox } from '../support/signalbox.ts'

/** A server with a certificate for `localhost`, without IP addresses, signed by our own authority. */
let server: Awaited<ReturnType<typeof startPostgres>>
let folder: string
let byName: string

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
  server = await startPostgres({ dataDir, settings: { ssl: 'on', ssl_cert_file: 'tls.pem', ssl_key_file: 'tls.key' } })
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
      expect([code, output]).toEqual([0, expect.stringMatching(/^(migrated|The database is up to date)/)])
    })
  }
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
      ['signalbox main', true],
      ['signalbox server', true],
    ])
  } finally {
    await box.close()
  }
})
