/** `bun run ops`: shows the views of the schema `ops`, and calls its functions. For people, cron and monitors. */
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { userName } from '../cli/support/process-table.js'
import { jsonOnTerminal, onTerminal } from '../cli/support/terminal.js'
import { directTarget } from '../core/platform/direct-database.ts'
import { SettingsError } from '../core/platform/setting-errors.ts'
import { readConnectionSettings, SETTINGS } from '../core/platform/settings.ts'
import { connect, PostgresError, type Sql } from '../sql/index.ts'
import { type Change, change, confirmed } from './ops/changes.ts'
import { EXIT_CODES, type Figures, readFigures, withoutDatabase } from './ops/figures.ts'
import { type Command, readCommand, USAGE, UsageError } from './ops/options.ts'
import { screen } from './ops/screen.ts'
import { Failure } from './support/command.ts'
import { runningPostgresUrl } from './support/postgres.ts'

const WATCH_MS = 2_000

/** No database is configured, or it cannot be used. */
class NoDatabase extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

async function open(): Promise<Sql> {
  const dataDir = resolve(dirname(import.meta.dir), process.env.DATA_DIR || SETTINGS.DATA_DIR.fallback)
  const DATABASE_URL =
    process.env.DATABASE_URL || process.env.DATABASE_DIRECT_URL || (await runningPostgresUrl(join(dataDir, 'postgres')))
  if (!DATABASE_URL)
    throw new NoDatabase('no database', `Set DATABASE_URL, or run npx --yes bun start: no database runs in ${dataDir}.`)
  const target = directTarget(readConnectionSettings({ ...process.env, DATABASE_URL }))
  // The action log records the name, because operators often share a database account.
  return connect(target, `signalbox ops (${userName()}@${hostname()})`.slice(0, 63), 1)
}

/** Turns an error of the driver into one that says what to check. */
function explain(error: unknown): unknown {
  if (error instanceof Failure) return new NoDatabase('no database', error.message)
  if (error instanceof SettingsError) return new NoDatabase('the settings of the database are wrong', error.errors.join(' '))
  if (error instanceof PostgresError) {
    if (error.code === '3F000' || error.code === '42P01' || error.code === '42703')
      return new NoDatabase('the database is not of this version', 'Run the release: npx --yes bun run migrate.')
    // Connections are refused, the account may not log in, or the database does not exist.
    if (/^(08|28|3D|53|57P|57014)/.test(error.code))
      return new NoDatabase(error.message, 'Is the server up, and DATABASE_URL right?')
    return error
  }
  const code = (error as { code?: string }).code ?? ''
  return /^(E[A-Z]+|CONNECT_|CONNECTION_)/.test(code)
    ? new NoDatabase(`the database does not answer: ${code}`, 'Is the server up, and DATABASE_URL right?')
    : error
}

const print = (figures: Figures, json: boolean): void =>
  console.log(json ? jsonOnTerminal(figures) : screen(figures, process.stdout.columns))

function figuresOf(error: unknown): Figures {
  const meaning = explain(error)
  if (meaning instanceof NoDatabase) return withoutDatabase(meaning.message, meaning.hint)
  throw meaning
}

/** Prints the figures once; with `--watch` every two seconds until Ctrl-C. @returns the exit code */
async function show({ watch, json }: Extract<Command, { command: 'show' }>): Promise<number> {
  let code = 0
  let sql: Sql | undefined
  const read = async () => {
    sql ??= await open()
    return readFigures(sql)
  }
  const once = async () => {
    const figures = await read().catch(figuresOf)
    if (watch && !json && process.stdout.isTTY) process.stdout.write('\x1b[2J\x1b[H')
    print(figures, json)
    code = EXIT_CODES[figures.status]
  }
  await once()
  if (watch) {
    const stopped = new Promise<true>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(true))
    })
    while (!(await Promise.race([stopped, Bun.sleep(WATCH_MS)]))) await once()
  }
  await sql?.end({ timeout: 1 })
  return code
}

/** @returns the exit code */
async function act(command: Change): Promise<number> {
  if (!(await confirmed(command))) {
    console.error('Nothing was changed.')
    return 1
  }
  let sql: Sql | undefined
  try {
    sql = await open()
    const done = await change(sql, command)
    console.log(command.json ? jsonOnTerminal(done.rows) : done.lines.map(onTerminal).join('\n'))
    return done.count > 0 ? 0 : 1
  } catch (error) {
    const meaning = explain(error)
    if (!(meaning instanceof PostgresError)) throw meaning
    // The function refused the call; its message says why.
    console.error([meaning.message, meaning.hint].filter(Boolean).join(' '))
    return 1
  } finally {
    await sql?.end({ timeout: 1 })
  }
}

async function run(): Promise<number> {
  try {
    const command = readCommand(process.argv.slice(2))
    if (!command) {
      console.log(USAGE)
      return 0
    }
    return command.command === 'show' ? await show(command) : await act(command)
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${USAGE}`)
      return UsageError.exitCode
    }
    if (error instanceof NoDatabase) console.error(`${error.message}. ${error.hint}`)
    else console.error(error)
    return EXIT_CODES.critical
  }
}

process.exit(await run())
