/** The door to `sql/citus`: all that is different on a database whose tables are distributed over a cluster. */

/** A statement that the driver is about to send. */
export interface Statement {
  resolve: (rows: Record<string, unknown>[]) => void
  reject: (error: unknown) => void
}

export interface Cluster {
  /**
   * The text of a statement as the cluster can run it.
   *
   * @param parameters its values; more may be added, with the type 0
   */
  rewrite(statement: Statement, text: string, parameters: unknown[], types: number[]): string
  /** The organization in which a resource was found before; null if it is not known. */
  organizationOf(id: string | null): string | null
}

let joined: Cluster | null = null

/** The cluster on which the tables are; null on one PostgreSQL. */
export const cluster = (): Cluster | null => joined

/** From now on, the tables are on a cluster. */
export const useCluster = (used: Cluster): void => {
  joined = used
}
