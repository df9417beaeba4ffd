/**
 * Runs the sweeps on one worker at a time: the live one that was started first. While the role passes from a worker without
 * heartbeat to the next, two may run the same sweep; sweeps lock what they change.
 */
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { isStopping, workerId } from './heartbeat.ts'
import { periodically } from './periodically.ts'

/** Work that no event triggers. */
export interface Sweep {
  /** As in `ops.sweeps`. */
  name: string
  everyMs: number
  /** How many times as long as a run the pause after it is, up to `MAX_REST_MS`; none if it is left out. */
  rest?: number
  handler: () => Promise<unknown>
}

/** A run may also have taken long because the database did not answer. */
const MAX_REST_MS = 10_000

const REFRESH_MS = 1_000
/** Recording every run would cost an idle database more than the sweeps themselves. */
const RECORD_MS = 10_000

type Ends = Record<'succeeded' | 'failed', boolean>

let isFirst = false

async function refresh(): Promise<void> {
  const [first] = await sql<{ id: string }[]>`
    select id from workers where process_status(seen_at) = 'online' and not stopping order by started_at, id limit 1
  `
  isFirst = first?.id === workerId
}

/** Records which sweeps succeeded and failed, and forgets those that no longer exist. */
async function record(sweeps: Sweep[], ends: Map<string, Ends>): Promise<void> {
  const rows = sweeps.flatMap(({ name, everyMs }) => {
    const end = ends.get(name)
    return end ? [{ name, every_seconds: everyMs / 1000, ...end }] : []
  })
  ends.clear()
  if (rows.length === 0) return
  await sql`
    insert into ops.sweep_runs as known (name, every_seconds, succeeded_at, failed_at)
    select name, every_seconds, case when succeeded then now() end, case when failed then now() end
    from jsonb_to_recordset(${sql.json(rows)}) as run (name text, every_seconds numeric, succeeded boolean, failed boolean)
    on conflict (name) do update
    set every_seconds = excluded.every_seconds,
        succeeded_at  = coalesce(excluded.succeeded_at, known.succeeded_at),
        failed_at     = coalesce(excluded.failed_at, known.failed_at)
  `
  await sql`delete from ops.sweep_runs where name <> all(${sweeps.map(({ name }) => name)})`
}

export async function startSweeps(sweeps: Sweep[]): Promise<void> {
  const ends = new Map<string, Ends>()
  for (const { name, everyMs, rest = 0, handler } of sweeps) {
    let restsUntil = Number.NEGATIVE_INFINITY
    periodically(everyMs, `the sweep ${name} failed`, async () => {
      const begun = monotonicMs()
      if (!isFirst || isStopping() || begun < restsUntil) return
      const add = (end: Partial<Ends>) => ends.set(name, { succeeded: false, failed: false, ...ends.get(name), ...end })
      try {
        await handler()
        const end = monotonicMs()
        restsUntil = end + Math.min(rest * (end - begun), MAX_REST_MS)
        add({ succeeded: true })
      } catch (error) {
        add({ failed: true })
        throw error
      }
    })
  }
  periodically(REFRESH_MS, 'could not read which worker sweeps', refresh)
  periodically(RECORD_MS, 'could not record sweeps', () => record(sweeps, ends))
  // If this fails, the next try is soon.
  await refresh().catch(() => {})
}
