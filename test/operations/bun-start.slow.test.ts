import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PASSWORD, PEOPLE } from '../../bin/seed/accounts.ts'
import { freePort } from '../../bin/support/ports.ts'
import { readable } from '../../bin/support/readable-lines.ts'
import { signInHint } from '../../bin/support/sign-in-hint.ts'
import { connect } from '../../sql/index.ts'
import { freshDatabase } from '../support/server.ts'
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
