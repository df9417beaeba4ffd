/** Gauges of the job queue. */
import type { Queryable } from '../../sql/index.ts'

/** A gauge with its values and their labels. */
export interface Gauge {
  name: string
  help: string
  values: [labels: Record<string, string>, value: number][]
}

/** Jobs by task and state, with zeros for tasks without jobs. Reads every job once. */
export async function queueGauges(db: Queryable): Promise<Gauge[]> {
  const rows = await db<{ task: string; state: string; jobs: number; seconds: number }[]>`
    with counted as (
      select task_id, state, count(*) as jobs, min(run_at) as oldest from queue.jobs group by task_id, state
    )
    select
      task.task,
      states.state,
      coalesce(counted.jobs, 0) as jobs,
      coalesce(greatest(extract(epoch from now() - counted.oldest), 0), 0) as seconds
    from queue.tasks as task
    cross join unnest(array['ready', 'running', 'scheduled', 'retrying', 'failed']) as states (state)
    left join counted
      on counted.task_id = task.id
      and counted.state = states.state
    order by task.task, states.state
  `
  return [
    {
      name: 'signalbox_queue_jobs',
      help: 'Jobs by task and state: ready (due), running, scheduled, retrying, failed (out of attempts).',
      values: rows.map(({ task, state, jobs }) => [{ task, state }, jobs]),
    },
    {
      name: 'signalbox_queue_oldest_ready_seconds',
      help: 'Seconds since the oldest ready job became due.',
      values: rows.filter(({ state }) => state === 'ready').map(({ task, seconds }) => [{ task }, seconds]),
    },
  ]
}
