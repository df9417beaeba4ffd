/** What it costs to read the views of `ops` while the queue is full, beside the same views while it is not. */
import type { Sql } from '../../sql/index.ts'
import { median, milliseconds, type Row, rounded } from './figures.ts'
import type { Part } from './part.ts'

const LITTLE = 1_000
const much = (quick: boolean): number => (quick ? 50_000 : 1_000_000)
const rounds = (quick: boolean): number => (quick ? 5 : 20)
const LIMIT_MS = 100
const TENANTS = 100
const KINDS = 3
/** Short enough for the time limit of a statement. */
const BATCH = 25_000
/** Their comments say what they cost. */
const EXEMPT = new Set(['channel_health', 'hook_health', 'task_stats'])
/** No worker knows these tasks, so that the jobs stay. */
const TASKS = 'bench_waits_'

/** Queues so many jobs, of some tasks for many tenants, due over the last hours and the next: some as they are made, the rest as copies. */
async function queue(sql: Sql, jobs: number): Promise<void> {
  await sql`
    select from graphile_worker.add_jobs(array(
      select (
        ${TASKS} || number % ${KINDS}, json_build_object('number', number), null,
        now() + (number % 7200 - 5400) * interval '1 second', null, null, null,
        array['org:00000000-0000-4000-8000-' || lpad((number % ${TENANTS})::text, 12, '0'), 'task:' || ${TASKS} || number % ${KINDS}]
      )::graphile_worker.job_spec
      from generate_series(1, ${LITTLE}::integer) as number
    ))
  `
  const copies = BATCH / LITTLE
  for (let made = LITTLE; made < jobs; made += BATCH) {
    await sql`
      insert into graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, flags)
      select job.task_id, job.payload, job.run_at + copy * interval '1 millisecond', job.max_attempts, job.flags
      from generate_series(1, ${copies}::integer) as copy
      cross join (
        select job.*
        from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        where starts_with(task.identifier, ${TASKS})
        order by job.id
        limit ${LITTLE}
      ) as job
    `
  }
  await sql`vacuum analyze graphile_worker._private_jobs`
}

async function clear(sql: Sql): Promise<void> {
  for (;;) {
    const gone = await sql`
      delete from graphile_worker._private_jobs
      where id = any(array(
        select job.id
        from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        where starts_with(task.identifier, ${TASKS})
        limit ${BATCH}
      ))
    `
    if (gone.count === 0) break
  }
  await sql`vacuum analyze graphile_worker._private_jobs`
}

/** What is read: every view whole; of all jobs one page. */
async function questions(sql: Sql): Promise<string[]> {
  const views = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'ops'::regnamespace and relkind = 'v' order by relname
  `
  return views.map(({ name }) => `select * from ops.${name}${/^jobs(_detail)?$/.test(name) ? ' limit 100' : ''}`)
}

/** @returns the median of each question, in milliseconds */
async function time(sql: Sql, asked: string[], count: number): Promise<Map<string, number>> {
  const medians = new Map<string, number>()
  for (const question of asked) {
    const samples: number[] = []
    for (let round = 0; round <= count; round++) {
      const begun = performance.now()
      await sql.unsafe(question, [], { prepare: true })
      if (round > 0) samples.push(performance.now() - begun)
    }
    medians.set(question, median(samples))
  }
  return medians
}

export const ops: Part = {
  name: 'ops',
  thorough: true,
  conditions: (quick) =>
    [
      `ops       every view of ops is read whole (of ops.jobs 100 rows) while ${much(quick).toLocaleString('en')} jobs of ${KINDS} tasks for ${TENANTS} tenants wait; the baseline is the same with ${LITTLE.toLocaleString('en')}.`,
      `          Each view ${rounds(quick)} times, one after another; medians. No worker runs meanwhile.`,
    ].join('\n'),
  async run({ sql, withoutWorker }, quick) {
    const asked = await questions(sql)
    // A worker would read past all of them, again and again, on the same cores.
    const [little, large] = await withoutWorker(async () => {
      await queue(sql, LITTLE)
      const first = await time(sql, asked, rounds(quick))
      await clear(sql)
      await queue(sql, much(quick))
      const second = await time(sql, asked, rounds(quick))
      await clear(sql)
      return [first, second]
    })
    const rows: Row[] = []
    const figures: Record<string, unknown> = {}
    for (const question of asked) {
      const [ours, baseline] = [large.get(question) ?? Number.NaN, little.get(question) ?? Number.NaN]
      const name = question.replace('select * from ops.', '')
      rows.push({
        name: `ops, ${name}`,
        ours: milliseconds(ours),
        baseline: milliseconds(baseline),
        ratio: ours / baseline,
        ...(EXEMPT.has(name) ? {} : { limit: `< ${LIMIT_MS} ms` }),
      })
      figures[name] = { ours_ms: rounded(ours), baseline_ms: rounded(baseline) }
    }
    return { rows, figures: { ops: figures } }
  },
}
