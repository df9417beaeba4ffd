/**
 * The catalogue of metrics. Names follow the OpenTelemetry semantic conventions where they exist (with underscores for dots, and
 * the unit at the end). A histogram has its own count, so there is no counter for the same events.
 *
 * A process keeps no totals: it periodically adds its counts to totals in the database. So no counter goes backwards when a process
 * ends, and every API process can serve the metrics of all.
 */

/** The values of one series: the count of a counter; for a histogram, the sum, then one count per bucket. */
export interface SeriesValues {
  name: string
  /** In the text format, as between its braces. They identify the series within the metric. */
  labels: string
  amounts: number[]
}

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Labels in the Prometheus text format. Labels without a value are omitted. */
export const labelsOf = (labels: Record<string, string | null | undefined>): string =>
  Object.entries(labels)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}="${escaped(value as string)}"`)
    .join(',')

/** A metric of the catalogue, with the values that this process has not reported yet. */
class Metric {
  readonly #series = new Map<string, { labels: string; amounts: Float64Array }>()

  /**
   * @param name the full name, with its unit
   * @param labels label names, in the order of the values of `count` and `observe`. Few values each, and never a tenant.
   * @param bounds upper bounds of the buckets, in seconds; null for a counter. To change them, change the name.
   */
  constructor(
    readonly name: string,
    readonly help: string,
    readonly labels: readonly string[],
    readonly bounds: readonly number[] | null,
  ) {}

  #amountsOf(values: readonly (string | null)[]): Float64Array {
    const key = values.join('\n')
    let series = this.#series.get(key)
    if (!series) {
      const labels = labelsOf(Object.fromEntries(this.labels.map((label, index) => [label, values[index]])))
      series = { labels, amounts: new Float64Array(this.bounds ? this.bounds.length + 2 : 1) }
      this.#series.set(key, series)
    }
    return series.amounts
  }

  count(values: readonly (string | null)[], times = 1): void {
    const amounts = this.#amountsOf(values)
    amounts[0] = (amounts[0] as number) + times
  }

  observe(values: readonly (string | null)[], seconds: number): void {
    const amounts = this.#amountsOf(values)
    const bounds = this.bounds ?? []
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1
    amounts[0] = (amounts[0] as number) + seconds
    amounts[bucket + 1] = (amounts[bucket + 1] as number) + 1
  }

  take(): SeriesValues[] {
    const taken: SeriesValues[] = []
    for (const { labels, amounts } of this.#series.values()) {
      if (!amounts.some((amount) => amount !== 0)) continue
      taken.push({ name: this.name, labels, amounts: [...amounts] })
      amounts.fill(0)
    }
    return taken
  }

  /** Adds values again that could not be reported. */
  restore(values: SeriesValues): void {
    for (const series of this.#series.values()) {
      if (series.labels !== values.labels) continue
      values.amounts.forEach((amount, index) => {
        series.amounts[index] = (series.amounts[index] as number) + amount
      })
    }
  }
}

/** Buckets that OpenTelemetry recommends for HTTP requests. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Buckets that OpenTelemetry recommends for database statements. */
const STATEMENT_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
/** Outgoing requests time out after 15 seconds. */
const OUTBOUND_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
/** From the milliseconds of a drain to the minutes of a document or a backlog. */
const WORK_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900]

/** `error_type` is the code of the problem; only for 5xx. */
export const requests = new Metric(
  'http_server_request_duration_seconds',
  'Duration of HTTP requests. For a notification stream, time to the first byte.',
  ['http_request_method', 'http_route', 'http_response_status_code', 'error_type'],
  REQUEST_SECONDS,
)

/** `error_type` is the SQLSTATE. */
export const statements = new Metric(
  'db_client_operation_duration_seconds',
  'Duration of SQL statements, including the wait for a connection.',
  ['db_system_name', 'process', 'db_operation_name', 'error_type'],
  STATEMENT_SECONDS,
)

export const jobRuns = new Metric('signalbox_job_duration_seconds', 'Duration of job runs.', ['task', 'outcome'], WORK_SECONDS)

export const jobWaits = new Metric(
  'signalbox_job_wait_seconds',
  'Time from when a job was due until it ran.',
  ['task'],
  WORK_SECONDS,
)

/** Without labels: one queue serves all tenants. */
export const drains = new Metric(
  'signalbox_outbox_delay_seconds',
  'Time from when an event was written until it was fanned out.',
  [],
  WORK_SECONDS,
)

export const dispatchAttempts = new Metric(
  'signalbox_dispatch_attempt_duration_seconds',
  'Duration of dispatch attempts to deployment hooks.',
  ['outcome', 'status_class', 'error_type'],
  OUTBOUND_SECONDS,
)

export const claimedDispatches = new Metric(
  'signalbox_claimed_dispatches_total',
  'Dispatches of pull hooks that were claimed. Each claim is an attempt.',
  [],
  null,
)

/** `error_type` is `lease_expired` if the dispatch was not acknowledged. */
export const leases = new Metric(
  'signalbox_lease_duration_seconds',
  'Time from the claim of a dispatch until it was acknowledged, or its lease ran out.',
  ['outcome', 'error_type'],
  WORK_SECONDS,
)

export const channelAttempts = new Metric(
  'signalbox_channel_attempt_duration_seconds',
  'Duration of message attempts to notification channels.',
  ['channel_type', 'outcome', 'error_type'],
  OUTBOUND_SECONDS,
)

/** `kind`: hook, channel or github. */
export const strandedDestinations = new Metric(
  'signalbox_stranded_destinations_total',
  'Hooks and channels that were due without a job, and were woken by the sweep.',
  ['kind'],
  null,
)

export const METRICS = [
  requests,
  statements,
  jobRuns,
  jobWaits,
  drains,
  dispatchAttempts,
  claimedDispatches,
  leases,
  channelAttempts,
  strandedDestinations,
]

/** Metrics of each process, with the labels `process` and `service_instance_id`. */
export const PROCESS_GAUGES = {
  process_cpu_seconds_total: ['counter', 'CPU time of a process.'],
  process_resident_memory_bytes: ['gauge', 'Resident memory of a process.'],
  process_start_time_seconds: ['gauge', 'Start time of a process, in seconds since 1970.'],
  db_client_connection_max: ['gauge', 'Maximum number of database connections of a process.'],
  http_server_active_requests: ['gauge', 'Requests in progress in an API process.'],
} as const satisfies Record<string, readonly ['counter' | 'gauge', string]>

export type ProcessGauge = keyof typeof PROCESS_GAUGES
