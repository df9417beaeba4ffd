import { createLane, resetHealth, wakeLane } from '../../core/lanes.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { decrypt, encrypt, MASK } from '../../core/security/secrets.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import {
  changedFields,
  type FieldChange,
  fieldChanges,
  recordUpdate,
  secretChange,
  secretChanges,
} from '../audit-logs/changes.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller, ProjectResource, ResourceKey } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import { newKeys } from './keys.ts'
import { checkHook, type StoredHook } from './rules.ts'
import type { CreatedHook, Hook, HookInput, HookUpdate } from './schema.ts'

const MAX_HOOKS = 100

/** Secrets are never returned: header values are masked, and of the secret only its existence is shown. */
export const hookColumns = sql`
  id, project_id, name, url, trigger_on, environment,
  coalesce((select jsonb_object_agg(header, ${MASK}::text) from unnest(header_names) as header), '{}') as headers,
  enabled, disabled_reason, max_age_seconds, supersede, paused, report_within_seconds, signature, public_key,
  secret is not null and signature = 'hmac' as has_secret, created_at, updated_at
`

/** A hook as the API shows it. */
export async function getHook(db: Queryable, { id, organization_id }: ResourceKey): Promise<Hook> {
  const [hook] = await db<Hook[]>`
    select ${hookColumns} from deployment_hooks where id = ${id} and organization_id = ${organization_id}
  `
  if (!hook) throw notFound('hook')
  return hook
}

/** The hooks of a project, newest first. */
export function listHooks(db: Queryable, { id, organization_id }: ResourceKey, { limit, after }: Slice) {
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

/** Replaces masked header values by the stored ones. Names compare case-insensitively. */
function unmasked(input: Record<string, string>, stored: Record<string, string>): Record<string, string> {
  const storedByName = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, value === MASK ? (storedByName.get(name.toLowerCase()) ?? '') : value]),
  )
}

/** The columns in which headers are stored. */
async function encryptedHeaders(headers: Record<string, string>) {
  const names = Object.keys(headers)
  return { headers: names.length === 0 ? null : await encrypt(JSON.stringify(headers)), header_names: names }
}

/**
 * Creates a hook and its lane. If the input does not mention a secret, a secret or key pair is generated; only this response shows
 * the secret.
 *
 * @throws Problem `hook_limit_reached`, and those of `checkHook`
 */
export async function createHook(tx: Tx, by: Caller, place: ProjectResource, input: HookInput): Promise<CreatedHook> {
  checkHook(input, null)
  // Locks the project, so that two concurrent requests cannot both take the last free place.
  await tx`select from projects where id = ${place.project_id} and organization_id = ${place.organization_id} for no key update`
  const [{ count }] = await tx<
    [{ count: number }]
  >`select count(*) as count from deployment_hooks where project_id = ${place.project_id} and organization_id = ${place.organization_id}`
  if (count >= MAX_HOOKS)
    throw new Problem('hook_limit_reached', `A project can have at most ${MAX_HOOKS} hooks. Delete one first.`)
  const generated = input.secret === undefined ? newKeys(input.signature ?? 'hmac') : undefined
  const secret = generated?.secret ?? input.secret ?? null
  const row = {
    ...input,
    ...(await encryptedHeaders(input.headers ?? {})),
    secret: secret === null ? null : await encrypt(secret),
    public_key: generated?.public_key ?? null,
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
  return { ...hook, ...generated?.shown }
}

/** A hook that is locked until commit, with its encrypted secrets. */
export interface LockedHook extends Hook, StoredHook {
  secret: Uint8Array | null
  encrypted_headers: Uint8Array | null
}

export async function lockHook(tx: Tx, { id, organization_id }: ResourceKey): Promise<LockedHook> {
  const [hook] = await tx<LockedHook[]>`
    select ${hookColumns}, secret, headers as encrypted_headers, header_names
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

async function diffSecret(secret: string | null, hook: LockedHook): Promise<Difference> {
  // A secret that can no longer be decrypted counts as different.
  const stored = hook.secret && (await decrypt(hook.secret).catch(() => ''))
  const changes = secretChange('secret', stored, secret)
  if (changes.length === 0) return { columns: {}, changes }
  // Setting a secret ends the overlap of a rotation: only the new secret signs.
  return { columns: { secret: secret && (await encrypt(secret)), previous_secret: null, previous_secret_until: null }, changes }
}

async function diffHeaders(headers: Record<string, string>, hook: LockedHook): Promise<Difference> {
  const stored = hook.encrypted_headers ? JSON.parse(await decrypt(hook.encrypted_headers)) : {}
  const wanted = unmasked(headers, stored)
  const changes = secretChanges('headers', stored, wanted)
  return { columns: changes.length === 0 ? {} : await encryptedHeaders(wanted), changes }
}

/** Compares an update with the stored hook. */
async function diffHook({ secret, headers, signature: _, ...plain }: HookUpdate, stored: LockedHook): Promise<Difference> {
  const changed = changedFields(stored, plain) ?? {}
  const parts: Difference[] = [
    { columns: { ...changed, ...(changed.enabled && { disabled_reason: null }) }, changes: fieldChanges(stored, changed) },
  ]
  if (secret !== undefined && secret !== MASK) parts.push(await diffSecret(secret, stored))
  if (headers !== undefined) parts.push(await diffHeaders(headers ?? {}, stored))
  return {
    columns: Object.assign({}, ...parts.map(({ columns }) => columns)),
    changes: parts.flatMap(({ changes }) => changes),
  }
}

/**
 * Updates the fields that differ. Wakes the lane, since pending dispatches are sent to the hook as it is now, or are
 * cancelled if it was disabled.
 */
export async function updateHook(tx: Tx, by: Caller, place: ProjectResource, input: HookUpdate, request: Request): Promise<Hook> {
  const stored = await lockHook(tx, place)
  checkHook(input, stored)
  requireMatch(request, stored.updated_at)
  const { columns, changes } = await diffHook(input, stored)
  if (changes.length === 0) return getHook(tx, place)
  const [hook] = await tx<[Hook]>`
    update deployment_hooks
    set ${tx(columns)},
        -- Always a new value: the result of a request in flight is compared with the value it was sent under.
        target_since = case
          when url = ${columns.url ?? stored.url} then target_since
          else greatest(now(), target_since + interval '1 millisecond')
        end
    where id = ${place.id}
      and organization_id = ${place.organization_id}
    returning ${hookColumns}
  `
  // Failures before it was enabled again, or at another URL, no longer count.
  if ((hook.enabled && !stored.enabled) || hook.url !== stored.url) await resetHealth(tx, place.organization_id, place.id)
  await wakeLane(tx, place.organization_id, place.id)
  const about = { resource_type: 'deployment_hook', resource_id: place.id, what: `the deployment hook ${stored.name}` }
  await recordUpdate(tx, by, place, about, changes)
  return hook
}

/** Deletes a hook and its dispatches. The result of a request in flight is not recorded. */
export async function deleteHook(tx: Tx, by: Caller, place: ProjectResource, request: Request): Promise<null> {
  const stored = await lockHook(tx, place)
  requireMatch(request, stored.updated_at)
  await record(tx, by, place, {
    action: 'deployment_hook.deleted',
    resource_type: 'deployment_hook',
    resource_id: place.id,
    detail: `${by.name} deleted the deployment hook ${stored.name} and its dispatches.`,
  })
  await tx`delete from deployment_hooks where id = ${place.id} and organization_id = ${place.organization_id}`
  return null
}
