/**
 * The catalogue of metrics. Names follow the OpenTelemetry semantic conventions where they exist (with underscores for dots, and
 * the unit at the end). A histogram has its own count, so there is no counter for the same events.
 */
import { Metric } from './metric.ts'

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

/** `kind`: hook or channel. */
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
