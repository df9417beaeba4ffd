/** Statements as Citus can run them. Each text is parsed and printed once. */
import type { Keys } from './references.ts'
import { compareWithOne, listsIn, namingsIn, organizationsIn, type Restriction, restrict } from './restrictions.ts'
import { at, each, has, list, type Node, parse, print, statementsIn, wordsOf } from './tree.ts'

/** The members of organizations are on the nodes, and a copy of them on the coordinator, by user. */
const MEMBERS = 'organization_members'
export const MEMBER_ORGANIZATIONS = 'member_organizations'

const CHANGES = ['InsertStmt', 'UpdateStmt', 'DeleteStmt']

/** What is done with the text of a statement. */
export interface Plan {
  /** The organizations that the statement names by its parameters; null if it names none. */
  named: (parameters: unknown[]) => string[] | null
  /** The parameters that are lists of organizations. Where the text is restricted to one organization, each is that one. */
  lists: number[]
  /** The text with a parameter more: the organizations to which it is restricted. Without that, if there is nothing to restrict. */
  restricted: (restriction: Restriction) => { text: string; isMore: boolean }
  /** The text without that. */
  text: string
  /** Whether Citus finds the node by the values of the parameters alone: a plan that is kept would change rows on all nodes. */
  isPlannedAnew: boolean
  /** Whether it locks rows, which Citus can do in one shard at a time. */
  locks: boolean
  /** For a statement that changes the members: the text that changes their copy. */
  copy: string | null
}

export class Statements {
  readonly #plans = new Map<string, Plan>()

  constructor(private readonly keys: Keys) {}

  /** @param parameters how many the statement has */
  planOf(text: string, parameters: number): Plan {
    const plan = this.#plans.get(text) ?? this.#makePlan(text, parameters)
    this.#plans.set(text, plan)
    return plan
  }

  #makePlan(text: string, parameters: number): Plan {
    const tree = onlyStatementOf(text)
    if (!tree) {
      const same = { text, isMore: false }
      return { named: () => null, lists: [], restricted: () => same, text, isPlannedAnew: false, locks: false, copy: null }
    }
    const namings = namingsIn(tree, this.keys)
    const lists = listsIn(tree)
    const texts = new Map<string, { text: string; isMore: boolean }>()
    const change = (restriction: Restriction | null) => {
      const changed = structuredClone(tree)
      const isMore = restriction !== null && restrict(changed, this.keys, parameters + 1, restriction)
      const isOne = restriction?.isOne === true && lists.length > 0
      if (isOne) compareWithOne(changed, lists)
      const isChanged = [returnRows(changed, this.keys), isMore, isOne].includes(true)
      return { text: isChanged ? print(changed) : text, isMore }
    }
    return {
      lists,
      named: (values) => organizationsIn(namings.map((number) => values[number - 1])),
      restricted(restriction) {
        const key = `${restriction.isOne} ${restriction.isWhole}`
        const made = texts.get(key) ?? change(restriction)
        texts.set(key, made)
        return made
      },
      text: change(null).text,
      isPlannedAnew: ['UpdateStmt', 'DeleteStmt'].some((type) => has(tree, type, isJoined)),
      locks: has(tree, 'LockingClause'),
      copy: copyOf(tree),
    }
  }
}

const isJoined = (statement: Node): boolean =>
  ['fromClause', 'usingClause', 'withClause'].some((clause) => clause in statement) || has(statement, 'SubLink')

/** Null for a text with several statements, and for what PostgreSQL does not parse: it says what is wrong. */
function onlyStatementOf(text: string): Node | null {
  try {
    const [statement, ...others] = statementsIn(text)
    return statement && others.length === 0 ? statement.tree : null
  } catch {
    return null
  }
}

/**
 * Computes what a statement returns from the rows that it wrote: Citus accepts no function and no query behind `returning`.
 *
 * @returns whether it returned one
 */
function returnRows(tree: Node, keys: Keys): boolean {
  const type = CHANGES.find((each) => each in tree)
  const statement = type && (tree[type] as Node)
  const relation = at(statement, 'relation')
  const returned = at(statement, 'returningClause')
  if (!type || !statement || !relation || !returned || !keys.has(String(relation.relname))) return false
  if (!['FuncCall', 'SubLink', 'CoalesceExpr', 'MinMaxExpr'].some((each) => has(returned, each))) return false
  const alias = String(at(relation, 'alias')?.aliasname ?? relation.relname)
  const query = parse(`with written as (select 1) select from written as ${alias}`)
  const select = query.SelectStmt as Node
  const [written] = list(at(select, 'withClause'), 'ctes')
  const all = at(parse(`select ${alias}.*`), 'SelectStmt')?.targetList
  select.targetList = returned.exprs
  ;(written?.CommonTableExpr as Node).ctequery = { [type]: { ...statement, returningClause: { exprs: all } } }
  delete tree[type]
  tree.SelectStmt = select
  return true
}

/** The text of a statement that changes the members, for their copy. */
function copyOf(tree: Node): string | null {
  const statement = CHANGES.map((type) => at(tree, type)).find((found) => found !== undefined)
  // What else it writes would be written twice.
  if (at(statement, 'relation')?.relname !== MEMBERS || statement?.withClause) return null
  const copy = structuredClone(tree)
  const rename = (table: Node) => {
    if (table.relname === MEMBERS) table.relname = MEMBER_ORGANIZATIONS
  }
  // The table of an insertion, a change or a deletion is a part without the name of its type.
  for (const part of ['relation', 'RangeVar']) each(copy, part, rename)
  each(copy, 'ColumnRef', ({ fields }) => {
    const [first] = fields as Node[]
    if (wordsOf([first as Node])[0] === MEMBERS) (first?.String as Node).sval = MEMBER_ORGANIZATIONS
  })
  return print(copy)
}
