/**
 * Streams of server-sent events (https://html.spec.whatwg.org/#server-sent-events). What a stream sends is read from the database when
 * its client has room for it, so a client that does not read consumes no memory. Announcements say what has changed; a periodic sweep
 * finds what they missed, and what has ended.
 */
import { Problem } from '../problems.ts'
import { contextOf } from './request-context.ts'
import { SECURITY_HEADERS } from './responses.ts'

/** How often all streams are refreshed. */
const SWEEP_MS = 5_000
/** A heartbeat every third sweep, i.e. every 15 s. */
const SWEEPS_PER_HEARTBEAT = 3
/** Seconds after which a client that reads nothing, not even heartbeats, is disconnected. */
const STALLED_SECONDS = 60
/** Bytes buffered for a client before sending pauses. */
const BUFFER_BYTES = 16_384

const encoder = new TextEncoder()
const kinds: Streams<unknown>[] = []
let isEnding = false

/** @typeParam Reader whom it is for, and what they have seen */
export class EventStream<Reader> {
  readonly body: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  /** Whether it was refreshed while its client had no room. */
  #isBehind = false

  /** @param refresh called when the client has room again */
  constructor(
    readonly reader: Reader,
    refresh: () => void,
    ended: () => void,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          this.send('retry: 2000\n\n')
        },
        pull: () => {
          if (!this.#isBehind) return
          this.#isBehind = false
          refresh()
        },
        cancel: ended,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    )
  }

  /** Whether the client reads what it was sent. If it does not, the stream is refreshed when it does again. */
  hasRoom(): boolean {
    this.#isBehind = (this.#controller?.desiredSize ?? 0) <= 0
    return !this.#isBehind
  }

  send(events: string): void {
    this.#controller?.enqueue(encoder.encode(events))
  }

  close(): void {
    this.#controller?.close()
  }
}

/** The streams of one kind in this process. */
export class Streams<Reader> {
  readonly #open = new Set<EventStream<Reader>>()
  #sweeps = 0

  /** @param refresh requests that streams are refreshed: each when it was opened, all in a sweep */
  constructor(private readonly refresh: (streams: Iterable<EventStream<Reader>>, isSweep: boolean) => void) {
    kinds.push(this as Streams<unknown>)
    setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  #sweep(): void {
    if (this.#open.size === 0) return
    this.#sweeps += 1
    if (this.#sweeps % SWEEPS_PER_HEARTBEAT === 0)
      for (const stream of this.#open) if (stream.hasRoom()) stream.send(': heartbeat\n\n')
    this.refresh(this.#open, true)
  }

  /** Those that are open now. */
  all(): ReadonlySet<EventStream<Reader>> {
    return this.#open
  }

  /** Answers a request with a stream, or with its headers for HEAD. @throws Problem `shutting_down` */
  open(request: Request, server: { timeout(request: Request, seconds: number): void } | null, reader: Reader): Response {
    const detail = 'This process is shutting down. Retry now; another process will serve the request.'
    if (isEnding) throw new Problem('shutting_down', detail, undefined, { 'Retry-After': '1' })
    server?.timeout(request, STALLED_SECONDS)
    const headers = {
      ...SECURITY_HEADERS,
      ...contextOf(request).headers,
      'Content-Type': 'text/event-stream',
      // A proxy that compresses would hold events back.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    }
    return new Response(request.method === 'HEAD' ? null : this.#streamFor(reader).body, { headers })
  }

  #streamFor(reader: Reader): EventStream<Reader> {
    const stream: EventStream<Reader> = new EventStream(
      reader,
      () => this.refresh([stream], false),
      () => this.#open.delete(stream),
    )
    this.#open.add(stream)
    this.refresh([stream], false)
    return stream
  }

  end(stream: EventStream<Reader>): void {
    if (this.#open.delete(stream)) stream.close()
  }
}

/** Ends all streams of this process. Their clients reconnect to another one and resume. */
export function endStreams(): void {
  isEnding = true
  for (const kind of kinds) for (const stream of kind.all()) kind.end(stream)
}
