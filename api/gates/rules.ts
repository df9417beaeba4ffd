/** The rules of a new gate: those of its policies, made stricter by who opens it. */

import { lockPolicies, type OpeningRules, type Policies } from '../../core/gates/rules.ts'
import { lackOf } from '../../core/openings/lacks.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import { type FieldError, invalidFields, notFound } from '../problems.ts'
import type { GateInput } from './schema.ts'

/** The fields of a new gate that are weaker than its policies. */
function weakerFields({ rules, origin }: Policies, input: GateInput): FieldError[] {
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

/**
 * The rules of a new gate. The policies that they come from cannot change until the commit.
 * @throws Problem `validation_failed`, with `weaker_than_policy` at each field that is, and `not_promoted` at a subject
 */
export async function rulesFor(tx: Tx, scope: ProjectScope, input: GateInput): Promise<OpeningRules> {
  const policies = await lockPolicies(tx, scope, input.environment ?? null)
  if (!policies) throw notFound('workspace')
  const { rules } = policies
  const errors = [...weakerFields(policies, input), ...(await lackOf(tx, scope, policies, input))]
  if (errors.length > 0) throw invalidFields(errors)
  return {
    ...rules,
    required_approvals: input.required_approvals ?? rules.required_approvals,
    prevent_self_approval: input.prevent_self_approval ?? rules.prevent_self_approval,
    expires_in_seconds: input.expires_in_seconds === undefined ? rules.expires_in_seconds : input.expires_in_seconds,
  }
}
