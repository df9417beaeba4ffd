/**
 * Sign-ons that a browser has started. What the answer of the provider must match is in a cookie of each, encrypted: no other browser can
 * answer it, and this one cannot read or change it. A sign-on is answered once.
 */
import { createHash } from 'node:crypto'
import { Compile } from 'typebox/compile'
import { epochSeconds } from '../../core/platform/clock.ts'
import { transaction } from '../../core/platform/database.ts'
import { decrypt, encrypt } from '../../core/security/secrets.ts'
import { newToken } from '../../core/security/tokens.ts'
import { Nullable, Shape, type Static, Type } from '../../core/values/schema.ts'
import { SIGN_ON_SECONDS, signOnCookie, signOnIn, signOnsIn } from '../pages/cookies.ts'
import { type Connection, callbackUrl } from './connections.ts'
import type { Provider } from './provider.ts'
import { RefusedSignOn } from './refusals.ts'

const Start = Shape({
  purpose: Type.Literal('sign-on'),
  connection_id: Type.String(),
  issuer: Type.String(),
  state: Type.String(),
  nonce: Type.String(),
  code_verifier: Type.String(),
  next: Type.String(),
  /** Null: there was none. */
  session_id: Nullable(Type.String()),
  /** Whether the provider was asked to make the person prove who they are. */
  fresh: Type.Boolean(),
  expires: Type.Integer(),
})
export type Start = Static<typeof Start>

const START = Compile(Start)

/** The name of the cookie: a browser may start several at once. */
const idOf = (state: string): string => state.slice(0, 16)

const MAX_STARTS = 5
/** Browsers keep no cookie of more than 4 KB. */
const MAX_NEXT = 2_000

interface Started {
  /** Where the browser goes. */
  to: string
  cookies: string[]
}

export async function start(
  request: Request,
  connection: Connection,
  provider: Provider,
  { next, session_id, fresh }: Pick<Start, 'next' | 'session_id' | 'fresh'>,
): Promise<Started> {
  const [state, nonce, code_verifier] = [newToken(), newToken(), newToken()]
  const { id: connection_id, issuer, client_id, scopes } = connection
  const expires = epochSeconds() + SIGN_ON_SECONDS
  const started: Start = {
    purpose: 'sign-on',
    ...{ connection_id, issuer, state, nonce, code_verifier, session_id, fresh, expires },
    next: next.length > MAX_NEXT ? '/app' : next,
  }
  const url = new URL(provider.authorization_endpoint)
  const parameters = {
    response_type: 'code',
    client_id,
    redirect_uri: callbackUrl(connection),
    scope: scopes,
    state,
    nonce,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(fresh ? { max_age: '0' } : {}),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const cookie = Buffer.from(await encrypt(JSON.stringify(started))).toString('base64url')
  const former = signOnsIn(request)
  const given_up = former.length >= MAX_STARTS ? former.map((id) => signOnCookie(id, null)) : []
  return { to: url.href, cookies: [...given_up, signOnCookie(idOf(state), cookie)] }
}

async function startOf(cookie: string): Promise<Start | null> {
  try {
    const text = await decrypt(Buffer.from(cookie, 'base64url'))
    const value: unknown = JSON.parse(text)
    return START.Check(value) ? value : null
  } catch {
    return null
  }
}

/** Removes the cookie of a sign-on. */
export const forgetStart = (state: string): string => signOnCookie(idOf(state), null)

/**
 * The sign-on of this browser that an answer is for. It is used up, whatever comes of it.
 *
 * @throws RefusedSignOn
 */
export async function takeStart(request: Request, { id, issuer }: Connection, state: string): Promise<Start> {
  const cookie = /^[\w-]{43}$/.test(state) ? signOnIn(request, idOf(state)) : null
  const started = cookie && (await startOf(cookie))
  if (!started || started.state !== state || started.connection_id !== id || started.issuer !== issuer)
    throw new RefusedSignOn('This browser has not started this sign-in, or more than 10 minutes ago.')
  if (started.expires <= epochSeconds()) throw new RefusedSignOn('The sign-in was started more than 10 minutes ago.')
  const used = await transaction(
    (tx) => tx`
      insert into sso_used_states (hash, expires_at)
      values (${createHash('sha256').update(state).digest()}, to_timestamp(${started.expires}))
      on conflict (hash) do nothing
    `,
  )
  if (used.count === 0) throw new RefusedSignOn('The answer of the provider was used before.')
  return started
}
