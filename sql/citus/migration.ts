/** Applies a migration to a database whose tables are distributed. */
import type { Tx } from '../index.ts'
import { keptKey, MANAGED, ORGANIZATIONS, PEOPLE, tenantTables } from './layout.ts'
import { replacePeople } from './people.ts'
import { at, list, loadParser, type Node, print, statementsIn } from './tree.ts'

/** Applies the text of a migration in the open transaction. A new table of tenants is distributed. */
export async function applyDistributed(tx: Tx, text: string): Promise<void> {
  await loadParser()
  for (const statement of statementsIn(text)) await applyStatement(tx, statement)
}

async function applyStatement(tx: Tx, statement: { text: string; tree: Node }): Promise<void> {
  const view = String(at(at(statement.tree, 'ViewStmt'), 'view')?.relname)
  // On a cluster, two views are tables.
  const [copy] = await tx`select from pg_class where oid = to_regclass(${view}) and relkind = 'r'`
  if (copy) return view === PEOPLE ? replacePeople(tx, statement.tree) : undefined
  const changes = changesIn(statement.tree)
  if (changes.length > 1) return void (await Promise.all(changes.map((change) => tx.unsafe(change))))
  const relation = at(at(statement.tree, 'CreateStmt'), 'relation')
  if (!relation) return void (await tx.unsafe(statement.text))
  const table = String(relation.relname)
  const keys = takeKeys(statement.tree.CreateStmt as Node)
  await tx.unsafe(keys.length === 0 ? statement.text : print(statement.tree))
  const isTenants = (await tenantTables(tx)).includes(table)
  if (isTenants) {
    await tx`select create_distributed_table(${table}::text::regclass, 'organization_id', colocate_with := ${ORGANIZATIONS})`
    await tx`insert into distribution_steps (name) values (${`${table} is distributed`})`
  }
  if (MANAGED.includes(table)) await tx`select citus_add_local_table_to_metadata(${table}::text::regclass)`
  for (const key of keys) await tx.unsafe(alteration(relation, adding(isTenants ? keptKey(key) : key)))
}

export const adding = (def: Node): Node => ({ AlterTableCmd: { subtype: 'AT_AddConstraint', def, behavior: 'DROP_RESTRICT' } })

/** The statement that makes one change of a table. */
export const alteration = (relation: Node, change: Node): string =>
  print({ AlterTableStmt: { relation, objtype: 'OBJECT_TABLE', cmds: [change] } })

/** What a statement alters of a table, or drops, one by one: Citus does some only alone, and makes no column with a check. */
function changesIn({ AlterTableStmt: statement, DropStmt: drop }: Node): string[] {
  if (drop) return list(drop, 'objects').map((object) => print({ DropStmt: { ...drop, objects: [object] } }))
  const relation = at(statement, 'relation') as Node
  const changes = list(statement, 'cmds').flatMap((change) => {
    const column = at(at(at(change, 'AlterTableCmd'), 'def'), 'ColumnDef')
    const name = `${relation.relname}_${column?.colname}_check`
    const checks = takeConstraints(column, 'CONSTR_CHECK')
    return [change, ...checks.map((check) => adding({ Constraint: { conname: name, ...check } }))]
  })
  return changes.map((change) => alteration(relation, change))
}

function takeConstraints(column: Node | undefined, kind: string): Node[] {
  const isTaken = (node: Node) => at(node, 'Constraint')?.contype === kind
  const constraints = list(column, 'constraints')
  if (column) column.constraints = constraints.filter((each) => !isTaken(each))
  return constraints.filter(isTaken).map((each) => each.Constraint as Node)
}

/** Takes the foreign keys from a statement that creates a table: it must be distributed before it refers to one that is. */
export function takeKeys(statement: Node): Node[] {
  const elements = list(statement, 'tableElts')
  const isKey = (node: Node) => at(node, 'Constraint')?.contype === 'CONSTR_FOREIGN'
  const ofColumns = elements.flatMap(({ ColumnDef: column }) =>
    takeConstraints(column as Node | undefined, 'CONSTR_FOREIGN').map((key) => ({
      Constraint: { ...key, fk_attrs: [{ String: { sval: (column as Node).colname } }] },
    })),
  )
  statement.tableElts = elements.filter((each) => !isKey(each))
  return [...ofColumns, ...elements.filter(isKey)]
}
