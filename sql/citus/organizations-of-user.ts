/** Statements about all organizations of a user. They are sent for one after the other, because these are on different nodes. */
import type { Statement } from '../cluster.ts'
import { sendBeside } from './driver.ts'
import { MEMBER_ORGANIZATIONS } from './members.ts'
import type { Restrictions } from './restrictions.ts'

type Rows = Record<string, unknown>[]

interface Apart {
  /** Identifies the statement. */
  excerpt: RegExp
  /** The parameter with the user. */
  user: RegExp
  /** The text that is sent for each organization; without it, the statement. */
  textOf?: (text: string) => string
  /** The rows of all organizations together; without it, one organization after the other. */
  merge?: (rows: Rows, text: string, parameters: unknown[]) => Rows
}

export const APART: Apart[] = [
  { excerpt: /\bfor no key update of organization\s*$/, user: /\bmember\.user_id = \$(\d+)/ },
  {
    excerpt: /^\s*with searched as \(/,
    user: /\bmember\.user_id = \$(\d+)/,
    textOf: (text) => text.replace(/\bselect\s+hit\.kind,/, 'select hit.kind, hit.rank, hit.created_at,'),
    merge: bestOf,
  },
]

/** Of what a search finds, as much of each kind as it would find in one organization, in its order. */
function bestOf(rows: Rows, text: string, parameters: unknown[]): Rows {
  const [, number] = /\blimit \$(\d+)\s*\)\s*\) as hit\b/.exec(text) ?? []
  const limit = Number(parameters[Number(number) - 1])
  const found = (rows as unknown as Found[]).toSorted(
    (one, other) =>
      one.rank - other.rank ||
      one.kind - other.kind ||
      other.created_at.localeCompare(one.created_at) ||
      other.id.localeCompare(one.id),
  )
  const counts = new Map<number, number>()
  return found.flatMap(({ rank: _, created_at: __, ...row }) => {
    const count = counts.get(row.kind) ?? 0
    counts.set(row.kind, count + 1)
    return count < limit ? row : []
  })
}

interface Found {
  kind: number
  rank: number
  created_at: string
  id: string
}

/**
 * Sends a statement for each organization of its user, once these are listed, or for those among them that it names.
 *
 * @returns the statement that lists them, which is sent in its place, and its parameter; null for other statements
 */
export function sendForEach(
  statement: Statement,
  text: string,
  parameters: unknown[],
  restrictions: Restrictions,
): { text: string; user_id: unknown } | null {
  const apart = APART.find(({ excerpt }) => excerpt.test(text))
  const [, user] = apart?.user.exec(text) ?? []
  if (!apart || user === undefined) return null
  const { textOf = (same) => same, merge = (rows) => rows } = apart
  const given = [...parameters]
  const named = restrictions.named(text, given)
  const { resolve, reject } = statement
  statement.resolve = (organizations) => {
    const ids = organizations.map(({ id }) => String(id)).filter((id) => named?.includes(id) ?? true)
    Promise.all(ids.map((id) => sendBeside(statement, textOf(text), given, [id]))).then(
      (found) => resolve(merge(found.flat(), text, given)),
      reject,
    )
  }
  return {
    text: `select organization_id as id from ${MEMBER_ORGANIZATIONS} where user_id = $1 order by organization_id`,
    user_id: given[Number(user) - 1],
  }
}
