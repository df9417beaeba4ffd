/** Where resources are, as far as is known, and which organizations can be reached. */
import type { Statement } from '../cluster.ts'
import type { Sql } from '../index.ts'
import { isNodeAway } from './errors.ts'

type Rows = Record<string, unknown>[]

const MAX_ENTRIES = 10_000

/** How long the organizations of the reachable nodes are used again. */
const REACHABLE_MS = 2_000

export class Places {
  /** The organizations of resources, which stay there. Access to a resource is read for every request. */
  readonly #organizations = new Map<string, string>()
  #reachable: { organizations: string[]; until: number } | null = null

  constructor(private readonly sql: Sql) {}

  /** The organization of a resource; null if it is not known. */
  get(id: string): string | null {
    return this.#organizations.get(id) ?? null
  }

  /** Remembers the organization of a row, if it is that of a resource. When there is no room, the oldest entry is forgotten. */
  add({ id, organization_id }: { id?: unknown; organization_id?: unknown }): void {
    if (typeof id !== 'string' || typeof organization_id !== 'string' || this.#organizations.has(id)) return
    const [oldest] = this.#organizations.keys()
    if (this.#organizations.size >= MAX_ENTRIES && oldest !== undefined) this.#organizations.delete(oldest)
    this.#organizations.set(id, organization_id)
  }

  /** Remembers where the resources are that a statement finds. */
  rememberRows(statement: Statement): void {
    const { resolve } = statement
    statement.resolve = (rows) => {
      for (const row of rows) this.add(row)
      resolve(rows)
    }
  }

  /**
   * While a node is away, answers a statement from the organizations of the others.
   *
   * @param send sends the statement again, restricted to some organizations
   * @param isAnswer whether what is found there is the result; the statement fails if not
   */
  searchReachable(
    statement: Statement,
    send: (organizations: string[]) => Promise<Rows>,
    isAnswer: (rows: Rows) => boolean,
  ): void {
    const { resolve, reject } = statement
    statement.reject = (error) => {
      if (!isNodeAway(error)) return reject(error)
      this.#findReachable()
        .then(send)
        .then((rows) => (isAnswer(rows) ? resolve(rows) : reject(error)))
        .catch(reject)
    }
  }

  /**
   * While a node is away, makes the transaction of a statement fail so that it is tried again.
   *
   * @returns the organizations of the other nodes if it is tried again; null: all
   */
  leaveOut(statement: Statement): string[] | null {
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
