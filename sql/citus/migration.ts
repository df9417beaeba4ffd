/** Applies a migration to a database whose tables are distributed. */
import type { Tx } from '../index.ts'
import { keptKey, ORGANIZATIONS, tenantTables } from './layout.ts'
import { createPaths } from './paths.ts'
import { replacePeople } from './people.ts'
import { replaceSqlFunctions } from './sql-functions.ts'
import { statementsIn } from './statements.ts'
import { createTenantScans } from './tenant-scans.ts'
import { endOf, mask, withoutInner } from './text.ts'
import { replaceTriggerFunctions } from './trigger-functions.ts'

/**
 * Applies the text of a migration in the open transaction. A new table of tenants is distributed; functions that `distribute` created or
 * replaced are created again.
 */
export async function applyDistributed(tx: Tx, text: string): Promise<void> {
  for (const statement of statementsIn(text)) if (!(await replacePeople(tx, statement))) await applyStatement(tx, statement)
  const tables = await tenantTables(tx)
  await replaceTriggerFunctions(tx, tables)
  await replaceSqlFunctions(tx, tables)
  await createPaths(tx)
  await createTenantScans(tx)
}

async function applyStatement(tx: Tx, statement: string): Promise<void> {
  const { table, text, keys } = withoutKeys(statement)
  await tx.unsafe(text)
  if (table === undefined) return
  const isTenants = (await tenantTables(tx)).includes(table)
  if (isTenants) {
    await tx`select create_distributed_table(${table}::text::regclass, 'organization_id', colocate_with := ${ORGANIZATIONS})`
    await tx`insert into distribution_steps (name) values (${`${table} is distributed`})`
  }
  for (const key of keys) await tx.unsafe(`alter table ${table} add ${isTenants ? keptKey(key) : key}`)
}

/** A statement that creates a table, without its foreign keys: a table must be distributed before it refers to one that is. */
export function withoutKeys(statement: string): { table?: string; text: string; keys: string[] } {
  const masked = mask(statement)
  const [start, table] = /^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)\s*\(/i.exec(masked) ?? []
  if (start === undefined || table === undefined) return { text: statement, keys: [] }
  const end = endOf(masked, start.length)
  const keys: string[] = []
  const items: string[] = []
  let from = start.length
  for (const { length } of withoutInner(masked, start.length, end).split(',')) {
    const [item, shown] = [statement, masked].map((text) => text.slice(from, from + length)) as [string, string]
    from += length + 1
    if (/^\s*(constraint\s+\w+\s+)?foreign\s+key\b/i.test(shown)) {
      keys.push(item.trim())
      continue
    }
    const reference = /\breferences\s+\w+(\s*\([^)]*\))?(\s+on\s+(delete|update)\s+(cascade|restrict|set\s+null))*/i.exec(shown)
    if (reference) keys.push(`foreign key (${/^\s*(\w+)/.exec(shown)?.[1]}) ${reference[0]}`)
    items.push(reference ? item.replace(reference[0], '') : item)
  }
  return { table, text: `${start}${items.join(',')}${statement.slice(end)}`, keys }
}
