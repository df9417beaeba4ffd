import { type NotificationType, notificationTypes } from '../../core/notifications/types.ts'
import { sql } from '../../core/platform/database.ts'
import { readUnsubscribeToken } from '../../core/security/mail-tokens.ts'
import type { Fragment, Queryable, Tx } from '../../sql/index.ts'
import { changedFields } from '../audit-logs/changes.ts'
import type { Caller } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField } from '../problems.ts'
import type { Preferences, PreferencesInput } from './schema.ts'

/** The types in a list, in the order of the catalogue, and those that were added after the preferences were saved. */
const withNewer = (list: Fragment) => sql`
  array(
    select type
    from unnest(${notificationTypes}::text[]) with ordinality as catalogue (type, position)
    where preferences.user_id is null
      or type = any(${list})
      or type <> all(preferences.known_types)
    order by position
  )
`
const types = withNewer(sql`preferences.types`)
const emailTypes = withNewer(sql`preferences.email_types`)

/** Preferences with their defaults: e-mail on, desktop off, all types in both lists. */
const preferenceColumns = sql`
  coalesce(preferences.email_enabled, true) as email_enabled,
  coalesce(preferences.desktop_enabled, false) as desktop_enabled,
  ${types} as types,
  ${emailTypes} as email_types,
  coalesce(preferences.updated_at, users.created_at) as updated_at
`

/** A user's preferences. Default preferences have the version of the account. */
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
  insert into notification_preferences (user_id, email_enabled, desktop_enabled, types, email_types, updated_at, known_types)
  select users.id, ${preferenceColumns}, ${notificationTypes}::text[]
  from users
  left join notification_preferences as preferences on false
  where users.id = ${user_id}
  on conflict (user_id) do nothing
`

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
  const { types, email_types } = before
  const saved = { types, email_types, ...changed, known_types: notificationTypes }
  await tx`update notification_preferences set ${tx(saved)} where user_id = ${by.id}`
  return getPreferences(tx, by.id)
}

/**
 * Stops the mails of one type, with the token of a link in a mail. Idempotent.
 * @returns the type
 * @throws Problem 422 if the token is invalid, or its user was deleted
 */
export async function unsubscribe(tx: Tx, token: string): Promise<{ type: NotificationType }> {
  const claims = readUnsubscribeToken(token)
  const [user] = claims ? await tx`select from users where id = ${claims.user_id} for key share` : []
  if (!claims || !user) throw invalidField('/token', 'invalid_token', 'is invalid; use the link in the mail as it is')
  await ensureRow(tx, claims.user_id)
  await tx`
    update notification_preferences as preferences
    set types       = ${types},
        email_types = array_remove(${emailTypes}, ${claims.type}),
        known_types = ${notificationTypes}::text[]
    where user_id = ${claims.user_id} and ${claims.type} = any(${emailTypes})
  `
  return { type: claims.type }
}
