import { createLane, resetHealth } from '../../core/delivery/lanes.ts'
import { type HookRow, hookColumns, shownHook } from '../../core/deployment-hooks/view.ts'
import { type DispatchedHook, dispatchedHookColumns } from '../../core/dispatches/create.ts'
import { emit } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { decrypt, encrypt, MASK } from '../../core/security/secrets.ts'
import { announceChange, claimPath } from '../../core/tenants/changes.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import type { Json, Queryable, Tx } from '../../sql/index.ts'
import type { FieldChange } from '../audit-logs/changes.ts'
import { changedFields, fieldChanges, recordUpdate, secretChange, secretChanges } from '../audit-logs/changes.ts'
import { requirePerson } from '../credentials/scopes.ts'
import { readNamed, readOr, requireReadable, UNREADABLE } from '../credentials/unreadable-secrets.ts'
import { cancelUnapproved, wakeDestination, wakeFrozen } from '../lanes/lanes.ts'
import { following, type Slice } from '../plugins/lists.ts'
import { convertEach } from '../plugins/long-lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { escapePointer, notFound, Problem } from '../problems.ts'
import { checkHook, newKeys, type StoredHook } from './rules.ts'
import type { CreatedHook, Hook, HookInput, HookUpdate } from './schema.ts'

/** @param action what comes after `deployment_hook.` */
export const recordHook = (tx: Tx, by: Caller, scope: Scope, action: string, id: string, detail: string): Promise<void> =>
  record(tx, by, scope, { action: `deployment_hook.${action}`, resource_type: 'deployment_hook', resource_id: id, detail })

/** Hooks that a project can have. */
export const MAX_HOOKS = 100
/** The type `json` of PostgreSQL, which keeps the order of keys. */
const JSON_TYPE = 114

export async function getHook(db: Queryable, { id, organization_id }: ResourceKey<'hook'>): Promise<Hook> {
  const [hook] = await db<HookRow<Hook>[]>`
    select ${hookColumns} from deployment_hooks where id = ${id} and organization_id = ${organization_id}
  `
  if (!hook) throw notFound('hook')
  return shownHook(hook)
}

export async function listHooks(db: Queryable, { id, organization_id }: ResourceKey<'project'>, { limit, after }: Slice) {
  const hooks = await db<HookRow<Hook>[]>`
    select ${hookColumns}
    from deployment_hooks
    where project_id = ${id} and organization_id = ${organization_id}
      ${following(sql`created_at, id`, after)}
    order by created_at desc, id desc
    limit ${limit}
  `
  return convertEach(hooks, shownHook<Hook>)
}

/** Replaces masked header values by the stored ones. Names compare case-insensitively. */
function unmasked(input: Record<string, string>, stored: Record<string, string>): Record<string, string> {
  const storedByName = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, value === MASK ? (storedByName.get(name.toLowerCase()) ?? '') : value]),
  )
}

/** Columns with secrets by name, which are encrypted together, and those with the names. */
const NAMES = { headers: 'header_names', template_secrets: 'template_secret_names' } as const

async function encryptedColumns(field: keyof typeof NAMES, secrets: Record<string, string>) {
  const names = Object.keys(secrets)
  return { [field]: names.length === 0 ? null : await encrypt(JSON.stringify(secrets)), [NAMES[field]]: names }
}

/** Parameters of the columns that keep the order of their JSON, of those given. */
const jsonColumns = (tx: Tx, given: { body_template?: unknown; filter?: unknown }) =>
  Object.fromEntries(
    (['body_template', 'filter'] as const)
      .filter((name) => given[name] !== undefined)
      .map((name) => [name, given[name] === null ? null : tx.typed(given[name] as Json, JSON_TYPE)]),
  )

/**
 * Creates a hook and its lane. If the input does not mention a secret, a secret or key pair is generated; only this response shows
 * the secret.
 * @throws Problem `hook_limit_reached`, and those of `checkHook`
 */
export async function createHook(tx: Tx, by: Caller, project: Resource<'project'>, input: HookInput): Promise<CreatedHook> {
  checkHook(input, null)
  // Locks the project, so that two concurrent requests cannot both take the last free place.
  await tx`
    select from projects
    where id = ${project.project_id} and organization_id = ${project.organization_id}
    for no key update
  `
  const [{ count }] = await tx<[{ count: number }]>`
    select count(*) as count
    from deployment_hooks
    where project_id = ${project.project_id} and organization_id = ${project.organization_id}
  `
  if (count >= MAX_HOOKS)
    throw new Problem('hook_limit_reached', `A project can have at most ${MAX_HOOKS} hooks. Delete one first.`)
  const generated = input.secret === undefined ? newKeys(input.signature ?? 'hmac') : undefined
  const secret = generated?.secret ?? input.secret ?? null
  const { headers, template_secrets, body_template, filter, ...plain } = input
  const row = {
    ...plain,
    ...(await encryptedColumns('headers', headers ?? {})),
    ...(await encryptedColumns('template_secrets', template_secrets ?? {})),
    ...jsonColumns(tx, { body_template, filter }),
    secret: secret === null ? null : await encrypt(secret),
    public_key: generated?.public_key ?? null,
    organization_id: project.organization_id,
    workspace_id: project.workspace_id,
    project_id: project.project_id,
    created_by: by.id,
  }
  const [created] = await tx<[HookRow<Hook>]>`insert into deployment_hooks ${tx(row)} returning ${hookColumns}`
  const hook = shownHook(created)
  await createLane(tx, 'hook', hook.id, project.organization_id, hook.mode === 'pull')
  const detail = `${by.name} created the deployment hook ${hook.name} for ${hook.environment}.`
  await recordHook(tx, by, project, 'created', hook.id, detail)
  return { ...hook, ...generated?.shown }
}

export async function getDispatchedHook(db: Queryable, { id, organization_id }: ResourceKey<'hook'>): Promise<DispatchedHook> {
  const [hook] = await db<DispatchedHook[]>`
    select ${dispatchedHookColumns} from deployment_hooks where id = ${id} and organization_id = ${organization_id}
  `
  if (!hook) throw notFound('hook')
  return hook
}

/** A hook that is locked until commit, with its encrypted secrets. */
interface LockedHook extends Hook, StoredHook {
  target_since: string
  secret: Uint8Array | null
  encrypted_headers: Uint8Array | null
  encrypted_template_secrets: Uint8Array | null
}

export async function lockHook(tx: Tx, { id, organization_id }: ResourceKey<'hook'>): Promise<LockedHook> {
  const [hook] = await tx<HookRow<LockedHook>[]>`
    select
      ${hookColumns}, target_since, secret, headers as encrypted_headers, header_names,
      template_secrets as encrypted_template_secrets, template_secret_names
    from deployment_hooks
    where id = ${id} and organization_id = ${organization_id}
    for no key update
  `
  if (!hook) throw notFound('hook')
  return shownHook(hook)
}

/** What an update sets, and what of that differs from what is stored. */
interface Difference {
  columns: { url?: string; body_template?: unknown; filter?: unknown } & Record<string, unknown>
  changes: FieldChange[]
}

async function diffSecret(secret: string | null, { secret: encrypted }: LockedHook): Promise<Difference> {
  const stored = encrypted && (await readOr(UNREADABLE, () => decrypt(encrypted)))
  const changes = secretChange('secret', stored, secret)
  if (changes.length === 0) return { columns: {}, changes }
  // Setting a secret ends the overlap of a rotation: only the new secret signs.
  return { columns: { secret: secret && (await encrypt(secret)), previous_secret: null, previous_secret_until: null }, changes }
}

/** Compares named secrets with the stored ones. @throws Problem `secrets_must_be_resent` */
async function diffNamed(field: keyof typeof NAMES, given: Record<string, string>, hook: LockedHook): Promise<Difference> {
  const stored = await readNamed(hook[`encrypted_${field}`], hook[NAMES[field]])
  const wanted = unmasked(given, stored)
  const changes = secretChanges(field, stored, wanted)
  if (changes.length === 0) return { columns: {}, changes }
  const kept = Object.keys(wanted).filter((name) => wanted[name] === UNREADABLE)
  requireReadable(kept.map((name) => `/${field}/${escapePointer(name)}`))
  return { columns: await encryptedColumns(field, wanted), changes }
}

async function diffHook({ secret, headers, template_secrets, signature: _, ...plain }: HookUpdate, stored: LockedHook) {
  const changed = changedFields(stored, plain) ?? {}
  const parts: Difference[] = [
    { columns: { ...changed, ...(changed.enabled && { disabled_reason: null }) }, changes: fieldChanges(stored, changed) },
  ]
  if (secret !== undefined && secret !== MASK) parts.push(await diffSecret(secret, stored))
  if (headers !== undefined) parts.push(await diffNamed('headers', headers ?? {}, stored))
  if (template_secrets !== undefined) parts.push(await diffNamed('template_secrets', template_secrets ?? {}, stored))
  return { columns: Object.assign({}, ...parts.map(({ columns }) => columns)), changes: parts.flatMap(({ changes }) => changes) }
}

/**
 * Requires a person, if the environment that a hook leaves requires approved gates, has freezes or promotes from another one: an agent with the token of an admin must
 * not send past them what it may not send there.
 * @throws Problem `person_required`
 */
async function requireMover(tx: Tx, by: Caller, { organization_id, project_id }: Resource<'hook'>, left: string): Promise<void> {
  const [guarded] = await tx`
    select
    from environment_policies
    where project_id = ${project_id}
      and environment = ${left}
      and organization_id = ${organization_id}
      and (gate_required or freezes <> '[]' or promotes_from is not null)
  `
  if (guarded)
    await requirePerson(
      tx,
      by,
      `move a hook out of ${left}, which requires approved gates, has freezes, or promotes from another environment`,
    )
}

/**
 * Updates the fields that differ. Wakes the lane, since pending dispatches are sent to the hook as it is now, or are
 * cancelled if it was disabled.
 * @throws Problem `person_required` if a token takes it out of a guarded environment
 */
export async function updateHook(tx: Tx, by: Caller, hook: Resource<'hook'>, input: HookUpdate, request: Request): Promise<Hook> {
  const stored = await lockHook(tx, hook)
  checkHook(input, stored)
  requireMatch(request, stored.updated_at)
  const { columns, changes } = await diffHook(input, stored)
  if (changes.length === 0) return getHook(tx, hook)
  if (columns.environment !== undefined) await requireMover(tx, by, hook, stored.environment)
  const [updated] = await tx<[HookRow<Hook>]>`
    update deployment_hooks
    set ${tx({ ...columns, ...jsonColumns(tx, columns) })},
        -- Always a new value: the result of a request in flight is compared with the value it was sent under.
        target_since = ${
          (columns.url ?? stored.url) === stored.url
            ? sql`target_since`
            : sql`greatest(now(), ${stored.target_since}::timestamptz + interval '1 millisecond')`
        }
    where id = ${hook.id} and organization_id = ${hook.organization_id}
    returning ${hookColumns}
  `
  const shown = shownHook(updated)
  // Failures before it was enabled again, or at another URL, no longer count.
  if ((shown.enabled && !stored.enabled) || shown.url !== stored.url) await resetHealth(tx, hook.organization_id, hook.id)
  const about = { resource_type: 'deployment_hook', resource_id: hook.id, what: `the deployment hook ${stored.name}` }
  await recordUpdate(tx, by, hook, about, changes)
  if (shown.enabled && stored.disabled_reason !== null) await emit(tx, by, hook, 'hook.enabled', { hook: shown })
  const isMoved = shown.environment !== stored.environment
  // What waits is due when it expires, if that comes first.
  if (isMoved || shown.max_age_seconds !== stored.max_age_seconds) await wakeFrozen(tx, hook.organization_id, [hook.id])
  else await wakeDestination(tx, hook.organization_id, hook.id)
  if (isMoved) await cancelUnapproved(tx, hook.organization_id, [hook.id])
  return shown
}

/** Deletes a hook and its dispatches. The result of a request in flight is not recorded. */
export async function deleteHook(tx: Tx, by: Caller, hook: Resource<'hook'>, request: Request): Promise<null> {
  const stored = await lockHook(tx, hook)
  requireMatch(request, stored.updated_at)
  const detail = `${by.name} deleted the deployment hook ${stored.name} and its dispatches.`
  await recordHook(tx, by, hook, 'deleted', hook.id, detail)
  await tx`delete from deployment_hooks where id = ${hook.id} and organization_id = ${hook.organization_id}`
  if (stored.mode === 'pull') announceChange(tx, claimPath(hook.id))
  return null
}
