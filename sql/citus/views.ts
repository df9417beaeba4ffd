/** The views of `ops` on a cluster: they read the tables of tenants from all nodes (`gathered.sql`), and show the nodes (`nodes.sql`). */
import type { Tx } from '../index.ts'

/** Where the views find the tables of tenants: what is open, or what happened in the last day. */
const OPEN = 'gathered, public'
const OF_A_DAY = `gathered_day, ${OPEN}`
const DAY_VIEWS = new Set(['ops/09_lanes.sql', 'ops/61_task_stats.sql'])

/** Creates what the views read. They are used on the coordinator alone. */
export async function beginViews(tx: Tx): Promise<void> {
  await tx`select set_config('citus.enable_ddl_propagation', 'off', true)`
  await run(tx, 'gathered.sql')
}

const run = async (tx: Tx, name: string) => tx.unsafe(await Bun.file(`${import.meta.dir}/${name}`).text()).simple()

/** Creates the views of a file. */
export async function createViewsOf(tx: Tx, path: string, text: string): Promise<void> {
  await tx`select set_config('search_path', ${DAY_VIEWS.has(path) ? OF_A_DAY : OPEN}, true)`
  await tx.unsafe(text)
}

/**
 * A job and the change that adds it are committed on all nodes or on none. Jobs that wake lanes or a drain are left out: if one is lost, the
 * sweeps find the work.
 */
export async function endViews(tx: Tx): Promise<void> {
  await run(tx, 'nodes.sql')
  const [made] = await tx`select where to_regproc('public.commit_in_two_phases') is not null`
  if (!made) return
  await tx`
    create or replace trigger ops_two_phases after insert on graphile_worker._private_jobs
      for each row when (new.key is null or new.key !~ '^(dispatch_hook|deliver_channel|serve_github|drain_outbox)\\M')
      execute function public.commit_in_two_phases()
  `
}
