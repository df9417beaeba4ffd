/** Finds resources for callers who were authenticated before: what they may see now. */
import { sql } from '../../core/platform/database.ts'
import { bySession, type Credential, type FoundCaller, findCaller } from './callers.ts'
import type { Caller } from './request-context.ts'
import { KINDS, type Kind } from './resources.ts'
import { findByClaims } from './service-account-access.ts'

const byTokenId = (token_id: string) => sql`
  select user_id, null::uuid as session_id, id as token_id, scope, organization_id as bound_to, null::uuid as opened_by
  from personal_tokens
  where id = ${token_id}
    and (expires_at is null or expires_at > now())
`

function byKnownCaller({ id, session_id, token_id, bound_to }: Caller): Credential {
  if (session_id !== null) return bySession({ user_id: id, session_id })
  if (token_id !== null) return byTokenId(token_id)
  return sql`
    select
      ${id}::uuid as user_id, null::uuid as session_id, null::uuid as token_id, null as scope, ${bound_to}::uuid as bound_to,
      null::uuid as opened_by
  `
}

/** The last resource in a path that roles apply to: for the path of a member, the organization. */
function resourceInPath(path: string): { kind: Kind; id: string } | null {
  const steps = path.split('/')
  for (let at = steps.length - 2; at > 0; at--) {
    const kind = (Object.keys(KINDS) as Kind[]).find((each) => KINDS[each].collection === steps[at])
    const id = steps[at + 1]
    if (kind && id) return { kind, id }
  }
  return null
}

export const findForCaller = <K extends Kind>(caller: Caller, kind: K, id: string): Promise<FoundCaller<K> | undefined> =>
  caller.service_account
    ? findByClaims({ ...caller.service_account, account_id: caller.id, organization_id: caller.bound_to ?? '' }, kind, id)
    : findCaller(byKnownCaller(caller), kind, id)

/** Whether a caller may currently see what a path names. Paths without such a resource concern the caller alone. */
export async function canSee(caller: Caller, path: string): Promise<boolean> {
  const named = resourceInPath(path)
  if (!named) return true
  const found = await findForCaller(caller, named.kind, named.id)
  return found !== undefined && found.resource !== null
}
