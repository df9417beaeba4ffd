/**
 * Streams of notifications: server-sent events to whoever keeps one open (https://html.spec.whatwg.org/#server-sent-events).
 *
 * A stream holds where it is and nothing else. What is new is read from the database when its client has room for it,
 * so one that never reads costs what a stream costs. A NOTIFY says whose inbox has changed; were it lost, the sweep
 * finds it.
 */

import { INBOX_CHANNEL } from '../../core/notifications/notify.ts'
import { listener } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Caller } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { type News, type Position, readUpdates } from './updates.ts'

/** How often every stream is looked at: for sessions that ended, and for what no NOTIFY told of. */
const SWEEP_MS = 5_000
/** Every third sweep. */
const SWEEPS_A_HEARTBEAT = 3
/** Seconds after which a client that takes nothing, heartbeats included, is dropped. */
export const STALLED_SECONDS = 60
/** Streams that are looked at with one statement. */
const AT_ONCE = 100
/** Notifications that one stream gets at a time. */
const ROOM = 50
/** Bytes that may wait for a client before it gets no more. */
const WAITING_BYTES = 16_384
const RETRY_MS = 1_000

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(': heartbeat\n\n')

class Stream implements Position {
  cursor: number | null
  #unread: number | null = null
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  /** It was looked at when its client had no room. */
  #isBehind = false

  constructor(
    readonly user_id: string,
    readonly session_id: string | null,
    readonly token_id: string | null,
    after: number | null,
  ) {
    this.cursor = after
  }

  /** The body of the answer. */
  open(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          controller.enqueue(encoder.encode('retry: 2000\n\n'))
          add(this)
        },
        // The client has room again.
        pull: () => {
          if (!this.#isBehind) return
          this.#isBehind = false
          waiting.add(this)
          void tell()
        },
        cancel: () => remove(this),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES }),
    )
  }

  get room(): number {
    return (this.#controller?.desiredSize ?? 0) > 0 ? ROOM : 0
  }

  /**
   * Sends what is new. Every event carries the place that the stream has come to, so that a client that was cut off
   * says with `Last-Event-ID` where to go on.
   *
   * @returns whether there may be more
   */
  send({ sequence, unread, notifications, desktop }: News, room: number): boolean {
    if (room === 0) {
      // Room that came meanwhile has said so already.
      this.#isBehind = this.room === 0
      return !this.#isBehind
    }
    if (this.cursor === null || this.cursor > sequence) this.cursor = sequence
    let text = ''
    for (const { sequence: place, ...notification } of notifications) {
      this.cursor = place
      const data = desktop && !notification.is_read ? { ...notification, desktop: true } : notification
      text += eventText(place, 'notification', data)
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
/** Those that have not been looked at since something may have changed. */
const waiting = new Set<Stream>()
let ending = false

function add(stream: Stream): void {
  const others = streams.get(stream.user_id)
  if (others) others.add(stream)
  else streams.set(stream.user_id, new Set([stream]))
  hear()
  waiting.add(stream)
  void tell()
}

function remove(stream: Stream): void {
  waiting.delete(stream)
  const others = streams.get(stream.user_id)
  others?.delete(stream)
  if (others?.size === 0) streams.delete(stream.user_id)
}

function end(stream: Stream): void {
  remove(stream)
  stream.close()
}

const all = (): Stream[] => [...streams.values()].flatMap((some) => [...some])

let sweeps = 0

function sweep(): void {
  if (streams.size === 0) return
  sweeps += 1
  for (const stream of all()) {
    if (sweeps % SWEEPS_A_HEARTBEAT === 0) stream.beat()
    waiting.add(stream)
  }
  hear()
  void tell()
}

setInterval(sweep, SWEEP_MS).unref()

let listening = false

/** Hears which inboxes have changed, on one connection for all streams. The driver connects it again by itself. */
function hear(): void {
  if (listening) return
  listening = true
  const changed = (ids: string) => {
    for (const id of ids.split(' ')) for (const stream of streams.get(id) ?? []) waiting.add(stream)
    void tell()
  }
  // What was said while nobody listened is lost: everything is looked at anew.
  const connected = () => {
    for (const stream of all()) waiting.add(stream)
    void tell()
  }
  listener.listen(INBOX_CHANNEL, changed, connected).catch((error: unknown) => {
    listening = false
    log.warn({ error }, 'nothing is heard of inboxes; the sweep looks for what changes')
  })
}

let telling = false

/** Looks at the streams that wait, and sends what is new: one look at a time, so that nothing is sent twice. */
async function tell(): Promise<void> {
  if (telling) return
  telling = true
  try {
    while (waiting.size > 0) await tellSome([...waiting].slice(0, AT_ONCE))
  } finally {
    telling = false
  }
}

async function tellSome(some: Stream[]): Promise<void> {
  for (const stream of some) waiting.delete(stream)
  const asked = some.map((stream) => ({ position: stream, room: stream.room }))
  try {
    const news = await readUpdates(asked)
    for (const [index, { position: stream, room }] of asked.entries()) {
      const latest = news[index]
      if (!streams.get(stream.user_id)?.has(stream)) continue
      if (!latest) end(stream)
      else if (stream.send(latest, room)) waiting.add(stream)
    }
  } catch (error) {
    log.debug({ error }, 'the streams could not be looked at')
    for (const stream of some) if (streams.get(stream.user_id)?.has(stream)) waiting.add(stream)
    await Bun.sleep(RETRY_MS)
  }
}

/**
 * Where a client that was cut off wants to go on; null, which begins with what is to come, for an id that is none of ours.
 * A refusal would not help: a client that reconnects by itself sends the same id again.
 */
function lastEventId(request: Request): number | null {
  const given = request.headers.get('last-event-id')?.trim() ?? ''
  return /^\d{1,15}$/.test(given) ? Number(given) : null
}

/**
 * Opens a stream; for HEAD, which asks for the headers alone, there is none.
 *
 * @throws Problem `shutting_down`
 */
export function openStream(request: Request, { id, session_id, token_id }: Caller): ReadableStream<Uint8Array> | null {
  if (ending)
    throw new Problem('shutting_down', 'This process is shutting down; others serve on.', undefined, { 'Retry-After': '1' })
  return request.method === 'HEAD' ? null : new Stream(id, session_id, token_id, lastEventId(request)).open()
}

/** Ends all streams: their clients go on elsewhere, from where they are. */
export function endStreams(): void {
  ending = true
  for (const stream of all()) end(stream)
}
