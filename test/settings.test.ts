import { describe, expect, test } from 'bun:test'
import { readSettings, SETTINGS, SettingsError } from '../core/platform/settings.ts'
import { SECRETS } from './support/server.ts'
import { settingsDocs } from './support/settings-docs.ts'
import { Process } from './support/signalbox.ts'

const GOOD = { ...SECRETS, DATABASE_URL: 'postgres://ada:pass@127.0.0.1:1/signalbox', EMAIL_VERIFICATION: 'off' }

async function run(script: string, environment: Record<string, string>): Promise<{ code: number; output: string }> {
  const process = new Process(script, environment)
  const code = await process.exited
  return { code, output: process.lines.join('\n') }
}

function errorsOf(environment: Record<string, string>): string[] {
  try {
    readSettings(environment)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.errors
    throw error
  }
}

describe('A process with invalid settings', () => {
  const WRONG = {
    DATABASE_URL: 'mysql://user:hunter2@host/db',
    PORT: '99999',
    JWT_SECRET: 'too-short-jwt-secret',
    SECRETS_KEY: 'bm90LTMyLWJ5dGVz',
    LOG_LEVEL: 'loud',
    RATE_LIMIT: '-1',
    CORS_ORIGINS: 'https://app.example.com/path',
    OUTBOUND_ALLOW: '10.0.0.0/99',
    HOOK_RETRY_SECONDS: '5,soon',
    DNS_SERVERS: 'dns.example.com',
    AI_BASE_URL: 'models.example.com',
    AI_ON_FAILURE: 'panic',
    AI_PRICE_INPUT: '-1',
    AI_PRICE_OUTPUT: '0.0000001',
    AI_MAX_TOKENS: '1',
    AI_TIMEOUT_SECONDS: '0',
    EMAIL_VERIFICATION: 'maybe',
    PUBLIC_URL: 'signalbox.example.com',
  }
  /** Valid, and required by one of the invalid ones. */
  const NEEDED = {
    AI_MODEL: 'judge',
  }

  for (const script of ['api/server.ts', 'worker/main.ts', 'sql/migrate.ts']) {
    test(`(${script}) exits with one message that names every error and shows no value`, async () => {
      const { code, output } = await run(script, { ...WRONG, ...NEEDED })
      expect(code).toBe(1)
      for (const name of Object.keys(WRONG)) expect(output).toContain(`- ${name} must be `)
      expect(output).toContain(`${Object.keys(WRONG).length} invalid settings`)
      for (const secret of ['hunter2', WRONG.JWT_SECRET, WRONG.SECRETS_KEY]) expect(output).not.toContain(secret)
      expect(output).not.toContain('    at ')
    })
  }

  test('reports all missing settings at once', async () => {
    const { code, output } = await run('api/server.ts', {})
    expect(code).toBe(1)
    for (const name of ['DATABASE_URL', 'JWT_SECRET', 'SECRETS_KEY', 'SMTP_URL']) expect(output).toContain(`- ${name} is not set`)
  })
})

describe('Settings', () => {
  test('that are empty count as unset', () => {
    expect(readSettings({ ...GOOD, PORT: '', RATE_LIMIT: '', HOOK_RETRY_SECONDS: '' })).toMatchObject({
      PORT: 8080,
      RATE_LIMIT: 100,
    })
    expect(errorsOf({ ...GOOD, JWT_SECRET: '' })).toEqual([expect.stringContaining('JWT_SECRET is not set')])
  })

  test('have defaults that depend on others', () => {
    expect(readSettings({ ...GOOD, PORT: '9000' }).PUBLIC_URL).toBe('http://localhost:9000')
    expect(readSettings({ ...GOOD, RATE_LIMIT: '7' }).RATE_LIMIT_BURST).toBe(14)
    expect(readSettings({ ...GOOD, RATE_LIMIT: '7', RATE_LIMIT_BURST: '3' }).RATE_LIMIT_BURST).toBe(3)
  })

  test('require a mail server when addresses must be verified', () => {
    expect(errorsOf({ ...GOOD, EMAIL_VERIFICATION: 'required' })).toEqual([expect.stringContaining('SMTP_URL is not set')])
    expect(errorsOf({ ...GOOD, EMAIL_VERIFICATION: 'required', SMTP_URL: 'smtp://localhost:25' })).toEqual([])
  })

  test('of a model require both server and name, or neither', () => {
    const AI_BASE_URL = 'http://127.0.0.1:11434/v1'
    expect(errorsOf({ ...GOOD, AI_BASE_URL })).toEqual([expect.stringContaining('AI_MODEL is not set')])
    expect(errorsOf({ ...GOOD, AI_MODEL: 'judge' })).toEqual([expect.stringContaining('AI_BASE_URL is not set')])
    expect(errorsOf({ ...GOOD, AI_API_KEY: 'sk-1' })).toHaveLength(2)
    expect(readSettings({ ...GOOD, AI_BASE_URL, AI_MODEL: 'judge', AI_PRICE_INPUT: '0.075' })).toMatchObject({
      AI_BASE_URL,
      AI_ON_FAILURE: 'metrics',
      AI_PRICE_INPUT: 0.075,
      AI_PRICE_OUTPUT: 0,
    })
  })

  test('accept lists of keys, each of which must be valid', () => {
    const key = SECRETS.SECRETS_KEY
    expect(readSettings({ ...GOOD, SECRETS_KEY: `${key}, ${key}` }).SECRETS_KEY).toHaveLength(2)
    expect(errorsOf({ ...GOOD, SECRETS_KEY: `${key},short` })).toEqual([expect.stringContaining('SECRETS_KEY must be')])
    expect(errorsOf({ ...GOOD, JWT_SECRET: `${SECRETS.JWT_SECRET},short` })).toEqual([
      expect.stringContaining('JWT_SECRET must be'),
    ])
    expect(errorsOf({ ...GOOD, JWT_SECRET: ' , ' })).toEqual([expect.stringContaining('JWT_SECRET must be')])
  })

  test('are all in the table of docs/settings.md, with their defaults and descriptions', async () => {
    const page = await Bun.file(`${import.meta.dir}/../docs/settings.md`).text()
    const rows = [...page.matchAll(/^\| `(\w+)` *\| +(.*?) *\| +(.*?) *\|$/gm)].map(([, name, fallback, about]) => ({
      name,
      fallback,
      about,
    }))
    expect(rows.map(({ name, about }) => ({ name, about }))).toEqual(
      Object.entries(SETTINGS).map(([name, { about }]) => ({ name, about })),
    )
    for (const { name = '', fallback = '' } of rows) {
      const entry = SETTINGS[name as keyof typeof SETTINGS]
      const expected = 'fallback' in entry ? entry.fallback : ''
      if (expected) expect([name, fallback]).toEqual([name, `\`${expected}\``])
      else expect([name, fallback]).toEqual([name, expect.not.stringContaining('`')])
    }
  })

  test('are documented as `bun run generate` writes them: run it after a change', async () => {
    for (const [path, text] of Object.entries(settingsDocs())) {
      const file = Bun.file(`${import.meta.dir}/../${path}`)
      if (process.env.UPDATE_GOLDEN) await file.write(text)
      expect([path, await file.text()]).toEqual([path, text])
    }
  })
})
