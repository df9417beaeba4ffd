/**
 * `bun run reseal`: seals every stored secret anew with the first key of SECRETS_KEY, so that the others can be taken out.
 * All processes must have the new list by then. Nothing stands still for it, and it may be run again at any time.
 */
import { answerHelp } from './support/help.ts'

answerHelp(`npx --yes bun run reseal

Seals every stored secret anew with the first key of SECRETS_KEY, so that the others can be taken out. Every process must have the new
list before. Nothing stops for it, and it may be run again at any time. Needs the settings of any process.`)

// Settings are read as these are loaded, and help needs none.
const [{ sql }, { SEALED, sealedAnew }] = await Promise.all([
  import('../core/platform/database.ts'),
  import('../core/security/secrets.ts'),
])

const AT_ONCE = 200

interface Tally {
  resealed: number
  /** What no key opens. */
  lost: number
  /** What was changed by somebody else just then, and so must be looked at again. */
  missed: number
}

type Row = { place: string; sealed: Uint8Array }

async function resealSome(table: string, column: string, rows: Row[], tally: Tally): Promise<void> {
  for (const { place, sealed } of rows) {
    const anew = await sealedAnew(sealed).catch(() => undefined)
    if (anew === undefined) tally.lost += 1
    if (!anew) continue
    const { count } = await sql.begin(async (tx) => {
      await tx`select set_config('signalbox.resealing', 'on', true)`
      return tx`
        update ${tx(table)} set ${tx(column)} = ${anew}
        where ctid = ${place}::tid
          and ${tx(column)} = ${sealed}
      `
    })
    if (count === 1) tally.resealed += 1
    else tally.missed += 1
  }
}

/** Walks one column from the first place on disk to the last. A row that is changed meanwhile may move to where this was already. */
async function walk(table: string, column: string): Promise<Tally> {
  const tally = { resealed: 0, lost: 0, missed: 0 }
  for (let last = '(0,0)'; ; ) {
    const rows = await sql<Row[]>`
      select ctid::text as place, ${sql(column)} as sealed
      from ${sql(table)}
      where ctid > ${last}::tid
        and ${sql(column)} is not null
      order by ctid
      limit ${AT_ONCE}
    `
    const end = rows.at(-1)
    if (!end) return tally
    await resealSome(table, column, rows, tally)
    last = end.place
  }
}

let lost = 0
for (const [table, columns] of Object.entries(SEALED)) {
  for (const column of columns) {
    let resealed = 0
    // Until a whole walk finds nothing: only then has nothing moved past it.
    for (;;) {
      const tally = await walk(table, column)
      resealed += tally.resealed
      if (tally.resealed > 0 || tally.missed > 0) continue
      lost += tally.lost
      console.log(`${table}.${column}: ${resealed} sealed anew${tally.lost > 0 ? `, ${tally.lost} that no key opens` : ''}`)
      break
    }
  }
}
await sql.end()
console.log(
  lost === 0
    ? 'Everything opens with the first key of SECRETS_KEY. The others can be taken out.'
    : `${lost} values open with no key of SECRETS_KEY: put back the key that sealed them, and run this again.`,
)
process.exitCode = lost === 0 ? 0 : 1
