/** Records when a session, a token or a service account was last used: at most once a minute, and without delaying the request. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Caller } from './request-context.ts'
import type { ServiceAccess } from './scopes.ts'

const INTERVAL_MS = 60_000

/** Makes what tells whether something has not happened in this process in the last minute. @param most things that are remembered */
export function onceAMinute(most: number): (key: string) => boolean {
  const last = new Map<string, number>()
  return (key) => {
    const now = monotonicMs()
    if (now - (last.get(key) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS) return false
    // Reinserted, so that the map is ordered by time and the oldest entry is evicted first.
    last.delete(key)
    last.set(key, now)
    if (last.size > most) last.delete(last.keys().next().value as string)
    return true
  }
}

const isDue = onceAMinute(50_000)

/** Records a use in the background. The statement does nothing if another process recorded one within the minute. */
export function recordUse(table: 'sessions' | 'personal_tokens', id: string): void {
  if (!isDue(id)) return
  sql`
    update ${sql(table)}
    set last_used_at = now()
    where id = ${id}
      and (last_used_at is null or last_used_at < now() - interval '1 minute')
  `.catch((error) => log.debug({ error }, 'could not record the last use'))
}

/** Records where a service account was used from, and the key that it was used with. */
export function recordAccountUse(
  { id, bound_to, ip_address }: Pick<Caller, 'id' | 'bound_to' | 'ip_address'>,
  { key_id }: Pick<ServiceAccess, 'key_id'>,
): void {
  const recordAddress = (table: 'service_accounts' | 'service_account_keys', row: string) => {
    if (!isDue(row)) return
    sql`
      update ${sql(table)}
      set last_used_at = now(), last_used_address = ${ip_address}
      where id = ${row}
        and organization_id = ${bound_to}
        and (last_used_at is null or last_used_at < now() - interval '1 minute')
    `.catch((error) => log.debug({ error }, 'could not record the last use'))
  }
  recordAddress('service_accounts', id)
  if (key_id !== null) recordAddress('service_account_keys', key_id)
}
