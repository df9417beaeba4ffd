/** Changes what is fixed once a gate is open, as only a superuser can: an expiry is moved instead of awaited. */
import type { Queryable, Sql } from '../../sql/index.ts'

/** Lets the statements of a transaction change gates: no trigger runs. (Citus sends `set local` to the nodes, and no call of `set_config`.) */
export const letGatesChange = (tx: Queryable) => tx`set local session_replication_role = replica`

/** Moves the expiry of a gate to a moment from now on. @param seconds negative: it is past */
export const moveExpiry = (sql: Sql, gate_id: string, seconds = 0) =>
  sql.begin(async (tx) => {
    await letGatesChange(tx)
    await tx`update gates set expires_at = statement_timestamp() + ${seconds} * interval '1 second' where id = ${gate_id}`
  })
