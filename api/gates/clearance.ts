/** Whether one may go on with what a gate is about. All who ask whether a gate is approved ask this. */
import { type Circumstances, readCircumstances } from '../../core/dispatches/circumstances.ts'
import {
  closedByOthers,
  closedEnvironments,
  heldUntil,
  lacksOfPromotion,
  requiredPromotions,
  requiresGate,
  triggeredHooks,
} from '../../core/dispatches/effects.ts'
import { NOT_PROMOTED } from '../../core/dispatches/errors.ts'
import { type ApprovalState, filled, readApprovalState, understaffed } from '../../core/gates/approval.ts'
import { type Gate, gateState } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { minuteText } from '../../core/values/instants.ts'
import { line, quotedName } from '../../core/values/plain-text.ts'
import type { Queryable } from '../../sql/index.ts'
import { databaseNow } from '../plugins/clock.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { getGate } from './gates.ts'
import type { Clearance, GateEffects } from './schema.ts'
import { isOpen, stateOf } from './words.ts'

/** @throws Problem `not_found` */
export async function getCircumstances(
  db: Queryable,
  { id, organization_id }: Pick<Gate, 'id' | 'organization_id'>,
): Promise<Circumstances> {
  const found = (await readCircumstances(db, organization_id, [id])).get(id)
  if (!found) throw notFound('gate')
  return found
}

const quoted = (names: string[]): string => names.map((name) => `“${name}”`).join(', ')

/** Of a gate that Signalbox opened. */
const ASKED_EARLIER =
  'People who asked for its subject in an earlier environment, or reported the rollout there, cannot approve it.'

/** What approval of an open gate still lacks, as sentences. */
export function missingOf(gate: Gate, circumstances: Circumstances, approval: ApprovalState): string[] {
  const { prevent_self_approval, fields, environment, rules } = gate
  const { others } = circumstances
  const closed = closedEnvironments(gate, circumstances)
  const { revoked, overruled } = closedByOthers(gate, circumstances)
  const questions = fields.flatMap(({ label, required }) => (required ? label : []))
  const { is_filled, missing } = filled(approval)
  return [
    // Approvals count again, and there was no decision since.
    ...(is_filled
      ? ['One of those who approved has to approve again: their approvals were not enough before, and now are.']
      : []),
    ...missing.map((text) => `${text}.`),
    ...(prevent_self_approval && missing.length > 0
      ? [gate.created_by === null ? ASKED_EARLIER : 'People who opened the gate or started its execution cannot approve it.']
      : []),
    ...understaffed(approval),
    ...(rules.require_passkey ? ['A passkey of each approver.'] : []),
    ...(questions.length > 0 ? [`Answers of each approver: ${quoted(questions)}.`] : []),
    ...(others.length > 0
      ? [`Hooks of ${environment} are triggered by the gate that is approved last; also pending: ${quoted(others)}.`]
      : []),
    ...(closed.length > 0
      ? [`Nothing is sent to hooks of ${quoted(closed)}, which require a gate for the environment: this one is for none.`]
      : []),
    ...lacksOfPromotion(gate, circumstances),
    ...(revoked
      ? [
          `Nothing is sent to hooks of ${environment}: the approval of another gate of this execution was revoked after this one was opened. Open another gate, or override this one.`,
        ]
      : []),
    ...(overruled
      ? [`The completed workflow is not sent to hooks of ${environment}: a gate that was opened later is not approved.`]
      : []),
  ]
}

function shownPromotion(gate: Gate, circumstances: Circumstances): GateEffects['promotion'] {
  const [promotion] = requiredPromotions(gate, circumstances)
  return promotion ? { from: promotion.from, since: promotion.since, soak_until: promotion.soak_until } : null
}

function effectsOf(gate: Gate, circumstances: Circumstances, approval: ApprovalState): GateEffects {
  const { running, now } = circumstances
  if (!isOpen(gate, now))
    return { hooks: [], held_until: null, running, missing: [], promotion: shownPromotion(gate, circumstances) }
  return {
    hooks: triggeredHooks(gate, circumstances).map(({ id, name, environment }) => ({ id, name, environment })),
    held_until: heldUntil(gate, circumstances),
    running,
    missing: missingOf(gate, circumstances, approval),
    promotion: shownPromotion(gate, circumstances),
  }
}

/** What the approval of a gate will do. @throws Problem `not_found` */
export async function getGateEffects(db: Queryable, gate: ResourceKey<'gate'>): Promise<GateEffects> {
  const [shown, circumstances, approval] = await Promise.all([
    getGate(db, gate),
    getCircumstances(db, gate),
    readApprovalState(db, gate),
  ])
  if (!approval) throw notFound('gate')
  const effects = effectsOf(shown, circumstances, approval)
  return shown.status === 'approved' ? { ...effects, held_until: (await clearanceOf(db, shown)).held_until } : effects
}

export type { Clearance }

/** What an approval stands or falls with, in addition to the gate. */
interface Beside {
  /** A name. */
  revoked_by: string | null
  /** Other gates of its execution and environment, of each name the newest that was not cancelled, and that it did not replace. */
  siblings: { name: string; state: string }[]
  /** The one that was approved last, and triggers the hooks instead of this one. */
  last: { name: string; is_revoked: boolean } | null
  /** Whether something that the approval has sent was delivered, and nothing waits or was cancelled for its subject. */
  is_sent: boolean
}

async function readBeside(db: Queryable, { id, organization_id }: Gate): Promise<Beside | undefined> {
  const isSibling = sql`
    other.execution_id = gate.execution_id
    and other.organization_id = ${organization_id}
    and other.environment = gate.environment
    and other.id <> gate.id
  `
  const [found] = await db<Beside[]>`
    select
      (select name from people where people.id = gate.revoked_by) as revoked_by,
      (
        select coalesce(jsonb_agg(sibling order by sibling.name), '[]')
        from (
          select distinct on (other.name) other.name, ${gateState(sql`other`)} as state
          from gates as other
          where ${isSibling}
            and other.status <> 'cancelled'
            and (
              other.status = 'pending'
              or other.name <> gate.name
              or (other.created_at, other.id) > (gate.created_at, gate.id)
            )
          order by other.name, (other.status = 'pending') desc, other.created_at desc, other.id desc
        ) as sibling
      ) as siblings,
      to_jsonb(last) as last,
      (
        select coalesce(
          bool_or(dispatch.status = 'succeeded')
            and not bool_or(dispatch.status = 'pending' or coalesce(dispatch.error ->> 'code' = ${NOT_PROMOTED.code}, false)),
          false
        )
        from dispatches as dispatch
        where dispatch.gate_id = any(array[gate.id, last.id]) and dispatch.organization_id = ${organization_id}
      ) as is_sent
    from gates as gate
    left join lateral (
      select other.id, other.name, other.revoked_at is not null as is_revoked
      from gates as other
      where ${isSibling}
        and not gate.triggers_hooks
        and other.triggers_hooks
        and other.decided_at >= gate.decided_at
      order by other.decided_at desc, other.id desc
      limit 1
    ) as last on true
    where gate.id = ${id} and gate.organization_id = ${organization_id}
  `
  return found
}

const clear = (): Clearance => ({ state: 'clear', held_until: null, reasons: [] })
const waiting = (reasons: string[], held_until: string | null = null): Clearance => ({ state: 'waiting', held_until, reasons })
const denied = (reason: string): Clearance => ({ state: 'denied', held_until: null, reasons: [reason] })

const listed = (siblings: Beside['siblings']): string => siblings.map(({ name }) => quotedName(name)).join(', ')

/** What other gates of the execution and environment leave of an approval: the one that is approved last triggers the hooks for all. */
function clearanceBesideOthers({ triggers_hooks }: Gate, { siblings, last }: Beside): Clearance {
  const others = (...states: string[]) => siblings.filter(({ state }) => states.includes(state))
  if (last?.is_revoked)
    return denied(`The approval of ${quotedName(last.name)}, the last gate for the same environment, was revoked.`)
  if (triggers_hooks !== false || last !== null) return clear()
  const revoked = others('revoked')
  if (revoked.length > 0) return denied(`The approval of other gates for the same environment was revoked: ${listed(revoked)}.`)
  const refused = others('rejected', 'expired')
  if (refused.length > 0) return denied(`Other gates for the same environment were rejected or have expired: ${listed(refused)}.`)
  const open = others('pending')
  if (open.length > 0) return waiting([`Other gates for the same environment are pending: ${listed(open)}.`])
  const returned = others('changes_requested')
  return returned.length > 0
    ? waiting([`Changes were requested at other gates for the same environment: ${listed(returned)}.`])
    : clear()
}

async function clearanceOfApproved(db: Queryable, gate: Gate): Promise<Clearance> {
  const [beside, circumstances] = await Promise.all([readBeside(db, gate), getCircumstances(db, gate)])
  if (!beside) throw notFound('gate')
  if (gate.revoked_at !== null) {
    const by = beside.revoked_by === null ? 'A deleted user' : line(beside.revoked_by, 160)
    return denied(`${by} revoked the approval on ${minuteText(gate.revoked_at)}: ${line(gate.revocation_reason, 500)}`)
  }
  if (circumstances.sibling_revoked && requiresGate(circumstances, { environment: gate.environment ?? '' })) {
    return denied(
      'The approval of another gate of this execution and environment was revoked after this one was opened. Another gate has to be opened.',
    )
  }
  const besideOthers = clearanceBesideOthers(gate, beside)
  if (besideOthers.state !== 'clear') return besideOthers
  if (beside.is_sent) return clear()
  const held_until = heldUntil(gate, circumstances)
  const lacks = lacksOfPromotion(gate, circumstances)
  const [lack] = lacks
  if (lack !== undefined) {
    const isMissing = requiredPromotions(gate, circumstances).some(({ since }) => since === null)
    return isMissing ? denied(lack) : waiting(lacks, held_until)
  }
  if (held_until === null) return clear()
  const where = gate.environment === null ? 'An environment of its hooks' : line(gate.environment, 64)
  return waiting([`${where} is frozen until ${minuteText(held_until)}.`], held_until)
}

/**
 * Whether one may go on with what a gate is about: it is approved, the approval was not revoked, and nothing holds back what it triggers.
 */
async function clearanceOf(db: Queryable, gate: Gate): Promise<Clearance> {
  if (gate.status === 'approved') return clearanceOfApproved(db, gate)
  const state = stateOf(gate, gate.expires_at === null ? gate.created_at : await databaseNow(db))
  if (state === 'pending') return waiting(['The gate is pending.'])
  return denied(`The gate is ${state === 'changes_requested' ? 'not approved: changes are requested' : state}.`)
}

/** Whether one may go on with what a gate is about. @throws Problem `not_found` */
export const getClearance = async (db: Queryable, key: ResourceKey<'gate'>): Promise<Clearance> =>
  clearanceOf(db, await getGate(db, key))
