import { record } from '../../core/audit.ts'
import { sql } from '../../core/database.ts'
import { createDispatches, type Surroundings } from '../../core/deployment-hooks.ts'
import { emit } from '../../core/outbox.ts'
import { notFound, Problem } from '../../core/problems.ts'
import { MASK, seal } from '../../core/secrets.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { Caller, LocatedInProject } from '../plugins/exchange.ts'
import type { Slice } from '../plugins/lists.ts'
import { getDispatch } from './dispatches.ts'
import { checkHook } from './rules.ts'
import type { Dispatch, Hook, HookInput } from './schema.ts'

const MAX_HOOKS = 100

/** Secrets never leave: of the headers the names are shown, of the secret that there is one. */
const hookColumns = sql`
  id, project_id, name, url, trigger_on, environment,
  coalesce((select jsonb_object_agg(header, ${MASK}::text) from unnest(header_names) as header), '{}') as headers,
  enabled, disabled_reason, secret is not null as has_secret, created_at, updated_at
`

/** A hook as the API shows it. */
export async function getHook(db: Queryable, hook_id: string): Promise<Hook> {
  const [hook] = await db<Hook[]>`select ${hookColumns} from deployment_hooks where id = ${hook_id}`
  if (!hook) throw notFound('hook')
  return hook
}

/** The hooks of a project, newest first. */
export function listHooks(db: Queryable, project_id: string, { limit, after }: Slice) {
  return db<Hook[]>`
    select ${hookColumns}
    from deployment_hooks
    where project_id = ${project_id}
      and (${after}::uuid is null or (created_at, id) < (select created_at, id from deployment_hooks where id = ${after}))
    order by created_at desc, id desc
    limit ${limit}
  `
}

/** Makes a hook, and the lane that its dispatches go through. */
export async function createHook(tx: Tx, by: Caller, place: LocatedInProject, input: HookInput): Promise<Hook> {
  checkHook(input)
  const headers = input.headers ?? {}
  const names = Object.keys(headers)
  // The project's row is held while they are counted, so that two at once cannot both be the last one.
  await tx`select from projects where id = ${place.project_id} for no key update`
  const [{ count }] = await tx<
    [{ count: number }]
  >`select count(*) as count from deployment_hooks where project_id = ${place.project_id}`
  if (count >= MAX_HOOKS)
    throw new Problem('hook_limit_reached', `A project can have ${MAX_HOOKS} hooks. Delete one that is not needed.`)
  const [hook] = await tx<[Hook]>`
    insert into deployment_hooks (
      organization_id, workspace_id, project_id, name, url, secret, trigger_on, environment,
      headers, header_names, enabled, created_by
    )
    values (
      ${place.organization_id}, ${place.workspace_id}, ${place.project_id}, ${input.name}, ${input.url},
      ${input.secret == null ? null : await seal(input.secret)}, ${input.trigger_on}, ${input.environment ?? 'production'},
      ${names.length === 0 ? null : await seal(JSON.stringify(headers))}, ${names}, ${input.enabled ?? true}, ${by.id}
    )
    returning ${hookColumns}
  `
  await tx`insert into hook_lanes (hook_id, organization_id) values (${hook.id}, ${place.organization_id})`
  await record(tx, by, place, {
    action: 'deployment_hook.created',
    resource_type: 'deployment_hook',
    resource_id: hook.id,
    detail: `${by.name} created the deployment hook ${hook.name} for ${hook.environment}.`,
  })
  return hook
}

async function surroundingsOf(tx: Tx, project_id: string): Promise<Surroundings> {
  const [names] = await tx<[Surroundings]>`
    select
      jsonb_build_object('id', organization.id, 'name', organization.name) as organization,
      jsonb_build_object('id', workspace.id, 'name', workspace.name) as workspace,
      jsonb_build_object('id', project.id, 'name', project.name) as project
    from projects as project
    join workspaces as workspace on workspace.id = project.workspace_id
    join organizations as organization on organization.id = project.organization_id
    where project.id = ${project_id}
  `
  return names
}

/**
 * Sends a `test.ping`: tried once, at whatever state the hook is in. The dispatch is written here, since the
 * answer shows it; the event wakes the hook's lane.
 */
export async function testHook(tx: Tx, by: Caller, place: LocatedInProject): Promise<Dispatch> {
  const hook = await getHook(tx, place.id)
  const data = { hook }
  const event_id = await emit(tx, by, place, 'test.ping', data)
  const [{ created_at }] = await tx<[{ created_at: string }]>`select created_at from outbox where id = ${event_id}`
  await tx`update hook_lanes set version = version + 1 where hook_id = ${place.id}`
  const [dispatch_id = ''] = await createDispatches(tx, [
    {
      place,
      hook,
      event: { id: event_id, name: 'test.ping', created_at, data },
      surroundings: await surroundingsOf(tx, place.project_id),
      sequence: null,
      max_attempts: 1,
      request_id: by.request_id,
    },
  ])
  await record(tx, by, place, {
    action: 'deployment_hook.tested',
    resource_type: 'deployment_hook',
    resource_id: place.id,
    detail: `${by.name} tested the deployment hook ${hook.name}.`,
  })
  return getDispatch(tx, dispatch_id)
}
