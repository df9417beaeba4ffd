import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PASSWORD, PEOPLE } from '../../bin/scenario/stage.ts'
import { readable } from '../../bin/support/lines.ts'
import { freePort } from '../../bin/support/ports.ts'
import { signInHint } from '../../bin/support/run-signalbox.ts'
import { encryptWith } from '../../core/platform/encryption.ts'
import { connect } from '../../sql/index.ts'
import { freshDatabase, SECRETS } from '../support/server.ts'
import { Process } from '../support/signalbox.ts'

const folder = await mkdtemp(join(tmpdir(), 'signalbox-start-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('bun start listens on loopback only, and logs requests in readable text', async () => {
  const port = await freePort('127.0.0.1')
  const process = new Process('bin/start.ts', {
    DATABASE_URL: await freshDatabase(),
    EMAIL_VERIFICATION: 'off',
    DATA_DIR: folder,
    PORT: String(port),
  })
  await process.said('Signalbox is ready')
  await process.said(
    `Sign in   http://localhost:${port}/register creates an account; after that, http://localhost:${port}/sign-in`,
  )
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/users/me`)).status).toBe(401)
  await expect(fetch(`http://127.0.0.2:${port}/livez`)).rejects.toThrow()
  expect(await process.said('GET /api/v1/users/me')).toMatch(/^web {4}\| \d\d:\d\d:\d\d GET \/api\/v1\/users\/me 401 [\d.]+ ms$/)
  await process.said('worker started')
  process.kill('SIGTERM')
  expect(await process.exited).toBe(0)
  expect(process.lines.filter((readableLine) => readableLine.includes('{"level"'))).toEqual([])
  expect(process.lines.filter((line) => line.includes('PUBLIC_URL'))).toEqual([])
})

const line = (fields: object) => readable(JSON.stringify({ level: 'info', time: '2026-01-02T03:04:05.678Z', ...fields })).slice(9)

test('readable() turns JSON log lines into text and leaves other lines unchanged', () => {
  expect(readable('Applied 3 migrations.')).toBe('Applied 3 migrations.')
  expect(readable('{"level":broken')).toBe('{"level":broken')
  expect(line({ message: 'request', method: 'GET', status: 404, ms: 1, request_id: 'r1' })).toBe('GET (no such path) 404 1 ms')
  expect(line({ message: 'request', method: 'PUT', route: '/a/:id', status: 503, ms: 2, request_id: 'r1' })).toBe(
    'PUT /a/:id 503 2 ms request_id=r1',
  )
  expect(line({ level: 'warn', message: 'it is late', setting: 'PORT', reason: 'two words' })).toBe(
    'WARN it is late setting=PORT reason="two words"',
  )
  const error = { class: 'Error', message: 'no', code: 'E1', stack: 'Error: no\n    at here' }
  expect(line({ level: 'error', message: 'hook delivery failed', hook: 'h1', error })).toBe(
    'ERROR hook delivery failed hook=h1: no (E1)\n    at here',
  )
  expect(line({ level: 'warn', message: 'hook delivery failed', error })).toBe('WARN hook delivery failed: no (E1)')
})

test('the seed account is named only if it exists with its password', async () => {
  const url = await freshDatabase()
  const app = 'http://localhost:8080'
  expect(await signInHint(app, url, true)).toBe(`${app}/register creates an account; after that, ${app}/sign-in`)
  expect(await signInHint(app, url, false)).toBe(`${app}/sign-in`)
  const sql = connect(url, 'signalbox test', 1)
  const hashes = await Promise.all([PASSWORD, 'another'].map((password) => Bun.password.hash(password)))
  await sql`insert into users (email, name, password_hash) values (${PEOPLE.ada.email}, 'Ada', ${hashes[0] ?? ''})`
  expect(await signInHint(app, url, true)).toBe(`${app}/sign-in as ada@example.com with the password "${PASSWORD}"`)
  expect(await signInHint(app, undefined, false)).toBe(`${app}/sign-in`)
  await sql`update users set password_hash = ${hashes[1] ?? ''}`
  expect(await signInHint(app, url, false)).toBe(`${app}/sign-in`)
  await sql.end({ timeout: 1 })
})

describe('A database whose secrets another key encrypted', () => {
  const OTHER = Buffer.alloc(32, 9).toString('base64')
  let url: string

  beforeAll(async () => {
    url = await freshDatabase()
    const sql = connect(url, 'signalbox test', 1)
    await sql`
      with person as (
        insert into users (email, name, password_hash) values ('ada@example.com', 'Ada', 'x') returning id
      )
      insert into totp_setups (user_id, session_id, secret, expires_at)
      select id, uuidv7(), ${encryptWith(Buffer.from(SECRETS.SECRETS_KEY, 'base64'), 'JBSWY3DP')}, now() + interval '1 day'
      from person
    `
    await sql.end()
  })

  const settings = async (more: object) => ({
    ...SECRETS,
    DATABASE_URL: url,
    EMAIL_VERIFICATION: 'off',
    PORT: String(await freePort('0.0.0.0')),
    ...more,
  })

  test.each([
    ['api/server.ts', 'API listening'],
    ['worker/main.ts', 'worker started'],
    ['sql/migrate.ts', 'The database is up to date.'],
  ])('%s says so at its start, and names the way back', async (script, started) => {
    const wrong = new Process(script, await settings({ SECRETS_KEY: OTHER }))
    const said = await wrong.said('SECRETS_KEY decrypts none of the stored secrets')
    expect(said).toContain('Add the key that encrypted them to the list.')
    if (script !== 'sql/migrate.ts') expect(JSON.parse(said)).toMatchObject({ level: 'error', setting: 'SECRETS_KEY' })
    await wrong.said(started)
    const right = new Process(script, await settings({ SECRETS_KEY: `${OTHER},${SECRETS.SECRETS_KEY}`, LOG_LEVEL: 'info' }))
    await right.said(started)
    for (const process of [wrong, right]) process.kill('SIGTERM')
    await Promise.all([wrong.exited, right.exited])
    expect(right.lines.join('\n')).not.toContain('SECRETS_KEY')
  })

  test('bun start refuses a new key in place of the lost one, and keeps none', async () => {
    const dataDir = join(folder, 'lost')
    const { JWT_SECRET, SECRETS_KEY: _, ...rest } = await settings({ DATA_DIR: dataDir })
    const process = new Process('bin/start.ts', { ...rest, JWT_SECRET })
    expect(await process.exited).toBe(1)
    await process.isRead
    expect(process.lines.at(-1)).toBe(
      `${dataDir}/secrets.json has no SECRETS_KEY, and the database has secrets that a new key cannot decrypt. Restore the file, set SECRETS_KEY to the key that encrypted them, or set a new one to go on without them.`,
    )
    await expect(readFile(join(dataDir, 'secrets.json'))).rejects.toThrow('ENOENT')
  })
})

test.each([
  ['is a file', import.meta.path],
  ['is in a file', join(import.meta.path, 'data')],
  ['cannot be made', '/proc/signalbox'],
])('bun start names a DATA_DIR that %s in one line', async (_, DATA_DIR) => {
  const process = new Process('bin/start.ts', { DATA_DIR, PORT: String(await freePort('127.0.0.1')) })
  expect(await process.exited).toBe(1)
  await process.isRead
  expect(process.lines.filter((line) => !line.startsWith('For development'))).toEqual([expect.stringContaining('DATA_DIR')])
})

test('bun start takes MAIL_PORT only if it catches mails', async () => {
  const MAIL_PORT = 'tcp://10.0.0.1:25'
  const own = new Process('bin/start.ts', { DATA_DIR: join(folder, 'links'), MAIL_PORT })
  expect(await own.exited).toBe(1)
  await own.isRead
  expect(own.lines.join('\n')).toMatch(/- MAIL_PORT must be .* Kubernetes /)
  const other = new Process('bin/start.ts', {
    MAIL_PORT,
    DATA_DIR: join(folder, 'links'),
    DATABASE_URL: await freshDatabase(),
    EMAIL_VERIFICATION: 'off',
    PORT: String(await freePort('127.0.0.1')),
  })
  await other.said('Signalbox is ready')
  other.kill('SIGTERM')
  expect(await other.exited).toBe(0)
})
