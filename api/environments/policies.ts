/** The policies of environments: what their gates require beyond the policy of the workspace. */
import type { Freeze } from '../../core/freezes/held-until.ts'
import { WAYS } from '../../core/gates/gates.ts'
import { reconsiderEnvironment } from '../../core/github/requests.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { hasTooManyMarks, isPlainLine, nfc } from '../../core/values/plain-text.ts'
import type { Fragment, Json, Queryable, Tx } from '../../sql/index.ts'
import { changedFields, fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { requirePerson } from '../credentials/scopes.ts'
import { readFreezes } from '../freezes/input.ts'
import { type GatePolicy, lockPolicy } from '../gates/policy.ts'
import { cancelUnapproved, wakeFrozen } from '../lanes/lanes.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { type FieldError, invalidField, invalidFields, notFound } from '../problems.ts'
import { freePromoted, promotionErrors, storePromotion, withoutBefore } from './promotion.ts'
import type { EnvironmentPolicy, EnvironmentPolicyInput } from './schema.ts'
import { passkeyErrors } from './ways.ts'

const columns = sql`
  policy.id, policy.organization_id, policy.workspace_id, policy.project_id, policy.environment, policy.required_approvals,
  policy.prevent_self_approval, policy.expires_in_seconds, policy.decide_via,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('group_id', approver.group_id, 'count', approver.count) order by approver.position)
      from environment_approvers as approver
      where approver.policy_id = policy.id and approver.organization_id = policy.organization_id
    ),
    '[]'
  ) as approvers,
  policy.require_subject, policy.require_checks, policy.require_passkey, policy.gate_required,
  policy.promotes_from, policy.soak_seconds, policy.open_gate, policy.freezes,
  policy.created_at, policy.updated_at
`

/** Freezes are stored as they were checked. */
type StoredPolicy = Omit<EnvironmentPolicy, 'freezes'> & { freezes: Freeze[] }

export type PolicyRules = Omit<
  StoredPolicy,
  'id' | 'organization_id' | 'workspace_id' | 'project_id' | 'environment' | 'created_at' | 'updated_at'
>

/** A name of a path, as names are stored. U+0000 occurs in none, and PostgreSQL rejects it. */
const storedName = (name: string): string => nfc(name).replaceAll('\0', '\ufffd')

export async function findPolicy(db: Queryable, { id, organization_id }: ResourceKey<'project'>, name: string) {
  const [policy] = await db<StoredPolicy[]>`
    select ${columns}
    from environment_policies as policy
    where policy.project_id = ${id}
      and policy.environment = ${storedName(name)}
      and policy.organization_id = ${organization_id}
  `
  return policy
}

/** @throws Problem `not_found` before the first change, which makes the policy */
export async function getPolicy(db: Queryable, project: ResourceKey<'project'>, name: string): Promise<StoredPolicy> {
  const policy = await findPolicy(db, project, name)
  if (!policy) throw notFound('policy')
  return policy
}

/** The environment that a path names, where it is to be stored. @throws Problem `validation_failed` */
function requireName(name: string): string {
  const stored = storedName(name)
  const isName = [...stored].length <= 64 && stored.trim() === stored && isPlainLine(stored)
  if (isName && !hasTooManyMarks(stored)) return stored
  throw invalidField('/environment', 'malformed', 'must be the name of an environment: one line of at most 64 characters')
}

function weakerFields(policy: GatePolicy, given: EnvironmentPolicyInput): FieldError[] {
  const { required_approvals, prevent_self_approval, expires_in_seconds, decide_via } = given
  const limit = policy.expires_in_seconds
  const errors: FieldError[] = []
  const weaker = (field: string, text: string) => {
    const detail = `${text}, or null, as the gate policy of the workspace says`
    errors.push({ pointer: `/${field}`, code: 'weaker_than_policy', detail })
  }
  if (required_approvals != null && required_approvals < policy.required_approvals)
    weaker('required_approvals', `must be at least ${policy.required_approvals}`)
  if (prevent_self_approval === false && policy.prevent_self_approval) weaker('prevent_self_approval', 'must be true')
  if (expires_in_seconds != null && limit !== null && expires_in_seconds > limit)
    weaker('expires_in_seconds', `must be at most ${limit}`)
  if (decide_via?.some((way) => !policy.decide_via.includes(way)))
    weaker('decide_via', `must have no other ways than ${policy.decide_via.join(', ')}`)
  return errors
}

/** The groups of a list, each once and of the organization; they cannot be deleted until commit. */
async function approverErrors(tx: Tx, organization_id: string, approvers: EnvironmentPolicy['approvers']): Promise<FieldError[]> {
  const ids = approvers.map(({ group_id }) => group_id)
  const known = await tx<{ id: string }[]>`
    select id
    from groups
    where id = any(${ids}::uuid[]) and organization_id = ${organization_id}
    order by id
    for key share
  `
  const at = (index: number, code: string, detail: string) => ({ pointer: `/approvers/${index}/group_id`, code, detail })
  return ids.flatMap((group_id, index) => {
    if (!known.some(({ id }) => id === group_id)) return [at(index, 'unknown', 'is not a group of the organization')]
    return ids.indexOf(group_id) < index ? [at(index, 'duplicate', 'is listed before: a policy names each group once')] : []
  })
}

/** What a policy is before it is made. */
const UNSET: PolicyRules = {
  required_approvals: null,
  prevent_self_approval: null,
  expires_in_seconds: null,
  decide_via: null,
  approvers: [],
  require_subject: false,
  require_checks: false,
  require_passkey: false,
  gate_required: false,
  promotes_from: null,
  soak_seconds: 0,
  open_gate: false,
  freezes: [],
}

/**
 * The given fields as they are stored.
 * @param now the time of the database
 * @throws Problem `validation_failed`, with `weaker_than_policy` at each field that is
 */
async function readInput(
  tx: Tx,
  project: Resource<'project'>,
  environment: string,
  before: PolicyRules,
  given: EnvironmentPolicyInput,
  now: string,
) {
  const { approvers, freezes, decide_via, ...plain } = given
  const fields = {
    ...plain,
    ...(given.promotes_from != null && { promotes_from: storedName(given.promotes_from) }),
    ...withoutBefore(given),
    // In one order, so that the same ways in another order are no change.
    ...(decide_via && { decide_via: WAYS.filter((way) => decide_via.includes(way)) }),
    ...(decide_via === null && { decide_via }),
    ...(approvers && { approvers: approvers.map(({ group_id, count }) => ({ group_id: group_id.toLowerCase(), count })) }),
  }
  const workspace = await lockPolicy(tx, project)
  const errors = [
    ...weakerFields(workspace, given),
    ...passkeyErrors({ ...before, ...given }, workspace.decide_via),
    ...(fields.approvers ? await approverErrors(tx, project.organization_id, fields.approvers) : []),
    ...(await promotionErrors(tx, project, environment, before.promotes_from, { ...before, ...fields })),
  ]
  if (errors.length > 0) throw invalidFields(errors)
  return { ...fields, ...(freezes && { freezes: await readFreezes(freezes, new Date(now)) }) }
}

async function storeApprovers(tx: Tx, { id, organization_id }: EnvironmentPolicy, approvers: EnvironmentPolicy['approvers']) {
  await tx`delete from environment_approvers where policy_id = ${id} and organization_id = ${organization_id}`
  await tx`
    insert into environment_approvers (policy_id, organization_id, group_id, count, position)
    select ${id}, ${organization_id}, approver.group_id, approver.count, approver.position
    from jsonb_to_recordset(${tx.json(approvers.map((each, index) => ({ ...each, position: index + 1 })))})
      as approver (group_id uuid, count integer, position integer)
  `
}

/** Locks a project, so that its policies change one after the other. @returns the time of the database */
async function lockProject(tx: Tx, { id, organization_id }: ResourceKey<'project'>): Promise<string> {
  const [project] = await tx<{ now: string }[]>`
    select now()::timestamptz(3) as now from projects where id = ${id} and organization_id = ${organization_id} for no key update
  `
  if (!project) throw notFound('project')
  return project.now
}

/** An agent with the token of an admin must not weaken what it is to be approved by. */
const CHANGE = 'change the policies of environments'

const entryOf = ({ id: resource_id, environment }: EnvironmentPolicy) => {
  return { resource_type: 'environment_policy', resource_id, what: `the policy of the environment ${environment}` }
}

/**
 * Cancels what waits without an approval, once gates are required. In all hooks of the project: another may get this environment at the
 * same time.
 */
async function cancelInHooks(tx: Tx, policy: EnvironmentPolicy): Promise<void> {
  await cancelUnapproved(tx, policy.organization_id, await hooksOf(tx, policy, sql``))
}

/** The ids of hooks of a project. @param condition further ones, beginning with `and` */
async function hooksOf(tx: Tx, { project_id, organization_id }: EnvironmentPolicy, condition: Fragment): Promise<string[]> {
  const hooks = await tx<{ id: string }[]>`
    select id from deployment_hooks where project_id = ${project_id} and organization_id = ${organization_id} ${condition}
  `
  return hooks.map(({ id }) => id)
}

/**
 * Has the hooks of an environment decide again what its freezes hold back. Called after the policy has changed: what
 * holds something back locks the policy, so it sees the change, or is seen here.
 */
async function wakeHooks(tx: Tx, policy: EnvironmentPolicy): Promise<void> {
  const ids = await hooksOf(tx, policy, sql`and environment = ${policy.environment}`)
  if (ids.length > 0) await wakeFrozen(tx, policy.organization_id, ids)
  await reconsiderEnvironment(tx, policy, policy.environment)
}

/**
 * Updates the fields that differ; the first call makes the policy.
 * @throws Problem `validation_failed`, with `weaker_than_policy` at each field that is
 */
export async function updatePolicy(
  tx: Tx,
  by: Caller,
  project: Resource<'project'>,
  name: string,
  given: EnvironmentPolicyInput,
  request: Request,
): Promise<EnvironmentPolicy> {
  await requirePerson(tx, by, CHANGE)
  const environment = requireName(name)
  const now = await lockProject(tx, project)
  const found = await findPolicy(tx, project, environment)
  requireMatch(request, found?.updated_at ?? null)
  const input = await readInput(tx, project, environment, found ?? UNSET, given, now)
  if (!found) {
    await tx`
      insert into environment_policies (organization_id, workspace_id, project_id, environment)
      values (${project.organization_id}, ${project.workspace_id}, ${project.id}, ${environment})
    `
  }
  const before = found ?? (await getPolicy(tx, project, environment))
  if (!found) {
    const { what, ...about } = entryOf(before)
    await record(tx, by, project, { action: 'environment_policy.created', ...about, detail: `${by.name} created ${what}.` })
  }
  const changed = changedFields(before, input)
  if (!changed) return before
  const { approvers, freezes, ...plain } = changed
  if (approvers) await storeApprovers(tx, before, approvers)
  const stored = { ...plain, ...(freezes && { freezes: tx.json(freezes as unknown as Json) }), updated_at: now }
  await tx`update environment_policies set ${tx(stored)} where id = ${before.id} and organization_id = ${before.organization_id}`
  await recordUpdate(tx, by, project, entryOf(before), fieldChanges(before, changed))
  if (plain.gate_required) await cancelInHooks(tx, before)
  if (freezes) await wakeHooks(tx, before)
  const after = await getPolicy(tx, project, environment)
  await followPromotion(tx, before, after)
  return after
}

/** Does what a change of the rules of promotion entails; of any other rule, the gate that is next may become possible. */
async function followPromotion(tx: Tx, before: StoredPolicy, after: StoredPolicy): Promise<void> {
  const { promotes_from, soak_seconds, environment } = after
  const isSame = before.promotes_from === promotes_from && before.soak_seconds === soak_seconds
  if (before.promotes_from !== null && !isSame)
    await freePromoted(tx, after, environment, await hooksOf(tx, after, sql``), { promotes_from, soak_seconds })
  if (!isSame) await reconsiderEnvironment(tx, after, environment)
  // After the lanes, as reports do.
  await storePromotion(tx, after, environment, after)
}

/** What an update would change; it changes nothing. @throws as `updatePolicy` */
export async function reviewPolicy(
  tx: Tx,
  project: Resource<'project'>,
  name: string,
  given: EnvironmentPolicyInput,
  request: Request,
): Promise<{ before: PolicyRules; after: PolicyRules; changed: string[]; now: string; updated_at: string | null }> {
  const environment = requireName(name)
  const now = await lockProject(tx, project)
  const found = await findPolicy(tx, project, environment)
  const updated_at = found?.updated_at ?? null
  requireMatch(request, updated_at)
  const before = found ?? UNSET
  const input = await readInput(tx, project, environment, before, given, now)
  return { before, after: { ...before, ...input }, changed: Object.keys(changedFields(before, input) ?? {}), now, updated_at }
}

/** Deletes a policy. Gates keep what they copied from it. */
export async function deletePolicy(tx: Tx, by: Caller, project: Resource<'project'>, name: string, request: Request) {
  await requirePerson(tx, by, CHANGE)
  await lockProject(tx, project)
  const policy = await getPolicy(tx, project, name)
  requireMatch(request, policy.updated_at)
  const { what, ...about } = entryOf(policy)
  await record(tx, by, project, { action: 'environment_policy.deleted', ...about, detail: `${by.name} deleted ${what}.` })
  await tx`delete from environment_policies where id = ${policy.id} and organization_id = ${policy.organization_id}`
  if (policy.freezes.length > 0) await wakeHooks(tx, policy)
  if (policy.freezes.length === 0 && policy.promotes_from !== null) await reconsiderEnvironment(tx, policy, policy.environment)
  if (policy.promotes_from !== null)
    await freePromoted(tx, policy, policy.environment, await hooksOf(tx, policy, sql``), { promotes_from: null, soak_seconds: 0 })
  return null
}
