/**
 * `bun run reencrypt`: encrypts every stored secret again with the first key of SECRETS_KEY, so that the other keys can be
 * removed. All processes must have the new list before. It runs alongside them, and can be repeated at any time.
 */

import { answerHelp } from './support/command.ts'

answerHelp(`npx --yes bun run reencrypt

Encrypts every stored secret again with the first key of SECRETS_KEY, so that the other keys can be removed. Every process must have
the new list before. It runs alongside them and can be repeated at any time. It needs the same settings as \`web\` and \`worker\`.`)

// These modules read the settings when they are loaded; --help must work without settings.
const [{ sql }, { reencrypt }, { ENCRYPTED_COLUMNS, markOf, primaryKeyOf }, { joinCluster }] = await Promise.all([
  import('../core/platform/database.ts'),
  import('../core/security/secrets.ts'),
  import('../core/platform/encryption.ts'),
  import('../sql/citus/index.ts'),
])

const BATCH = 200

interface Counts {
  reencrypted: number
  /** Secrets that no key decrypts. */
  lost: number
  /** Secrets that another process changed meanwhile, so that another walk is needed. */
  missed: number
}

interface Stored {
  first: string
  second: string
  encrypted: Uint8Array
}

/** A column with encrypted values, and the key of its table. */
interface Column {
  table: string
  column: string
  key: [string, string]
}

/** @returns whether the value was still the one that was read */
async function replace({ table, column, key }: Column, { first, second, encrypted }: Stored, reencrypted: Uint8Array) {
  const { count } = await sql.begin(async (tx) => {
    await tx`set local signalbox.reencrypting = 'on'`
    return tx`
      update ${tx(table)} set ${tx(column)} = ${reencrypted}
      where ${tx(key[0])} = ${first}
        and ${tx(key[1])} = ${second}
        and ${tx(column)} = ${encrypted}
    `
  })
  return count === 1
}

/** Reads one column in the order of the primary key. Rows that are added behind it use the first key already. */
async function walk(encrypted: Column): Promise<Counts> {
  const { table, column, key } = encrypted
  const counts = { reencrypted: 0, lost: 0, missed: 0 }
  for (let last: Stored | undefined; ; ) {
    const rows: Stored[] = await markOf(table)(sql<Stored[]>`
      select ${sql(key[0])} as first, ${sql(key[1])} as second, ${sql(column)} as encrypted
      from ${sql(table)}
      where ${last ? sql`(${sql(key)}) > (${last.first}, ${last.second})` : sql`true`}
        and ${sql(column)} is not null
      order by ${sql(key)}
      limit ${BATCH}
    `)
    for (const row of rows) {
      const reencrypted = await reencrypt(row.encrypted).catch(() => undefined)
      if (reencrypted === undefined) counts.lost += 1
      if (!reencrypted) continue
      if (await replace(encrypted, row, reencrypted)) counts.reencrypted += 1
      else counts.missed += 1
    }
    last = rows.at(-1)
    if (!last) return counts
  }
}

await joinCluster(sql)

let lost = 0
for (const [table, columns] of Object.entries(ENCRYPTED_COLUMNS)) {
  for (const column of columns) {
    let reencrypted = 0
    // Until a walk finds nothing to do.
    for (;;) {
      const counts = await walk({ table, column, key: primaryKeyOf(table) })
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
await sql.end({ timeout: 1 })
console.log(
  lost === 0
    ? 'The first key of SECRETS_KEY decrypts everything. The other keys can be removed.'
    : `No key of SECRETS_KEY decrypts ${lost} secrets: add the key that encrypted them, and run this again.`,
)
process.exitCode = lost === 0 ? 0 : 1
