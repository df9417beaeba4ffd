import { changesBudget, checkBudget } from '../../core/budgets/budgets.ts'
import { WAYS } from '../../core/gates/gates.ts'
import { reconsiderRequests } from '../../core/github/requests.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Static } from '../../core/values/schema.ts'
import {
  AlertThreshold,
  Instant,
  Maybe,
  Name,
  Nullable,
  Shape,
  Text,
  Type,
  Usd,
  UsdOutput,
  Uuid,
} from '../../core/values/schema.ts'
import type { Fragment, Queryable, Tx } from '../../sql/index.ts'
import { changedFields, type FieldChange, fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { requireWaysLeft } from '../environments/ways.ts'
import { GatePolicy, GatePolicyUpdate } from '../gates/policy.ts'
import { lockOrganization } from '../members/membership.ts'
import { pendingGates, readGone } from '../notifications/withdrawn.ts'
import { freeName, keyOf, numberedKey, slugOf } from '../organizations/keys.ts'
import { confirmAccess } from '../plugins/confirm-access.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import { type Resource, type ResourceKey, resourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import { inheritTemplate } from '../workflow-templates/workflow-templates.ts'

export const WorkspaceInput = Shape({
  name: Name(120, { examples: ['Platform'] }),
  description: Maybe(Nullable(Text(10_000))),
  budget_monthly_limit_usd: Maybe(Nullable(Usd)),
  budget_alert_threshold: Maybe(AlertThreshold),
})
export type WorkspaceInput = Static<typeof WorkspaceInput>

export const WorkspaceUpdate = Shape({
  ...WorkspaceInput.properties,
  name: Maybe(Name(120)),
  gate_policy: Maybe(GatePolicyUpdate),
})
export type WorkspaceUpdate = Static<typeof WorkspaceUpdate>

const summary = {
  id: Uuid,
  name: Type.String(),
  workspace_key: Type.String({ description: 'Short key, unique in the organization.' }),
  organization_id: Uuid,
  owner_id: Uuid,
  budget_monthly_limit_usd: Nullable(UsdOutput),
  created_at: Instant,
}

export const WorkspaceSummary = Shape('WorkspaceSummary', summary)
export type WorkspaceSummary = Static<typeof WorkspaceSummary>

export const Workspace = Shape('Workspace', {
  ...summary,
  description: Nullable(Type.String()),
  budget_used_usd: Type.Number({ description: 'Spend in the current calendar month (UTC).' }),
  budget_alert_threshold: Type.Number(),
  gate_policy: GatePolicy,
  updated_at: Instant,
})
export type Workspace = Static<typeof Workspace>

const summaryColumns = sql`
  workspace.id, workspace.name, workspace.workspace_key, workspace.organization_id, workspace.owner_id,
  workspace.budget_monthly_limit_usd, workspace.created_at
`

/** A workspace as the API shows it. @param further columns, with a comma after each */
export async function getWorkspace<Further = unknown>(
  db: Queryable,
  { id, organization_id }: ResourceKey<'workspace'>,
  further: Fragment = sql``,
): Promise<Workspace & Further> {
  const [workspace] = await db<(Workspace & Further)[]>`
    select
      ${further} ${summaryColumns},
      workspace.description,
      coalesce(spend.used_usd, 0) as budget_used_usd,
      workspace.budget_alert_threshold,
      jsonb_build_object(
        'required_approvals', workspace.gate_required_approvals,
        'prevent_self_approval', workspace.gate_prevent_self_approval,
        'expires_in_seconds', workspace.gate_expires_in_seconds,
        'decide_via', workspace.gate_decide_via
      ) as gate_policy,
      workspace.updated_at
    from workspaces as workspace
    left join workspace_spend as spend
      on spend.workspace_id = workspace.id
      and spend.organization_id = workspace.organization_id
      and spend.month = date_trunc('month', now())::date
    where workspace.id = ${id} and workspace.organization_id = ${organization_id}
  `
  if (!workspace) throw notFound('workspace')
  return workspace
}

export const listWorkspaces = (db: Queryable, organization_id: string, { limit, after }: Slice) => db<WorkspaceSummary[]>`
  select ${summaryColumns}
  from workspaces as workspace
  where workspace.organization_id = ${organization_id}
    ${following(sql`workspace.created_at, workspace.id`, after)}
  order by workspace.created_at desc, workspace.id desc
  limit ${limit}
`

/** Counts a new workspace. The row lock also serializes the choice of keys. @throws Problem `workspace_limit_reached` */
async function countWorkspace(tx: Tx, organization_id: string): Promise<void> {
  const counted = await tx`
    update organizations
    set workspace_count = workspace_count + 1
    where id = ${organization_id}
      and deleted_at is null
      and (max_workspaces is null or workspace_count < max_workspaces)
  `
  if (counted.count === 0) {
    // Either the organization was deleted, or the limit is reached.
    await lockOrganization(tx, organization_id)
    throw new Problem('workspace_limit_reached', 'The organization has reached max_workspaces. Raise it, or delete a workspace.')
  }
}

/** Inserts a workspace and its first admin, with a free key. The organization is locked. */
async function insertWorkspace(tx: Tx, by: Caller, organization_id: string, input: WorkspaceInput): Promise<string> {
  const key = freeName(
    numberedKey(keyOf(slugOf(input.name))),
    (name) => sql`(
      select true from workspaces where organization_id = ${organization_id} and workspace_key = ${name}
    ) is not null`,
  )
  const [{ id, workspace_key }] = await tx<
    [{ id: string; workspace_key: string }]
  >`select uuidv7() as id, ${key} as workspace_key`
  await Promise.all([
    tx`
      insert into workspaces (
        id, organization_id, name, workspace_key, description, owner_id,
        budget_monthly_limit_usd, budget_alert_threshold
      )
      values (
        ${id}, ${organization_id}, ${input.name}, ${workspace_key}, ${input.description ?? null}, ${by.id},
        ${input.budget_monthly_limit_usd ?? null}, ${input.budget_alert_threshold ?? 0.8}
      )
    `,
    tx`
      insert into workspace_members (workspace_id, organization_id, user_id, role)
      values (${id}, ${organization_id}, ${by.id}, 'admin')
    `,
  ])
  return id
}

/** Creates a workspace. The caller becomes its owner and first admin. */
export async function createWorkspace(
  tx: Tx,
  by: Caller,
  { organization_id }: ResourceKey<'organization'>,
  input: WorkspaceInput,
): Promise<Workspace> {
  await countWorkspace(tx, organization_id)
  const id = await insertWorkspace(tx, by, organization_id, input)
  const scope = { organization_id, workspace_id: id, project_id: null }
  await inheritTemplate(tx, scope)
  const detail = `${by.name} created the workspace ${input.name}.`
  await record(tx, by, scope, { action: 'workspace.created', resource_type: 'workspace', resource_id: id, detail })
  if (input.budget_monthly_limit_usd != null) await checkBudget(tx, by, scope)
  return getWorkspace(tx, resourceKey('workspace', id, scope))
}

async function lockWorkspace(tx: Tx, { id, organization_id }: ResourceKey<'workspace'>) {
  const [workspace] = await tx<{ name: string; updated_at: string }[]>`
    select name, updated_at from workspaces where id = ${id} and organization_id = ${organization_id} for no key update
  `
  if (!workspace) throw notFound('workspace')
  return workspace
}

/** A workspace, or its update, with the gate policy as columns of the table. */
function columnsOf({ gate_policy, ...fields }: WorkspaceUpdate): Record<string, unknown> {
  const { decide_via, ...rest } = gate_policy ?? {}
  // In one order, so that the same ways in another order are no change.
  const policy = { ...rest, ...(decide_via && { decide_via: WAYS.filter((way) => decide_via.includes(way)) }) }
  return { ...fields, ...Object.fromEntries(Object.entries(policy).map(([name, value]) => [`gate_${name}`, value])) }
}

/** A change as the audit log names it: by the field of the API, not by the column. */
const namedAsField = ({ field, ...change }: FieldChange): FieldChange => ({
  ...change,
  field: field.replace(/^gate_/, 'gate_policy.'),
})

/** Updates the fields that differ. @throws Problem `validation_failed` if it leaves no way to approve gates for an environment */
export async function updateWorkspace(
  tx: Tx,
  by: Caller,
  workspace: Resource<'workspace'>,
  input: WorkspaceUpdate,
  request: Request,
): Promise<Workspace> {
  const { updated_at } = await lockWorkspace(tx, workspace)
  requireMatch(request, updated_at)
  const before = await getWorkspace(tx, workspace)
  const changed = changedFields(columnsOf(before), columnsOf(input))
  if (!changed) return before
  const ways = input.gate_policy?.decide_via
  if (ways) await requireWaysLeft(tx, workspace, ways)
  await tx`update workspaces set ${tx(changed)} where id = ${workspace.id} and organization_id = ${workspace.organization_id}`
  const about = { resource_type: 'workspace', resource_id: workspace.id, what: `the workspace ${before.name}` }
  await recordUpdate(tx, by, workspace, about, fieldChanges(columnsOf(before), changed).map(namedAsField))
  if (changesBudget(changed)) await checkBudget(tx, by, workspace)
  return getWorkspace(tx, workspace)
}

export async function deleteWorkspace(tx: Tx, by: Caller, workspace: Resource<'workspace'>, request: Request): Promise<null> {
  // Locks the organization first, in the usual order. The counter changes only after the workspace was found.
  await tx`select from organizations where id = ${workspace.organization_id} for no key update`
  const before = await lockWorkspace(tx, workspace)
  // The roles in the workspace end with it.
  await confirmAccess(tx)
  requireMatch(request, before.updated_at)
  await tx`update organizations set workspace_count = workspace_count - 1 where id = ${workspace.organization_id}`
  const detail = `${by.name} deleted the workspace ${before.name} and everything in it.`
  await record(tx, by, workspace, { action: 'workspace.deleted', resource_type: 'workspace', resource_id: workspace.id, detail })
  const asked = await pendingGates(tx, workspace.organization_id, sql`gates.workspace_id = ${workspace.id}`)
  await tx`delete from workspaces where id = ${workspace.id} and organization_id = ${workspace.organization_id}`
  await readGone(tx, asked)
  await reconsiderRequests(tx, workspace.organization_id, sql`request.workspace_id = ${workspace.id}`)
  return null
}
