import { describe, expect, test } from 'bun:test'
import { SettingsError } from '../core/platform/setting-errors.ts'
import {
  MAIL_CATCHER_SETTINGS,
  readConnectionSettings,
  readDatabaseSettings,
  readSettings,
  SETTINGS,
} from '../core/platform/settings.ts'
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

  test('name operators only where addresses are proven, or on this computer alone', () => {
    const OPERATORS = 'ops@example.com, Ada@Example.com'
    const PUBLIC_URL = 'https://signalbox.example.com'
    const refused = [expect.stringContaining('OPERATORS is set, but EMAIL_VERIFICATION is off')]
    expect(errorsOf({ ...GOOD, OPERATORS, PUBLIC_URL })).toEqual(refused)
    expect(errorsOf({ ...GOOD, OPERATORS, PUBLIC_URL, EMAIL_VERIFICATION: 'required', SMTP_URL: 'smtp://localhost' })).toEqual([])
    for (const own of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
      expect(readSettings({ ...GOOD, OPERATORS, PUBLIC_URL: own }).OPERATORS).toEqual(['ops@example.com', 'ada@example.com'])
    expect(errorsOf({ ...GOOD, OPERATORS: 'nobody' })).toEqual([expect.stringContaining('OPERATORS must be')])
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

  test.each([
    ['DATABASE_URL', 'jdbc:postgresql://host/name', 'starts with postgres://'],
    ['DATABASE_URL', '"postgres://host/name"', 'starts with postgres://'],
    ['DATABASE_URL', 'postgres://ada:pa/ss@host/name', '%2F for /'],
    ['DATABASE_URL', 'postgres://ada:12#hunter2@host/name', '%23 for #'],
    ['DATABASE_URL', 'postgres://ada:12?hunter2@host/name', '%40 for @'],
    ['DATABASE_URL', 'postgres://ada:100%hunter2@host/name', '%25 for %'],
    ['DATABASE_URL', 'postgres://one:5432,two:5432/name?target_session_attrs=read-write', 'one host'],
    ['DATABASE_URL', 'postgres://host/name?host=/one,/two', 'one host'],
    ['DATABASE_URL', 'postgres://host:0/name', 'port'],
    ['DATABASE_URL', 'postgres://host:99999/name', 'port'],
    ['DATABASE_URL', 'postgres://[::g]/name', 'IPv6'],
    ['DATABASE_URL', 'postgres://a host/name', 'host'],
    ['DATABASE_URL', `postgres:///name?host=/${'x'.repeat(100)}`, '107 bytes'],
    ['DATABASE_URL', 'postgres://host/name?connection_limit=1', 'connection_limit (set DATABASE_POOL)'],
    ['DATABASE_URL', 'postgres://host/name?statement_timeout=1&hostaddr=::1', 'hostaddr'],
    ['DATABASE_URL', 'postgres://host/name?target_session_attrs=standby', 'target_session_attrs is one of any'],
    ['DATABASE_URL', 'postgres://host/name?sslmode=requre', 'sslmode is one of disable'],
    ['DATABASE_URL', 'postgres://host/name?sslmode=require&sslrootcert=/nowhere.pem', 'sslrootcert'],
    ['DATABASE_URL', `postgres://host/name?sslmode=require&sslrootcert=${import.meta.path}`, 'PEM'],
    ['DATABASE_URL', 'postgres://host/name?sslmode=require&sslcert=/nowhere.pem', 'sslcert'],
    ['DATABASE_URL', 'postgres://host/name?sslmode=require&sslrootcert=system', 'sslmode=verify-full'],
    ['DATABASE_URL', 'postgres://host/name?sslnegotiation=direct', 'DATABASE_SSL'],
    ['DATABASE_URL', 'postgres://host/name?channel_binding=require', 'DATABASE_SSL'],
    ['DATABASE_URL', 'postgres://host/name?gssencmode=require', 'gssencmode'],
    ['DATABASE_URL', 'postgres://host/name?connect_timeout=soon', 'connect_timeout is a whole number'],
    ['DATABASE_URL', 'postgres://host/name?pgbouncer=true', 'Set DATABASE_DIRECT_URL'],
    ['DATABASE_URL', 'postgres://host/name?pool_timeout=10&prepared_statements=false', 'prepared_statements'],
    ['DATABASE_URL', 'host=127.0.0.1 user=ada password=hunter2', 'starts with postgres://'],
    ['HOOK_RETRY_SECONDS', '5,99999999999', 'at most'],
    ['CHANNEL_RETRY_SECONDS', '9'.repeat(400), 'at most'],
    ['DATABASE_DIRECT_URL', 'postgres://host/name?pgbouncer=true', 'to the server'],
    ['DATABASE_DIRECT_URL', 'postgres://host/name?prepareThreshold=0', 'prepareThreshold'],
    ['DATABASE_CA', '/', 'PEM'],
    ['OUTBOUND_CA', '/nowhere.pem', 'PEM'],
    ['OUTBOUND_CA', '/', 'PEM'],
    ['SMTP_URL', 'smtp:mail.example.com', 'starts with smtp://'],
    ['SMTP_URL', 'smtp:///', 'host'],
    ['SMTP_URL', 'smtp://ada:12#hunter2@mail.example.com', '%23 for #'],
    ['SMTP_URL', 'smtp://ada:1/hunter2@mail.example.com', '%2F for /'],
    ['SMTP_URL', 'smtp://ada:100%hunter2@mail.example.com', '%25 for %'],
    ['SMTP_URL', 'smtp://mail.example.com:0', 'host:port'],
    ['MAIL_FROM', 'Signalbox', 'signalbox@example.com'],
    ['MAIL_FROM', 'Ada <ada@example.com>, Grace <grace@example.com>', 'one address'],
    ['MAIL_FROM', 'Team: signalbox@example.com;', 'one address'],
    ['MAIL_FROM', '"Signalbox <signalbox@example.com>"', 'one address'],
    ['MAIL_FROM', 'signalbox@exa mple.com', 'one address'],
    ['HOST', 'http://0.0.0.0', 'without scheme and port'],
    ['HOST', '0.0.0.0:8080', 'without scheme and port'],
    ['HOST', '*', 'without scheme and port'],
    ['HOST', '8080', 'without scheme and port'],
    ['PUBLIC_URL', 'https://signalbox.example.com/app', 'without a path'],
    ['PUBLIC_URL', 'https://ada:hunter2@signalbox.example.com', 'without a path'],
    ['PUBLIC_URL', 'https://signalbox.example.com:0', 'host:port'],
    ['CORS_ORIGINS', 'https://*.example.com', 'host:port'],
    ['CORS_ORIGINS', '*', 'http'],
    ['AI_BASE_URL', 'https://models.example.com/v1?version=1', 'without query'],
    ['AI_API_KEY', 'sk-ключ', 'printable ASCII'],
    ['SLACK_API_URL', 'https://slack.com/api#x', 'without query'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'starts with http://'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Authorization', 'name=value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=100%', 'name=value'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'name=ü', 'name=value'],
    ['DNS_SERVERS', '9.9.9.9:99999', 'ip:port'],
    ['DNS_SERVERS', '9.9.9.9:0', 'ip:port'],
    ['DNS_SERVERS', '127.1:53', 'ip:port'],
    ['DNS_SERVERS', '2620:fe::fe:53', '[ip]:port'],
    ['OUTBOUND_ALLOW', '10/8', '127.0.0.0/8'],
    ['PORT', 'tcp://10.0.0.1:80', 'enableServiceLinks'],
  ])('%s=%s is refused', (name, value, reason) => {
    const errors = errorsOf({ ...GOOD, AI_MODEL: 'judge', AI_BASE_URL: 'http://127.0.0.1:1', [name]: value })
    expect(errors).toEqual([expect.stringMatching(new RegExp(`^${name} (must be|leads) `))])
    expect(errors[0]).toContain(reason)
    expect(errors[0]).not.toContain('hunter2')
  })

  test.each([
    ['DATABASE_URL', 'POSTGRES://ada:p%40ss@127.0.0.1/name\n'],
    // As providers write them.
    [
      'DATABASE_URL',
      'postgresql://ada:npg_1@ep-cool-1-pooler.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require',
    ],
    ['DATABASE_URL', 'postgresql://ada:endpoint=ep-cool-1;npg_1@ep-cool-1.neon.tech/neondb?sslmode=require'],
    ['DATABASE_URL', 'postgresql://postgres.abc:[pass]@aws-0-eu-central-1.pooler.supabase.com:5432/postgres'],
    ['DATABASE_URL', 'postgresql://ada:pass@/name?host=/cloudsql/project:europe-west1:instance'],
    ['DATABASE_URL', 'postgresql://ada:pass@%2Fcloudsql%2Fproject%3Aeurope-west1%3Ainstance/name'],
    ['DATABASE_URL', 'postgres://ada@srv:pass@srv.postgres.database.azure.com:5432/postgres?sslmode=require'],
    ['DATABASE_URL', 'postgres://ada:pass@db.eu-central-1.rds.amazonaws.com/name?sslmode=verify-full&sslrootcert=system'],
    ['DATABASE_URL', 'postgres://avnadmin:AVNS_1@pg-1.a.aivencloud.com:12691/defaultdb?sslmode=require'],
    ['DATABASE_URL', 'postgres://postgres:pass@[fdaa:0:1::3]:5432/name?sslmode=disable'],
    ['DATABASE_URL', 'postgresql://signalbox:pass@dpg-abc123-a/name'],
    ['DATABASE_URL', 'postgres://ada:pass@db.prisma.io:5432?sslmode=require'],
    ['DATABASE_URL', 'postgresql://ada@eu:p@ss@[::1]:5432/a%20name?sslmode='],
    ['SMTP_URL', 'smtps://ada@example.com:p%2Fss@mail.example.com:465?tls.rejectUnauthorized=false'],
    ['SMTP_URL', 'smtp://[::1]:25/'],
    ['MAIL_FROM', '"Signalbox, Inc." <signalbox@example.com>'],
    ['MAIL_FROM', 'signalbox@localhost'],
    ['HOST', 'my_host.internal'],
    ['AI_API_KEY', 'sk-1\n'],
    ['DNS_SERVERS', '9.9.9.9:53,[2620:fe::fe]:53'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Authorization=Bearer%20one, x-tenant=a=b,'],
  ])('%s=%s is accepted', (name, value) => {
    expect(errorsOf({ ...GOOD, AI_MODEL: 'judge', AI_BASE_URL: 'http://127.0.0.1:1', [name]: value })).toEqual([])
  })

  test('are written as their users expect them', () => {
    const { PUBLIC_URL, CORS_ORIGINS, HOST } = readSettings({
      ...GOOD,
      PUBLIC_URL: 'https://Signalbox.example.com:443/',
      CORS_ORIGINS: 'https://bücher.example',
      HOST: '[::1]',
    })
    expect({ PUBLIC_URL, CORS_ORIGINS, HOST }).toEqual({
      PUBLIC_URL: 'https://signalbox.example.com',
      CORS_ORIGINS: ['https://xn--bcher-kva.example'],
      HOST: '::1',
    })
  })

  test('that only bun start uses are not read by others, and may be those of a Kubernetes service', () => {
    const links = { MAIL_PORT: 'tcp://10.0.0.1:25', MAIL_WEB_PORT: 'tcp://10.0.0.1:80' }
    expect(readSettings({ ...GOOD, ...links })).toMatchObject({ MAIL_PORT: 1025, MAIL_WEB_PORT: 8025 })
    expect(readDatabaseSettings({ ...GOOD, ...links }).DATABASE_URL).toBe(GOOD.DATABASE_URL)
    expect(readConnectionSettings({ ...GOOD, ...links, PORT: 'x' }).DATABASE_URL).toBe(GOOD.DATABASE_URL)
    expect(() => readSettings({ ...GOOD, ...links }, MAIL_CATCHER_SETTINGS)).toThrow(
      /MAIL_PORT must be .*\. Kubernetes [\s\S]* MAIL_WEB_PORT must be .*\. Kubernetes /,
    )
  })

  test('are documented as `bun run generate` writes them: run it after a change', async () => {
    for (const [path, text] of Object.entries(settingsDocs())) {
      const file = Bun.file(`${import.meta.dir}/../${path}`)
      if (process.env.UPDATE_GOLDEN) await file.write(text)
      expect([path, await file.text()]).toEqual([path, text])
    }
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
})
