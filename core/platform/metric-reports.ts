/** Adds the metrics of this process to the totals of all processes in the database, every few seconds. */
import { hostname } from 'node:os'
import { watchStatements } from '../../sql/index.ts'
import { config } from './config.ts'
import { sql } from './database.ts'
import { log } from './log.ts'
import { METRICS, type ProcessGauge, type SeriesValues, statements } from './metrics.ts'

const REPORT_MS = 10_000

const id = crypto.randomUUID()
const started_at = Date.now() / 1000 - process.uptime()

/** Gauges of one kind of process, in addition to those of every process. */
type ExtraGauges = () => Partial<Record<ProcessGauge, number>>

let reporter: { process: 'api' | 'worker'; gauges: ExtraGauges } | null = null

export function processGauges(): Partial<Record<ProcessGauge, number>> {
  const { user, system } = process.cpuUsage()
  return {
    process_cpu_seconds_total: (user + system) / 1e6,
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_start_time_seconds: Math.round(started_at),
    db_client_connection_max: config.DATABASE_POOL,
    ...reporter?.gauges(),
  }
}

/** The name of this process in metrics and traces. */
export const instance = `${hostname()}:${process.pid}`

let reporting = Promise.resolve()

/** Reports what was counted since the last report, one report at a time. What cannot be written is kept for the next one. */
export function report(): Promise<void> {
  reporting = reporting.then(add, add)
  return reporting
}

async function add(): Promise<void> {
  if (!reporter) return
  const taken = METRICS.map((metric) => ({ metric, series: metric.take() }))
  try {
    const series = taken.flatMap((each) => each.series)
    await write(series, reporter.process)
  } catch (error) {
    for (const { metric, series } of taken) for (const each of series) metric.restore(each)
    throw error
  }
}

/** Adds values to the totals. In the order of their keys, because other processes update the same rows. */
async function write(series: SeriesValues[], kind: 'api' | 'worker'): Promise<void> {
  await sql`
    with added as (
      insert into metric_totals (name, labels, amounts)
      select name, labels, amounts
      from jsonb_to_recordset(${sql.json(series as never)}) as series (name text, labels text, amounts double precision[])
      order by name, labels
      on conflict (name, labels) do update
      set amounts = array(
        select coalesce(total, 0) + coalesce(added, 0)
        from unnest(metric_totals.amounts, excluded.amounts) with ordinality as amount (total, added, position)
        order by position
      )
    ),
    ended as (
      delete from process_gauges where seen_at < now() - interval '1 minute' and id <> ${id}
    )
    insert into process_gauges (id, process, instance, gauges)
    values (${id}, ${kind}, ${instance}, ${sql.json(processGauges())})
    on conflict (id) do update
    set gauges = excluded.gauges, seen_at = now()
  `
}

/** Starts periodic reports, and the measurement of SQL statements. @param gauges in addition to those of every process */
export function startMetricReports(kind: 'api' | 'worker', gauges: ExtraGauges = () => ({})): void {
  reporter = { process: kind, gauges }
  watchStatements(sql, (command, seconds, error_type) => statements.observe(['postgresql', kind, command, error_type], seconds))
  const tryReport = () => report().catch((error: unknown) => log.debug({ error }, 'could not report metrics; retrying later'))
  void tryReport()
  setInterval(tryReport, REPORT_MS).unref()
}

/** Writes the last report of this process and removes its gauges. */
export async function stopMetricReports(): Promise<void> {
  if (!reporter) return
  try {
    await report()
    await sql`delete from process_gauges where id = ${id}`
  } catch (error) {
    log.warn({ error }, 'could not report the last metrics of this process')
  }
}
