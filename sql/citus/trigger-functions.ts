/** Replaces the functions of triggers on distributed tables by functions that use the shards. */
import type { Tx } from '../index.ts'
import { onShards } from './shard-triggers.ts'

/**
 * Replaces those that read transition tables and were not replaced before. A migration that creates such a function calls this in its
 * own transaction.
 *
 * @param tables the distributed tables
 */
export async function replaceTriggerFunctions(tx: Tx, tables: string[]): Promise<void> {
  // In PL/pgSQL, which plans it once per session. It runs for every statement on these tables.
  await tx`
    create or replace function shards_beside(shard name, tables text[]) returns text[]
      language plpgsql stable
      as $$
        begin
          return (
            select array_agg(named.name || '_' || beside.shardid order by place)
            from unnest(tables) with ordinality as named (name, place)
            join pg_dist_shard as own on own.shardid = substring(shard from '[0-9]+$')::bigint
            join pg_dist_shard as beside
              on beside.logicalrelid = to_regclass(named.name)
              and beside.shardminvalue = own.shardminvalue
          );
        end
      $$
  `
  const functions = await tx<{ name: string; body: string }[]>`
    select distinct proname as name, prosrc as body
    from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid
    join pg_class on pg_class.oid = tgrelid
    where relname = any(${tables})
      and relnamespace = 'public'::regnamespace
      and (tgoldtable is not null or tgnewtable is not null)
      and prosrc !~ 'citus_shards'
  `
  const known = new Set(tables)
  for (const { name, body } of functions) {
    const changed = onShards(body, known)
    if (changed)
      await tx.unsafe(`create or replace function ${name}() returns trigger language plpgsql as $trigger$${changed}$trigger$`)
  }
}
