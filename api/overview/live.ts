/**
 * Live pages: streams that say that an open page has changed. The page then reads itself again.
 *
 * All streams of this process are checked together: at most once a second after a change anywhere, and every few seconds in
 * case an announcement was lost. A stream holds only the version of what its page shows.
 */
import { OUTBOX_CHANNEL } from '../../core/jobs/drain.ts'
import { INBOX_CHANNEL } from '../../core/notifications/notify.ts'
import { listener } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { type Admitted, admit, type PageAccess, requirementOf } from '../pages/access.ts'
import { PAGE_HEADERS } from '../pages/headers.ts'
import type { Route } from '../pages/page.tsx'
import { eventStream } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import { readVersions, type Watched } from './versions.ts'

const MIN_INTERVAL_MS = 1_000
const SWEEP_MS = 5_000
/** A heartbeat every third sweep. */
const SWEEPS_PER_HEARTBEAT = 3
/** Seconds after which a client that reads nothing is disconnected. */
const STALLED_SECONDS = 60
/** Streams per statement. */
const BATCH_SIZE = 500

const encoder = new TextEncoder()
const CHANGE = encoder.encode('event: change\ndata:\n\n')
/** The last event of a stream, with why it ends; the page then says so. */
const ended = (why: 'session' | 'access'): Uint8Array => encoder.encode(`event: ended\ndata: ${why}\n\n`)
const HEARTBEAT = encoder.encode(': heartbeat\n\n')

interface Stream {
  watched: Watched
  /** Null until it was first read: the page may have changed since it was rendered. */
  version: string | null
  controller: ReadableStreamDefaultController<Uint8Array>
}

const streams = new Set<Stream>()
let ending = false

function open(watched: Watched): ReadableStream<Uint8Array> {
  let stream: Stream | undefined
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode('retry: 2000\n\n'))
      stream = { watched, version: null, controller }
      streams.add(stream)
      listen()
      requestCheck()
    },
    cancel() {
      if (stream) streams.delete(stream)
    },
  })
}

function close(stream: Stream): void {
  streams.delete(stream)
  stream.controller.close()
}

/** A client that does not keep up is skipped: its next event says the same. */
function send({ controller }: Stream, bytes: Uint8Array): void {
  if ((controller.desiredSize ?? 0) > -64) controller.enqueue(bytes)
}

let checking = false
let checkAgain = false

/** Checks all streams now, or when a second has passed since the last check. */
async function requestCheck(): Promise<void> {
  checkAgain = true
  if (checking) return
  checking = true
  try {
    while (checkAgain && streams.size > 0) {
      checkAgain = false
      await checkAll()
      await Bun.sleep(MIN_INTERVAL_MS)
    }
  } catch (error) {
    // The next sweep tries again.
    log.debug({ error }, 'could not check live pages')
  } finally {
    checking = false
  }
}

async function checkAll(): Promise<void> {
  const all = [...streams]
  for (let from = 0; from < all.length; from += BATCH_SIZE) await checkBatch(all.slice(from, from + BATCH_SIZE))
}

async function checkBatch(batch: Stream[]): Promise<void> {
  const versions = await readVersions(batch.map(({ watched }) => watched))
  for (const [index, stream] of batch.entries()) {
    const version = versions[index]
    if (!streams.has(stream)) continue
    if (version === undefined || version === null) {
      stream.controller.enqueue(ended(version === undefined ? 'session' : 'access'))
      close(stream)
    } else if (version !== stream.version) {
      stream.version = version
      send(stream, CHANGE)
    }
  }
}

let sweeps = 0

setInterval(() => {
  if (streams.size === 0) return
  sweeps += 1
  if (sweeps % SWEEPS_PER_HEARTBEAT === 0) for (const stream of streams) send(stream, HEARTBEAT)
  listen()
  void requestCheck()
}, SWEEP_MS).unref()

let listening = false

/** Listens for events and changed inboxes. The driver reconnects when the connection is lost. */
function listen(): void {
  if (listening) return
  listening = true
  const check = () => void requestCheck()
  Promise.all([OUTBOX_CHANNEL, INBOX_CHANNEL].map((channel) => listener.listen(channel, check, check))).catch((error) => {
    listening = false
    log.warn({ error }, 'LISTEN for live pages failed; relying on the periodic sweep')
  })
}

/** Ends all streams. Their pages connect to another process. */
export function endLivePages(): void {
  ending = true
  for (const stream of streams) close(stream)
}

/** The stream of a page, with the access of the page. */
export const live = <const Access extends PageAccess>(
  path: string,
  access: Access,
  watch: (admitted: Admitted<Access>) => Watched,
): Route => ({
  method: 'GET',
  path,
  access,
  async answer(request, params, server) {
    const { caller, resource } = await admit(request, params, access)
    if (ending) throw new Problem('shutting_down', 'This process is shutting down.', undefined, { 'Retry-After': '1' })
    const kind = requirementOf(access)?.kind
    const watched = watch({ caller, ...(kind ? { [kind]: resource } : {}) } as unknown as Admitted<Access>)
    server?.timeout(request, STALLED_SECONDS)
    const response = eventStream(request, request.method === 'HEAD' ? null : open(watched))
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.headers.set(name, value)
    return response
  },
})
