/**
 * Repeats for each table of a statement to which organizations the statement is restricted. A statement names them once, as a parameter, and
 * joins the other tables by the organization; Citus finds the node of a table only by a parameter that its own column is compared with.
 */
import { ORGANIZATIONS } from './layout.ts'
import { endOf, levelAround, mask, withoutInner } from './text.ts'

const keyOf = (table: string): string => (table === ORGANIZATIONS ? 'id' : 'organization_id')

/** No organization has this id: what is restricted to none is looked for in one shard, where nothing is. */
const NONE = '00000000-0000-0000-0000-000000000000'

/** A table of tenants that a statement reads or writes. */
interface Reference {
  table: string
  alias: string
  /** Where the name is, with its alias. */
  from: number
  to: number
  /** Whether the statement changes or deletes its rows. */
  isTarget: boolean
}

type Edit = [from: number, to: number, text: string]

/** What is done with a text. */
interface Plan {
  /** The parameters that have organizations: one, a list, or rows as JSON. */
  named: number[]
  /** The text with a parameter more. */
  restricted: string
}

/** Statements that name one organization, and read others as well. */
export const ACROSS = [
  // The names of all organizations of a user, and those of what a page shows.
  /coalesce\(\(select unread from notification_inboxes/,
  // Versions of pages: who may see them, and of the start page.
  /select page\.index, coalesce\(inside\.version, overview\.version,/,
]

export class Restrictions {
  readonly #plans = new Map<string, Plan>()

  /** @param tables the distributed tables */
  constructor(private readonly tables: ReadonlySet<string>) {}

  /**
   * @param within restricts the whole statement to these organizations; null: to those that it names
   * @returns the text; the organizations become another parameter
   */
  add(text: string, parameters: unknown[], types: number[], within: string[] | null = null): string {
    const { restricted } = this.#planOf(text, parameters.length, within !== null)
    const organizations = restricted === text ? null : common(this.named(text, parameters), within)
    if (!organizations) return text
    parameters.push(organizations.length === 0 ? [NONE] : organizations)
    types.push(0)
    return restricted
  }

  /** Whether a statement names organizations, and has a table that is restricted to them here. */
  isRestricted(text: string): boolean {
    const { named, restricted } = this.#planOf(text, 0, false)
    return named.length > 0 && restricted !== text
  }

  /** The organizations that a statement names; null if it names none. */
  named(text: string, parameters: unknown[]): string[] | null {
    const { named } = this.#planOf(text, parameters.length, false)
    return organizationsIn(named.map((number) => parameters[number - 1]))
  }

  #planOf(text: string, parameters: number, isWhole: boolean): Plan {
    const key = `${isWhole} ${text}`
    const known = this.#plans.get(key)
    if (known) return known
    const masked = mask(text)
    const references = referencesIn(masked, this.tables)
    const loose = references.filter((reference) => isWhole || !isRestricted(masked, reference, references))
    const list = `any($${parameters + 1}::uuid[])`
    const edits = loose.flatMap((reference) => (reference.isTarget ? restrictTarget : restrictRead)(masked, reference, list))
    const named = ACROSS.some((excerpt) => excerpt.test(text)) ? [] : namingsIn(masked)
    const plan = { named, restricted: edited(text, edits) }
    this.#plans.set(key, plan)
    return plan
  }
}

/** What is in both lists; null is a list of everything. */
const common = (one: string[] | null, other: string[] | null): string[] | null =>
  one && other ? one.filter((each) => other.includes(each)) : (one ?? other)

/** The distinct organizations in some parameters; null if these name none. */
function organizationsIn(values: unknown[]): string[] | null {
  const lists = values.filter((value) => value !== null && value !== undefined).map(organizationsOf)
  return lists.length === 0 ? null : [...new Set(lists.flat())]
}

function organizationsOf(value: unknown): string[] {
  if (typeof value === 'string' && !value.startsWith('[')) return [value]
  const rows: unknown[] = typeof value === 'string' ? JSON.parse(value) : (value as unknown[])
  return rows.flatMap((row) => {
    const organization = typeof row === 'object' && row !== null ? (row as { organization_id?: unknown }).organization_id : row
    return typeof organization === 'string' ? organization : []
  })
}

const TABLE = /(\b(?:from|join|using|update)|(?<=\bfrom\s+\w+(?:\s+as\s+\w+)?),)\s+"?(\w+)"?(?![\w"]|\s*[.(])(?:\s+as\s+(\w+))?/gi

function referencesIn(masked: string, tables: ReadonlySet<string>): Reference[] {
  const subqueries = new Set([...masked.matchAll(/\b(\w+)\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi)].map(([, name]) => name))
  return [...masked.matchAll(TABLE)].flatMap(({ 0: all, 1: keyword = '', 2: table = '', 3: alias, index }) => {
    if (!tables.has(table) || subqueries.has(table)) return []
    const start = index + keyword.length
    const isTarget = /^update$/i.test(keyword) || /\bdelete\s+$/i.test(masked.slice(0, index))
    return { table, alias: alias ?? table, from: start + 1, to: index + all.length, isTarget }
  })
}

/** Whether the query in which a table is compares its organization with a parameter. */
function isRestricted(masked: string, { alias, table, from }: Reference, all: Reference[]): boolean {
  const [start, end] = levelAround(masked, from)
  const isOnly =
    all.filter((each) => each.from >= start && each.to <= end && levelAround(masked, each.from)[0] === start).length === 1
  const column = `(?<![\\w.])${isOnly ? `(?:${alias}\\.)?` : `${alias}\\.`}${keyOf(table)}`
  const comparison = new RegExp(`${column}\\s*=\\s*(?:\\$\\d|any\\s*\\()`, 'gi')
  return [...withoutInner(masked, start, end).matchAll(comparison)].some(({ 0: found, index }) =>
    found.endsWith('(') ? /^\s*\$\d/.test(masked.slice(start + index + found.length)) : true,
  )
}

/** The parameters with organizations. */
function namingsIn(masked: string): number[] {
  const compared = masked.matchAll(
    /(?:\borganization_id\s*=\s*(?:any\s*\(\s*)?|\borganizations\s+where\s+id\s*=\s*any\s*\(\s*)\$(\d+)/gi,
  )
  const rows = [...masked.matchAll(/\bjsonb?_to_recordset\s*\(\s*\$(\d+)[^)]*\)\s*as\s+\w+\s*\(/gi)].filter(
    ({ 0: found, index }) => {
      const start = index + found.length
      return /\borganization_id\b/.test(masked.slice(start, endOf(masked, start)))
    },
  )
  return [...new Set([...[...compared, ...rows].map(([, number]) => Number(number)), ...unnestedIn(masked)])]
}

/** The parameters that `unnest` makes a column `organization_id` of. */
const unnestedIn = (masked: string): number[] =>
  [...masked.matchAll(/\bunnest\s*\(/gi)].flatMap(({ 0: found, index }) => {
    const start = index + found.length
    const end = endOf(masked, start)
    const [, columns = ''] = /^\)(?:\s+with\s+ordinality)?\s*as\s+\w+\s*\(([^)]*)\)/i.exec(masked.slice(end)) ?? []
    const at = columns.split(',').findIndex((column) => column.trim() === 'organization_id')
    const [, number] = /^\s*\$(\d+)/.exec(withoutInner(masked, start, end).split(',')[at] ?? '') ?? []
    return number === undefined ? [] : Number(number)
  })

/** Reads the rows of these organizations in place of all. */
const restrictRead = (masked: string, { table, alias, from, to }: Reference, list: string): Edit[] => {
  const columns = /\bctid\b/i.test(masked) ? 'ctid, *' : '*'
  return [[from, to, `(select ${columns} from ${table} where ${keyOf(table)} = ${list}) as ${alias}`]]
}

/** Changes or deletes rows of these organizations alone. */
function restrictTarget(masked: string, { table, alias, to }: Reference, list: string): Edit[] {
  const end = endOf(masked, to)
  const clauses = withoutInner(masked, to, end)
  const returning = clauses.search(/\breturning\b/i)
  const last = returning === -1 ? end : to + returning
  const condition = `${alias}.${keyOf(table)} = ${list}`
  const where = /\bwhere\b/i.exec(clauses)
  if (!where) return [[last, last, ` where ${condition} `]]
  const first = to + where.index + where[0].length
  return [
    [first, first, ` ${condition} and (`],
    [last, last, ') '],
  ]
}

function edited(text: string, edits: Edit[]): string {
  let result = text
  for (const [from, to, inserted] of edits.toSorted(([a], [b]) => b - a))
    result = result.slice(0, from) + inserted + result.slice(to)
  return result
}
