/** Keys of service accounts, for machines whose platform cannot vouch for them. */
import { sql } from '../../core/platform/database.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { newServiceAccountKey } from '../credentials/token-formats.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import type { KeyInput, NewServiceAccountKey, ServiceAccountKey } from './schema.ts'
import { lockServiceAccount, recordChange } from './service-accounts.ts'

/** Keys that an account can have. Those that have expired do not count; the next new key deletes them. */
export const MAX_KEYS = 5

const MAX_DAYS = 365

type Account = ResourceKey<'service_account'>

const columns = sql`
  held.id, held.service_account_id, held.name, held.expires_at, held.last_used_at, held.last_used_address, held.created_by,
  actor_of(held.created_by, held.organization_id) as actor, held.created_at
`

export function listKeys(db: Queryable, account: Account, { limit, after }: Slice) {
  return db<ServiceAccountKey[]>`
    select ${columns}
    from service_account_keys as held
    where held.service_account_id = ${account.id} and held.organization_id = ${account.organization_id}
      ${following(sql`held.id`, after)}
    order by held.id desc
    limit ${limit}
  `
}

/** @throws Problem 422 at `/expires_at` */
async function checkExpiry(tx: Tx, expires_at: string): Promise<void> {
  const [{ is_past, is_late }] = await tx<[{ is_past: boolean; is_late: boolean }]>`
    select
      ${expires_at}::timestamptz <= now() as is_past,
      ${expires_at}::timestamptz - now()::timestamptz(3) > ${MAX_DAYS} * interval '1 day' as is_late
  `
  if (is_past) throw invalidField('/expires_at', 'too_small', 'must be in the future')
  if (is_late) throw invalidField('/expires_at', 'too_large', `must be at most ${MAX_DAYS} days from now`)
}

/** Creates a key. @throws Problem `not_found`, `key_limit_reached`; 422 for its expiry */
export async function createKey(tx: Tx, by: Caller, account: Account, input: KeyInput): Promise<NewServiceAccountKey> {
  const { id, organization_id } = account
  // Locked, so that two requests at once cannot both create the last key.
  const of = await lockServiceAccount(tx, account)
  const { name, expires_at } = input
  await checkExpiry(tx, expires_at)
  await tx`
    delete from service_account_keys
    where service_account_id = ${id}
      and organization_id = ${organization_id}
      and expires_at <= now()
  `
  const [{ count }] = await tx<[{ count: number }]>`
    select count(*) from service_account_keys where service_account_id = ${id} and organization_id = ${organization_id}
  `
  if (count >= MAX_KEYS)
    throw new Problem('key_limit_reached', `A service account can have at most ${MAX_KEYS} keys. Revoke one first.`)
  const key = newServiceAccountKey(organization_id)
  const [created] = await tx<[ServiceAccountKey]>`
    insert into service_account_keys as held (organization_id, service_account_id, name, hash, expires_at, created_by)
    values (${organization_id}, ${id}, ${name}, ${tokenHash(key)}, ${expires_at}, ${by.id})
    returning ${columns}
  `
  const what = `created the key ${name} of the service account ${of.name}, which expires at ${created.expires_at}.`
  await recordChange(tx, by, of, 'service_account_key.created', created.id, what)
  return { ...created, key }
}

/** Revokes a key. It stops working at once. @throws Problem `not_found` */
export async function revokeKey(tx: Tx, by: Caller, account: Account, key_id: string, request: Request): Promise<null> {
  const of = await lockServiceAccount(tx, account)
  const [revoked] = await tx<{ name: string }[]>`
    delete from service_account_keys
    where id = ${key_id}
      and service_account_id = ${account.id}
      and organization_id = ${account.organization_id}
    returning name
  `
  if (!revoked) throw notFound('key')
  requireMatch(request, null)
  const what = `revoked the key ${revoked.name} of the service account ${of.name}.`
  await recordChange(tx, by, of, 'service_account_key.revoked', key_id.toLowerCase(), what)
  return null
}
