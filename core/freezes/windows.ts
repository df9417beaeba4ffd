/** Whether the freezes of an environment hold: every read of a lane asks. */
import { sql } from '../platform/database.ts'
import { type Freeze, heldUntil, nextStart } from './held-until.ts'

type Fragment = ReturnType<typeof sql>

/** The freezes of a policy, as `freezeColumns` reads them. All are null without a policy that has freezes. */
export interface FreezesRow {
  policy_id: string | null
  policy_version: string | null
  freezes: Freeze[] | null
  /** The time of the database. */
  now: string
}

/** SQL: the columns of a `FreezesRow`, of `policy`. */
export const freezeColumns = sql`
  policy.id as policy_id, policy.updated_at as policy_version, policy.freezes, now()::timestamptz(3) as now
`

/** SQL: joins the `policy` of the environment of a hook, if it has freezes. */
export const joinFreezes = (hook: Fragment): Fragment => sql`
  left join environment_policies as policy
    on policy.project_id = ${hook}.project_id
    and policy.environment = ${hook}.environment
    and policy.organization_id = ${hook}.organization_id
    and policy.freezes <> '[]'
`

/** A time in which freezes hold all the time, or not at all. */
export interface FreezeWindow {
  holds: boolean
  /** When that ends, or has to be computed again. */
  until: string
  /** The version of the policy that it follows from. */
  policy_id: string
  policy_version: string
}

/** Of a thousand policies. Each answer is kept until it changes, at most a day. */
const MAX_KEPT = 1_000

const kept = new Map<string, FreezeWindow & { from: string }>()

/** The window that a time is in; null without freezes. Computed once for each version of a policy and window. */
export function freezeWindow({ policy_id, policy_version, freezes, now }: FreezesRow): FreezeWindow | null {
  if (policy_id === null || policy_version === null || freezes === null) return null
  const known = kept.get(policy_id)
  if (known?.policy_version === policy_version && known.from <= now && now < known.until) return known
  const at = new Date(now)
  const held = heldUntil(freezes, at)
  const until = (held ?? nextStart(freezes, at)).toISOString()
  const window = { holds: held !== null, from: now, until, policy_id, policy_version }
  kept.delete(policy_id)
  kept.set(policy_id, window)
  const [oldest] = kept.keys()
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  return window
}

/** Until when freezes hold; null if none holds. */
export function heldUntilOf(row: FreezesRow | undefined): string | null {
  const window = row ? freezeWindow(row) : null
  return window?.holds ? window.until : null
}
