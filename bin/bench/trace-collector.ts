/** Collects the spans of a worker, with their times in milliseconds since 1970. */

export interface TimedSpan {
  id: string
  parent: string
  name: string
  /** The event that it is about; empty if its span does not say. */
  event: string
  start: number
  end: number
  /** When each event of the span happened, by name. */
  events: Record<string, number>
}

interface OtlpSpan {
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string } }[]
  events?: { name: string; timeUnixNano: string }[]
}

interface OtlpTraces {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[]
}

const ms = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000

const timed = (span: OtlpSpan): TimedSpan => ({
  id: span.spanId,
  parent: span.parentSpanId ?? '',
  name: span.name,
  event: span.attributes.find(({ key }) => key === 'signalbox.event_id')?.value.stringValue ?? '',
  start: ms(span.startTimeUnixNano),
  end: ms(span.endTimeUnixNano),
  events: Object.fromEntries((span.events ?? []).map(({ name, timeUnixNano }) => [name, ms(timeUnixNano)])),
})

export function collectSpans() {
  let spans: TimedSpan[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { resourceSpans } = (await request.json()) as OtlpTraces
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans.map(timed))))
      return Response.json({})
    },
  })
  return {
    url: server.url.origin,
    /** The spans since the last call. */
    take(): TimedSpan[] {
      const taken = spans
      spans = []
      return taken
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
