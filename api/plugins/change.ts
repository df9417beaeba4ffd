/**
 * Runs the change of one request in one transaction, together with its events, its audit entry and, if the request has
 * an `Idempotency-Key`, its response. After a crash, either all of them are stored or none.
 */

import { sql } from '../../core/platform/database.ts'
import { inSpan } from '../../core/platform/traces.ts'
import { decrypt, encrypt } from '../../core/security/secrets.ts'
import { announceChange, scopePath, userPath } from '../../core/tenants/changes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { notFound, Problem } from '../problems.ts'
import { transactionWith } from './confirm-access.ts'
import { canSee } from './known-callers.ts'
import { contextOf, type RequestContext } from './request-context.ts'
import { type Outcome, problemBody, respond, toLongOutcome } from './responses.ts'

type Success = 200 | 201 | 202 | 204

/** @param location the path of the created resource, or that of its list, which its id follows; for the `Location` header */
type Change = <Result extends object | null>(
  status: Success | ((result: NonNullable<Result>) => Success),
  work: (tx: Tx) => Promise<Result>,
  location?: string | ((result: NonNullable<Result>) => string),
) => Promise<Response>

/** Runs a change that is one statement: for users in a transaction, which confirms their access; for machines on its own, which saves two round trips. */
type SingleChange = <Result extends object | null>(status: Success, work: (db: Queryable) => Promise<Result>) => Promise<Response>

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
function idempotencyKey(request: Request): string | null {
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

async function findStoredResponse(tx: Tx, record: IdempotencyRecord): Promise<Outcome | null> {
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
async function storeResponse(tx: Tx, { caller_id, key, fingerprint }: IdempotencyRecord, outcome: Outcome): Promise<void> {
  const response = await encrypt(outcome.text)
  await pipeline(
    tx,
    tx`
      insert into idempotency_keys (caller_id, key, fingerprint, status, location, response)
      values (${caller_id}, ${key}, ${fingerprint}, ${outcome.status}, ${outcome.location ?? null}, ${response})
    `,
  )
}

const idempotencyRecordOf = (request: Request, context: RequestContext, key: string): IdempotencyRecord => ({
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

/** Does what a change needs and cannot do in its transaction; null if its response is stored: the change is not run then. */
export const skipIfReplayed = async <Result>(request: Request, prepare: () => Promise<Result>): Promise<Result | null> =>
  (await hasStoredResponse(request, contextOf(request))) ? null : prepare()

/** Rejects the replay of a response that the caller may no longer see. @throws Problem `not_found`, or that of the role */
async function requireVisible({ roleProblem, declared, caller }: RequestContext, stored: Outcome): Promise<void> {
  if (roleProblem && declared?.confidential?.includes(stored.status)) throw roleProblem
  if (stored.location && caller && !(await canSee(caller, stored.location))) throw notFound('resource')
}

/** Conflicts are stored like successes, so that a repeated request gets the same response. */
const isReplayable = (error: unknown): error is Problem =>
  error instanceof Problem && error.status === 409 && error.code !== 'idempotency_in_progress'

/** Runs the change of a request in one transaction. @throws what `transactionWith` throws */
export const inTransaction = <Result>(context: RequestContext, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  inSpan('transaction', context.span, () =>
    transactionWith(context, (tx) => {
      const { caller, resource } = context
      announceChange(tx, ...(resource ? [scopePath(resource)] : caller ? [userPath(caller.id)] : []))
      return work(tx)
    }),
  )

const pathOf = <Result extends object>(result: Result, location: string | ((result: Result) => string)): string =>
  typeof location === 'string' ? `${location}/${(result as { id?: string }).id}` : location(result)

export function changeFor(request: Request, context: RequestContext): Change {
  return async (status, work, location) => {
    // Stored responses belong to callers; the holder of a report token is none.
    const key = context.caller ? idempotencyKey(request) : null
    const { pathname } = new URL(request.url)
    const run = async (tx: Tx): Promise<Outcome> => {
      const result = await work(tx)
      const responseStatus = typeof status === 'number' ? status : status(result as NonNullable<typeof result>)
      return toLongOutcome(responseStatus, result, result && location ? pathOf(result, location) : null)
    }
    if (key === null) return respond(request, context, await inTransaction(context, run))

    const record = idempotencyRecordOf(request, context, key)
    let replayed = false
    const runOnce = (perform: (tx: Tx) => Promise<Outcome>) =>
      inTransaction(context, async (tx) => {
        const stored = await findStoredResponse(tx, record)
        replayed = stored !== null
        if (stored) return stored
        if (context.roleProblem) throw context.roleProblem
        const outcome = await perform(tx)
        await storeResponse(tx, record, outcome)
        return outcome
      })
    const outcome = await runOnce(run).catch((error: unknown) => {
      if (!isReplayable(error)) throw error
      // The failed change was rolled back as a whole, so the response can be stored in a transaction of its own.
      const text = problemBody(error, context, pathname)
      return runOnce(async () => ({ status: error.status, text }))
    })
    if (replayed) {
      await requireVisible(context, outcome)
      context.headers['Idempotent-Replayed'] = 'true'
    }
    return respond(request, context, outcome)
  }
}

export function singleChangeFor(request: Request, context: RequestContext): SingleChange {
  if (context.caller) return changeFor(request, context)
  return async (status, work) => {
    const result = await inSpan('statement', context.span, () => work(sql))
    // Not before the write: receivers read at once. A claim that got nothing has changed nothing.
    const isEmpty = Array.isArray(result) && result.length === 0
    if (context.resource && !isEmpty) announceChange(sql, scopePath(context.resource))
    return respond(request, context, await toLongOutcome(status, result))
  }
}
