/** PostgreSQL's own load generator, with the statements that a request of ours sends. */
import { join } from 'node:path'
import { Failure } from '../support/failure.ts'
import { throwawayFolder } from '../support/throwaway.ts'
import type { Statement } from './recording-proxy.ts'

const CLIENTS = 8
const THREADS = 2

/** Where Debian keeps what comes with the server; elsewhere it is on the path. */
const FOLDERS = [18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`)

/** The program, or null where this machine has none. */
export function pgbench(): string | null {
  return Bun.which('pgbench', { PATH: [process.env.PATH, ...FOLDERS].join(':') })
}

/** A constant, with no colon in it: what follows one would be a variable. */
function literal(value: string): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\003a')
  return `U&'${escaped}'`
}

/** The parameter, anew in each transaction where it holds the key. */
function constant(value: string | null, key: string): string {
  if (value === null) return 'null'
  const parts = value.split(key).map(literal)
  return parts.length === 1 ? parts.join('') : `(${parts.join(' || :key || ')})`
}

/**
 * Statements as a script of pgbench.
 *
 * @param key what must be another in each transaction, wherever it stands in a parameter
 */
export function script(statements: Statement[], key: string): string {
  const lines = statements.map(({ text, parameters }) => {
    const filled = text.replaceAll(/\$(\d+)/g, (_, number) => constant(parameters[Number(number) - 1] ?? null, key))
    return `${filled.trim().replace(/;$/, '')};`
  })
  return ['\\set key random(1, 9000000000000000)', ...lines, ''].join('\n')
}

/** @returns transactions per second */
export async function runPgbench(program: string, databaseUrl: string, text: string, seconds: number): Promise<number> {
  await using folder = await throwawayFolder('signalbox-pgbench-')
  const file = join(folder.path, 'script.sql')
  await Bun.write(file, text)
  const child = Bun.spawn(
    [program, '-n', '-M', 'prepared', '-c', `${CLIENTS}`, '-j', `${THREADS}`, '-T', `${seconds}`, '-f', file, databaseUrl],
    { stdout: 'pipe', stderr: 'pipe' },
  )
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const [, rate] = /^tps = ([\d.]+)/m.exec(output) ?? []
  const [, failed = '0'] = /^number of failed transactions: (\d+)/m.exec(output) ?? []
  if (!rate || child.exitCode !== 0 || failed !== '0') throw new Failure(`pgbench failed.\n${output}${errors}`)
  return Number(rate)
}
