/** A trace collector: accepts OTLP over HTTP and stores the spans that arrive as JSON. */

export interface SpanRecord {
  service: string
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number }
  events?: { name: string; timeUnixNano: string }[]
}

interface KeyValue {
  key: string
  value: Record<string, unknown>
}

const valuesOf = (pairs: KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]))

export class Collector {
  readonly spans: SpanRecord[] = []
  readonly requests: { path: string; type: string; headers: Record<string, string> }[] = []
  readonly #server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#receive(request) })

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  async #receive(request: Request): Promise<Response> {
    const type = request.headers.get('content-type') ?? ''
    this.requests.push({ path: new URL(request.url).pathname, type, headers: Object.fromEntries(request.headers) })
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (!type.startsWith('application/json')) return new Response(null, { headers: { 'Content-Type': type } })
    const { resourceSpans } = JSON.parse(new TextDecoder().decode(bytes))
    for (const { resource, scopeSpans } of resourceSpans) {
      const resourceAttributes = valuesOf(resource.attributes)
      for (const { spans } of scopeSpans) {
        for (const span of spans) {
          this.spans.push({
            ...span,
            attributes: valuesOf(span.attributes),
            resource: resourceAttributes,
            service: String(resourceAttributes['service.name']),
          })
        }
      }
    }
    return Response.json({})
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }
}
