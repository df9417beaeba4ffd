/**
 * Traces, as W3C Trace Context (level 1) has them: a request that names one gets on with it, through the outbox into its
 * dispatches. Spans are exported where OTEL_EXPORTER_OTLP_ENDPOINT is set; where it is not, none of that is even loaded.
 *
 * `tracestate` ends here. What the caller's own tracing wrote into it is of no use to the systems that dispatches go to,
 * and none of their business.
 */

import { config } from './config.ts'
import { log } from './log.ts'
import type { Attributes, Exporter, Span, SpanKind, Trace } from './spans.ts'

export type { Span, Trace } from './spans.ts'

let exporter: Exporter | null = null

/** Begins to export, if the environment says where to. */
export async function startTracing(process: 'api' | 'worker'): Promise<void> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return
  const { openExporter } = await import('./otlp-exporter.ts')
  exporter = openExporter(process)
  log.info({ endpoint: new URL(config.OTEL_EXPORTER_OTLP_ENDPOINT).origin }, 'traces are exported')
}

/** Sends what is left; a collector that is away gets two seconds. */
export async function stopTracing(): Promise<void> {
  if (exporter) await Promise.race([exporter.stop(), Bun.sleep(2_000)])
}

const VERSION_0 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
/** What later versions begin with, whatever they add. */
const LATER = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const ZEROS = /^0+$/

/** Reads a `traceparent`; null where it is none. */
export function readTraceparent(header: string | null): Trace | null {
  if (header === null) return null
  const [, trace_id = '0', span_id = '0', flags = '0'] = VERSION_0.exec(header) ?? LATER.exec(header) ?? []
  if (ZEROS.test(trace_id) || ZEROS.test(span_id)) return null
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The `traceparent` of what is done within a span; null outside of all. */
export const traceparentOf = (trace: Trace | null): string | null =>
  trace && `00-${trace.trace_id}-${trace.span_id}-${trace.sampled ? '01' : '00'}`

/** Random, and never all zeros: a UUID says its version. */
const freshTraceId = (): string => crypto.randomUUID().replaceAll('-', '')
const freshSpanId = (): string => freshTraceId().slice(0, 16)

/**
 * Begins a span. Where none is exported the place in the trace stays its parent's: whoever is asked next would else
 * hang on a span that nobody ever sees.
 *
 * @param parent in whose course it happens; null for the beginning of a trace
 * @returns null where there is no trace: nobody named one, and none is exported
 */
export function beginSpan(name: string, kind: SpanKind, parent: Trace | null, attributes: Attributes = {}): Span | null {
  if (exporter) return exporter.begin(name, kind, parent, attributes)
  return parent && { ...parent, end: () => {} }
}

/** The span of a request that came in. A `traceparent` that cannot be read counts as the wish for a fresh trace. */
export function beginRequest(name: string, header: string | null, attributes: () => Attributes): Span | null {
  if (header === null && !exporter) return null
  const parent = readTraceparent(header)
  const fresh = { trace_id: freshTraceId(), span_id: freshSpanId(), sampled: false }
  return beginSpan(name, 'server', parent ?? (exporter ? null : fresh), exporter ? attributes() : {})
}

/** What log lines say of a trace. */
export const traceIds = (trace: Trace | null): { trace_id?: string; span_id?: string } =>
  trace ? { trace_id: trace.trace_id, span_id: trace.span_id } : {}

/** Whether the caller is at fault: a 4xx is not an error of the span. */
const isClientError = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500

/** Runs a function in a new span. */
export async function inSpan<Result>(
  name: string,
  kind: SpanKind,
  parent: Trace | null,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = exporter && beginSpan(name, kind, parent, attributes)
  try {
    const result = await work()
    span?.end()
    return result
  } catch (error) {
    span?.end({ error: isClientError(error) ? null : error instanceof Error ? error.name : 'error' })
    throw error
  }
}
