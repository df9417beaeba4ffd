/**
 * `bun run reencrypt`: encrypts every stored secret again with the first key of SECRETS_KEY, so that the other keys can be
 * removed. All processes must have the new list before. It runs beside them, and can be repeated at any time.
 */
import { answerHelp } from './support/help.ts'

answerHelp(`npx --yes bun run reencrypt

Encrypts every stored secret again with the first key of SECRETS_KEY, so that the other keys can be removed. Every process must have
the new list before. It runs beside them and can be repeated at any time. It needs the same settings as \`web\` and \`worker\`.`)

// These modules read the settings when they are loaded; --help must work without settings.
const [{ sql }, { ENCRYPTED_COLUMNS, reencrypt }] = await Promise.all([
  import('../core/platform/database.ts'),
  import('../core/security/secrets.ts'),
])

const BATCH = 200

interface Counts {
  reencrypted: number
  /** Secrets that no key decrypts. */
  lost: number
  /** Secrets that another process changed meanwhile, so that another walk is needed. */
  missed: number
}

/** How the rows of a table are ordered. */
interface Order {
  column: string
  type: string
  start: string
}

const ON_DISK: Order = { column: 'ctid', type: 'tid', start: '(0,0)' }
/** Partitions have the same `ctid`s, and this table is large: it is read once, by its primary key. */
const ORDERS: Record<string, Order> = {
  dispatch_bodies: { column: 'dispatch_id', type: 'uuid', start: '00000000-0000-0000-0000-000000000000' },
}

type Row = { position: string; encrypted: Uint8Array }

async function reencryptBatch(table: string, column: string, rows: Row[], counts: Counts): Promise<void> {
  const order = ORDERS[table] ?? ON_DISK
  for (const { position, encrypted } of rows) {
    const reencrypted = await reencrypt(encrypted).catch(() => undefined)
    if (reencrypted === undefined) counts.lost += 1
    if (!reencrypted) continue
    const { count } = await sql.begin(async (tx) => {
      await tx`select set_config('signalbox.reencrypting', 'on', true)`
      return tx`
        update ${tx(table)} set ${tx(column)} = ${reencrypted}
        where ${tx(order.column)} = ${position}::text::${tx.unsafe(order.type)}
          and ${tx(column)} = ${encrypted}
      `
    })
    if (count === 1) counts.reencrypted += 1
    else counts.missed += 1
  }
}

/** Reads one column in order. On disk, a row that is updated meanwhile may move before what was read. */
async function walk(table: string, column: string): Promise<Counts> {
  const counts = { reencrypted: 0, lost: 0, missed: 0 }
  const order = ORDERS[table] ?? ON_DISK
  for (let last = order.start; ; ) {
    const rows = await sql<Row[]>`
      select ${sql(order.column)}::text as position, ${sql(column)} as encrypted
      from ${sql(table)}
      where ${sql(order.column)} > ${last}::text::${sql.unsafe(order.type)}
        and ${sql(column)} is not null
      order by ${sql(order.column)}
      limit ${BATCH}
    `
    const end = rows.at(-1)
    if (!end) return counts
    await reencryptBatch(table, column, rows, counts)
    last = end.position
  }
}

let lost = 0
for (const [table, columns] of Object.entries(ENCRYPTED_COLUMNS)) {
  for (const column of columns) {
    let reencrypted = 0
    // Until a walk finds nothing to do: only then did no row move past it.
    for (;;) {
      const counts = await walk(table, column)
      reencrypted += counts.reencrypted
      if (counts.reencrypted > 0 || counts.missed > 0) continue
      lost += counts.lost
      console.log(
        `${table}.${column}: ${reencrypted} encrypted again${counts.lost > 0 ? `, ${counts.lost} that no key decrypts` : ''}`,
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
