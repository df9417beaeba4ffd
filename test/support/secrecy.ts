/** Searches all tables of a box and the output of its processes for a text that must not be there. */
import type { Box } from './signalbox.ts'

/**
 * Finds a text, as it is or as hexadecimal bytes.
 *
 * @returns the names of tables, and `output` for a process
 */
export async function whereIs(box: Box, text: string): Promise<string[]> {
  const tables = await box.sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name
    from pg_tables
    where schemaname in ('public', 'graphile_worker')
  `
  const found: string[] = []
  const hex = Buffer.from(text).toString('hex')
  for (const { name } of tables) {
    const [row] = await box.sql.unsafe(
      `select from ${name} as row where strpos(row::text, $1) > 0 or strpos(row::text, $2) > 0 limit 1`,
      [text, hex],
    )
    if (row) found.push(name)
  }
  const lines = [box.api, ...box.workers].flatMap((process) => process.lines)
  if (lines.some((line) => line.includes(text))) found.push('output')
  return found
}
