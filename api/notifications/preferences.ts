import { type NotificationType, notificationTypes } from '../../core/notifications/types.ts'
import { sql } from '../../core/platform/database.ts'
import { readUnsubscribeToken } from '../../core/security/unsubscribe-token.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { changedFields } from '../audit-logs/changes.ts'
import type { Caller } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField } from '../problems.ts'
import type { Preferences, PreferencesInput } from './schema.ts'

/** Preferences with their defaults: e-mail on, desktop off, all types in both lists. */
const preferenceColumns = sql`
  coalesce(preferences.email_enabled, true) as email_enabled,
  coalesce(preferences.desktop_enabled, false) as desktop_enabled,
  coalesce(preferences.types, ${notificationTypes}::text[]) as types,
  coalesce(preferences.email_types, ${notificationTypes}::text[]) as email_types,
  coalesce(preferences.updated_at, users.created_at) as updated_at
`

/** A user's preferences. The version of default preferences is that of the account. */
export async function getPreferences(db: Queryable, user_id: string): Promise<Preferences> {
  const [preferences] = await db<Preferences[]>`
    select ${preferenceColumns}
    from users
    left join notification_preferences as preferences on preferences.user_id = users.id
    where users.id = ${user_id}
  `
  if (!preferences) throw new Error(`User ${user_id} does not exist`)
  return preferences
}

/** Each type once, in the order of the catalogue. */
const inCatalogueOrder = (given: readonly string[]): string[] => notificationTypes.filter((type) => given.includes(type))

/** Inserts the defaults if the user has no preferences yet, so that there is a row to lock and change. */
const ensureRow = (tx: Tx, user_id: string) => tx`
  insert into notification_preferences (user_id, email_enabled, desktop_enabled, types, email_types, updated_at)
  select users.id, ${preferenceColumns}
  from users
  left join notification_preferences as preferences on false
  where users.id = ${user_id}
  on conflict (user_id) do nothing
`

/** Updates the preferences that differ. */
export async function updatePreferences(tx: Tx, by: Caller, input: PreferencesInput, request: Request): Promise<Preferences> {
  await ensureRow(tx, by.id)
  await tx`select from notification_preferences where user_id = ${by.id} for no key update`
  const before = await getPreferences(tx, by.id)
  requireMatch(request, before.updated_at)
  const changed = changedFields(before, {
    ...input,
    ...(input.types && { types: inCatalogueOrder(input.types) }),
    ...(input.email_types && { email_types: inCatalogueOrder(input.email_types) }),
  })
  if (!changed) return before
  await tx`update notification_preferences set ${tx(changed)} where user_id = ${by.id}`
  return getPreferences(tx, by.id)
}

/**
 * Stops the mails of one type, with the token of a link in a mail. Idempotent.
 *
 * @returns the type
 * @throws Problem 422 if the token is invalid, or its user was deleted
 */
export async function unsubscribe(tx: Tx, token: string): Promise<{ type: NotificationType }> {
  const claims = readUnsubscribeToken(token)
  const [user] = claims ? await tx`select from users where id = ${claims.user_id} for key share` : []
  if (!claims || !user) throw invalidField('/token', 'invalid_token', 'is invalid; use the link in the mail as it is')
  await ensureRow(tx, claims.user_id)
  await tx`
    update notification_preferences
    set email_types = array_remove(email_types, ${claims.type})
    where user_id = ${claims.user_id}
      and ${claims.type} = any(email_types)
  `
  return { type: claims.type }
}
