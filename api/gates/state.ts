/** What a gate is in words, and what its decisions require. */

import { groupNames } from '../../core/gates/approval.ts'
import { countingApprovals, type DecidedVia, type Gate, neededApprovals, type Proof, type Way } from '../../core/gates/gates.ts'
import { secondText } from '../../core/values/instants.ts'
import { quotedName } from '../../core/values/plain-text.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { isPast } from '../plugins/clock.ts'
import type { Caller } from '../plugins/request-context.ts'
import { insufficientRole, Problem } from '../problems.ts'
import type { WorkspaceRole } from '../roles.ts'
import type { LockedGate, LockedToDecide } from './lock.ts'

export const WAY_PHRASES: Record<Way, string> = {
  api: 'through the API',
  app: 'in the app',
  slack: 'in Slack',
  mail: 'by the mailed link',
}

/** The same, and by an override. */
export const DECISION_PHRASES: Record<DecidedVia, string> = { ...WAY_PHRASES, override: 'by an override' }

type Times = Pick<Gate, 'status' | 'expires_at'>

/** Pending, and not past its expiry, which a worker may not have recorded yet. @param now as `databaseNow` says */
export const isOpen = ({ status, expires_at }: Times, now: string): boolean => status === 'pending' && !isPast(expires_at, now)

/** The state of a gate in a word, which also says that it was replaced or that its approval was revoked. @param now as `databaseNow` says */
export function stateOf(gate: Times & Pick<Gate, 'superseded_by' | 'revoked_at'>, now: string): string {
  if (gate.status === 'pending' && isPast(gate.expires_at, now)) return 'expired'
  if (gate.superseded_by) return 'superseded'
  return gate.revoked_at ? 'revoked' : gate.status
}

/** What a person decided about a gate, when and how, in words to them; null if they decided nothing. */
export function decisionText({ status, decided_by, decided_via, decided_at, approvals }: Gate, user_id: string): string | null {
  const approval = approvals.find((each) => each.user_id === user_id)
  const text = (done: string, via: DecidedVia, at: string): string =>
    `You ${done} this gate ${DECISION_PHRASES[via]} on ${secondText(at)}.`
  if (decided_by === user_id && decided_via && decided_at) {
    if (status === 'rejected') return text('rejected', decided_via, decided_at)
    if (status === 'changes_requested') return text('requested changes at', decided_via, decided_at)
    if (decided_via === 'override') return text('approved', decided_via, decided_at)
  }
  return approval ? text('approved', approval.via, approval.created_at) : null
}

export const changesRequestedText = (execution_id: string | null): string =>
  `You requested changes at this gate.${execution_id === null ? '' : ' Its execution continues, and can open another gate.'}`

export function approvedText(gate: Gate): string {
  if (gate.status === 'approved') return 'You approved this gate.'
  const [given, needed] = [countingApprovals(gate).length, neededApprovals(gate)]
  return given < needed
    ? `You approved this gate: ${given} of ${needed} approvals.`
    : 'You approved this gate. Members of other groups have to approve it as well.'
}
export function revokedText({ revoked_in_flight }: Gate): string {
  const names = [...new Set(revoked_in_flight?.map(({ hook_name }) => quotedName(hook_name)))]
  const hooks = names.length > 3 ? `${names.length} hooks` : names.join(', ')
  return `You revoked the approval.${names.length === 0 ? '' : ` What was in flight to ${hooks} may still arrive.`}`
}

export const rejectedText = (execution_id: string | null): string =>
  `You rejected this gate.${execution_id === null ? '' : ' Its execution failed.'}`

/**
 * Requires a person who may decide the gate: a member of its groups, or an admin of the workspace, who can approve only a gate without
 * groups.
 * @throws Problem `forbidden`
 */
export function requireStanding({ approval, by }: LockedToDecide, decision: 'approve' | 'reject' | 'request_changes'): void {
  if (by.standing === 'approve' || (by.standing === 'reject' && decision !== 'approve')) return
  if (approval.rules.length === 0) throw insufficientRole('admin', by.role, 'workspace')
  throw new Problem('forbidden', onlyMembersOf(groupNames(approval.rules), by.role))
}

/** Why someone who is in none of the groups cannot approve the gate. */
export const onlyMembersOf = (groups: string, role: WorkspaceRole): string =>
  `Only members of ${groups} can approve this gate.${role === 'admin' ? ' As an admin of the workspace you can reject it.' : ''}`

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
  const detail = `This gate needs a passkey: decide it on its page, or send an assertion to the options of POST /api/v1/gates/${id}/challenge.`
  throw new Problem('passkey_required', detail)
}

/** What was confirmed with, in the sentence of a decision. */
export const withProof = (proof: Proof | null): string => (proof === null ? '' : ' with a passkey')

export const isSelfApproval = (
  { prevent_self_approval, created_by }: Gate,
  started_by: string | null,
  by: Pick<Caller, 'id'>,
): boolean => prevent_self_approval && (by.id === created_by || by.id === started_by)

/**
 * Requires a person who did not ask for the approval, and has not approved yet, with another account neither.
 * @throws Problem `self_approval`, `already_approved`
 */
export async function requireApprover(tx: Tx, { gate, execution }: LockedGate, by: Caller): Promise<void> {
  const approvers = gate.approvals.map(({ user_id }) => user_id)
  const askers = gate.prevent_self_approval ? [gate.created_by, execution?.started_by].filter((id) => typeof id === 'string') : []
  const own = await accountsOf(tx, by.id, [...approvers, ...askers])
  if (askers.some((id) => own.has(id))) {
    const done = own.has(gate.created_by) ? 'opened this gate' : 'started the execution of this gate'
    throw new Problem('self_approval', `You ${done}, so another person has to approve it. You can reject it.`)
  }
  const approver = approvers.find((id) => own.has(id))
  if (approver !== undefined) {
    const detail = `You have already approved this gate. ${decisionText(gate, approver)} Another person has to approve it as well.`
    throw new Problem('already_approved', detail)
  }
}

/**
 * The accounts of the person with this account: it, and those that have or had an address that it has or had, of someone who deleted
 * their account and registered again, or changed the address and registered the former one.
 * @param among the accounts in question
 */
export async function accountsOf(db: Queryable, user_id: string, among: string[]): Promise<Set<string>> {
  const accounts = [...new Set([user_id, ...among])]
  if (accounts.length === 1) return new Set(accounts)
  const same = await db<{ user_id: string }[]>`
    with address as (
      select user_id, digest
      from former_addresses
      where user_id = any(${accounts}::uuid[])
      union
      select id, sha256(convert_to(email, 'UTF8'))
      from users
      where id = any(${accounts}::uuid[])
    )
    select distinct other.user_id
    from address as own
    join address as other on other.digest = own.digest
    where own.user_id = ${user_id}
  `
  return new Set([user_id, ...same.map((each) => each.user_id)])
}
