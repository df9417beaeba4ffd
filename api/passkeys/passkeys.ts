/** The passkeys of a user. */
import { sql } from '../../core/platform/database.ts'
import { type Queryable, type Tx, violatedConstraint } from '../../sql/index.ts'
import { prepareRemoval, recordAndMail } from '../auth/second-factors.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import { makeChallenge, type Subject } from './challenges.ts'
import type { CreationOptions, RequestOptions } from './fields.ts'
import type { Passkey } from './schema.ts'
import { ALGORITHMS, RP_ID, userHandle, type VerifiedCredential } from './verification.ts'

export const MAX_PASSKEYS = 10
/** As long as a challenge can be answered. */
const TIMEOUT_MS = 300_000

const columns = sql`passkey.id, passkey.name, passkey.created_at, passkey.last_used_at, passkey.backed_up`

export const listPasskeys = (db: Queryable, user_id: string, { limit, after }: Slice) => db<Passkey[]>`
  select ${columns}
  from passkeys as passkey
  where passkey.user_id = ${user_id}
    ${following(sql`passkey.id`, after)}
  order by passkey.id desc
  limit ${limit}
`

async function descriptorsOf(db: Queryable, user_id: string): Promise<RequestOptions['allowCredentials']> {
  const stored = await db<{ credential_id: Uint8Array; transports: string[] }[]>`
    select credential_id, transports from passkeys where user_id = ${user_id} order by id desc
  `
  return stored.map(({ credential_id, transports }) => ({
    id: Buffer.from(credential_id).toString('base64url'),
    type: 'public-key',
    transports,
  }))
}

export const registrationOf = ({ id, session_id }: SignedIn): Subject => ({ purpose: 'registration', about: [id, session_id] })

export async function creationOptions(db: Queryable, by: SignedIn): Promise<CreationOptions> {
  const [challenge, excludeCredentials] = await Promise.all([
    makeChallenge(db, by.id, registrationOf(by)),
    descriptorsOf(db, by.id),
  ])
  return {
    challenge,
    timeout: TIMEOUT_MS,
    rp: { id: RP_ID, name: 'Signalbox' },
    user: { id: userHandle(by.id), name: by.email, displayName: by.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials,
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

/** @param holder of the open challenges: the user, or a network @param user_id whose passkey it must be; null: any */
export async function requestOptions(
  db: Queryable,
  holder: string,
  subject: Subject,
  user_id: string | null,
): Promise<RequestOptions> {
  const [challenge, allowCredentials] = await Promise.all([
    makeChallenge(db, holder, subject),
    user_id === null ? [] : descriptorsOf(db, user_id),
  ])
  return { challenge, timeout: TIMEOUT_MS, rpId: RP_ID, allowCredentials, userVerification: 'required' }
}

/** @throws Problem `passkey_limit_reached`; `already_exists` if the credential is registered, for whichever account */
export async function addPasskey(tx: Tx, by: SignedIn, name: string, made: VerifiedCredential): Promise<Passkey> {
  // Locked, so that two requests cannot both add the last one.
  await tx`select from users where id = ${by.id} for no key update`
  const [{ count }] = await tx<[{ count: number }]>`select count(*) from passkeys where user_id = ${by.id}`
  if (count >= MAX_PASSKEYS)
    throw new Problem('passkey_limit_reached', `You can have at most ${MAX_PASSKEYS} passkeys. Remove one first.`)
  const passkey = await insertPasskey(tx, by.id, name, made)
  await recordAndMail(tx, by.id, by, 'passkey.added', `The passkey ${name} was added.`)
  return passkey
}

async function insertPasskey(tx: Tx, user_id: string, name: string, made: VerifiedCredential): Promise<Passkey> {
  const { credential_id, public_key, sign_count, transports, backed_up } = made
  try {
    const [passkey] = await tx<[Passkey]>`
      insert into passkeys as passkey (user_id, name, credential_id, public_key, sign_count, transports, backed_up)
      values (${user_id}, ${name}, ${credential_id}, ${public_key}, ${sign_count}, ${transports}::text[], ${backed_up})
      returning ${columns}
    `
    return passkey
  } catch (error) {
    if (violatedConstraint(error) !== 'passkeys_credential') throw error
    throw new Problem('already_exists', 'This passkey is registered already.')
  }
}

/** @throws Problem `not_found`; `second_factor_required` if the caller must keep it */
export async function removePasskey(tx: Tx, by: SignedIn, id: string, request: Request): Promise<null> {
  await prepareRemoval(tx, by.id)
  const [removed] = await tx<{ name: string }[]>`
    delete from passkeys where id = ${id} and user_id = ${by.id} returning name
  `
  if (!removed) throw notFound('passkey')
  requireMatch(request, null)
  await recordAndMail(tx, by.id, by, 'passkey.removed', `The passkey ${removed.name} was removed.`)
  return null
}
