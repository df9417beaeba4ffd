/** Functions in SQL that read tables of tenants: in them, Citus does not know the values of parameters, by which it finds the node. */
import type { Queryable, Tx } from '../index.ts'

/** Whether a function of `pg_proc` returns one value. */
export const singleValued = (sql: Queryable) => sql`(prokind = 'f' and not proretset and proargmodes is null)`

/**
 * Replaces those that return one value by functions in PL/pgSQL with the same query. Those that were replaced before are left out.
 *
 * @param tables the distributed tables
 */
export async function replaceSqlFunctions(tx: Tx, tables: string[]): Promise<void> {
  const functions = await tx<{ definition: string; body: string }[]>`
    select pg_get_functiondef(pg_proc.oid) as definition, prosrc as body
    from pg_proc
    join pg_language as language on language.oid = prolang
    where pronamespace = 'public'::regnamespace
      and lanname = 'sql'
      and ${singleValued(tx)}
      and prosrc ~ ${`\\m(from|join)\\s+(${tables.join('|')})\\M`}
  `
  for (const { definition, body } of functions)
    await tx.unsafe(
      definition
        // A query may call it on a node, where it reads rows of the same organization.
        .replace(/^ LANGUAGE sql\b/m, ' LANGUAGE plpgsql SET citus.allow_nested_distributed_execution = on')
        .replace(body, () => `\n#variable_conflict use_column\nbegin return (${body}); end\n`),
    )
}
