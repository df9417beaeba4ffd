/** Streams the audit log as a file of any size. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { openPool } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { record } from '../../core/security/audit.ts'
import { ENTRY_FIELDS } from '../../core/security/audit-chain.ts'
import type { Tx } from '../../sql/index.ts'
import { confirmAfterWait, transactionWith } from '../plugins/confirm-access.ts'
import { type Caller, contextOf } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import { checkRange, countEntries, joinSeal, matchingEntries, type SealedEntry, sealedColumns, withActor } from './audit-logs.ts'
import type { EntryExport, EntryFilter } from './schema.ts'

/** Concurrent exports per process. They have their own connections, since slow clients occupy them for long. */
const MAX_RUNNING = 4
const MAX_RUNNING_PER_ORGANIZATION = 2
const ROWS = 500
/** An export ends when its client reads nothing for this time, since its snapshot holds up vacuum. */
const STALL_MS = 20_000
/** The total time is limited too: a minute, plus a second per 500 entries. */
const BASE_TIMEOUT_MS = 60_000
const MIN_ENTRIES_PER_SECOND = 500

type Exported = EntryFilter & Pick<EntryExport, 'format'>

const sql = openPool('signalbox export', MAX_RUNNING)

/** Prefixes of formulas in spreadsheets. An apostrophe in front makes the value text (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function csvField(value: string | number | null | undefined): string {
  if (value == null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const COLUMNS = [...ENTRY_FIELDS, 'seq', 'hash', 'via'] as const satisfies (keyof SealedEntry)[]

const FORMATS = {
  ndjson: { type: 'application/x-ndjson', head: '', line: (entry: SealedEntry) => `${JSON.stringify(withActor(entry))}\n` },
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    // Excel takes a file without a byte order mark for one in an old encoding.
    head: `\ufeff${COLUMNS.join(',')}\r\n`,
    line: (entry: SealedEntry) => `${COLUMNS.map((column) => csvField(entry[column])).join(',')}\r\n`,
  },
}

/** Writes to the client at the speed at which it reads. Fails if the client disconnects, stalls, or is too slow. */
class ClientWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>
  #until = Number.POSITIVE_INFINITY
  readonly #gone = Promise.withResolvers<never>()

  constructor(stream: WritableStream<Uint8Array>, signal: AbortSignal) {
    this.#writer = stream.getWriter()
    this.#gone.promise.catch(() => {})
    signal.addEventListener('abort', () => this.#gone.reject(new Error('the client has disconnected')))
  }

  setDeadline(count: number): void {
    this.#until = monotonicMs() + BASE_TIMEOUT_MS + (count / MIN_ENTRIES_PER_SECOND) * 1000
  }

  async write(text: string): Promise<void> {
    const stalled = Promise.withResolvers<never>()
    const timeoutMs = Math.min(STALL_MS, this.#until - monotonicMs())
    const timer = setTimeout(() => stalled.reject(new Error('the client is too slow')), timeoutMs)
    try {
      await Promise.race([this.#writer.write(new TextEncoder().encode(text)), this.#gone.promise, stalled.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  close = (): Promise<void> => this.#writer.close()

  /** Aborts the stream, so that the client does not take it for complete. Not awaited, since the client may be gone. */
  abort(error: unknown): void {
    this.#writer.abort(error).catch(() => {})
  }
}

async function* lines(tx: Tx, line: (entry: SealedEntry) => string): AsyncGenerator<string> {
  while (true) {
    const entries = await tx<SealedEntry[]>`fetch forward ${tx.unsafe(String(ROWS))} from exported`
    if (entries.length > 0) yield entries.map(line).join('')
    if (entries.length < ROWS) return
  }
}

const running = new Map<string, number>()

/** @throws Problem `rate_limited` */
function acquireSlot(organization_id: string): void {
  const own = running.get(organization_id) ?? 0
  const all = running.values().reduce((sum, each) => sum + each, 0)
  if (own >= MAX_RUNNING_PER_ORGANIZATION || all >= MAX_RUNNING) {
    throw new Problem('rate_limited', 'Too many exports are running. Try again when one has finished.', undefined, {
      'Retry-After': '10',
    })
  }
  running.set(organization_id, own + 1)
}

function releaseSlot(organization_id: string): void {
  const left = (running.get(organization_id) ?? 1) - 1
  if (left === 0) running.delete(organization_id)
  else running.set(organization_id, left)
}

/**
 * Streams the entries that match a filter, in one snapshot, through a cursor. The export is recorded in the audit log before
 * its first byte. A failed export resets its connection, and `X-Total-Count` contains the number of entries, so that clients
 * detect incomplete files. It fails when its caller loses access: a slow client reads for minutes.
 *
 * @throws Problem `rate_limited` if too many exports are running; those of `transactionWith`
 */
export async function exportEntries(request: Request, by: Caller, organization: Resource<'organization'>, query: Exported) {
  const { format, ...filter } = query
  checkRange(filter)
  const { type, head, line } = FORMATS[format]
  const context = contextOf(request)
  const headers = {
    ...SECURITY_HEADERS,
    ...context.headers,
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="audit-log.${format}"`,
    'Cache-Control': 'no-store',
  }
  // HEAD exports nothing, so nothing is recorded.
  if (request.method === 'HEAD') return new Response(null, { headers })

  acquireSlot(organization.organization_id)
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const client = new ClientWriter(writable, request.signal)
  const counted = Promise.withResolvers<number>()

  const write = async (tx: Tx): Promise<void> => {
    const [{ count }] = await tx<[{ count: number }]>`select ${countEntries(organization.organization_id, filter)} as count`
    await tx`
      declare exported no scroll cursor for
        select ${sealedColumns}
        from audit_log_entries as entry
        ${joinSeal(organization.organization_id)}
        ${matchingEntries(organization.organization_id, filter)}
        order by created_at desc, id desc
    `
    await transactionWith(context, (own) => recordExport(own, by, organization, query, count))
    counted.resolve(count)
    client.setDeadline(count)
    if (head) await client.write(head)
    for await (const text of lines(tx, line)) {
      await confirmAfterWait(context)
      await client.write(text)
    }
  }
  void sql
    .begin('isolation level repeatable read read only', write)
    .finally(() => releaseSlot(organization.organization_id))
    // Closed only after the slot is free, so that the client can start the next export at once.
    .then(() => client.close())
    .catch((error: unknown) => {
      counted.reject(error)
      client.abort(error)
      log.warn({ request_id: by.request_id, error }, 'audit log export failed')
    })

  const count = await counted.promise
  return new Response(readable, { headers: { ...headers, 'X-Total-Count': String(count) } })
}

function recordExport(
  tx: Tx,
  by: Caller,
  organization: Resource<'organization'>,
  { format, ...filter }: Exported,
  count: number,
): Promise<void> {
  const filters = Object.entries(filter).map(([name, value]) => `${name} ${[value].flat().join(' or ')}`)
  return record(tx, by, organization, {
    action: 'audit_log.exported',
    resource_type: 'audit_log',
    resource_id: organization.organization_id,
    detail: `${by.name} exported ${count} entries of the audit log as ${format}${filters.length > 0 ? ` (${filters.join(', ')})` : ''}.`,
  })
}
