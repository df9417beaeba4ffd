/** What traces are made of. */

/** A place in a trace. */
export interface Trace {
  trace_id: string
  span_id: string
  /** Whether whoever began it keeps it. */
  sampled: boolean
}

export type Attributes = Record<string, string | number | boolean | null | undefined>

/** Something that takes a while; a place in a trace for what is done meanwhile. */
export interface Span extends Trace {
  /**
   * @param name a better one, where more is known by now
   * @param error what went wrong, in a word
   */
  end: (told?: { name?: string; attributes?: Attributes; error?: string | null }) => void
}

/** How OpenTelemetry calls what a span stands for. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal'

/** What makes spans that are exported. */
export interface Exporter {
  begin: (name: string, kind: SpanKind, parent: Trace | null, attributes: Attributes) => Span
  /** Sends what is left. */
  stop: () => Promise<void>
}
