/** Notes when a session or a token was last used: once a minute at the most, and never in the way of a request. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'

const EVERY_MS = 60_000

const noted = new Map<string, number>()

/** Whether this process has not noted it for a minute. */
function isDue(id: string): boolean {
  const now = monotonicMs()
  if (now - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return false
  // In the order of the last note, so that what was used longest ago is forgotten first.
  noted.delete(id)
  noted.set(id, now)
  if (noted.size > 50_000) noted.delete(noted.keys().next().value as string)
  return true
}

/** Notes a use that happens now; other processes may have noted one within the minute. */
export function noteUse(table: 'sessions' | 'personal_tokens', id: string): void {
  if (!isDue(id)) return
  sql`
    update ${sql(table)}
    set last_used_at = now()
    where id = ${id}
      and (last_used_at is null or last_used_at < now() - interval '1 minute')
  `.catch((error) => log.debug({ error }, 'a last use could not be noted'))
}
