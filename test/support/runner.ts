/** Runs test files on one temporary PostgreSQL, and reports the slowest files and the skipped tests. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { throwawayFolder } from '../../bin/support/data-folder.ts'
import { startPostgres } from '../../bin/support/postgres.ts'
import { connect } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { inMemory } from './in-memory.ts'
import { TEST_LIMIT_MS } from './patience.ts'
import { WITHOUT_FSYNC } from './postgres-without-fsync.ts'
import { bundlePrograms } from './programs-bundle.ts'

/** Durations of earlier runs on this machine: the slowest files start first. */
const TIMINGS = join(import.meta.dir, '../../node_modules/.cache/signalbox-test-timings.json')
const TEMPLATE = 'signalbox_template'
const SHOWN = 10

export interface Run {
  /** Arguments of `bun test`: files, folders, options. */
  arguments: string[]
  /** Whether to run several files at once, more than there are cores, because tests spend most of their time waiting. */
  isParallel: boolean
  /** How many files at once; by default two more than there are cores. */
  processes?: number
  /** Settings of PostgreSQL for this run. */
  settings?: Record<string, string>
  /** Environment variables for `bun test`. */
  environment?: Record<string, string>
  /** Aborts the run. */
  signal?: AbortSignal
}

/** @returns the exit code: 0 if no test failed */
export async function runTests({ arguments: given, isParallel, processes, settings, environment, signal }: Run): Promise<number> {
  await using folder = await throwawayFolder('signalbox-test-', isParallel ? await inMemory(4) : undefined)
  const postgres = await startPostgres({
    dataDir: join(folder.path, 'postgres'),
    settings: { ...WITHOUT_FSYNC, max_connections: '1000', ...settings },
  })
  try {
    const programs = join(folder.path, 'programs')
    await Promise.all([makeTemplate(postgres.url), isParallel && bundlePrograms(programs)])
    await mkdir(dirname(TIMINGS), { recursive: true })
    const before = await readTimings()
    const skipped = join(folder.path, 'skipped')
    const startedAt = Date.now()
    const tests = Bun.spawn(
      [
        process.execPath,
        'test',
        ...(isParallel ? [`--parallel=${processes ?? availableParallelism() + 2}`, '--no-isolate'] : []),
        // What a preloaded file sets does not reach the processes of parallel files.
        `--timeout=${TEST_LIMIT_MS}`,
        `--timings=${TIMINGS}`,
        '--update-timings',
        ...given,
      ],
      {
        env: {
          ...process.env,
          TEST_DATABASE_URL: postgres.url,
          TEST_DATABASE_KEPT: 'yes',
          TEST_DATABASE_TEMPLATE: TEMPLATE,
          TEST_SKIPPED: skipped,
          // Fault tests start the sources, as a deployment does.
          TEST_PROGRAMS: isParallel ? programs : undefined,
          ...environment,
        },
        stdio: ['inherit', 'inherit', 'inherit'],
        signal,
      },
    )
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => tests.kill(name))
    const code = await tests.exited
    await reportSlowest(before)
    if (existsSync(skipped)) console.log(`\n${[...new Set((await Bun.file(skipped).text()).trim().split('\n'))].join('\n')}`)
    console.log(`\nThe tests took ${Math.round((Date.now() - startedAt) / 1000)} s.`)
    return code
  } finally {
    await postgres.stop()
  }
}

/** Creates the migrated database that every test database is copied from. */
async function makeTemplate(serverUrl: string): Promise<void> {
  const server = connect(serverUrl, 'signalbox tests', 1)
  await server`create database ${server(TEMPLATE)}`
  await server.end()
  const url = new URL(serverUrl)
  url.pathname = `/${TEMPLATE}`
  await migrate(url.href)
}

/** The duration of each file in its latest run, in milliseconds. */
async function readTimings(): Promise<Record<string, number>> {
  const file = Bun.file(TIMINGS)
  return (await file.exists()) ? (await file.json()).files : {}
}

/** Prints the slowest files of this run. @param before the durations of earlier runs */
async function reportSlowest(before: Record<string, number>): Promise<void> {
  const ran = Object.entries(await readTimings()).filter(([file, ms]) => before[file] !== ms)
  const slowest = ran.toSorted(([, a], [, b]) => b - a).slice(0, SHOWN)
  console.log(
    `\nThe slowest files:\n${slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`).join('\n')}`,
  )
}
