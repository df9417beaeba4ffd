/** Announces to open pages that something in a scope has changed. */
import type { Queryable } from '../sql/index.ts'
import { afterCommit } from '../sql/transaction.ts'
import { sql } from './platform/database.ts'
import { log } from './platform/log.ts'
import type { Scope } from './scopes.ts'

/** The NOTIFY channel with the places in which something has changed, after the time. Every API process listens on it. */
export const CHANGES_CHANNEL = 'signalbox_changes'

/** Changes within this time share one notification. */
const COALESCE_MS = 100
/** Places per NOTIFY, whose payload is limited to 8,000 bytes. */
const PLACES_PER_NOTIFY = 70

/** A scope as one word: the ids of the organization, and of the workspace and the project, if it is in one. */
export const placeOf = ({ organization_id, workspace_id, project_id }: Scope): string =>
  [organization_id, workspace_id, project_id].filter((id) => id !== null).join('/')

/** What belongs to a user: account, sessions, tokens and inbox. */
export const placeOfUser = (user_id: string): string => `user/${user_id}`

const changed = new Set<string>()
let announcing = false

/**
 * In a statement of its own, as NOTIFY takes a lock that is held until the commit. If an announcement is lost in a crash, pages show the
 * change with the next one.
 */
async function announce(): Promise<void> {
  if (announcing) return
  announcing = true
  try {
    while (changed.size > 0) {
      await Bun.sleep(COALESCE_MS)
      const places = [...changed].slice(0, PLACES_PER_NOTIFY)
      for (const place of places) changed.delete(place)
      await sql`
        select pg_notify(${CHANGES_CHANNEL}, ${[Date.now(), ...places].join(' ')})
        from (select set_config('synchronous_commit', 'off', true) as setting) as fast
        where setting = 'off'
      `
    }
  } catch (error) {
    changed.clear()
    log.warn({ error }, 'could not announce changes to open pages')
  } finally {
    announcing = false
  }
}

/** Announces a change after the commit of the open transaction; at once if there is none. */
export function announceChange(db: Queryable, ...places: string[]): void {
  if (places.length === 0) return
  const add = () => {
    for (const place of places) changed.add(place)
    void announce()
  }
  if (!afterCommit(db, add)) add()
}
