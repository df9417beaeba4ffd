/** Applies a migration to a database whose tables are distributed. */
import type { Tx } from '../index.ts'
import { createFunctions } from './functions.ts'
import { keptKey, ORGANIZATIONS, PEOPLE, tenantTables } from './layout.ts'
import { replacePeople } from './people.ts'
import { MEMBER_ORGANIZATIONS } from './statements.ts'
import { at, list, loadParser, type Node, parse, print, statementsIn } from './tree.ts'

/**
 * Applies the text of a migration in the open transaction. A new table of tenants is distributed; functions that `distribute` created or
 * replaced are created again.
 */
export async function applyDistributed(tx: Tx, text: string): Promise<void> {
  await loadParser()
  for (const statement of statementsIn(text)) await applyStatement(tx, statement)
  await createFunctions(tx)
}

async function applyStatement(tx: Tx, statement: { text: string; tree: Node }): Promise<void> {
  const view = at(at(statement.tree, 'ViewStmt'), 'view')?.relname
  const isTable = [PEOPLE, MEMBER_ORGANIZATIONS].some((name) => name === view) && (await isTableNow(tx, String(view)))
  if (isTable) return view === PEOPLE ? replacePeople(tx, statement.tree) : undefined
  const table = at(at(statement.tree, 'CreateStmt'), 'relation')?.relname as string | undefined
  if (table === undefined) return void (await tx.unsafe(statement.text))
  const keys = takeKeys(statement.tree.CreateStmt as Node)
  await tx.unsafe(keys.length === 0 ? statement.text : print(statement.tree))
  const isTenants = (await tenantTables(tx)).includes(table)
  if (isTenants) {
    await tx`select create_distributed_table(${table}::text::regclass, 'organization_id', colocate_with := ${ORGANIZATIONS})`
    await tx`insert into distribution_steps (name) values (${`${table} is distributed`})`
  }
  for (const key of keys) {
    const statement = parse(`alter table ${table} add check (true)`)
    const command = list(statement.AlterTableStmt, 'cmds')[0]?.AlterTableCmd as Node
    command.def = isTenants ? keptKey(key) : key
    await tx.unsafe(print(statement))
  }
}

async function isTableNow(tx: Tx, name: string): Promise<boolean> {
  const [table] = await tx`select from pg_class where oid = to_regclass(${name}) and relkind = 'r'`
  return table !== undefined
}

/** Takes the foreign keys from a statement that creates a table: it must be distributed before it refers to one that is. */
export function takeKeys(statement: Node): Node[] {
  const keys: Node[] = []
  const isKey = (node: Node) => at(node, 'Constraint')?.contype === 'CONSTR_FOREIGN'
  for (const column of list(statement, 'tableElts').map((each) => at(each, 'ColumnDef'))) {
    const constraints = list(column, 'constraints')
    for (const key of constraints.filter(isKey))
      keys.push({ Constraint: { ...at(key, 'Constraint'), fk_attrs: [{ String: { sval: column?.colname } }] } })
    if (column && constraints.some(isKey)) column.constraints = constraints.filter((each) => !isKey(each))
  }
  keys.push(...list(statement, 'tableElts').filter(isKey))
  statement.tableElts = list(statement, 'tableElts').filter((each) => !isKey(each))
  return keys
}
