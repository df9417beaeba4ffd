/** Whether one may go on with what an approved gate is about: the approval was not revoked, and nothing holds back what it triggers. */

import type { Queryable } from '../../sql/index.ts'
import { readCircumstances } from '../dispatches/circumstances.ts'
import { heldUntil, lacksOfPromotion, requiredPromotions, requiresGate } from '../dispatches/effects.ts'
import { NOT_PROMOTED } from '../dispatches/errors.ts'
import { type Gate, gateState } from '../gates/gates.ts'
import { sql } from '../platform/database.ts'
import { minuteText } from '../values/instants.ts'
import { line, quotedName } from '../values/plain-text.ts'

export interface Clearance {
  state: 'clear' | 'waiting' | 'denied'
  /** Until when freezes or a soak hold back what the approval triggers; null if nothing does. */
  held_until: string | null
  /** What stands in the way, as sentences. */
  reasons: string[]
}

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
export const waiting = (reasons: string[], held_until: string | null = null): Clearance => ({
  state: 'waiting',
  held_until,
  reasons,
})
export const denied = (reason: string): Clearance => ({ state: 'denied', held_until: null, reasons: [reason] })

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

/** Of an approved gate. @returns undefined if it is deleted */
export async function clearanceOfApproved(db: Queryable, gate: Gate): Promise<Clearance | undefined> {
  const [beside, found] = await Promise.all([readBeside(db, gate), readCircumstances(db, gate.organization_id, [gate.id])])
  const circumstances = found.get(gate.id)
  if (!beside || !circumstances) return undefined
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
