/** The rules of a new gate: those of its policies, made stricter by who opens it. */

import { digestText } from '../../core/gates/attestations.ts'
import { type Lack, lackingFields, lockPolicies, type OpeningRules, type Policies } from '../../core/gates/rules.ts'
import { notRunningText } from '../../core/promotions/promotion.ts'
import { readRun } from '../../core/promotions/runs.ts'
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

/** What is wrong with the subject of a new gate where it must have run in another environment; null if nothing is. */
async function promotionLack(
  tx: Tx,
  scope: ProjectScope,
  { promotes_from }: Policies,
  { subject }: GateInput,
): Promise<Lack | null> {
  if (promotes_from === null || !subject) return null
  const { organization_id, project_id } = scope
  const digest = digestText(subject.digest)
  const run = await readRun(tx, { organization_id, project_id, environment: promotes_from, digest })
  if (run?.since) return null
  const { ended_by = null, ended_at = null } = run ?? {}
  const detail = `must have run in the environment before: ${notRunningText({ from: promotes_from, digest, ended_by, ended_at })}`
  return { pointer: '/subject', code: 'not_promoted', detail }
}

/**
 * The rules of a new gate. The policies that they come from cannot change until the commit.
 * @throws Problem `validation_failed`, with `weaker_than_policy` at each field that is, and `not_promoted` at a subject
 */
export async function rulesFor(tx: Tx, scope: ProjectScope, input: GateInput): Promise<OpeningRules> {
  const policies = await lockPolicies(tx, scope, input.environment ?? null)
  if (!policies) throw notFound('workspace')
  const { rules } = policies
  const promotion = await promotionLack(tx, scope, policies, input)
  const errors = [...weakerFields(policies, input), ...lackingFields(policies, input), ...(promotion ? [promotion] : [])]
  if (errors.length > 0) throw invalidFields(errors)
  return {
    ...rules,
    required_approvals: input.required_approvals ?? rules.required_approvals,
    prevent_self_approval: input.prevent_self_approval ?? rules.prevent_self_approval,
    expires_in_seconds: input.expires_in_seconds === undefined ? rules.expires_in_seconds : input.expires_in_seconds,
  }
}
