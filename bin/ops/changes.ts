/** Calls the functions of `ops`, and asks for confirmation before a change that cannot be undone. */
import { createInterface } from 'node:readline/promises'
import type { Sql } from '../../sql/index.ts'
import { type Command, UsageError } from './options.ts'

export type Change = Exclude<Command, { command: 'show' }>

/** The result of a change: lines for a person, rows for a program. */
interface Done {
  lines: string[]
  rows: unknown
  count: number
}

/** The question that must be confirmed; null where the change can be undone. */
function question(command: Change): string | null {
  if (command.command === 'discard')
    return `Discard ${command.ids.length === 1 ? command.ids[0] : `${command.ids.length} items`}? This cannot be undone.`
  if (command.command === 'retry_failed')
    return `Retry ${command.task || command.organization ? 'everything that failed there' : 'everything that failed'}? Requests that are sent to receivers cannot be taken back.`
  return null
}

/**
 * Asks for confirmation where it is needed.
 *
 * @returns whether to go on
 * @throws {UsageError} if there is no terminal and no --yes
 */
export async function confirmed(command: Change): Promise<boolean> {
  const asked = question(command)
  if (asked === null || command.yes) return true
  if (!process.stdin.isTTY) throw new UsageError(`${asked} There is no terminal to ask: confirm with --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${asked} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

interface Outcome {
  id: string
  kind: string | null
  outcome: string
}

const outcomes = (rows: Outcome[], good: string): Done => ({
  rows,
  lines: rows.map(({ id, kind, outcome }) => `${kind ? `${kind} ` : ''}${id}: ${outcome}`),
  count: rows.filter(({ outcome }) => outcome.startsWith(good)).length,
})

/** Calls the function of the command. */
export async function change(sql: Sql, command: Change): Promise<Done> {
  switch (command.command) {
    case 'retry':
      return outcomes(await sql`select id, kind, outcome from ops.retry(${command.ids}::text[], ${command.reason})`, 'retried')
    case 'retry_failed': {
      const [{ count }] = await sql<[{ count: number }]>`
        select ops.retry_failed(${command.task}::text, ${command.organization}::uuid) as count
      `
      return { rows: { count }, lines: [`${count} retried`], count }
    }
    case 'discard':
      return outcomes(
        await sql`select id, kind, outcome from ops.discard(${command.ids}::text[], ${command.reason})`,
        'discarded',
      )
    case 'pause': {
      const [pause] = await sql<[{ flag: string; until: string | null }]>`
        select flag, until from ops.pause(${command.flag}, ${command.reason}, ${command.until}::timestamptz)
      `
      const end = pause.until ? `until ${pause.until}` : `until bun run ops resume ${pause.flag}`
      return { rows: pause, lines: [`${pause.flag} is paused ${end}; workers stop within 10 seconds`], count: 1 }
    }
    case 'resume': {
      const [{ resumed }] = await sql<[{ resumed: boolean }]>`select ops.resume(${command.flag}) as resumed`
      const line = resumed ? `${command.flag} is resumed; workers continue within 10 seconds` : `${command.flag} was not paused`
      return { rows: { resumed }, lines: [line], count: resumed ? 1 : 0 }
    }
    case 'unlock': {
      const unlocked = await sql<{ worker: string; jobs: number; lanes: number }[]>`
        select worker, jobs, lanes from ops.unlock_dead_workers()
      `
      const lines = unlocked.map(({ worker, jobs, lanes }) => `${worker}: ${jobs} jobs, ${lanes} hooks and channels unlocked`)
      // Nothing to unlock is a success.
      return { rows: unlocked, lines: lines.length > 0 ? lines : ['No dead worker holds any jobs, hooks or channels.'], count: 1 }
    }
  }
}
