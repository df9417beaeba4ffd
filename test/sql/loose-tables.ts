/** Finds the tables of tenants that a statement reads or changes without naming an organization. */
import { type Reference, referencesIn } from '../../sql/citus/references.ts'
import { at, each, has, list, loadParser, type Node, parse, wordsOf } from '../../sql/citus/tree.ts'
import { COMMON } from './tenants.ts'

await loadParser()

/** Functions of the database that read the tables of all tenants. */
const READERS = ['ensure_partitions', 'detach_partitions', 'waiting_tenants', 'unsealed_tenants']

/**
 * The tables of tenants whose rows a statement restricts neither to an organization, nor to that of another restricted table; and the views of
 * `ops` and functions that read those of all. Targets of `insert` are not checked: inserted rows contain their organization.
 *
 * @param tenants table → its column with the organization
 */
export function looseTables(statement: string, tenants: ReadonlyMap<string, string>): string[] {
  const tree = parse(statement)
  const references = referencesIn(tree, tenants)
  const restricted = new Set<Reference>()
  for (let count = -1; count !== restricted.size; ) {
    count = restricted.size
    for (const reference of references)
      if (reference.equals.some((other) => restricts(other, reference, references, restricted))) restricted.add(reference)
  }
  return [...references.filter((each) => !restricted.has(each)).map(({ table }) => table), ...readersIn(tree)]
}

/** Whether the rows of a table are restricted by what their organization is equal to. */
function restricts(other: Node, { key, scope }: Reference, all: Reference[], restricted: ReadonlySet<Reference>): boolean {
  const words = wordsOf(list(at(other, 'ColumnRef'), 'fields'))
  if (words.length === 0)
    // An expression may give the column itself.
    return (
      'SelectStmt' in other ||
      'SubLink' in other ||
      !has(other, 'ColumnRef', ({ fields }) => wordsOf(fields as Node[]).at(-1) === key)
    )
  const named = all.filter(({ alias, key }) => words.length === 2 && alias === words[0] && key === words[1])
  const nearest = named.filter((each) => each.scope === scope)
  return named.length === 0 || (nearest.length > 0 ? nearest : named).some((each) => restricted.has(each))
}

function readersIn(tree: Node): string[] {
  const found: string[] = []
  each(tree, 'RangeVar', ({ schemaname, relname }) => {
    if (schemaname === 'ops' && !(`ops.${relname}` in COMMON)) found.push(`ops.${relname}`)
  })
  each(tree, 'FuncCall', ({ funcname }) => {
    const name = wordsOf(funcname as Node[]).at(-1) ?? ''
    if (READERS.includes(name)) found.push(name)
  })
  return found
}
