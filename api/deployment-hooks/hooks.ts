import { createLane, resetHealth, wakeLane } from '../../core/lanes.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { MASK, seal, unseal } from '../../core/security/secrets.ts'
import { newSecret } from '../../core/security/signing.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import {
  changedFields,
  type FieldChange,
  fieldChanges,
  recordUpdate,
  secretChange,
  secretChanges,
} from '../audit-logs/changes.ts'
import { requireMatch } from '../plugins/answers.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller, LocatedInProject, Placed } from '../plugins/request-context.ts'
import { notFound, Problem } from '../problems.ts'
import { checkHook, type Stored } from './rules.ts'
import type { CreatedHook, Hook, HookInput, HookUpdate } from './schema.ts'

const MAX_HOOKS = 100

/** Secrets never leave: of the headers the names are shown, of the secret that there is one. */
export const hookColumns = sql`
  id, project_id, name, url, trigger_on, environment,
  coalesce((select jsonb_object_agg(header, ${MASK}::text) from unnest(header_names) as header), '{}') as headers,
  enabled, disabled_reason, max_age_seconds, supersede, paused, secret is not null as has_secret, created_at, updated_at
`

/** A hook as the API shows it. */
export async function getHook(db: Queryable, { id, organization_id }: Placed): Promise<Hook> {
  const [hook] = await db<Hook[]>`
    select ${hookColumns} from deployment_hooks where id = ${id} and organization_id = ${organization_id}
  `
  if (!hook) throw notFound('hook')
  return hook
}

/** The hooks of a project, newest first. */
export function listHooks(db: Queryable, { id, organization_id }: Placed, { limit, after }: Slice) {
  return db<Hook[]>`
    select ${hookColumns}
    from deployment_hooks
    where project_id = ${id}
      and organization_id = ${organization_id}
      and (${after}::uuid is null or (created_at, id) < (
        select created_at, id from deployment_hooks where id = ${after} and organization_id = ${organization_id}
      ))
    order by created_at desc, id desc
    limit ${limit}
  `
}

/** Headers with their values. A mask stands for the stored value of its name, in whatever case. */
function unmasked(given: Record<string, string>, stored: Record<string, string>): Record<string, string> {
  const kept = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === MASK ? (kept.get(name.toLowerCase()) ?? '') : value]),
  )
}

/** Headers as they are stored. */
async function sealedHeaders(headers: Record<string, string>) {
  const names = Object.keys(headers)
  return { headers: names.length === 0 ? null : await seal(JSON.stringify(headers)), header_names: names }
}

/**
 * Makes a hook, and the lane that its dispatches go through. Where the caller does not decide about a secret, it gets one,
 * which only this answer shows.
 */
export async function createHook(tx: Tx, by: Caller, place: LocatedInProject, input: HookInput): Promise<CreatedHook> {
  checkHook(input, null)
  // The project's row is held while they are counted, so that two at once cannot both be the last one.
  await tx`select from projects where id = ${place.project_id} and organization_id = ${place.organization_id} for no key update`
  const [{ count }] = await tx<
    [{ count: number }]
  >`select count(*) as count from deployment_hooks where project_id = ${place.project_id} and organization_id = ${place.organization_id}`
  if (count >= MAX_HOOKS)
    throw new Problem('hook_limit_reached', `A project can have ${MAX_HOOKS} hooks. Delete one that is not needed.`)
  const made = input.secret === undefined ? newSecret() : undefined
  const secret = made ?? input.secret ?? null
  const row = {
    ...input,
    ...(await sealedHeaders(input.headers ?? {})),
    secret: secret === null ? null : await seal(secret),
    organization_id: place.organization_id,
    workspace_id: place.workspace_id,
    project_id: place.project_id,
    created_by: by.id,
  }
  const [hook] = await tx<[Hook]>`insert into deployment_hooks ${tx(row)} returning ${hookColumns}`
  await createLane(tx, 'hook', hook.id, place.organization_id)
  await record(tx, by, place, {
    action: 'deployment_hook.created',
    resource_type: 'deployment_hook',
    resource_id: hook.id,
    detail: `${by.name} created the deployment hook ${hook.name} for ${hook.environment}.`,
  })
  return made === undefined ? hook : { ...hook, secret: made }
}

/** A hook that is to be changed: held until the commit, its secrets sealed. */
export interface LockedHook extends Hook, Stored {
  secret: Uint8Array | null
  sealed_headers: Uint8Array | null
}

/** Locks a hook. */
export async function lockHook(tx: Tx, { id, organization_id }: Placed): Promise<LockedHook> {
  const [hook] = await tx<LockedHook[]>`
    select ${hookColumns}, secret, headers as sealed_headers, header_names
    from deployment_hooks
    where id = ${id}
      and organization_id = ${organization_id}
    for no key update
  `
  if (!hook) throw notFound('hook')
  return hook
}

/** What an update sets, and what of that differs from what is stored. */
interface Difference {
  columns: Record<string, boolean | number | string | string[] | Uint8Array | null>
  changes: FieldChange[]
}

async function secretDifference(secret: string | null, before: LockedHook): Promise<Difference> {
  // One that no key opens any more is another one, whatever it was.
  const stored = before.secret && (await unseal(before.secret).catch(() => ''))
  const changes = secretChange('secret', stored, secret)
  if (changes.length === 0) return { columns: {}, changes }
  // A secret that is sent ends the overlap of a rotation: what signs is what was set last.
  return { columns: { secret: secret && (await seal(secret)), previous_secret: null, previous_secret_until: null }, changes }
}

async function headerDifference(headers: Record<string, string>, before: LockedHook): Promise<Difference> {
  const stored = before.sealed_headers ? JSON.parse(await unseal(before.sealed_headers)) : {}
  const wanted = unmasked(headers, stored)
  const changes = secretChanges('headers', stored, wanted)
  return { columns: changes.length === 0 ? {} : await sealedHeaders(wanted), changes }
}

/** How an update differs from the hook that it changes. */
async function difference({ secret, headers, ...plain }: HookUpdate, before: LockedHook): Promise<Difference> {
  const changed = changedFields(before, plain) ?? {}
  const parts: Difference[] = [
    { columns: { ...changed, ...(changed.enabled && { disabled_reason: null }) }, changes: fieldChanges(before, changed) },
  ]
  if (secret !== undefined && secret !== MASK) parts.push(await secretDifference(secret, before))
  if (headers !== undefined) parts.push(await headerDifference(headers ?? {}, before))
  return {
    columns: Object.assign({}, ...parts.map(({ columns }) => columns)),
    changes: parts.flatMap(({ changes }) => changes),
  }
}

/**
 * Changes the given fields that differ from what is stored. The lane is woken, as what waits goes to the hook as it is now,
 * or is cancelled where that is switched off.
 */
export async function updateHook(
  tx: Tx,
  by: Caller,
  place: LocatedInProject,
  input: HookUpdate,
  request: Request,
): Promise<Hook> {
  const before = await lockHook(tx, place)
  checkHook(input, before)
  requireMatch(request, before.updated_at)
  const { columns, changes } = await difference(input, before)
  if (changes.length === 0) return getHook(tx, place)
  const [hook] = await tx<[Hook]>`
    update deployment_hooks
    set ${tx(columns)},
        -- Always a new value: requests in flight compare it with the one they were sent under.
        target_since = case
          when url = ${columns.url ?? before.url} then target_since
          else greatest(now(), target_since + interval '1 millisecond')
        end
    where id = ${place.id}
      and organization_id = ${place.organization_id}
    returning ${hookColumns}
  `
  // Switched on again, or led elsewhere, it starts afresh: else its next failure would be one too many.
  if ((hook.enabled && !before.enabled) || hook.url !== before.url) await resetHealth(tx, place.organization_id, place.id)
  await wakeLane(tx, place.organization_id, place.id)
  const about = { resource_type: 'deployment_hook', resource_id: place.id, what: `the deployment hook ${before.name}` }
  await recordUpdate(tx, by, place, about, changes)
  return hook
}

/** Deletes a hook and its dispatches. One that is under way finds nothing left to record. */
export async function deleteHook(tx: Tx, by: Caller, place: LocatedInProject, request: Request): Promise<null> {
  const before = await lockHook(tx, place)
  requireMatch(request, before.updated_at)
  await record(tx, by, place, {
    action: 'deployment_hook.deleted',
    resource_type: 'deployment_hook',
    resource_id: place.id,
    detail: `${by.name} deleted the deployment hook ${before.name} and its dispatches.`,
  })
  await tx`delete from deployment_hooks where id = ${place.id} and organization_id = ${place.organization_id}`
  return null
}
