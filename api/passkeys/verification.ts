/** Verifies what authenticators answer (WebAuthn). */
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers'
import { config } from '../../core/platform/config.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable } from '../../sql/index.ts'
import { Problem } from '../problems.ts'
import { type Subject, useChallenge } from './challenges.ts'
import type { Assertion, NewCredential } from './fields.ts'

const { origin, hostname } = new URL(config.PUBLIC_URL)

/** The RP id: passkeys belong to the host of `PUBLIC_URL`. */
export const RP_ID = hostname

/** EdDSA, ES256 and RS256, as COSE numbers them. */
export const ALGORITHMS = [-8, -7, -257]

/** The id of a user for authenticators, which never show it. */
export const userHandle = (user_id: string): string => Buffer.from(user_id.replaceAll('-', ''), 'hex').toString('base64url')

const refused = (why: string): Problem =>
  new Problem('passkey_invalid', `The passkey was refused: ${why}. Ask for new options, and try again.`)

const NOT_ASKED = 'its challenge was answered before, is older than 5 minutes, or was made for something else'
const COPIED = 'its signature counter has fallen back, so that there may be a copy of it'
const NOT_VALID = 'the signature, the origin or the user verification is not as it must be'

const parsed = (clientDataJSON: string) => JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))

function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = parsed(clientDataJSON)
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** Whether the page was embedded in one of another origin, which ours forbid. The library looks at this only if the browser names that one. */
const isEmbedded = ({ clientDataJSON }: { clientDataJSON: string }): boolean => parsed(clientDataJSON).crossOrigin === true

/** What the library requires of a credential, and some who send one leave out. */
const plain = ({ id, rawId }: Pick<Assertion, 'id' | 'rawId'>) => ({
  id,
  rawId: rawId || id,
  type: 'public-key',
  clientExtensionResults: {},
})

const expected = (challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: RP_ID,
  requireUserVerification: true,
})

interface StoredPasskey {
  id: string
  user_id: string
  name: string
  public_key: Uint8Array<ArrayBuffer>
}

interface Signed {
  sign_count: number
  backed_up: boolean
}

async function verified(assertion: Assertion, challenge: string, { public_key }: StoredPasskey): Promise<Signed | null> {
  try {
    if (isEmbedded(assertion.response)) return null
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, ...plain(assertion) } as never,
      ...expected(challenge),
      // The counter is compared where it is stored.
      credential: { id: assertion.id, publicKey: public_key, counter: 0 },
    })
    const { newCounter, credentialBackedUp } = authenticationInfo
    return verified ? { sign_count: newCounter, backed_up: credentialBackedUp } : null
  } catch {
    return null
  }
}

export interface UsedPasskey {
  id: string
  user_id: string
}

/**
 * Verifies an assertion. Its challenge is used up and its counter stored whatever the outcome of the request, so this is not part of the
 * transaction of a change but comes before it.
 *
 * @param db a pool
 * @param user_id whose passkey it must be; null: of anyone, which the passkey then says
 * @throws Problem `passkey_invalid`
 */
export async function verifyAssertion(
  db: Queryable,
  assertion: Assertion,
  subject: Subject,
  user_id: string | null,
  visitor: Visitor,
): Promise<UsedPasskey> {
  const challenge = challengeIn(assertion.response.clientDataJSON)
  const [isAsked, [passkey]] = await Promise.all([
    useChallenge(db, challenge, subject),
    db<StoredPasskey[]>`
      select passkey.id, passkey.user_id, passkey.name, passkey.public_key
      from passkeys as passkey
      join users on users.id = passkey.user_id
      where passkey.credential_id = ${Buffer.from(assertion.id, 'base64url')}
        and users.deleted_at is null
    `,
  ])
  if (!passkey || (user_id !== null && user_id !== passkey.user_id)) throw refused('it is not registered for this account')
  const refuse = async (why: string): Promise<Problem> => {
    await recordSecurityEvent(db, passkey.user_id, visitor, 'passkey.refused', `The passkey ${passkey.name} was refused: ${why}.`)
    return refused(why)
  }
  if (!isAsked) throw await refuse(NOT_ASKED)
  const handle = assertion.response.userHandle || null
  // Without an account that is known, only the authenticator says whose it is.
  const isTheirs = handle === null ? user_id !== null : handle === userHandle(passkey.user_id)
  const signed = isTheirs ? await verified(assertion, challenge, passkey) : null
  if (!signed) throw await refuse(NOT_VALID)
  if (!(await storeUse(db, passkey, signed))) throw await refuse(COPIED)
  return { id: passkey.id, user_id: passkey.user_id }
}

/** Stores the use of a passkey. @returns whether its counter has not fallen back */
async function storeUse(db: Queryable, { id }: StoredPasskey, { sign_count, backed_up }: Signed): Promise<boolean> {
  const used = await db`
    update passkeys
    set sign_count = ${sign_count}, backed_up = ${backed_up}, last_used_at = now()
    where id = ${id}
      and (sign_count < ${sign_count} or (sign_count = 0 and ${sign_count} = 0))
  `
  return used.count > 0
}

export interface VerifiedCredential extends Signed {
  credential_id: Uint8Array
  public_key: Uint8Array
  transports: string[]
}

/** None is requested, and the library would fetch what the certificates of one name, from wherever they say. */
function withoutAttestation(attestationObject: string): string {
  const authData = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData')
  const bare = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  return Buffer.from(isoCBOR.encode(bare as never)).toString('base64url')
}

async function verifiedCredential({ response, ...credential }: NewCredential, challenge: string) {
  try {
    if (isEmbedded(response)) return null
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...plain(credential),
        response: { clientDataJSON: response.clientDataJSON, attestationObject: withoutAttestation(response.attestationObject) },
      } as never,
      ...expected(challenge),
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!registrationInfo || registrationInfo.credential.id !== credential.id) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return {
      credential_id: Buffer.from(id, 'base64url'),
      public_key: publicKey,
      sign_count: counter,
      transports: response.transports ?? [],
      backed_up: registrationInfo.credentialBackedUp,
    }
  } catch {
    return null
  }
}

/** Verifies a new credential. Its challenge is used up, as with `verifyAssertion`. @throws Problem `passkey_invalid` */
export async function verifyCredential(db: Queryable, credential: NewCredential, subject: Subject): Promise<VerifiedCredential> {
  const challenge = challengeIn(credential.response.clientDataJSON)
  if (!(await useChallenge(db, challenge, subject))) throw refused(NOT_ASKED)
  const made = await verifiedCredential(credential, challenge)
  if (!made) throw refused(NOT_VALID)
  return made
}
