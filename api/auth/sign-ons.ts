/** Sign-ons: an OpenID provider has said who a person is. What that gives their session. */
import type { Queryable, Tx } from '../../sql/index.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { isSignOnOnly } from '../credentials/own-sign-in.ts'

/** A sign-on with a linked identity. */
export interface SignOn {
  connection_id: string
  identity_id: string
  /** What people call the provider. */
  provider: string
  /** How long it proves who the person is. */
  seconds: number
  /** When the provider made the person prove who they are, in seconds since 1970; null if it did not say. */
  authenticated_at: number | null
}

/** A sign-on that waits for the second factor of an account. Until then, nothing is changed by it. */
export interface WaitingSignOn {
  connection_id: string
  /** What people call the provider. */
  provider: string
  /** What the provider said of the person, for `api/sso`. */
  person: unknown
}

/**
 * Gives a session the proof of a sign-on. If the same connection opened it, that is renewed, and the person has proved who they are: another
 * provider, which a tenant may run, says that only to its organization.
 *
 * @param renews whether the provider may open sessions of the account
 * @throws Problem `unauthenticated` if the person was unlinked meanwhile
 */
export async function recordSignOn(tx: Tx, session_id: string, signOn: SignOn, renews: boolean): Promise<void> {
  const { connection_id, identity_id, seconds, authenticated_at } = signOn
  const until = tx`now() + ${seconds} * interval '1 second'`
  // First: what unlinks the person waits, and then ends what this gives.
  const linked = await tx`update sso_identities set proven_until = ${until} where id = ${identity_id}`
  if (linked.count === 0) throw unauthenticated('Your account at the provider was unlinked meanwhile. Sign in again.')
  await tx`
    update sessions
    set authenticated_at = to_timestamp(${authenticated_at}::double precision),
      signed_on_at = now(),
      expires_at = ${until}
    where id = ${session_id}
      -- Not an equality: while sessions are few, PostgreSQL may read all that the connection has opened, and keep the plan.
      and opened_by is not distinct from ${connection_id}
      and ${renews}
  `
  await tx`
    insert into sso_proofs (session_id, connection_id, expires_at)
    values (${session_id}, ${connection_id}, ${until})
    on conflict (session_id, connection_id) do update
      set expires_at = excluded.expires_at
  `
}

/** Ends what the sign-ons of a user with a connection gave: proofs, and the sessions that they opened. @param except a session that stays */
export async function endSignOns(tx: Tx, user_id: string, connection_id: string, except: string | null): Promise<void> {
  await tx`
    delete from sso_proofs as proof
    using sessions as session
    where session.id = proof.session_id
      and session.user_id = ${user_id}
      and proof.connection_id = ${connection_id}
  `
  await tx`
    update sessions
    set ended_at = now()
    where user_id = ${user_id}
      and opened_by = ${connection_id}
      and ended_at is null
      and id is distinct from ${except}::uuid
  `
}

/** Records that the person of a session has confirmed that it is they. */
export const recordConfirmation = (tx: Tx, { session_id }: { session_id: string }) =>
  tx`update sessions set confirmed_at = now() where id = ${session_id}`

/**
 * Whether a session began within 10 minutes, or its person has confirmed since that it is they. Exchanging a refresh token does not count. That
 * a provider has recognized the browser proves nothing: of accounts without a password its `auth_time` counts, or a second factor or, without
 * both, the sign-on itself.
 */
export async function hasRecentProof(db: Queryable, session_id: string): Promise<boolean> {
  const rows = await db`
    select
    from sessions as session
    join users on users.id = session.user_id
    where session.id = ${session_id}
      and (
        session.opened_by is null and session.created_at > now() - interval '10 minutes'
        or session.confirmed_at > now() - interval '10 minutes'
        or (
          (users.password_hash is null or ${isSignOnOnly})
          and coalesce(
            session.authenticated_at, case when users.second_factors = 0 then session.signed_on_at end
          ) > now() - interval '10 minutes'
        )
      )
  `
  return rows.length > 0
}
