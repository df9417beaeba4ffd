/** Types of tracing. */

export interface TraceContext {
  trace_id: string
  span_id: string
  /** Whether the caller records the trace. */
  sampled: boolean
}

export type Attributes = Record<string, string | number | boolean | null | undefined>

export interface Span extends TraceContext {
  /** Adds an event to the span. @param at by the monotonic clock; now, if absent */
  mark: (event: string, at?: number) => void
  /** @param result.name replaces the name of the span @param result.error a short error code */
  end: (result?: { name?: string; attributes?: Attributes; error?: string | null }) => void
}

/** Span kinds of OpenTelemetry. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal'

export interface Exporter {
  begin: (name: string, kind: SpanKind, parent: TraceContext | null, attributes: Attributes) => Span
  stop: () => Promise<void>
}
