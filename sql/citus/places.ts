/** Where resources are, as far as is known, and which organizations can be reached. */
import type { Statement } from '../cluster.ts'
import type { Sql } from '../index.ts'
import { notePartial } from '../reach.ts'
import type { Rows } from './driver.ts'
import { isNodeAway } from './errors.ts'

const MAX_ENTRIES = 10_000

export class Places {
  /** The organizations of resources, which stay there. Access to a resource is read for every request. */
  readonly #organizations = new Map<string, string>()

  constructor(private readonly sql: Sql) {}

  /** The organization of a resource; null if it is not known. */
  get(id: string): string | null {
    return this.#organizations.get(id) ?? null
  }

  /** Remembers the organization of a row, if it belongs to a resource. When there is no room, the oldest entry is forgotten. */
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
      this.sql<{ id: string }[]>`select id from reachable_tenants() as id`
        .then((reachable) => send(reachable.map(({ id }) => id)))
        .then((rows) => (isAnswer(rows) ? resolve(notePartial(rows)) : reject(error)))
        .catch(reject)
    }
  }
}
