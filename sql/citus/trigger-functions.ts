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
  // It runs for every statement on these tables, and a look-up takes longer than most of them. The names are kept in a setting of the
  // session: a shard that is split gets a new number, and so a new name. A table that is created again needs new sessions.
  await tx`
    create or replace function shards_beside(shard name, tables text[]) returns text[]
      language plpgsql
      as $$
        declare
          setting text := 'shards_beside.' || shard || '.' || array_to_string(tables, '.');
          known text := current_setting(setting, true);
        begin
          -- A setting that was rolled back is empty.
          if known <> '' then return known; end if;
          return set_config(
            setting,
            (
              select array_agg(named.name || '_' || beside.shardid order by place)
              from unnest(tables) with ordinality as named (name, place)
              join pg_dist_shard as own on own.shardid = substring(shard from '[0-9]+$')::bigint
              join pg_dist_shard as beside
                on beside.logicalrelid = to_regclass(named.name)
                and beside.shardminvalue = own.shardminvalue
            )::text,
            false
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
