import { emit, emitAll } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { isOffline, type Runtime, runtimeColumns } from '../../core/records/runtimes.ts'
import { record } from '../../core/security/audit.ts'
import { announceChange, scopePath } from '../../core/tenants/changes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound } from '../problems.ts'
import type { Heartbeat, RuntimeInput } from './schema.ts'

async function getRuntime(db: Queryable, { id, organization_id }: ResourceKey<'runtime'>): Promise<Runtime> {
  const [runtime] = await db<Runtime[]>`
    select ${runtimeColumns}
    from runtimes as runtime
    left join people as owner on owner.id = runtime.owner_id
    where runtime.id = ${id} and runtime.organization_id = ${organization_id}
  `
  if (!runtime) throw notFound('runtime')
  return runtime
}

export const listRuntimes = (db: Queryable, organization_id: string, { limit, after }: Slice) => db<
  (Runtime & { created_at: string })[]
>`
  select ${runtimeColumns}, runtime.created_at
  from runtimes as runtime
  left join people as owner on owner.id = runtime.owner_id
  where runtime.organization_id = ${organization_id}
    ${following(sql`runtime.created_at, runtime.id`, after)}
  order by runtime.created_at desc, runtime.id desc
  limit ${limit}
`

/** Registers a runtime, which is online at once. */
export async function registerRuntime(tx: Tx, by: Caller, organization: Resource<'organization'>, input: RuntimeInput) {
  const [runtime] = await tx<[Runtime]>`
    with runtime as (
      insert into runtimes (organization_id, name, hostname, agents, owner_id, owner_name)
      values (${organization.organization_id}, ${input.name}, ${input.hostname}, ${input.agents ?? []}, ${by.id}, ${by.name})
      returning *
    )
    select ${runtimeColumns}
    from runtime
    left join people as owner on owner.id = runtime.owner_id
  `
  await emit(tx, by, organization, 'runtime.online', { runtime })
  const detail = `${by.name} registered the runtime ${runtime.name} on ${runtime.hostname}.`
  await record(tx, by, organization, { action: 'runtime.online', resource_type: 'runtime', resource_id: runtime.id, detail })
  return runtime
}

/**
 * Records a heartbeat. An offline runtime becomes online. If no worker has emitted `runtime.offline` yet, it is emitted
 * first, so that the two events always alternate.
 */
export async function recordHeartbeat(tx: Tx, by: Caller, runtime: Resource<'runtime'>, { agents }: Heartbeat): Promise<Runtime> {
  const [before] = await tx<{ is_reported: boolean; is_overdue: boolean; last_heartbeat: string; agents: string[] }[]>`
    with before as (
      select id, offline_at is not null as is_reported, ${isOffline} as is_overdue, last_heartbeat, agents
      from runtimes
      where id = ${runtime.id} and organization_id = ${runtime.organization_id}
      for no key update
    )
    update runtimes as runtime
    set last_heartbeat = now(), agents = coalesce(${agents ?? null}::text[], runtime.agents), offline_at = null
    from before
    where runtime.id = before.id and runtime.organization_id = ${runtime.organization_id}
    returning before.is_reported, before.is_overdue, before.last_heartbeat, before.agents
  `
  if (!before) throw notFound('runtime')
  const shown = await getRuntime(tx, runtime)
  if (before.is_reported || before.is_overdue) {
    const offline = { ...shown, status: 'offline' as const, last_heartbeat: before.last_heartbeat }
    await emitAll(tx, by, [
      ...(before.is_reported ? [] : [{ scope: runtime, name: 'runtime.offline' as const, data: { runtime: offline } }]),
      { scope: runtime, name: 'runtime.online' as const, data: { runtime: shown } },
    ])
  } else if (agents && agents.join() !== before.agents.join()) announceChange(tx, scopePath(runtime))
  return shown
}

/** Deletes a runtime. Its executions are kept. */
export async function removeRuntime(tx: Tx, by: Caller, runtime: Resource<'runtime'>, request: Request): Promise<null> {
  const [removed] = await tx<{ name: string }[]>`
    delete from runtimes where id = ${runtime.id} and organization_id = ${runtime.organization_id} returning name
  `
  if (!removed) throw notFound('runtime')
  requireMatch(request, null)
  const detail = `${by.name} removed the runtime ${removed.name}.`
  await record(tx, by, runtime, { action: 'runtime.deleted', resource_type: 'runtime', resource_id: runtime.id, detail })
  return null
}
