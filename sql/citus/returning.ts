/** Computes what a statement returns from the rows that it wrote: Citus accepts no function and no query behind `returning`. */
import { mask, withoutInner } from './text.ts'

const TARGET = /\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?(?:\s+as\s+(\w+))?/i

/**
 * The text of a statement, whose `returning` becomes a query.
 *
 * @param tables the distributed tables
 */
export function returnRows(text: string, tables: ReadonlySet<string>): string {
  const masked = mask(text)
  const outer = withoutInner(masked, 0, masked.length)
  const at = outer.search(/\breturning\b/i)
  const [, table = '', alias = table] = TARGET.exec(outer) ?? []
  if (at === -1 || !outer.includes('(', at) || !tables.has(table)) return text
  const returned = text.slice(at + 'returning'.length)
  return `with written as (${text.slice(0, at)} returning ${alias}.*) select ${returned} from written as ${alias}`
}
