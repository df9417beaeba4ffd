/** Announces to open pages that something in a scope has changed. */
import type { Queryable } from '../sql/index.ts'
import { afterCommit } from '../sql/transaction.ts'
import { sql } from './platform/database.ts'
import { log } from './platform/log.ts'
import type { Scope } from './scopes.ts'

/** The NOTIFY channel with the scopes in which something has changed, after the time. Every API process listens on it. */
export const CHANGES_CHANNEL = 'signalbox_changes'

/** Changes within this time share one notification. */
const COALESCE_MS = 100
/** Paths per NOTIFY, whose payload is limited to 8,000 bytes. */
const PATHS_PER_NOTIFY = 70

/** A scope as one word, its path: the ids of the organization, and of the workspace and the project, if it is in one. */
export const scopePath = ({ organization_id, workspace_id, project_id }: Scope): string =>
  [organization_id, workspace_id, project_id].filter((id) => id !== null).join('/')

export const userPath = (user_id: string): string => `user/${user_id}`

const changed = new Set<string>()
let announcing = false
let announced = Promise.resolve()

/**
 * In a statement of its own, as NOTIFY takes a lock that is held until the commit. If an announcement is lost in a crash, pages show the
 * change with the next one.
 */
async function announce(): Promise<void> {
  announcing = true
  try {
    while (changed.size > 0) {
      await Bun.sleep(COALESCE_MS)
      const paths = [...changed].slice(0, PATHS_PER_NOTIFY)
      for (const path of paths) changed.delete(path)
      await sql`
        select pg_notify(${CHANGES_CHANNEL}, ${[Date.now(), ...paths].join(' ')})
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
export function announceChange(db: Queryable, ...paths: string[]): void {
  if (paths.length === 0) return
  const add = () => {
    for (const path of paths) changed.add(path)
    if (!announcing) announced = announce()
  }
  if (!afterCommit(db, add)) add()
}

/** Resolves when the changes so far are announced. Never rejects. A process that stops waits for this before it closes its connections. */
export const changesAnnounced = (): Promise<void> => announced
