/**
 * Confirms the access of a caller a second time, inside the transaction of their change. The access checks run before the
 * transaction; a change may then wait for a lock while its caller is removed, and must not count any more.
 */
import { sql, transaction } from '../../core/platform/database.ts'
import { type Queryable, type Tx, violatedConstraint } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { notFound, Problem, secondFactorMissing } from '../problems.ts'
import type { Caller } from './request-context.ts'
import type { Resource } from './resources.ts'
import { admittingScopes, type NeededScopes } from './scopes.ts'

/** What a request was admitted with: its caller, and the resource with the role that it requires. */
interface Access {
  caller: Pick<Caller, 'id' | 'session_id' | 'token_id' | 'bound_to' | 'service_account'> | null
  resource: Pick<Resource, 'organization_id' | 'workspace_id' | 'project_id'> | null
  required_role: Resource['role'] | null
  /** Of which a service account needs one. */
  scopes?: NeededScopes
  /** Whether an owner is admitted without the sign-on that the organization requires. The change requires their role itself. */
  breaksGlass?: boolean
}

const REFUSALS: Record<string, () => Problem> = {
  caller_is_member: () => notFound('resource'),
  caller_has_role: () =>
    new Problem('forbidden', 'Your role was lowered while this request was waiting, and is too low now. Nothing was changed.'),
  caller_has_second_factor: secondFactorMissing,
  caller_has_signed_on: () =>
    new Problem(
      'sso_required',
      'Your sign-on has expired, or is required now, since this request began. Nothing was changed. Sign in with the provider of the organization.',
    ),
  caller_is_signed_in: () =>
    unauthenticated(
      'The session ended, or the token was revoked, while this request was waiting. Nothing was changed. Sign in again.',
    ),
  service_account_is_signed_in: () =>
    unauthenticated(
      'The service account was disabled or deleted, or its key or trust removed, while this request was waiting. Nothing was changed.',
    ),
  service_account_has_scope: () =>
    new Problem(
      'insufficient_scope',
      'The scope was removed from the service account while this request was waiting. Nothing was changed.',
    ),
}

const unconfirmed = new WeakMap<Tx, Access>()

function confirmation(db: Queryable, { caller, breaksGlass = false, required_role, scopes = null, ...access }: Access) {
  const resource = breaksGlass ? null : access.resource
  const account = caller?.service_account
  if (account) {
    return db`
      select confirm_service_account(
        ${caller.id}, ${account.key_id}, ${account.trust_id}, ${caller.bound_to},
        ${resource?.workspace_id ?? null}, ${resource?.project_id ?? null}, ${admittingScopes(account, scopes)}
      )
    `
  }
  return db`
    select confirm_access(
      ${caller?.id ?? null}, ${caller?.session_id ?? null}, ${caller?.token_id ?? null},
      ${resource?.organization_id ?? null}, ${resource?.workspace_id ?? null}, ${required_role}
    )
  `
}

/**
 * Confirms the access of the caller now, instead of before the commit. For changes that may end the caller's own access: they call
 * it when they hold their locks.
 *
 * @param required_role the role that this change requires, if it differs from its route's
 */
export async function confirmAccess(tx: Tx, required_role?: Resource['role']): Promise<void> {
  const access = unconfirmed.get(tx)
  if (!access) return
  unconfirmed.delete(tx)
  await confirmation(tx, required_role ? { ...access, required_role } : access)
}

/** The same for a change that requires an admin of the organization of a resource within a workspace. */
export async function confirmInOrganization(tx: Tx): Promise<void> {
  const access = unconfirmed.get(tx)
  if (!access) return
  unconfirmed.delete(tx)
  const resource = access.resource && { ...access.resource, workspace_id: null }
  await confirmation(tx, { ...access, resource, required_role: 'admin' })
}

/** Marks the access as confirmed. For changes whose first statement fails unless the access that it ends is still there. */
export const endsOwnAccess = (tx: Tx): void => void unconfirmed.delete(tx)

/** Throws the problem of a caller who lost their access, if that is what a statement failed with; else the error itself. */
function refuse(error: unknown): never {
  throw REFUSALS[violatedConstraint(error) ?? '']?.() ?? error
}

/**
 * Confirms the access of the caller of a request that has waited, before it is answered, or is sent more of its answer.
 *
 * @throws Problem `unauthenticated`, `not_found` or `forbidden` if the caller lost their access meanwhile
 */
export async function confirmAfterWait(access: Access): Promise<void> {
  if (access.caller) await confirmation(sql, access).catch(refuse)
}

/**
 * Runs a change in one transaction, and confirms the access of its caller in the round trip of the commit.
 *
 * @throws what `work` throws; Problem `unauthenticated`, `not_found` or `forbidden` if the caller lost their access meanwhile
 */
export function transactionWith<Result>(access: Access, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  if (!access.caller) return transaction(work)
  return transaction(async (tx) => {
    unconfirmed.set(tx, access)
    const result = await work(tx)
    if (unconfirmed.has(tx)) await pipeline(tx, confirmation(tx, access))
    return result
  }).catch(refuse)
}
