/** Adds the figures of this process to those of all, every few seconds. */
import { hostname } from 'node:os'
import { watchStatements } from '../../sql/index.ts'
import { config } from './config.ts'
import { sql } from './database.ts'
import { log } from './log.ts'
import { METRICS, type ProcessGauge, statements } from './metrics.ts'

const REPORT_MS = 10_000

const id = crypto.randomUUID()
const started_at = Date.now() / 1000 - process.uptime()

/** What there is to say beside what every process says. */
type OwnGauges = () => Partial<Record<ProcessGauge, number>>

let reporter: { process: 'api' | 'worker'; gauges: OwnGauges } | null = null

/** What this process says of itself at this moment. */
export function ownGauges(): Partial<Record<ProcessGauge, number>> {
  const { user, system } = process.cpuUsage()
  return {
    process_cpu_seconds_total: (user + system) / 1e6,
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_start_time_seconds: Math.round(started_at),
    db_client_connection_max: config.DATABASE_POOL,
    ...reporter?.gauges(),
  }
}

/** How this process is called among others. */
export const instance = `${hostname()}:${process.pid}`

let reporting = Promise.resolve()

/** Adds what was counted since the last time; what cannot be added now is added later. One report at a time. */
export function report(): Promise<void> {
  reporting = reporting.then(add, add)
  return reporting
}

async function add(): Promise<void> {
  if (!reporter) return
  const taken = METRICS.map((metric) => ({ metric, figures: metric.take() }))
  try {
    await write(
      taken.flatMap(({ figures }) => figures),
      reporter.process,
    )
  } catch (error) {
    for (const { metric, figures } of taken) for (const figure of figures) metric.giveBack(figure)
    throw error
  }
}

/** In the order of their keys, as other processes add to the same rows. Buckets are added place by place. */
async function write(figures: object[], kind: 'api' | 'worker'): Promise<void> {
  await sql`
    with added as (
      insert into figures (name, labels, amounts)
      select name, labels, amounts
      from jsonb_to_recordset(${sql.json(figures as never)}) as figure (name text, labels text, amounts double precision[])
      order by name, labels
      on conflict (name, labels) do update
      set amounts = array(
        select coalesce(had, 0) + coalesce(more, 0)
        from unnest(figures.amounts, excluded.amounts) with ordinality as both_of (had, more, place)
        order by place
      )
    ),
    gone as (
      delete from process_figures where seen_at < now() - interval '1 minute' and id <> ${id}
    )
    insert into process_figures (id, process, instance, gauges)
    values (${id}, ${kind}, ${instance}, ${sql.json(ownGauges())})
    on conflict (id) do update
    set gauges = excluded.gauges, seen_at = now()
  `
}

/**
 * Reports for as long as the process runs, and measures its statements.
 *
 * @param gauges what this kind of process says of itself beside what all say
 */
export function keepReporting(kind: 'api' | 'worker', gauges: OwnGauges = () => ({})): void {
  reporter = { process: kind, gauges }
  watchStatements(sql, (command, seconds, error_type) => statements.observe(['postgresql', kind, command, error_type], seconds))
  const tell = () => report().catch((error: unknown) => log.debug({ error }, 'the figures could not be added yet'))
  void tell()
  setInterval(tell, REPORT_MS).unref()
}

/** The last report of a process that ends: it lives no more, and what it counted stays. */
export async function endReports(): Promise<void> {
  if (!reporter) return
  try {
    await report()
    await sql`delete from process_figures where id = ${id}`
  } catch (error) {
    log.warn({ error }, 'the last figures of this process are lost')
  }
}
