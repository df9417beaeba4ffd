/** How waiting claims of pull hooks are woken. */
import { sql } from '../platform/database.ts'
import { log } from '../platform/log.ts'

/** API processes listen on this channel. A notification has the ids of hooks, separated by spaces. */
export const CLAIMS_CHANNEL = 'signalbox_claims'

/** As many ids as fit into a notification. */
const MAX_IDS = 200

/** Notifies after the commit, in a statement of its own, as `requestDrain` does. If it is lost, waiting claims find the work when they poll. */
export function notifyClaimers(hook_ids: string[]): void {
  const payloads = Array.from({ length: Math.ceil(hook_ids.length / MAX_IDS) }, (_, index) =>
    hook_ids.slice(index * MAX_IDS, (index + 1) * MAX_IDS).join(' '),
  )
  if (payloads.length === 0) return
  sql`select pg_notify(${CLAIMS_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.catch((error: unknown) =>
    log.warn({ error }, 'could not wake waiting claims; they will poll'),
  )
}
