/**
 * Notification streams: server-sent events (https://html.spec.whatwg.org/#server-sent-events).
 *
 * A stream stores only its position. Notifications are read from the database when the client has room for them, so a
 * client that does not read consumes no memory. Announcements say which inboxes changed; a periodic sweep finds what they missed.
 */

import { log } from '../../core/platform/log.ts'
import { observeChanges } from '../../core/tenants/changes.ts'
import type { Caller } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { readUpdates, type StreamPosition, type StreamUpdate } from './notifications.ts'

/** How often all streams are refreshed, to find ended sessions and missed changes. */
const SWEEP_MS = 5_000
/** A heartbeat every third sweep, i.e. every 15 s. */
const SWEEPS_PER_HEARTBEAT = 3
/** Seconds after which a client that reads nothing, not even heartbeats, is disconnected. */
export const STALLED_SECONDS = 60
/** Streams per statement. */
const BATCH_SIZE = 100
/** Notifications per stream and statement. */
const MAX_NOTIFICATIONS = 50
/** Bytes buffered for a client before sending pauses. */
const BUFFER_BYTES = 16_384
const RETRY_MS = 1_000

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(': heartbeat\n\n')

class Stream implements StreamPosition {
  #unread: number | null = null
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  /** Whether it was refreshed while its client had no room. */
  #isBehind = false

  constructor(
    readonly user_id: string,
    readonly session_id: string | null,
    readonly token_id: string | null,
    public cursor: number | null,
  ) {}

  open(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          controller.enqueue(encoder.encode('retry: 2000\n\n'))
          add(this)
        },
        // Called when the client has room again.
        pull: () => {
          if (!this.#isBehind) return
          this.#isBehind = false
          stale.add(this)
          void deliver()
        },
        cancel: () => remove(this),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    )
  }

  get room(): number {
    return (this.#controller?.desiredSize ?? 0) > 0 ? MAX_NOTIFICATIONS : 0
  }

  /**
   * Sends an update. Every event has the current position as its id, from which a reconnecting client resumes.
   * @returns whether there may be more to send
   */
  send({ sequence, unread, notifications, desktop }: StreamUpdate, room: number): boolean {
    if (room === 0) {
      // If the client has room again, `pull` was called before `#isBehind` was set.
      this.#isBehind = this.room === 0
      return !this.#isBehind
    }
    if (this.cursor === null || this.cursor > sequence) this.cursor = sequence
    let text = ''
    for (const { sequence, ...notification } of notifications) {
      this.cursor = sequence
      const data = desktop && !notification.is_read ? { ...notification, desktop: true } : notification
      text += eventText(sequence, 'notification', data)
    }
    if (unread !== this.#unread) text += eventText(this.cursor, 'unread_count', { unread_count: unread })
    this.#unread = unread
    if (text !== '') this.#controller?.enqueue(encoder.encode(text))
    return notifications.length === room
  }

  beat(): void {
    if (this.room > 0) this.#controller?.enqueue(HEARTBEAT)
  }

  close(): void {
    this.#controller?.close()
  }
}

const eventText = (id: number, event: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const streams = new Map<string, Set<Stream>>()
/** Streams to refresh. */
const stale = new Set<Stream>()
let ending = false

function add(stream: Stream): void {
  const others = streams.get(stream.user_id)
  if (others) others.add(stream)
  else streams.set(stream.user_id, new Set([stream]))
  listen()
  stale.add(stream)
  void deliver()
}

function remove(stream: Stream): void {
  stale.delete(stream)
  const others = streams.get(stream.user_id)
  others?.delete(stream)
  if (others?.size === 0) streams.delete(stream.user_id)
}

function end(stream: Stream): void {
  remove(stream)
  stream.close()
}

const all = (): Stream[] => [...streams.values()].flatMap((batch) => [...batch])

let sweeps = 0

function sweep(): void {
  if (streams.size === 0) return
  sweeps += 1
  for (const stream of all()) {
    if (sweeps % SWEEPS_PER_HEARTBEAT === 0) stream.beat()
    stale.add(stream)
  }
  void deliver()
}

setInterval(sweep, SWEEP_MS).unref()

const listen = observeChanges({
  received(paths) {
    for (const path of paths) for (const stream of streams.get(path.replace(/^user\//, '')) ?? []) stale.add(stream)
    void deliver()
  },
  missed() {
    for (const stream of all()) stale.add(stream)
    void deliver()
  },
})

let delivering = false

/** Refreshes stale streams. Never runs twice at the same time, so that nothing is sent twice. */
async function deliver(): Promise<void> {
  if (delivering) return
  delivering = true
  try {
    while (stale.size > 0) await deliverBatch([...stale].slice(0, BATCH_SIZE))
  } finally {
    delivering = false
  }
}

async function deliverBatch(batch: Stream[]): Promise<void> {
  for (const stream of batch) stale.delete(stream)
  const requests = batch.map((stream) => ({ position: stream, room: stream.room }))
  try {
    const updates = await readUpdates(requests)
    for (const [index, { position: stream, room }] of requests.entries()) {
      const update = updates[index]
      if (!streams.get(stream.user_id)?.has(stream)) continue
      if (!update) end(stream)
      else if (stream.send(update, room)) stale.add(stream)
    }
  } catch (error) {
    log.debug({ error }, 'could not refresh notification streams')
    for (const stream of batch) if (streams.get(stream.user_id)?.has(stream)) stale.add(stream)
    await Bun.sleep(RETRY_MS)
  }
}

/**
 * The position from which a reconnecting client resumes; null for an invalid id. It is not rejected, since clients that
 * reconnect automatically would send the same id again.
 */
function lastEventId(request: Request): number | null {
  const given = request.headers.get('last-event-id')?.trim() ?? ''
  return /^\d{1,15}$/.test(given) ? Number(given) : null
}

/** Opens a stream; null for a HEAD request. @throws Problem `shutting_down` */
export function openStream(request: Request, { id, session_id, token_id }: Caller): ReadableStream<Uint8Array> | null {
  const detail = 'This process is shutting down. Retry now; another process will serve the request.'
  if (ending) throw new Problem('shutting_down', detail, undefined, { 'Retry-After': '1' })
  return request.method === 'HEAD' ? null : new Stream(id, session_id, token_id, lastEventId(request)).open()
}

/** Ends all streams. Their clients reconnect to another process and resume. */
export function endStreams(): void {
  ending = true
  for (const stream of all()) end(stream)
}
