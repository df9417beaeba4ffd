/** Parses the command line of `bun run ops`. */
import { parseArgs } from 'node:util'

export const USAGE = `npx --yes bun run ops [--watch] [--json]           health, queues, workers, failing hooks, tenants
npx --yes bun run ops retry <id>… [--reason why]   retries jobs, events, dispatches or messages
npx --yes bun run ops retry --all | --task <name> | --organization <id>
                                                   retries what has failed permanently
npx --yes bun run ops discard <id>… --reason why   discards them: they are never sent or run
npx --yes bun run ops pause <flag> --reason why [--until <time> | --for 90m]
npx --yes bun run ops resume <flag>
npx --yes bun run ops unlock                       unlocks jobs, hooks and channels of dead workers

  <id>     as shown by this command, ops.jobs and ops.failed_jobs, or the full id
  <flag>   org:<id or slug of an organization> or task:<name>
  --for    30s, 90m, 8h or 2d
  --yes    does not ask for confirmation
  --json   prints JSON

Uses DATABASE_URL, or the database of npx --yes bun start here. The exit code of the first form shows the health: 0 ok; 1 warning:
something failed permanently, or waits for over 60 s; 2 critical: no live worker, something waits for over 5 minutes, or no database.
The other forms exit with 0 if something was changed, 1 if nothing was, 2 without a database.`

/** The command line is wrong. It is printed without a stack trace and ends with the exit code of sysexits.h for that. */
export class UsageError extends Error {
  static readonly exitCode = 64
}

export type Command = { json: boolean; yes: boolean } & (
  | { command: 'show'; watch: boolean }
  | { command: 'retry'; ids: string[]; reason: string | null }
  | { command: 'retry_failed'; task: string | null; organization: string | null }
  | { command: 'discard'; ids: string[]; reason: string }
  | { command: 'pause'; flag: string; reason: string; until: string | null }
  | { command: 'resume'; flag: string }
  | { command: 'unlock' }
)

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 }

/** @param length such as `90m`. @returns the time at which it has passed, from now on */
function after(length: string): string {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(length) ?? []
  if (!count) throw new UsageError(`--for ${length} is no duration: write 30s, 90m, 8h or 2d.`)
  return new Date(Date.now() + Number(count) * UNITS[unit as keyof typeof UNITS] * 1000).toISOString()
}

function moment(time: string): string {
  const at = Date.parse(time)
  if (Number.isNaN(at)) throw new UsageError(`--until ${time} is no time: write 2026-01-31T18:00:00Z.`)
  return new Date(at).toISOString()
}

function parse(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        watch: flag,
        json: flag,
        yes: flag,
        all: flag,
        help: flag,
        reason: text,
        until: text,
        for: text,
        task: text,
        organization: text,
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

type Values = ReturnType<typeof parse>['values']

function retry(ids: string[], { all, task, organization, reason, json, yes }: Values): Command {
  const many = all || task !== undefined || organization !== undefined
  if (many === ids.length > 0) throw new UsageError('Give either ids to retry, or one of --all, --task and --organization.')
  return many
    ? { command: 'retry_failed', task: task ?? null, organization: organization ?? null, json, yes }
    : { command: 'retry', ids, reason: reason ?? null, json, yes }
}

/** @returns null where help is asked for. @throws {UsageError} */
export function readCommand(args: string[]): Command | null {
  const { values, positionals } = parse(args)
  const [command = 'show', ...rest] = positionals
  const { json, yes, watch, reason } = values
  if (values.help || command === 'help') return null
  const only = (what: string): string => {
    const [one] = rest
    if (one === undefined || rest.length > 1) throw new UsageError(`${command} takes exactly one ${what}.`)
    return one
  }
  const why = (): string => reason ?? fail(`${command} needs --reason, which is recorded for other operators.`)
  switch (command) {
    case 'show':
      return { command, watch, json, yes }
    case 'retry':
      return retry(rest, values)
    case 'discard':
      if (rest.length === 0) throw new UsageError('Give at least one id to discard.')
      return { command, ids: rest, reason: why(), json, yes }
    case 'pause': {
      const until = values.until ? moment(values.until) : values.for ? after(values.for) : null
      return { command, flag: only('flag'), reason: why(), until, json, yes }
    }
    case 'resume':
      return { command, flag: only('flag'), json, yes }
    case 'unlock':
      if (rest.length > 0) throw new UsageError('unlock takes no arguments.')
      return { command, json, yes }
    default:
      throw new UsageError(`Unknown command: ${command}.`)
  }
}

function fail(message: string): never {
  throw new UsageError(message)
}
