/**
 * Tracing with W3C Trace Context (level 1). The trace of a request continues through the outbox into its dispatches. Spans are
 * exported if OTEL_EXPORTER_OTLP_ENDPOINT is set; otherwise the exporter is not even loaded.
 *
 * `tracestate` is not passed on: it is vendor data of the caller, which the receivers of dispatches have no use for.
 */
import { config } from './config.ts'
import { log } from './log.ts'
import type { Attributes, Exporter, Span, SpanKind, TraceContext } from './spans.ts'

export type { Span } from './spans.ts'

let exporter: Exporter | null = null

/** Starts exporting spans if an endpoint is configured. */
export async function startTracing(process: 'api' | 'worker'): Promise<void> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return
  const { openExporter } = await import('./otlp-exporter.ts')
  exporter = openExporter(process)
  log.info({ endpoint: new URL(config.OTEL_EXPORTER_OTLP_ENDPOINT).origin }, 'exporting traces')
}

/** Exports the remaining spans, for at most two seconds. */
export async function stopTracing(): Promise<void> {
  if (exporter) await Promise.race([exporter.stop(), Bun.sleep(2_000)])
}

const VERSION_0 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
/** The common prefix of later versions. */
const LATER = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const ZEROS = /^0+$/

export function readTraceparent(header: string | null): TraceContext | null {
  if (header === null) return null
  const [, trace_id = '0', span_id = '0', flags = '0'] = VERSION_0.exec(header) ?? LATER.exec(header) ?? []
  if (ZEROS.test(trace_id) || ZEROS.test(span_id)) return null
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const traceparentOf = (trace: TraceContext | null): string | null =>
  trace && `00-${trace.trace_id}-${trace.span_id}-${trace.sampled ? '01' : '00'}`

/** Random, and never all zeros, because a UUID contains its version. */
const freshTraceId = (): string => crypto.randomUUID().replaceAll('-', '')

/**
 * Starts a span. Without an exporter it returns the context of its parent, so that later spans do not refer to a span that is
 * never exported.
 *
 * @param parent null for the root of a trace
 * @returns null if there is neither a parent nor an exporter
 */
export function beginSpan(name: string, kind: SpanKind, parent: TraceContext | null, attributes: Attributes = {}): Span | null {
  if (exporter) return exporter.begin(name, kind, parent, attributes)
  return parent && { ...parent, mark: () => {}, end: () => {} }
}

/** Starts the span of an incoming request. An invalid `traceparent` starts a new trace. */
export function beginRequest(name: string, header: string | null, attributes: () => Attributes): Span | null {
  if (header === null && !exporter) return null
  const parent = readTraceparent(header)
  const fresh = { trace_id: freshTraceId(), span_id: freshTraceId().slice(0, 16), sampled: false }
  return beginSpan(name, 'server', parent ?? (exporter ? null : fresh), exporter ? attributes() : {})
}

/** The fields of log lines that refer to a trace. */
export const traceIds = (trace: TraceContext | null): { trace_id?: string; span_id?: string } =>
  trace ? { trace_id: trace.trace_id, span_id: trace.span_id } : {}

/** A 4xx is not an error of the span. */
const isClientError = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500

/** Runs what the database does in a new span. */
export async function inSpan<Result>(name: string, parent: TraceContext | null, work: () => Promise<Result>): Promise<Result> {
  const span = exporter && beginSpan(name, 'client', parent, { 'db.system.name': 'postgresql' })
  try {
    const result = await work()
    span?.end()
    return result
  } catch (error) {
    span?.end({ error: isClientError(error) ? null : error instanceof Error ? error.name : 'error' })
    throw error
  }
}
