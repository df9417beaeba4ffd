/** What the command line of `bun run ops` asks for. */
import { parseArgs } from 'node:util'

export const USAGE = `npx --yes bun run ops [--watch] [--json]           health, queues, workers, failing hooks, tenants
npx --yes bun run ops retry <id>… [--reason why]   tries work again, by its id
npx --yes bun run ops retry --all | --task <name> | --organization <id>
                                                   tries again what failed for good
npx --yes bun run ops discard <id>… --reason why   gives work up
npx --yes bun run ops pause <flag> --reason why [--until <time> | --for 90m]
npx --yes bun run ops resume <flag>
npx --yes bun run ops unlock                       frees what dead workers hold

  <id>     as this, ops.jobs and ops.failed_jobs show it, or the full one
  <flag>   org:<id or slug of an organization> or task:<name>
  --for    30s, 90m, 8h or 2d
  --yes    asks nothing
  --json   the same for a program

It looks at DATABASE_URL; without one at the database of npx --yes bun start here. The exit code of the first form tells health:
0 healthy; 1 warning: something failed for good, or waits over 60 s; 2 critical: no live worker, something waits over
5 minutes, or no database. The others exit with 0 when something was done, 1 when nothing was, 2 without a database.`

/** The command line is wrong; said without a stack trace, with the exit code that programs have for that. */
export class Misuse extends Error {
  static readonly exitCode = 64
}

export type Wish = { json: boolean; yes: boolean } & (
  | { command: 'show'; watch: boolean }
  | { command: 'retry'; ids: string[]; reason: string | null }
  | { command: 'retry_failed'; task: string | null; organization: string | null }
  | { command: 'discard'; ids: string[]; reason: string }
  | { command: 'pause'; flag: string; reason: string; until: string | null }
  | { command: 'resume'; flag: string }
  | { command: 'unlock' }
)

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 }

/** The moment at which something that lasts so long is over. */
function after(length: string): string {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(length) ?? []
  if (!count) throw new Misuse(`--for ${length}: say how long as 30s, 90m, 8h or 2d.`)
  return new Date(Date.now() + Number(count) * UNITS[unit as keyof typeof UNITS] * 1000).toISOString()
}

function moment(time: string): string {
  const at = Date.parse(time)
  if (Number.isNaN(at)) throw new Misuse(`--until ${time}: write a time as 2026-01-31T18:00:00Z.`)
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
    throw new Misuse((error as Error).message)
  }
}

type Values = ReturnType<typeof parse>['values']

function retry(ids: string[], { all, task, organization, reason, json, yes }: Values): Wish {
  const many = all || task !== undefined || organization !== undefined
  if (many === ids.length > 0) throw new Misuse('Say what to retry: ids, or one of --all, --task and --organization.')
  return many
    ? { command: 'retry_failed', task: task ?? null, organization: organization ?? null, json, yes }
    : { command: 'retry', ids, reason: reason ?? null, json, yes }
}

/** @throws {Misuse} with a sentence about what is wrong; null where help is asked for */
export function readWish(args: string[]): Wish | null {
  const { values, positionals } = parse(args)
  const [command = 'show', ...rest] = positionals
  const { json, yes, watch, reason } = values
  if (values.help || command === 'help') return null
  const only = (what: string): string => {
    const [one] = rest
    if (one === undefined || rest.length > 1) throw new Misuse(`${command} takes one ${what}.`)
    return one
  }
  const why = (): string => reason ?? misuse(`${command} needs --reason: others will ask why.`)
  switch (command) {
    case 'show':
      return { command, watch, json, yes }
    case 'retry':
      return retry(rest, values)
    case 'discard':
      if (rest.length === 0) throw new Misuse('Say what to discard: one id or more.')
      return { command, ids: rest, reason: why(), json, yes }
    case 'pause': {
      const until = values.until ? moment(values.until) : values.for ? after(values.for) : null
      return { command, flag: only('flag'), reason: why(), until, json, yes }
    }
    case 'resume':
      return { command, flag: only('flag'), json, yes }
    case 'unlock':
      if (rest.length > 0) throw new Misuse('unlock takes nothing.')
      return { command, json, yes }
    default:
      throw new Misuse(`There is no command ${command}.`)
  }
}

function misuse(sentence: string): never {
  throw new Misuse(sentence)
}
