/**
 * Statements that look for something in all organizations. Those that name a resource are sent to the organization in which it was found
 * before; while a node is away, all are answered from the organizations of the other nodes.
 */
import type { Statement } from '../cluster.ts'
import type { Sql } from '../index.ts'
import { sendBeside } from './driver.ts'
import { isNodeAway } from './errors.ts'
import { Memory } from './memory.ts'

interface Search {
  /** Identifies the statement. */
  excerpt: RegExp
  /**
   * What happens while a node is away. `partly`: the rows of the other nodes are the answer. `found`: they are, if there are any.
   * `again`: the statement fails, and its transaction is tried again without that node.
   */
  away: 'partly' | 'found' | 'again'
  /** The parameter with the id of the resource that is looked for. */
  id?: RegExp
  /** A walk over all routes and tasks does not send it: only a cluster does, or a worker after the end of another. */
  isRare?: true
}

export const SEARCHES: Search[] = [
  { excerpt: /^select distinct (\w+\.)?organization_id from/, away: 'partly', isRare: true },
  { excerpt: /from gates where status = 'pending' and expires_at <= now\(\)/, away: 'partly' },
  { excerpt: /where hook\.mode = 'pull' and hook\.max_age_seconds is not null/, away: 'partly' },
  { excerpt: /^select waited\.id from \w+ as waited where waited\.id = any\(/, away: 'partly' },
  { excerpt: /^select id as lane_id, organization_id from lanes where owner_id/, away: 'partly' },
  { excerpt: /^select distinct owner_id as id from lanes/, away: 'partly', isRare: true },
  { excerpt: /^update lanes set owner_id = null, version = version \+ 1 where owner_id/, away: 'again', isRare: true },
  { excerpt: / as unread, coalesce\( \( select jsonb_agg\(/, away: 'partly' },
  {
    excerpt: /hook\.pull_token_hash = \$|\$\d+ = \( select hook\.pull_token_hash /,
    away: 'found',
    id: /(?:hook|named)\.id = \$(\d+)/,
  },
  {
    excerpt: /coalesce\(rollout\.deadline_at, dispatch\.created_at\) > .* where dispatch\.id = /,
    away: 'found',
    id: /dispatch\.id = \$(\d+)/,
  },
]

/** How long the organizations of the reachable nodes are used again. */
const REACHABLE_MS = 2_000

export class Searches {
  readonly #searches = new Map<string, Search | undefined>()
  #reachable: { organizations: string[]; until: number } | null = null

  readonly memory = new Memory()

  constructor(private readonly sql: Sql) {}

  /** @returns the organizations to look in; null for all, or for those that the statement names */
  begin(statement: Statement, text: string, parameters: unknown[]): string[] | null {
    const search = this.#searchOf(text)
    if (!search) return null
    if (search.away === 'again') return this.#again(statement)
    const [, number] = search.id?.exec(text) ?? []
    const known = number === undefined ? null : this.memory.get(parameters[Number(number) - 1])
    if (search.id) this.rememberRows(statement)
    if (known !== null) return [known]
    const { resolve, reject } = statement
    statement.reject = (error) => {
      if (!isNodeAway(error)) return reject(error)
      this.#findReachable()
        .then((organizations) => {
          const beside = sendBeside(statement, text, parameters, organizations)
          return beside.then((rows) => (search.away === 'found' && rows.length === 0 ? reject(error) : resolve(rows)))
        })
        .catch(reject)
    }
    return null
  }

  #searchOf(text: string): Search | undefined {
    if (!this.#searches.has(text)) {
      const line = text.replaceAll(/\s+/g, ' ').trim()
      this.#searches.set(
        text,
        SEARCHES.find(({ excerpt }) => excerpt.test(line)),
      )
    }
    return this.#searches.get(text)
  }

  /** Remembers where the resources are that a statement finds. */
  rememberRows(statement: Statement): void {
    const { resolve } = statement
    statement.resolve = (rows) => {
      for (const row of rows) this.memory.add(row)
      resolve(rows)
    }
  }

  #again(statement: Statement): string[] | null {
    const { reject } = statement
    statement.reject = (error) => {
      if (!isNodeAway(error)) return reject(error)
      // As for a transaction that a concurrent one has made fail.
      const retry = Object.assign(error as Error, { code: '40001' })
      this.#findReachable().then(() => reject(retry), reject)
    }
    return this.#reachable && this.#reachable.until > performance.now() ? this.#reachable.organizations : null
  }

  async #findReachable(): Promise<string[]> {
    const rows = await this.sql<{ id: string }[]>`select id from reachable_tenants() as id`
    const organizations = rows.map(({ id }) => id)
    this.#reachable = { organizations, until: performance.now() + REACHABLE_MS }
    return organizations
  }
}
