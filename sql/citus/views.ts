/** The views of `ops` on a cluster: they read the tables of tenants from all nodes (`gathered.sql`), and show the nodes (`nodes.sql`). */
import type { Tx } from '../index.ts'
import { loadParser, statementsIn } from './tree.ts'

/** Where the views find the tables of tenants: what is open, or what happened in the last day. */
const OPEN = 'gathered, public'
const OF_A_DAY = `gathered_day, ${OPEN}`
const DAY_VIEWS = new Set(['ops/09_lanes.sql', 'ops/61_task_stats.sql'])

const HEALTH = 'ops/75_health.sql'
const CHECKS = 'checks (sort_order, name, status, value, detail, hint) as ('

const NODES = `
  node as (
    select
      count(*) as known, count(*) filter (where not online) as away,
      string_agg(nodes.node, ', ' order by nodes.node) filter (where not online) as names
    from ops.nodes() as nodes
  ),
  ${CHECKS}
    select
      0, 'nodes', case when away > 0 then 'critical' else 'ok' end, away,
      case when away > 0 then format('%s of %s nodes cannot be reached: %s', away, known, names) else format('%s nodes can be reached', known) end,
      case when away > 0 then 'The organizations on these nodes get 503 until the nodes are back; nothing is lost. The other checks leave out what is on them.' end
    from node
    union all
`

/** Creates what the views read. They are used on the coordinator alone. */
export async function beginViews(tx: Tx): Promise<void> {
  await loadParser()
  await tx`select set_config('citus.enable_ddl_propagation', 'off', true)`
  for (const name of ['gathered.sql', 'nodes.sql'])
    for (const { text } of statementsIn(await Bun.file(`${import.meta.dir}/${name}`).text())) await tx.unsafe(text)
}

/** Creates the views of a file. */
export async function createViewsOf(tx: Tx, path: string, text: string): Promise<void> {
  await tx`select set_config('search_path', ${DAY_VIEWS.has(path) ? OF_A_DAY : OPEN}, true)`
  await tx.unsafe(path === HEALTH ? text.replace(CHECKS, () => NODES) : text)
}

/**
 * A job and the change that adds it are committed on all nodes or on none. Jobs that wake lanes or a drain are left out: if one is lost, the
 * sweeps find the work.
 */
export async function endViews(tx: Tx): Promise<void> {
  // Those who may use the schema may ask it, as a view does.
  await tx`grant execute on function ops.nodes() to public`
  const [table] = await tx`select where to_regclass('public.two_phases') is not null`
  if (!table) return
  await tx`
    create or replace function queue.commit_in_two_phases() returns trigger
      language plpgsql
      as $$
        begin
          if exists (select from added where key is null or key !~ '^(dispatch_hook|deliver_channel|drain_outbox)\\M') then
            delete from public.two_phases where id = 0;
          end if;
          return null;
        end
      $$
  `
  await tx`
    create or replace trigger ops_two_phases after insert on graphile_worker._private_jobs
      referencing new table as added
      for each statement execute function queue.commit_in_two_phases()
  `
}
