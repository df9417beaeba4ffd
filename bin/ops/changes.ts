/** What ops change from a terminal: the functions of `ops`, with a question before what cannot be undone. */
import { createInterface } from 'node:readline/promises'
import type { Sql } from '../../sql/index.ts'
import { Misuse, type Wish } from './options.ts'

export type Change = Exclude<Wish, { command: 'show' }>

/** What was done, in lines for a person and as rows for a program. */
export interface Done {
  lines: string[]
  rows: unknown
  /** How many it changed. */
  count: number
}

/** What is asked before; null where it can be undone. */
function question(wish: Change): string | null {
  if (wish.command === 'discard')
    return `Discard ${wish.ids.length === 1 ? wish.ids[0] : `${wish.ids.length} pieces of work`}? It cannot be undone.`
  if (wish.command === 'retry_failed')
    return `Try ${wish.task || wish.organization ? 'all that failed of that' : 'everything that failed'} again? What goes out to receivers cannot be taken back.`
  return null
}

/**
 * Asks, where it has to.
 *
 * @returns whether to go on
 * @throws {Misuse} where nobody is there to answer
 */
export async function confirmed(wish: Change): Promise<boolean> {
  const asked = question(wish)
  if (asked === null || wish.yes) return true
  if (!process.stdin.isTTY) throw new Misuse(`${asked} Nobody is there to answer: say --yes.`)
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

/** Does it, by the function of that name. */
export async function change(sql: Sql, wish: Change): Promise<Done> {
  switch (wish.command) {
    case 'retry':
      return outcomes(await sql<Outcome[]>`select id, kind, outcome from ops.retry(${wish.ids}::text[], ${wish.reason})`, 'tried')
    case 'retry_failed': {
      const [{ count }] = await sql<[{ count: number }]>`
        select ops.retry_failed(${wish.task}::text, ${wish.organization}::uuid) as count
      `
      return { rows: { count }, lines: [`${count} tried again`], count }
    }
    case 'discard':
      return outcomes(
        await sql<Outcome[]>`select id, kind, outcome from ops.discard(${wish.ids}::text[], ${wish.reason})`,
        'discarded',
      )
    case 'pause': {
      const [pause] = await sql<[{ flag: string; until: string | null }]>`
        select flag, until from ops.pause(${wish.flag}, ${wish.reason}, ${wish.until}::timestamptz)
      `
      const end = pause.until ? `until ${pause.until}` : `until bun run ops resume ${pause.flag}`
      return { rows: pause, lines: [`${pause.flag} is paused ${end}, in force within 10 seconds`], count: 1 }
    }
    case 'resume': {
      const [{ resumed }] = await sql<[{ resumed: boolean }]>`select ops.resume(${wish.flag}) as resumed`
      const line = resumed ? `${wish.flag} goes on within 10 seconds` : `${wish.flag} was not paused`
      return { rows: { resumed }, lines: [line], count: resumed ? 1 : 0 }
    }
    case 'unlock': {
      const freed = await sql<{ worker: string; jobs: number; lanes: number }[]>`
        select worker, jobs, lanes from ops.unlock_dead_workers()
      `
      const lines = freed.map(({ worker, jobs, lanes }) => `${worker}: ${jobs} jobs, ${lanes} hooks and channels freed`)
      // Nothing to do is as good as done.
      return { rows: freed, lines: lines.length > 0 ? lines : ['No dead worker holds anything.'], count: 1 }
    }
  }
}
