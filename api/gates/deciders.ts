/** Who may decide a gate, and in which way: the checks of a decision. `core/gates/approval.ts` reads what they need. */

import { groupNames } from '../../core/gates/approval.ts'
import type { Gate, Proof, Way } from '../../core/gates/gates.ts'
import type { GateSource } from '../../core/gates/sources.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { FoundCaller } from '../plugins/callers.ts'
import type { Caller } from '../plugins/request-context.ts'
import { roleProblem, roleToKeep, withGroups } from '../plugins/required-roles.ts'
import type { Resource } from '../plugins/resources.ts'
import { signOnMissing } from '../plugins/sign-on-problem.ts'
import { insufficientRole, notFound, Problem, secondFactorMissing } from '../problems.ts'
import type { WorkspaceRole } from '../roles.ts'
import type { LockedGate, LockedToDecide } from './lock.ts'
import { decisionText } from './words.ts'

export type DecisionRequest = { visitor: Visitor; request_id: string; traceparent: string | null }

/** The person as the caller of an operation. */
export const deciderOf = (found: FoundCaller, { visitor, request_id, traceparent }: DecisionRequest): Caller => ({
  type: 'human',
  id: found.user_id,
  name: found.user_name,
  email: found.email,
  ...visitor,
  request_id,
  traceparent,
  session_id: null,
  token_id: null,
  bound_to: found.bound_to,
  has_second_factor: found.has_second_factor,
  unproven: found.unproven,
  has_password: found.has_password,
  opened_by: found.opened_by,
  service_account: null,
})

/** The gate, if the person may see it. @throws Problem `not_found`, `second_factor_required`, `sso_required` */
export function visibleGate({ resource: gate, lacks_second_factor, lacked_sign_on }: FoundCaller<'gate'>): Resource<'gate'> {
  if (lacks_second_factor) throw secondFactorMissing()
  if (lacked_sign_on !== null) throw signOnMissing(lacked_sign_on)
  if (!gate) throw notFound('gate')
  return gate
}

/** A gate that a person may decide, and the role that they must still have when they have decided. */
export type DecidableGate = { gate: Resource<'gate'>; required_role: Resource['role'] }

/** The gate, if the person may decide it. @throws Problem `not_found`, `forbidden` */
export async function decidableGate(caller: FoundCaller<'gate'>): Promise<DecidableGate> {
  const gate = visibleGate(caller)
  const found = await withGroups(caller, 'decider')
  const problem = roleProblem('gate', found, gate, 'decider')
  if (problem) throw problem
  return { gate, required_role: roleToKeep(found, 'decider', null) }
}

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

/** What a person has done at a gate, with any of their accounts, that keeps them from approving it. */
export interface Involvement {
  /** What they did to ask for it, if a person who did so cannot approve. */
  asked: string | null
  /** The account with which they approved. */
  approved_as: string | null
  /** Whether they have to link a GitHub account first: it must be known that they did not ask for it there. */
  lacks_github: boolean
}

type InvolvedIn = Pick<Gate, 'prevent_self_approval' | 'created_by' | 'source'> & {
  started_by: string | null
  asked_by: string[]
  approved_by: string[]
}

/** What a person did to ask for a gate. */
function askingText(asker: string, { created_by, started_by }: InvolvedIn): string {
  if (asker === created_by) return 'opened this gate'
  return asker === started_by
    ? 'started the execution of this gate'
    : 'asked for its subject in an earlier environment, or reported the rollout there'
}

/** How a person is involved in a gate already, with this or another account. */
export async function involvementOf(db: Queryable, user_id: string, gate: InvolvedIn): Promise<Involvement> {
  const { created_by, started_by, asked_by, approved_by, prevent_self_approval, source } = gate
  const askers = prevent_self_approval ? [created_by, started_by, ...asked_by].filter((id) => id !== null) : []
  const linked = prevent_self_approval && source ? await linkedTo(db, user_id, source) : null
  const own = await accountsOf(db, user_id, [...approved_by, ...askers, ...(linked?.askers ?? [])])
  const asker = askers.find((id) => own.has(id))
  const hasAsked = linked?.askers.some((id) => own.has(id)) ?? false
  return {
    asked:
      asker !== undefined
        ? askingText(asker, gate)
        : hasAsked
          ? 'sent, started or re-ran the workflow run that waits for this gate'
          : null,
    approved_as: approved_by.find((id) => own.has(id)) ?? null,
    lacks_github: linked !== null && !linked.isLinked,
  }
}

/** The users whose GitHub accounts have asked for a gate, and whether the user has one at all. */
async function linkedTo(db: Queryable, user_id: string, { run_url, asked_by }: GateSource) {
  const identities = await db<{ user_id: string; is_asker: boolean }[]>`
    select user_id, external_id = any(${asked_by.map(({ id }) => String(id))}) as is_asker
    from user_identities
    where provider = 'github'
      and team_id = ${new URL(run_url).host}
      and (user_id = ${user_id} or external_id = any(${asked_by.map(({ id }) => String(id))}))
  `
  return {
    askers: identities.flatMap((each) => (each.is_asker ? each.user_id : [])),
    isLinked: identities.some((each) => each.user_id === user_id),
  }
}

/** Why a person without a linked account cannot approve what a workflow run has asked for. */
export const GITHUB_MISSING =
  'Who asked for this gate at GitHub cannot approve it. Link your GitHub account on the page of your account first.'

/**
 * Requires a person who did not ask for the approval, and has not approved yet, with another account neither.
 * @throws Problem `self_approval`, `already_approved`, `github_identity_required`
 */
export async function requireApprover(tx: Tx, { gate, execution, asked_by }: LockedGate, by: Caller): Promise<void> {
  const approved_by = gate.approvals.map((approval) => approval.user_id)
  const own = await involvementOf(tx, by.id, { ...gate, started_by: execution?.started_by ?? null, asked_by, approved_by })
  if (own.asked !== null)
    throw new Problem('self_approval', `You ${own.asked}, so another person has to approve it. You can reject it.`)
  if (own.approved_as !== null) {
    const detail = `You have already approved this gate. ${decisionText(gate, own.approved_as)} Another person has to approve it as well.`
    throw new Problem('already_approved', detail)
  }
  if (own.lacks_github) throw new Problem('github_identity_required', GITHUB_MISSING)
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
