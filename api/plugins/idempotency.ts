/** The responses of changes with an `Idempotency-Key`: stored with the change, and found when the request is repeated. */

import { sql } from '../../core/platform/database.ts'
import { decrypt, encrypt } from '../../core/security/secrets.ts'
import type { Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { Problem } from '../problems.ts'
import type { RequestContext } from './request-context.ts'
import type { Outcome } from './responses.ts'

const MAX_KEY_LENGTH = 255

/** The `Idempotency-Key`, bare or quoted as in the IETF draft; null without one, undefined if it is malformed. */
function parseKey(request: Request): string | null | undefined {
  const header = request.headers.get('idempotency-key')
  if (header === null || request.method !== 'POST') return null
  const [, quoted, bare] = /^(?:"((?:[^"\\]|\\["\\])*)"|((?!")[!-~]+(?: [!-~]+)*))$/.exec(header) ?? []
  const key = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''
  return key.length < 1 || key.length > MAX_KEY_LENGTH ? undefined : key
}

/** The `Idempotency-Key` of a request; null without one. @throws Problem `malformed_header` */
export function idempotencyKey(request: Request): string | null {
  const key = parseKey(request)
  if (key !== undefined) return key
  throw new Problem('malformed_header', `Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters.`)
}

/** @throws Problem `malformed_header` if the `Idempotency-Key` is malformed */
export const requireValidIdempotencyKey = (request: Request): void => void idempotencyKey(request)

/** Identifies a repeated request: a hash of method, path and body. Headers such as `Prefer` may differ. */
function fingerprint(request: Request, { path, bytes }: RequestContext): Uint8Array {
  const { search } = new URL(request.url)
  return new Bun.CryptoHasher('sha256').update(`${request.method} ${path}${search}\n`).update(bytes).digest()
}

interface IdempotencyRecord {
  caller_id: string
  key: string
  fingerprint: Uint8Array
}

interface StoredResponse {
  is_locked: boolean
  is_fresh: boolean
  fingerprint: Uint8Array | null
  status: number
  location: string | null
  response: Uint8Array
}

export async function findStoredResponse(tx: Tx, record: IdempotencyRecord): Promise<Outcome | null> {
  const { caller_id, key } = record
  const [stored] = await tx<[StoredResponse]>`
    with lock as materialized (
      select pg_try_advisory_xact_lock(hashtextextended(${`${caller_id} ${key}`}, 0)) as is_locked
    )
    select
      lock.is_locked, stored.created_at > now() - interval '24 hours' as is_fresh,
      stored.fingerprint, stored.status, stored.location, stored.response
    from lock
    left join idempotency_keys as stored on stored.caller_id = ${caller_id} and stored.key = ${key}
  `
  if (!stored.is_locked)
    throw new Problem(
      'idempotency_in_progress',
      'The first request with this Idempotency-Key is still running. Try again in a second.',
      undefined,
      { 'Retry-After': '1' },
    )
  if (!stored.fingerprint) return null
  if (!stored.is_fresh) {
    await pipeline(tx, tx`delete from idempotency_keys where caller_id = ${caller_id} and key = ${key}`)
    return null
  }
  if (!Buffer.from(stored.fingerprint).equals(Buffer.from(record.fingerprint))) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another path or body. Use a new key for each change.',
    )
  }
  const text = await decrypt(stored.response)
  const { updated_at = null } = text === '' ? {} : JSON.parse(text)
  return { status: stored.status, location: stored.location, text, updated_at }
}

/** Stores a response. Fails if another transaction stored one meanwhile; the whole change is then rolled back and repeated. */
export async function storeResponse(tx: Tx, { caller_id, key, fingerprint }: IdempotencyRecord, outcome: Outcome): Promise<void> {
  const response = await encrypt(outcome.text)
  await pipeline(
    tx,
    tx`
      insert into idempotency_keys (caller_id, key, fingerprint, status, location, response)
      values (${caller_id}, ${key}, ${fingerprint}, ${outcome.status}, ${outcome.location ?? null}, ${response})
    `,
  )
}

export const idempotencyRecordOf = (request: Request, context: RequestContext, key: string): IdempotencyRecord => ({
  caller_id: context.caller?.id ?? '',
  key,
  fingerprint: fingerprint(request, context),
})

export async function hasStoredResponse(request: Request, context: RequestContext): Promise<boolean> {
  const key = parseKey(request)
  if (!key) return false
  const record = idempotencyRecordOf(request, context, key)
  const [stored] = await sql`
    select from idempotency_keys
    where caller_id = ${record.caller_id}
      and key = ${record.key}
      and fingerprint = ${record.fingerprint}
      -- A minute less than the change looks back, which must find it too: what it was prepared with is skipped.
      and created_at > now() - interval '24 hours' + interval '1 minute'
  `
  return stored !== undefined
}
