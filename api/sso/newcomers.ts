/** People at a provider who wait to be connected with the account of a session: for that session alone, and for ten minutes. */
import { sql } from '../../core/platform/database.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { link, lockSubject, recordLinked, signOnOf } from './identities.ts'
import { admitMember, type OwnConnection } from './organization-sign-on.ts'
import type { Person } from './people.ts'
import { proveIn } from './sign-in.ts'

interface Newcomer {
  issuer: string
  subject: string
  email: string | null
  name: string
  groups: string[]
  may_join: boolean
  authenticated_at: number | null
  next: string
}

export async function keepNewcomer(
  tx: Tx,
  { id }: OwnConnection,
  { issuer, subject, email, name, authenticated_at }: Person,
  { session_id }: SignedIn,
  { groups, may_join, next }: Pick<Newcomer, 'groups' | 'may_join' | 'next'>,
): Promise<void> {
  await tx`delete from sso_newcomers where session_id = ${session_id}`
  await tx`
    insert into sso_newcomers (
      session_id, connection_id, issuer, subject, email, name, groups, may_join, authenticated_at, next, expires_at
    )
    values (
      ${session_id}, ${id}, ${issuer}, ${subject}, ${email}, ${name}, ${tx.json(groups)}, ${may_join}, ${authenticated_at},
      ${next}, now() + interval '10 minutes'
    )
  `
}

const expired = (): Problem =>
  new Problem('link_expired', 'This was used, or is older than 10 minutes. Sign in with the provider again.')

const columns = sql`issuer, subject, email, name, groups, may_join, authenticated_at, next`

/** @throws Problem `link_expired` */
export async function findNewcomer(db: Queryable, { id }: OwnConnection, { session_id }: SignedIn): Promise<Newcomer> {
  const [found] = await db<Newcomer[]>`
    select ${columns} from sso_newcomers where session_id = ${session_id} and connection_id = ${id} and expires_at > now()
  `
  if (!found) throw expired()
  return found
}

/**
 * Links the person who waits to the account of the caller, who has proved that it is theirs.
 *
 * @returns the path to go to
 * @throws Problem `link_expired`, `sso_identity_conflict`, `sso_not_allowed`, `member_limit_reached`
 */
export async function connect(tx: Tx, connection: OwnConnection, by: SignedIn): Promise<string> {
  const [found] = await tx<Newcomer[]>`
    delete from sso_newcomers
    where session_id = ${by.session_id} and connection_id = ${connection.id} and expires_at > now()
    returning ${columns}
  `
  if (!found) throw expired()
  const { groups, may_join, next, ...rest } = found
  const person: Person = { ...rest, email_verified: false, claims: { sub: found.subject } }
  await lockSubject(tx, connection, person)
  await admitMember(tx, connection, by.id, groups, may_join)
  const identity = await link(tx, connection, person, by.id, by)
  await recordLinked(tx, connection, identity, by.name)
  await proveIn(tx, by, signOnOf(connection, identity, person))
  return next
}
