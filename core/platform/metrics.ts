/**
 * The catalogue of what is counted and measured, under OpenTelemetry's names where it has some (dots as underscores, the
 * unit at the end). The count of a histogram is the number of its events; there is no counter beside it.
 */
import { Metric } from './metric.ts'

/** The buckets that OpenTelemetry advises for requests. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Those that it advises for statements. */
const STATEMENT_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
/** A request that goes out is given up after 15 seconds. */
const OUTBOUND_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
/** From milliseconds, as the drain takes, to the minutes of a document or a backlog. */
const WORK_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900]

/** By method, route, status and, for what broke, the code of its problem. */
export const requests = new Metric(
  'http_server_request_duration_seconds',
  'Time from a request to its answer. A stream of notifications counts with its first byte.',
  ['http_request_method', 'http_route', 'http_response_status_code', 'error_type'],
  REQUEST_SECONDS,
)

/** By process, command and SQLSTATE. */
export const statements = new Metric(
  'db_client_operation_duration_seconds',
  'Time of a statement, the wait for a connection included.',
  ['db_system_name', 'process', 'db_operation_name', 'error_type'],
  STATEMENT_SECONDS,
)

/** By task and outcome. */
export const jobRuns = new Metric(
  'signalbox_job_duration_seconds',
  'Time of one run of a job.',
  ['task', 'outcome'],
  WORK_SECONDS,
)

/** By task. */
export const jobWaits = new Metric(
  'signalbox_job_wait_seconds',
  'Time from when a job was due to when it ran.',
  ['task'],
  WORK_SECONDS,
)

/** Without labels: one line serves all tenants in turns. */
export const drains = new Metric(
  'signalbox_outbox_delay_seconds',
  'Time from the commit of an event to when it was fanned out.',
  [],
  WORK_SECONDS,
)

/** By what became of the dispatch, the class of the status, and the code of the error. */
export const dispatchAttempts = new Metric(
  'signalbox_dispatch_attempt_duration_seconds',
  'Time of one request of a dispatch to a deployment hook.',
  ['outcome', 'status_class', 'error_type'],
  OUTBOUND_SECONDS,
)

/** By the type of the channel, what became of the message, and the code of the error. */
export const channelAttempts = new Metric(
  'signalbox_channel_attempt_duration_seconds',
  'Time of one attempt of a message to a notification channel.',
  ['channel_type', 'outcome', 'error_type'],
  OUTBOUND_SECONDS,
)

/** By kind: hook or channel. */
export const strandedDestinations = new Metric(
  'signalbox_stranded_destinations_total',
  'Hooks and channels that were found due with no job to serve them, and were woken.',
  ['kind'],
  null,
)

export const METRICS = [requests, statements, jobRuns, jobWaits, drains, dispatchAttempts, channelAttempts, strandedDestinations]

/** What a process says of itself, under `process` and `service_instance_id`. */
export const PROCESS_GAUGES = {
  process_cpu_seconds_total: ['counter', 'Processor time that a process has taken.'],
  process_resident_memory_bytes: ['gauge', 'Memory of a process.'],
  process_start_time_seconds: ['gauge', 'When a process started, in seconds since 1970.'],
  db_client_connection_max: ['gauge', 'Connections that a process opens at the most.'],
  http_server_active_requests: ['gauge', 'Requests that an API process is answering.'],
} as const satisfies Record<string, readonly ['counter' | 'gauge', string]>

export type ProcessGauge = keyof typeof PROCESS_GAUGES
