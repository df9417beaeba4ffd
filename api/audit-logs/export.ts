/** The audit log as one file, however long it is. */

import { monotonicMs } from '../../core/platform/clock.ts'
import { openPool, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { record } from '../../core/security/audit.ts'
import { type AuditRecord, entryColumns } from '../../core/security/audit-chain.ts'
import type { Tx } from '../../sql/index.ts'
import { type Caller, contextOf, type Resource } from '../plugins/request-context.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import { checkRange, selected, total } from './audit-logs.ts'
import type { ExportQuery } from './schema.ts'

/** Exports that one process writes at a time. They last as long as their readers take, so they have connections of their own. */
const MAX_RUNNING = 4
/** No tenant takes all of them. */
const MAX_RUNNING_OF_ONE = 2
const ROWS = 500
/** A reader that takes nothing for so long is gone: its snapshot must not hold up the vacuum. */
const STALL_MS = 20_000
/** Nor must one that takes hardly anything: this long in all, and a second more for every so many entries. */
const LONGEST_MS = 60_000
const SLOWEST_PER_SECOND = 500

const sql = openPool('signalbox export', MAX_RUNNING)

/** Spreadsheets run what begins so; an apostrophe in front of it makes it text (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function csvField(value: string | null): string {
  if (value === null) return ''
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const COLUMNS = [
  'id',
  'organization_id',
  'workspace_id',
  'workspace_name',
  'actor_type',
  'actor_id',
  'actor_name',
  'action',
  'resource_type',
  'resource_id',
  'detail',
  'ip_address',
  'created_at',
] as const satisfies (keyof AuditRecord)[]

const FORMATS = {
  ndjson: { type: 'application/x-ndjson', head: '', line: (entry: AuditRecord) => `${JSON.stringify(entry)}\n` },
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: `${COLUMNS.join(',')}\r\n`,
    line: (entry: AuditRecord) => `${COLUMNS.map((column) => csvField(entry[column])).join(',')}\r\n`,
  },
}

/** Writes as fast as it is read. Fails where the reader goes away, or takes nothing any more, or too little. */
class Reader {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>
  #until = Number.POSITIVE_INFINITY
  readonly #gone = Promise.withResolvers<never>()

  constructor(stream: WritableStream<Uint8Array>, signal: AbortSignal) {
    this.#writer = stream.getWriter()
    this.#gone.promise.catch(() => {})
    signal.addEventListener('abort', () => this.#gone.reject(new Error('the reader has gone')))
  }

  /** Gives it as long as so many entries may take. */
  allow(count: number): void {
    this.#until = monotonicMs() + LONGEST_MS + (count / SLOWEST_PER_SECOND) * 1000
  }

  async take(text: string): Promise<void> {
    const stalled = Promise.withResolvers<never>()
    const patience = Math.min(STALL_MS, this.#until - monotonicMs())
    const timer = setTimeout(() => stalled.reject(new Error('the reader is too slow')), patience)
    try {
      await Promise.race([this.#writer.write(new TextEncoder().encode(text)), this.#gone.promise, stalled.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  close = (): Promise<void> => this.#writer.close()

  /** Breaks the stream off, so that it cannot be taken for whole. Not waited for: that would be for the very reader that is gone. */
  breakOff(error: unknown): void {
    this.#writer.abort(error).catch(() => {})
  }
}

async function* lines(tx: Tx, line: (entry: AuditRecord) => string): AsyncGenerator<string> {
  while (true) {
    const entries = await tx<AuditRecord[]>`fetch forward ${tx.unsafe(String(ROWS))} from exported`
    if (entries.length > 0) yield entries.map(line).join('')
    if (entries.length < ROWS) return
  }
}

/** How many exports of each organization are under way. */
const running = new Map<string, number>()

/** @throws Problem `rate_limited` */
function begin(organization_id: string): void {
  const own = running.get(organization_id) ?? 0
  const all = running.values().reduce((sum, each) => sum + each, 0)
  if (own >= MAX_RUNNING_OF_ONE || all >= MAX_RUNNING) {
    throw new Problem('rate_limited', 'Too many exports are under way. Try again when one is done.', undefined, {
      'Retry-After': '10',
    })
  }
  running.set(organization_id, own + 1)
}

function end(organization_id: string): void {
  const left = (running.get(organization_id) ?? 1) - 1
  if (left === 0) running.delete(organization_id)
  else running.set(organization_id, left)
}

/**
 * Streams what a filter selects at this moment: one snapshot, read through a cursor, as fast as it is taken. The export
 * itself goes on record before its first byte. One that breaks resets its connection, and `X-Total-Count` says how many
 * entries there should be: half of it cannot be taken for the whole.
 *
 * @throws Problem `rate_limited` while this process writes as many as it may
 */
export async function exportEntries(request: Request, by: Caller, place: Resource, query: ExportQuery): Promise<Response> {
  const { format, ...filter } = query
  checkRange(filter)
  const { type, head, line } = FORMATS[format]
  const headers = {
    ...SECURITY_HEADERS,
    ...contextOf(request).headers,
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="audit-log.${format}"`,
    'Cache-Control': 'no-store',
  }
  // Nothing is taken, so nothing goes on record.
  if (request.method === 'HEAD') return new Response(null, { headers })

  begin(place.organization_id)
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const reader = new Reader(writable, request.signal)
  const begun = Promise.withResolvers<number>()

  const write = async (tx: Tx): Promise<void> => {
    const [{ count }] = await tx<[{ count: number }]>`select ${total(place.organization_id, filter)} as count`
    await tx`
      declare exported no scroll cursor for
        select ${entryColumns}
        from audit_log_entries as entry
        ${selected(place.organization_id, filter)}
        order by created_at desc, id desc
    `
    await transaction((own) => recordExport(own, by, place, query, count))
    begun.resolve(count)
    reader.allow(count)
    if (head) await reader.take(head)
    for await (const text of lines(tx, line)) await reader.take(text)
  }
  void sql
    .begin('isolation level repeatable read read only', write)
    .finally(() => end(place.organization_id))
    // Only now, so that whoever asks again as soon as it is over finds a place.
    .then(() => reader.close())
    .catch((error: unknown) => {
      begun.reject(error)
      reader.breakOff(error)
      log.warn({ request_id: by.request_id, error }, 'an export broke')
    })

  const count = await begun.promise
  return new Response(readable, { headers: { ...headers, 'X-Total-Count': String(count) } })
}

function recordExport(tx: Tx, by: Caller, place: Resource, { format, ...filter }: ExportQuery, count: number): Promise<void> {
  const filters = Object.entries(filter).map(([name, value]) => `${name} ${value}`)
  return record(tx, by, place, {
    action: 'audit_log.exported',
    resource_type: 'audit_log',
    resource_id: place.organization_id,
    detail: `${by.name} exported ${count} entries of the audit log as ${format}${filters.length > 0 ? ` (${filters.join(', ')})` : ''}.`,
  })
}
