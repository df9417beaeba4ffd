/** When agents called tools or sent telemetry in a project: recorded at most once a minute, and without delaying them. */

import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { announceChange, scopePath } from '../../core/tenants/changes.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import type { Queryable } from '../../sql/index.ts'
import { onceAMinute } from '../plugins/last-use.ts'
import type { ResourceKey } from '../plugins/resources.ts'

type Kind = 'call' | 'telemetry'

/** By kind and project. */
const isDue = onceAMinute(10_000)

/** Records in the background that agents have sent something in projects of an organization, and tells open pages. */
export function recordActivity(kind: Kind, organization_id: string, scopes: Scope[]): void {
  const projects = new Map(
    scopes.flatMap((scope) => (scope.project_id === null ? [] : [[scope.project_id, scopePath(scope)] as const])),
  )
  const due = [...projects].filter(([id]) => isDue(`${kind} ${id}`))
  if (due.length === 0) return
  const ids = due.map(([id]) => id).toSorted()
  sql`
    insert into agent_activity (project_id, organization_id, kind)
    select id, ${organization_id}::uuid, ${kind}
    from unnest(${ids}::uuid[]) as id
    on conflict (project_id, organization_id, kind) do update
      set last_at = now()
  `
    .then(() => announceChange(sql, ...due.map(([, path]) => path)))
    .catch((error) => log.debug({ error }, 'could not record the activity of agents'))
}

export async function findActivity(db: Queryable, { id, organization_id }: ResourceKey<'project'>) {
  const rows = await db<{ kind: Kind; first_at: string; last_at: string }[]>`
    select kind, first_at, last_at from agent_activity where project_id = ${id} and organization_id = ${organization_id}
  `
  return new Map(rows.map(({ kind, ...times }) => [kind, times] as const))
}
