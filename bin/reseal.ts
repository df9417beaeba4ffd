/**
 * `bun run reseal`: encrypts every stored secret again with the first key of SECRETS_KEY, so that the other keys can be
 * removed. All processes must have the new list before. It runs beside them, and can be repeated at any time.
 */
import { answerHelp } from './support/help.ts'

answerHelp(`npx --yes bun run reseal

Encrypts every stored secret again with the first key of SECRETS_KEY, so that the other keys can be removed. Every process must have
the new list before. It runs beside them and can be repeated at any time. It needs the same settings as \`web\` and \`worker\`.`)

// These modules read the settings when they are loaded; --help must work without settings.
const [{ sql }, { SEALED, reseal }] = await Promise.all([
  import('../core/platform/database.ts'),
  import('../core/security/secrets.ts'),
])

const BATCH = 200

interface Counts {
  resealed: number
  /** Secrets that no key decrypts. */
  lost: number
  /** Secrets that another process changed meanwhile, so that another walk is needed. */
  missed: number
}

type Row = { place: string; sealed: Uint8Array }

async function resealSome(table: string, column: string, rows: Row[], counts: Counts): Promise<void> {
  for (const { place, sealed } of rows) {
    const resealed = await reseal(sealed).catch(() => undefined)
    if (resealed === undefined) counts.lost += 1
    if (!resealed) continue
    const { count } = await sql.begin(async (tx) => {
      await tx`select set_config('signalbox.resealing', 'on', true)`
      return tx`
        update ${tx(table)} set ${tx(column)} = ${resealed}
        where ctid = ${place}::tid
          and ${tx(column)} = ${sealed}
      `
    })
    if (count === 1) counts.resealed += 1
    else counts.missed += 1
  }
}

/** Reads one column in the order of its rows on disk. A row that is updated meanwhile may move to a place that was read before. */
async function walk(table: string, column: string): Promise<Counts> {
  const counts = { resealed: 0, lost: 0, missed: 0 }
  for (let last = '(0,0)'; ; ) {
    const rows = await sql<Row[]>`
      select ctid::text as place, ${sql(column)} as sealed
      from ${sql(table)}
      where ctid > ${last}::tid
        and ${sql(column)} is not null
      order by ctid
      limit ${BATCH}
    `
    const end = rows.at(-1)
    if (!end) return counts
    await resealSome(table, column, rows, counts)
    last = end.place
  }
}

let lost = 0
for (const [table, columns] of Object.entries(SEALED)) {
  for (const column of columns) {
    let resealed = 0
    // Until a walk finds nothing to do: only then did no row move past it.
    for (;;) {
      const counts = await walk(table, column)
      resealed += counts.resealed
      if (counts.resealed > 0 || counts.missed > 0) continue
      lost += counts.lost
      console.log(
        `${table}.${column}: ${resealed} encrypted again${counts.lost > 0 ? `, ${counts.lost} that no key decrypts` : ''}`,
      )
      break
    }
  }
}
await sql.end()
console.log(
  lost === 0
    ? 'The first key of SECRETS_KEY decrypts everything. The other keys can be removed.'
    : `No key of SECRETS_KEY decrypts ${lost} secrets: add the key that encrypted them, and run this again.`,
)
process.exitCode = lost === 0 ? 0 : 1
