/** When agents called tools in a project: recorded at most once a minute, and without delaying the call. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

const INTERVAL_MS = 60_000
const MAX_PROJECTS = 10_000

/** When this process recorded a call, by project; the oldest first. */
const recorded = new Map<string, number>()

/** Records a call in the background. */
export function recordCall({ organization_id, project_id }: { organization_id: string; project_id: string | null }): void {
  if (project_id === null) return
  const now = monotonicMs()
  if (now - (recorded.get(project_id) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS) return
  recorded.delete(project_id)
  recorded.set(project_id, now)
  if (recorded.size > MAX_PROJECTS) recorded.delete(recorded.keys().next().value as string)
  sql`
    insert into tool_calls (project_id, organization_id)
    values (${project_id}, ${organization_id})
    on conflict (project_id, organization_id) do update
      set last_at = now()
  `.catch((error) => log.debug({ error }, 'could not record the call of a tool'))
}

/** The calls of a project; null if there were none. */
export async function findCalls(
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
): Promise<{ first_at: string; last_at: string } | null> {
  const [calls] = await db<{ first_at: string; last_at: string }[]>`
    select first_at, last_at from tool_calls where project_id = ${id} and organization_id = ${organization_id}
  `
  return calls ?? null
}
