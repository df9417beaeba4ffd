/** The gate policy of a workspace, and who may decide a gate. */

import type { Gate, Proof, Way } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { WorkspaceScope } from '../../core/scopes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { Caller } from '../plugins/request-context.ts'
import { notFound, Problem } from '../problems.ts'
import type { GatePolicy } from './policy-fields.ts'
import { decisionText } from './state.ts'

/** The gate policy of a workspace, which cannot change until the commit. */
export async function lockPolicy(tx: Tx, { organization_id, workspace_id }: WorkspaceScope): Promise<GatePolicy> {
  const [policy] = await tx<GatePolicy[]>`
    select
      gate_required_approvals    as required_approvals,
      gate_prevent_self_approval as prevent_self_approval,
      gate_expires_in_seconds    as expires_in_seconds,
      gate_decide_via            as decide_via
    from workspaces
    where id = ${workspace_id}
      and organization_id = ${organization_id}
    for share
  `
  if (!policy) throw notFound('workspace')
  return policy
}

const WAY_NAMES: Record<Way, string> = { api: 'the API', app: 'the app', slack: 'Slack', mail: 'the mailed link' }

/** @throws Problem `decision_not_allowed_here` */
export function requireWay({ decide_via }: Gate, via: Way): void {
  if (decide_via.includes(via)) return
  const allowed = decide_via.map((way) => WAY_NAMES[way]).join(', ')
  throw new Problem('decision_not_allowed_here', `This gate cannot be decided through ${WAY_NAMES[via]}. Allowed: ${allowed}.`)
}

/** @throws Problem `passkey_required` */
export function requireProof({ id, rules }: Gate, proof: Proof | null): void {
  if (!rules.require_passkey || proof !== null) return
  throw new Problem(
    'passkey_required',
    `This gate needs a passkey: decide it on its page, or send an assertion to the options of POST /api/v1/gates/${id}/challenge.`,
  )
}

/** What was confirmed with, in the sentence of a decision. */
export const withProof = (proof: Proof | null): string => (proof === null ? '' : ' with a passkey')

/** Whether a person may not approve a gate because they opened it, or started its execution. */
export const isSelfApproval = (
  { prevent_self_approval, created_by }: Gate,
  started_by: string | null,
  by: Pick<Caller, 'id'>,
): boolean => prevent_self_approval && (by.id === created_by || by.id === started_by)

/**
 * Requires a person who did not ask for the approval, and has not approved yet, with another account neither.
 *
 * @throws Problem `self_approval`, `already_approved`
 */
export async function requireApprover(tx: Tx, gate: Gate, started_by: string | null, by: Caller): Promise<void> {
  const approvers = gate.approvals.map(({ user_id }) => user_id)
  const askers = gate.prevent_self_approval ? [gate.created_by, started_by].filter((id) => id !== null) : []
  const same = await accountsOfSamePerson(tx, by.id, [...approvers, ...askers])
  if (isSelfApproval(gate, started_by, by) || askers.some((id) => same.has(id))) {
    const done =
      by.id === gate.created_by || same.has(gate.created_by) ? 'opened this gate' : 'started the execution of this gate'
    throw new Problem('self_approval', `You ${done}, so another person has to approve it. You can reject it.`)
  }
  const approver = approvers.find((id) => id === by.id || same.has(id))
  if (approver !== undefined) {
    const detail = `You have already approved this gate. ${decisionText(gate, approver)} Another person has to approve it as well.`
    throw new Problem('already_approved', detail)
  }
}

/** How many people can approve the gates of a workspace: part of a statement. */
export const approversOf = ({ organization_id, workspace_id }: WorkspaceScope) => sql`
  (
    select count(*)
    from organization_members as member
    left join workspace_members as workspace_member
      on workspace_member.workspace_id = ${workspace_id}
      and workspace_member.organization_id = member.organization_id
      and workspace_member.user_id = member.user_id
    where member.organization_id = ${organization_id}
      and (member.role in ('owner', 'admin') or workspace_member.role = 'admin')
  )
`

/**
 * The accounts that have or had an address that a user has or had: of a user who deleted their account and registered again, or changed
 * the address and registered the former one. The user is not among them.
 *
 * @param among the accounts in question
 */
export async function accountsOfSamePerson(db: Queryable, user_id: string, among: string[]): Promise<Set<string>> {
  const others = among.filter((id) => id !== user_id)
  if (others.length === 0) return new Set()
  const same = await db<{ user_id: string }[]>`
    with address as (
      select user_id, digest
      from former_addresses
      where user_id = any(${[user_id, ...others]}::uuid[])
      union
      select id, sha256(convert_to(email, 'UTF8'))
      from users
      where id = any(${[user_id, ...others]}::uuid[])
    )
    select distinct other.user_id
    from address as own
    join address as other
      on other.digest = own.digest
      and other.user_id <> own.user_id
    where own.user_id = ${user_id}
  `
  return new Set(same.map((each) => each.user_id))
}
