/** People at a provider who wait to be connected with the account of a session: for that session alone, and for ten minutes. */
import { config } from '../../core/platform/config.ts'
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import type { Connection } from './connections.ts'
import { lockSubject, signOnOf } from './identities.ts'
import { connectToInstance } from './instance-sign-on.ts'
import { connectToOrganization, isOwn } from './organization-sign-on.ts'
import { type Person, requireClaims } from './people.ts'
import { proveIn } from './sign-in.ts'

/** For the provider of the whole instance, in place of an organization. */
const tenantOf = ({ organization_id }: Connection): string => organization_id ?? INSTANCE

export async function keepNewcomer(tx: Tx, connection: Connection, person: Person, { session_id }: SignedIn, next: string) {
  const text = JSON.stringify(person)
  await tx`
    insert into sso_newcomers (organization_id, session_id, connection_id, person, next, expires_at)
    values (${tenantOf(connection)}, ${session_id}, ${connection.id}, ${text}, ${next}, now() + interval '10 minutes')
    on conflict (session_id, organization_id) do update
      set connection_id = excluded.connection_id,
        person = excluded.person,
        next = excluded.next,
        expires_at = excluded.expires_at
  `
}

interface Kept {
  person: string
  next: string
}

function keptIn([found]: Kept[]): { person: Person; next: string } {
  if (!found) throw new Problem('link_expired', 'This was used, or is older than 10 minutes. Sign in with the provider again.')
  return { person: JSON.parse(found.person), next: found.next }
}

/** @throws Problem `link_expired` */
export const findNewcomer = async (db: Queryable, connection: Connection, { session_id }: SignedIn) =>
  keptIn(
    await db<Kept[]>`
      select person, next
      from sso_newcomers
      where organization_id = ${tenantOf(connection)}
        and session_id = ${session_id}
        and connection_id = ${connection.id}
        and expires_at > now()
    `,
  )

/** What is linked to an account that never proved its address would stay when its owner proves it. */
async function requireProven(tx: Tx, { id }: SignedIn): Promise<void> {
  const [proven] = await tx`select from users where id = ${id} and (email_verified or ${config.EMAIL_VERIFICATION === 'off'})`
  if (!proven)
    throw new Problem('address_not_verified', 'Verify the address of your account first: open the link that was mailed to it.')
}

/**
 * Links the person who waits to the account of the caller, who has proved that it is theirs.
 *
 * @returns the path to go to
 * @throws Problem `link_expired`, `address_not_verified`, `sso_identity_conflict`, `sso_not_allowed`, `member_limit_reached`
 */
export async function connect(tx: Tx, connection: Connection, by: SignedIn): Promise<string> {
  const taken = await tx<Kept[]>`
    delete from sso_newcomers
    where organization_id = ${tenantOf(connection)}
      and session_id = ${by.session_id}
      and connection_id = ${connection.id}
      and expires_at > now()
    returning person, next
  `
  const { person, next } = keptIn(taken)
  requireClaims(connection, person)
  await requireProven(tx, by)
  await lockSubject(tx, connection, person)
  const identity = isOwn(connection)
    ? await connectToOrganization(tx, connection, person, by)
    : await connectToInstance(tx, connection, person, by)
  await proveIn(tx, by, signOnOf(connection, identity, person), false)
  return next
}
