/** Collects the spans of a worker, with their times in milliseconds since 1970. */

interface OtlpSpan {
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string } }[]
  events?: { name: string; timeUnixNano: string }[]
}

const ms = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000

const timed = (span: OtlpSpan) => ({
  id: span.spanId,
  parent: span.parentSpanId ?? '',
  name: span.name,
  /** The event that it is about; empty if its span does not say. */
  event: span.attributes.find(({ key }) => key === 'signalbox.event_id')?.value.stringValue ?? '',
  start: ms(span.startTimeUnixNano),
  end: ms(span.endTimeUnixNano),
  /** When each event of the span happened, by name. */
  events: Object.fromEntries((span.events ?? []).map(({ name, timeUnixNano }) => [name, ms(timeUnixNano)])),
})
export type TimedSpan = ReturnType<typeof timed>

export function collectSpans() {
  const spans: TimedSpan[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { resourceSpans } = (await request.json()) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans.map(timed))))
      return Response.json({})
    },
  })
  return {
    url: server.url.origin,
    /** The spans since the last call. */
    take: (): TimedSpan[] => spans.splice(0),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
