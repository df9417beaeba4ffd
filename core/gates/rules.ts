/** The rules of a new gate: the stricter of the policies of its workspace and its environment. Shared by API and worker. */
import type { Tx } from '../../sql/index.ts'
import type { ProjectScope, WorkspaceScope } from '../tenants/scopes.ts'
import type { Evidence, Gate, Subject, Way } from './gates.ts'

/** The policy of a workspace. */
interface GatePolicy {
  required_approvals: number
  prevent_self_approval: boolean
  expires_in_seconds: number | null
  decide_via: Way[]
}

/** What an environment adds to the policy of a workspace. */
type EnvironmentRules = Pick<
  Gate['rules'],
  'approvers' | 'require_subject' | 'require_checks' | 'require_passkey' | 'gate_required'
>

export type OpeningRules = GatePolicy & EnvironmentRules

/** The policy of an environment. Null: as the workspace says. */
type StoredRules = EnvironmentRules & { [Field in keyof GatePolicy]: GatePolicy[Field] | null }

export interface Policies {
  rules: OpeningRules
  /** Where the subject must have run; null: nowhere. */
  promotes_from: string | null
  /** Which policies these are, for people. */
  origin: string
}

/** The gate policy of a workspace, which cannot change until the commit; undefined if there is no such workspace. */
export async function lockWorkspacePolicy(tx: Tx, { organization_id, workspace_id }: WorkspaceScope) {
  const [policy] = await tx<GatePolicy[]>`
    select
      gate_required_approvals    as required_approvals,
      gate_prevent_self_approval as prevent_self_approval,
      gate_expires_in_seconds    as expires_in_seconds,
      gate_decide_via            as decide_via
    from workspaces
    where id = ${workspace_id} and organization_id = ${organization_id}
    for share
  `
  return policy
}

type EnvironmentRow = Omit<StoredRules, 'approvers'> & { id: string; promotes_from: string | null }

/** The policy of an environment, which cannot change until the commit; undefined if it has none. */
async function lockEnvironmentPolicy(tx: Tx, { organization_id, project_id }: ProjectScope, environment: string) {
  const [policy] = await tx<EnvironmentRow[]>`
    select
      id, required_approvals, prevent_self_approval, expires_in_seconds, decide_via,
      require_subject, require_checks, require_passkey, gate_required, promotes_from
    from environment_policies
    where project_id = ${project_id}
      and environment = ${environment}
      and organization_id = ${organization_id}
    for share
  `
  if (!policy) return undefined
  // In a statement of its own: one that has waited for the lock would read the groups from before.
  const approvers = await tx<OpeningRules['approvers']>`
    select group_id, count
    from environment_approvers
    where policy_id = ${policy.id} and organization_id = ${organization_id}
    order by position
  `
  const { id: _, promotes_from, ...rules } = policy
  return { promotes_from, rules: { ...rules, approvers: approvers.map(({ group_id, count }) => ({ group_id, count })) } }
}

const NOTHING = { approvers: [], require_subject: false, require_checks: false, require_passkey: false, gate_required: false }

const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** The stricter of both policies, field by field. The workspace may have become stricter than the environment. */
function stricter(workspace: GatePolicy, environment: StoredRules): OpeningRules {
  const { required_approvals, prevent_self_approval, expires_in_seconds, decide_via, ...rules } = environment
  return {
    ...rules,
    required_approvals: Math.max(workspace.required_approvals, required_approvals ?? 1),
    prevent_self_approval: workspace.prevent_self_approval || prevent_self_approval === true,
    expires_in_seconds: earlier(workspace.expires_in_seconds, expires_in_seconds),
    // Not empty: a change of either policy that leaves nothing is refused.
    decide_via: workspace.decide_via.filter((way) => decide_via === null || decide_via.includes(way)),
  }
}

/** The policies that a new gate follows, which cannot change until the commit; undefined if there is no such workspace. */
export async function lockPolicies(tx: Tx, scope: ProjectScope, environment: string | null): Promise<Policies | undefined> {
  const workspace = await lockWorkspacePolicy(tx, scope)
  if (!workspace) return undefined
  const own = environment === null ? undefined : await lockEnvironmentPolicy(tx, scope, environment)
  if (!own) return { rules: { ...workspace, ...NOTHING }, promotes_from: null, origin: 'the gate policy of the workspace says' }
  const { rules, promotes_from } = own
  const origin = 'the policies of the workspace and the environment say'
  return { rules: stricter(workspace, rules), promotes_from, origin }
}

/** What a new gate lacks, as an error at a field of the request that opens it. */
export interface Lack {
  pointer: string
  code: string
  detail: string
}

const MAX_NAMED = 5

/** What is wrong with the checks of evidence where all have to be there and passed; null if nothing is. */
function checksLack(checks: Pick<Evidence['checks'][number], 'name' | 'state'>[]): Lack | null {
  const pointer = '/evidence/checks'
  if (checks.length === 0)
    return { pointer, code: 'required', detail: 'are required, at least one, as the policy of the environment says' }
  const open = checks.filter(({ state }) => state !== 'passed').map(({ name }) => name)
  if (open.length === 0) return null
  const more = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : ''
  const detail = `must all have passed, as the policy of the environment says; not passed: ${open.slice(0, MAX_NAMED).join(', ')}${more}`
  return { pointer, code: 'not_allowed', detail }
}

export interface Opening {
  subject?: Pick<Subject, 'digest'> | null
  evidence?: { checks?: Pick<Evidence['checks'][number], 'name' | 'state'>[] } | null
}

/** What the environment requires and a new gate lacks. */
export function lackingFields({ rules, promotes_from }: Policies, { subject, evidence }: Opening): Lack[] {
  const checks = rules.require_checks ? checksLack(evidence?.checks ?? []) : null
  return [
    ...((rules.require_subject || promotes_from !== null) && !subject
      ? [{ pointer: '/subject', code: 'required', detail: 'is required, as the policy of the environment says' }]
      : []),
    ...(checks ? [checks] : []),
  ]
}
