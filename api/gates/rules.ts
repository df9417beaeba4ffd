/** The rules of a new gate: the stricter of the policies of its workspace and its environment, made stricter by who opens it. */
import type { Gate } from '../../core/gates/gates.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import { type FieldError, invalidFields } from '../problems.ts'
import { type GatePolicy, lockPolicy } from './policy.ts'
import type { GateInput } from './schema.ts'

/** What an environment adds to the policy of a workspace. */
type EnvironmentRules = Pick<
  Gate['rules'],
  'approvers' | 'require_subject' | 'require_checks' | 'require_passkey' | 'gate_required'
>

type Rules = GatePolicy & EnvironmentRules

/** The policy of an environment. Null: as the workspace says. */
type StoredRules = EnvironmentRules & { [Field in keyof GatePolicy]: GatePolicy[Field] | null }

interface Combined {
  rules: Rules
  /** Which policies these are, for people. */
  origin: string
}

/** The policy of an environment, which cannot change until the commit; undefined if it has none. */
async function lockEnvironment(tx: Tx, { organization_id, project_id }: ProjectScope, environment: string) {
  const [policy] = await tx<(Omit<StoredRules, 'approvers'> & { id: string })[]>`
    select
      id, required_approvals, prevent_self_approval, expires_in_seconds, decide_via,
      require_subject, require_checks, require_passkey, gate_required
    from environment_policies
    where project_id = ${project_id}
      and environment = ${environment}
      and organization_id = ${organization_id}
    for share
  `
  if (!policy) return undefined
  // In a statement of its own: one that has waited for the lock would read the groups from before.
  const approvers = await tx<Rules['approvers']>`
    select group_id, count
    from environment_approvers
    where policy_id = ${policy.id} and organization_id = ${organization_id}
    order by position
  `
  const { id: _, ...rules } = policy
  return { ...rules, approvers: approvers.map(({ group_id, count }) => ({ group_id, count })) }
}

const NOTHING = { approvers: [], require_subject: false, require_checks: false, require_passkey: false, gate_required: false }

const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** The stricter of both policies, field by field. The workspace may have become stricter than the environment. */
function stricter(workspace: GatePolicy, environment: StoredRules): Rules {
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

async function lockPolicies(tx: Tx, scope: ProjectScope, environment: string | null): Promise<Combined> {
  const workspace = await lockPolicy(tx, scope)
  const own = environment === null ? undefined : await lockEnvironment(tx, scope, environment)
  if (!own) return { rules: { ...workspace, ...NOTHING }, origin: 'the gate policy of the workspace says' }
  return { rules: stricter(workspace, own), origin: 'the policies of the workspace and the environment say' }
}

/** The fields of a new gate that are weaker than its policies. */
function weakerFields({ rules, origin }: Combined, input: GateInput): FieldError[] {
  const errors: FieldError[] = []
  const weaker = (field: string, detail: string) =>
    errors.push({ pointer: `/${field}`, code: 'weaker_than_policy', detail: `${detail}, as ${origin}` })
  const { required_approvals, prevent_self_approval, expires_in_seconds } = input
  if (required_approvals !== undefined && required_approvals < rules.required_approvals)
    weaker('required_approvals', `must be at least ${rules.required_approvals}`)
  if (prevent_self_approval === false && rules.prevent_self_approval) weaker('prevent_self_approval', 'must be true')
  const limit = rules.expires_in_seconds
  if (limit !== null && expires_in_seconds !== undefined && (expires_in_seconds === null || expires_in_seconds > limit))
    weaker('expires_in_seconds', `must be at most ${limit}`)
  return errors
}

const MAX_NAMED = 5

/** What is wrong with the checks of evidence where all have to be there and passed; null if nothing is. */
function checksError(checks: { name: string; state: string }[]): FieldError | null {
  const pointer = '/evidence/checks'
  if (checks.length === 0)
    return { pointer, code: 'required', detail: 'are required, at least one, as the policy of the environment says' }
  const open = checks.filter(({ state }) => state !== 'passed').map(({ name }) => name)
  if (open.length === 0) return null
  const more = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : ''
  const detail = `must all have passed, as the policy of the environment says; not passed: ${open.slice(0, MAX_NAMED).join(', ')}${more}`
  return { pointer, code: 'not_allowed', detail }
}

/** What the environment requires and a new gate lacks. */
function lackingFields({ require_subject, require_checks }: Rules, { subject, evidence }: GateInput): FieldError[] {
  const checks = require_checks ? checksError(evidence?.checks ?? []) : null
  return [
    ...(require_subject && !subject
      ? [{ pointer: '/subject', code: 'required', detail: 'is required, as the policy of the environment says' }]
      : []),
    ...(checks ? [checks] : []),
  ]
}

/**
 * The rules of a new gate. The policies that they come from cannot change until the commit.
 * @throws Problem `validation_failed`, with `weaker_than_policy` at each field that is
 */
export async function rulesFor(tx: Tx, scope: ProjectScope, input: GateInput): Promise<Rules> {
  const policies = await lockPolicies(tx, scope, input.environment ?? null)
  const { rules } = policies
  const errors = [...weakerFields(policies, input), ...lackingFields(rules, input)]
  if (errors.length > 0) throw invalidFields(errors)
  return {
    ...rules,
    required_approvals: input.required_approvals ?? rules.required_approvals,
    prevent_self_approval: input.prevent_self_approval ?? rules.prevent_self_approval,
    expires_in_seconds: input.expires_in_seconds === undefined ? rules.expires_in_seconds : input.expires_in_seconds,
  }
}
