/** Notification streams. A stream stores only its position: announcements say which inboxes changed, and notifications are read then. */

import { log } from '../../core/platform/log.ts'
import { observeChanges, userPath } from '../../core/tenants/changes.ts'
import { type EventStream, Streams } from '../plugins/event-streams.ts'
import type { Caller } from '../plugins/request-context.ts'
import { readUpdates, type StreamPosition, type StreamUpdate } from './notifications.ts'

/** Streams per statement. */
const BATCH_SIZE = 100
/** Notifications per stream and statement. */
const MAX_NOTIFICATIONS = 50
const RETRY_MS = 1_000

type Stream = EventStream<StreamPosition & { unread: number | null }>

/** Streams to refresh. */
const stale = new Set<Stream>()

function refresh(some: Iterable<Stream>): void {
  for (const stream of some) stale.add(stream)
  void deliver()
}

const streams = new Streams(refresh)

const listen = observeChanges({
  received(paths) {
    const changed = new Set(paths)
    refresh([...streams.all()].filter(({ reader }) => changed.has(userPath(reader.user_id))))
  },
  missed: () => refresh(streams.all()),
})

const eventText = (id: number, event: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Sends an update. Every event has the current position as its id, from which a reconnecting client resumes. */
function send(stream: Stream, { sequence, unread, notifications, desktop }: StreamUpdate): void {
  const { reader } = stream
  if (reader.cursor === null || reader.cursor > sequence) reader.cursor = sequence
  let text = ''
  for (const { sequence, ...notification } of notifications) {
    reader.cursor = sequence
    const data = desktop && !notification.is_read ? { ...notification, desktop: true } : notification
    text += eventText(sequence, 'notification', data)
  }
  if (unread !== reader.unread) text += eventText(reader.cursor, 'unread_count', { unread_count: unread })
  reader.unread = unread
  if (text !== '') stream.send(text)
}

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
  // Those without room as well: their sessions may have ended.
  const requests = batch.map((stream) => ({ position: stream.reader, room: stream.hasRoom() ? MAX_NOTIFICATIONS : 0 }))
  try {
    const updates = await readUpdates(requests)
    for (const [index, stream] of batch.entries()) {
      const update = updates[index]
      const room = requests[index]?.room ?? 0
      if (!streams.all().has(stream)) continue
      if (!update) streams.end(stream)
      else if (room > 0) {
        send(stream, update)
        if (update.notifications.length === room) stale.add(stream)
      }
    }
  } catch (error) {
    log.debug({ error }, 'could not refresh notification streams')
    for (const stream of batch) if (streams.all().has(stream)) stale.add(stream)
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

/** @throws Problem `shutting_down` */
export function openStream(
  request: Request,
  server: Parameters<typeof streams.open>[1],
  { id: user_id, session_id, token_id }: Caller,
): Response {
  listen()
  return streams.open(request, server, { user_id, session_id, token_id, cursor: lastEventId(request), unread: null })
}
