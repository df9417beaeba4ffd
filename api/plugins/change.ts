/**
 * One change of the database: one transaction that holds the change, its events, its audit entry and, under an
 * `Idempotency-Key`, its answer. A crash leaves all of them or none.
 */

import { sql, transaction } from '../../core/platform/database.ts'
import { inSpan } from '../../core/platform/traces.ts'
import { seal, unseal } from '../../core/security/secrets.ts'
import type { Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { notFound, Problem } from '../problems.ts'
import { answer, type Outcome, outcomeOf, problemAnswer } from './answers.ts'
import { maySee } from './callers.ts'
import type { RequestContext } from './request-context.ts'

type Success = 200 | 201 | 202 | 204

/**
 * Carries out a change and answers it.
 *
 * @param status of success, or what tells it from the answer
 * @param work the operation; it gets the open transaction
 * @param location the path of what the answer shows, where it is not what the request's own path names: of what was made
 */
export type Change = <Result extends object | null>(
  status: Success | ((result: NonNullable<Result>) => Success),
  work: (tx: Tx) => Promise<Result>,
  location?: (result: NonNullable<Result>) => string,
) => Promise<Response>

const LONGEST_KEY = 255

/** The caller's key, bare or as the quoted string of the IETF draft; null without one, undefined where it is malformed. */
function readKey(request: Request): string | null | undefined {
  const header = request.headers.get('idempotency-key')
  if (header === null || request.method !== 'POST') return null
  const [, quoted, bare] = /^(?:"((?:[^"\\]|\\["\\])*)"|((?!")[!-~]+(?: [!-~]+)*))$/.exec(header) ?? []
  const key = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''
  return key.length < 1 || key.length > LONGEST_KEY ? undefined : key
}

/**
 * The same.
 *
 * @throws Problem `malformed_header`
 */
export function idempotencyKey(request: Request): string | null {
  const key = readKey(request)
  if (key !== undefined) return key
  throw new Problem('malformed_header', `Idempotency-Key must hold 1 to ${LONGEST_KEY} visible characters.`)
}

/** What makes a request the same request: its method, its path, its body. `Prefer` is no part of it. */
function fingerprint(request: Request, context: RequestContext): Uint8Array {
  const { pathname, search } = new URL(request.url)
  return new Bun.CryptoHasher('sha256').update(`${request.method} ${pathname}${search}\n`).update(context.bytes).digest()
}

/** Under which an answer is kept. */
interface IdempotencyRecord {
  caller_id: string
  key: string
  fingerprint: Uint8Array
}

interface Kept {
  is_locked: boolean
  is_fresh: boolean
  fingerprint: Uint8Array | null
  status: number
  location: string | null
  answer: Uint8Array
}

async function keptAnswer(tx: Tx, { caller_id, key, fingerprint: print }: IdempotencyRecord): Promise<Outcome | null> {
  const [kept] = await tx<[Kept]>`
    with lock as materialized (
      select pg_try_advisory_xact_lock(hashtextextended(${`${caller_id} ${key}`}, 0)) as is_locked
    )
    select
      lock.is_locked, kept.created_at > now() - interval '24 hours' as is_fresh,
      kept.fingerprint, kept.status, kept.location, kept.answer
    from lock
    left join idempotency_keys as kept
      on kept.caller_id = ${caller_id}
      and kept.key = ${key}
  `
  if (!kept.is_locked)
    throw new Problem('idempotency_in_progress', 'The first request under this Idempotency-Key is still running. Try again soon.')
  if (!kept.fingerprint) return null
  if (!kept.is_fresh) {
    await pipeline(tx, tx`delete from idempotency_keys where caller_id = ${caller_id} and key = ${key}`)
    return null
  }
  if (!Buffer.from(kept.fingerprint).equals(Buffer.from(print))) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another path or body. Take a fresh one for each change.',
    )
  }
  const text = await unseal(kept.answer)
  const { updated_at = null } = text === '' ? {} : JSON.parse(text)
  return { status: kept.status, location: kept.location, text, updated_at }
}

/** Keeps an answer. Where somebody kept one since this transaction looked, it fails, and all of it is done over. */
async function keepAnswer(tx: Tx, { caller_id, key, fingerprint }: IdempotencyRecord, made: Outcome): Promise<void> {
  const answer = await seal(made.text)
  await pipeline(
    tx,
    tx`
      insert into idempotency_keys (caller_id, key, fingerprint, status, location, answer)
      values (${caller_id}, ${key}, ${fingerprint}, ${made.status}, ${made.location}, ${answer})
    `,
  )
}

const idempotencyRecordOf = (request: Request, context: RequestContext, key: string): IdempotencyRecord => ({
  caller_id: context.caller?.id ?? '',
  key,
  fingerprint: fingerprint(request, context),
})

/** Whether an answer to this very request is kept. */
export async function isAnswered(request: Request, context: RequestContext): Promise<boolean> {
  const key = readKey(request)
  if (!key) return false
  const record = idempotencyRecordOf(request, context, key)
  const [kept] = await sql`
    select from idempotency_keys
    where caller_id = ${record.caller_id}
      and key = ${record.key}
      and fingerprint = ${record.fingerprint}
      and created_at > now() - interval '24 hours'
  `
  return kept !== undefined
}

/** Whether an answer shows what a lower role could not read: a secret, or an invitation. */
const isConfidential = (path: string, text: string): boolean =>
  path.includes('/invitations') ||
  (text !== '' && Object.entries(JSON.parse(text)).some(([name, value]) => ['secret', 'token'].includes(name) && value !== null))

/**
 * Refuses to replay to a caller what they may not see any more.
 *
 * @throws Problem `not_found`; what the lower role was refused with
 */
async function requireSight(context: RequestContext, pathname: string, kept: Outcome): Promise<void> {
  const path = kept.location ?? pathname
  if (context.refusal && isConfidential(path, kept.text)) throw context.refusal
  if (kept.location && context.caller && !(await maySee(context.caller, kept.location))) throw notFound('object')
}

/** A refusal by the state of things is an answer as good as success: a repeat must get the same. */
const isKept = (error: unknown): error is Problem =>
  error instanceof Problem && error.status === 409 && error.code !== 'idempotency_in_progress'

/** The change of one request. */
export function changeFor(request: Request, context: RequestContext): Change {
  return async (status, work, location) => {
    const key = idempotencyKey(request)
    const { pathname } = new URL(request.url)
    const carryOut = async (tx: Tx): Promise<Outcome> => {
      const result = await work(tx)
      const told = typeof status === 'number' ? status : status(result as NonNullable<typeof result>)
      return outcomeOf(told, result, result && location ? location(result) : null)
    }
    const committed = (work: (tx: Tx) => Promise<Outcome>) =>
      inSpan('transaction', 'client', context.span, { 'db.system.name': 'postgresql' }, () => transaction(work))
    if (key === null) return answer(request, context, await committed(carryOut))

    const record = idempotencyRecordOf(request, context, key)
    let replayed = false
    const once = (work: (tx: Tx) => Promise<Outcome>) =>
      committed(async (tx) => {
        const kept = await keptAnswer(tx, record)
        replayed = kept !== null
        if (kept) return kept
        if (context.refusal) throw context.refusal
        const made = await work(tx)
        await keepAnswer(tx, record, made)
        return made
      })
    const outcome = await once(carryOut).catch((error: unknown) => {
      if (!isKept(error)) throw error
      // The refused change is undone, and left nothing that a crash before this could halve.
      const text = problemAnswer(error, context, pathname)
      return once(async () => ({ status: error.status, location: null, text, updated_at: null }))
    })
    if (replayed) {
      await requireSight(context, pathname, outcome)
      context.headers['Idempotent-Replayed'] = 'true'
    }
    return answer(request, context, outcome)
  }
}
