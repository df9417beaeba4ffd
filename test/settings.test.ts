import { describe, expect, test } from 'bun:test'
import { settingsDocs } from '../bin/support/settings-docs.ts'
import { readSettings, SETTINGS, SettingsError } from '../core/platform/settings.ts'
import { SECRETS } from './support/server.ts'
import { Process } from './support/signalbox.ts'

const GOOD = { ...SECRETS, DATABASE_URL: 'postgres://ada:pass@127.0.0.1:1/signalbox', EMAIL_VERIFICATION: 'off' }

async function start(script: string, environment: Record<string, string>): Promise<{ code: number; said: string }> {
  const process = new Process(script, environment)
  const code = await process.exited
  return { code, said: process.lines.join('\n') }
}

function faults(environment: Record<string, string>): string[] {
  try {
    readSettings(environment)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.errors
    throw error
  }
}

describe('A process whose environment is wrong', () => {
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
    AI_POLISH: 'perhaps',
    AI_PRICE_INPUT: '-1',
    AI_PRICE_OUTPUT: '0.0000001',
    AI_MAX_TOKENS: '1',
    AI_TIMEOUT_SECONDS: '0',
    EMAIL_VERIFICATION: 'maybe',
    PUBLIC_URL: 'signalbox.example.com',
  }
  /** Right for itself, and needed by one of those. */
  const NEEDED = {
    AI_MODEL: 'judge',
  }

  for (const script of ['api/server.ts', 'worker/main.ts', 'sql/migrate.ts']) {
    test(`ends ${script} with one message that names every fault, and shows no value`, async () => {
      const { code, said } = await start(script, { ...WRONG, ...NEEDED })
      expect(code).toBe(1)
      for (const name of Object.keys(WRONG)) expect(said).toContain(`- ${name} must be `)
      expect(said).toContain(`${Object.keys(WRONG).length} invalid settings`)
      for (const secret of ['hunter2', WRONG.JWT_SECRET, WRONG.SECRETS_KEY]) expect(said).not.toContain(secret)
      expect(said).not.toContain('    at ')
    })
  }

  test('hears of all that is missing at once', async () => {
    const { code, said } = await start('api/server.ts', {})
    expect(code).toBe(1)
    for (const name of ['DATABASE_URL', 'JWT_SECRET', 'SECRETS_KEY', 'SMTP_URL']) expect(said).toContain(`- ${name} is not set`)
  })
})

describe('Settings', () => {
  test('that are empty count as unset', () => {
    expect(readSettings({ ...GOOD, PORT: '', RATE_LIMIT: '', HOOK_RETRY_SECONDS: '' })).toMatchObject({
      PORT: 8080,
      RATE_LIMIT: 100,
    })
    expect(faults({ ...GOOD, JWT_SECRET: '' })).toEqual([expect.stringContaining('JWT_SECRET is not set')])
  })

  test('follow from one another where they are unset', () => {
    expect(readSettings({ ...GOOD, PORT: '9000' }).PUBLIC_URL).toBe('http://localhost:9000')
    expect(readSettings({ ...GOOD, RATE_LIMIT: '7' }).RATE_LIMIT_BURST).toBe(14)
    expect(readSettings({ ...GOOD, RATE_LIMIT: '7', RATE_LIMIT_BURST: '3' }).RATE_LIMIT_BURST).toBe(3)
  })

  test('need a mail server where addresses must be proven', () => {
    expect(faults({ ...GOOD, EMAIL_VERIFICATION: 'required' })).toEqual([expect.stringContaining('SMTP_URL is not set')])
    expect(faults({ ...GOOD, EMAIL_VERIFICATION: 'required', SMTP_URL: 'smtp://localhost:25' })).toEqual([])
  })

  test('of a model are both its server and its name, or neither', () => {
    const AI_BASE_URL = 'http://127.0.0.1:11434/v1'
    expect(faults({ ...GOOD, AI_BASE_URL })).toEqual([expect.stringContaining('AI_MODEL is not set')])
    expect(faults({ ...GOOD, AI_MODEL: 'judge' })).toEqual([expect.stringContaining('AI_BASE_URL is not set')])
    expect(faults({ ...GOOD, AI_API_KEY: 'sk-1' })).toHaveLength(2)
    expect(readSettings({ ...GOOD, AI_BASE_URL, AI_MODEL: 'judge', AI_PRICE_INPUT: '0.075' })).toMatchObject({
      AI_BASE_URL,
      AI_ON_FAILURE: 'metrics',
      AI_PRICE_INPUT: 0.075,
      AI_PRICE_OUTPUT: 0,
    })
  })

  test('take lists of keys, of which each must be good', () => {
    const key = SECRETS.SECRETS_KEY
    expect(readSettings({ ...GOOD, SECRETS_KEY: `${key}, ${key}` }).SECRETS_KEY).toHaveLength(2)
    expect(faults({ ...GOOD, SECRETS_KEY: `${key},short` })).toEqual([expect.stringContaining('SECRETS_KEY must be')])
    expect(faults({ ...GOOD, JWT_SECRET: `${SECRETS.JWT_SECRET},short` })).toEqual([
      expect.stringContaining('JWT_SECRET must be'),
    ])
    expect(faults({ ...GOOD, JWT_SECRET: ' , ' })).toEqual([expect.stringContaining('JWT_SECRET must be')])
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

  test('are documented as `bun run docs:settings` writes them: run it after a change', async () => {
    for (const [path, text] of Object.entries(settingsDocs())) {
      expect([path, await Bun.file(`${import.meta.dir}/../${path}`).text()]).toEqual([path, text])
    }
  })
})
