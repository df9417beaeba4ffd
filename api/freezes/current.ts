/** What policies of environments hold back now, for pages. */
import type { Freeze, FreezesRow } from '../../core/freezes/held-until.ts'
import { freezeColumns, heldUntilOf, holdAt, isRecurring, nextStart } from '../../core/freezes/held-until.ts'
import { DAY_MS } from '../../core/values/instants.ts'
import type { Queryable } from '../../sql/index.ts'
import { convertEach } from '../plugins/long-lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** Until when the freezes of an environment hold; null if none does. */
export async function frozenEnvironment(db: Queryable, { id, organization_id }: ResourceKey<'project'>, environment: string) {
  const [row] = await db<FreezesRow[]>`
    select ${freezeColumns}
    from environment_policies as policy
    where policy.project_id = ${id}
      and policy.environment = ${environment}
      and policy.organization_id = ${organization_id}
      and policy.freezes <> '[]'
  `
  return heldUntilOf(row)
}

/** What the policy of the environment of a hook says about what is sent to it. */
interface SendingPolicy {
  /** Until when its freezes hold; null if none does. */
  frozen_until: string | null
  gate_required: boolean
}

export async function getSendingPolicy(db: Queryable, { id, organization_id }: ResourceKey<'hook'>): Promise<SendingPolicy> {
  const [row] = await db<(FreezesRow & { gate_required: boolean })[]>`
    select ${freezeColumns}, policy.gate_required
    from deployment_hooks as hook
    join environment_policies as policy
      on policy.project_id = hook.project_id
      and policy.environment = hook.environment
      and policy.organization_id = hook.organization_id
    where hook.id = ${id} and hook.organization_id = ${organization_id}
  `
  return { frozen_until: heldUntilOf(row), gate_required: row?.gate_required ?? false }
}

/** A time in which a freeze holds; starts that overlap are joined. */
export interface Hold {
  /** Null if it holds now. */
  from: Date | null
  until: Date
}

export interface ExpectedFreeze {
  freeze: Freeze
  /** Those to come, earliest first. None: it is over. */
  holds: Hold[]
}

const MAX_HOLDS = 3

/** Leap days can be eight years apart. */
const HORIZON_MS = 9 * 366 * DAY_MS

function holdsOf(freeze: Freeze, now: Date): Hold[] {
  if (!isRecurring(freeze)) {
    const [from, until] = [new Date(freeze.from), new Date(freeze.until)]
    return until > now ? [{ from: from > now ? from : null, until }] : []
  }
  const holds: Hold[] = []
  let at = now
  while (holds.length < MAX_HOLDS) {
    const already = holdAt([freeze], at)
    const from = already ? at : nextStart([freeze], at, HORIZON_MS)
    const hold = already ?? holdAt([freeze], from)
    if (!hold) break
    holds.push({ from: from === now ? null : from, until: hold.until })
    at = hold.until
  }
  return holds
}

/** What to expect of freezes, one after the other, as each may take milliseconds. */
export const expectedFreezes = (freezes: Freeze[], now: Date): Promise<ExpectedFreeze[]> =>
  convertEach(freezes, (freeze) => ({ freeze, holds: holdsOf(freeze, now) }))
