/** What the policy of an environment requires of a subject before it comes there: to have run in another one, for some time. */
import type { Fragment } from '../../sql/index.ts'
import { instant, sql } from '../platform/database.ts'
import { minuteText } from '../values/instants.ts'
import { line } from '../values/plain-text.ts'

export interface Promotion {
  /** The environment before. */
  from: string
  /** Of the subject; null without one. */
  digest: string | null
  soak_seconds: number
  /** Since when it has run there; null if it does not. */
  since: string | null
  /** When it has run there long enough; null if it does not run there. */
  soak_until: string | null
  /** Why it does not run there: what ended the last run, or the only attempt; null if it never came there. */
  ended_by: 'failed' | 'rolled_back' | null
  ended_at: string | null
}

/** SQL: a digest as text: `gitCommit:…` or `sha256:…`. @param digest JSON */
export const digestTextOf = (digest: Fragment): Fragment => sql`
  coalesce('gitCommit:' || (${digest} ->> 'gitCommit'), 'sha256:' || (${digest} ->> 'sha256'))
`

/** SQL: whether a row of `environment_runs` has not ended. */
export const isRunning = sql`(run.since is not null and run.ended_at is null)`

/**
 * SQL: the seconds that a subject must run in the environment before, of a `policy` and of an approved gate the weaker of what the policy
 * said then and says now.
 */
const soakSeconds = (gate: Fragment): Fragment => sql`
  case
    when ${gate}.status <> 'approved' or ${gate}.environment is distinct from policy.environment then policy.soak_seconds
    when ${gate}.promotes_from = policy.promotes_from then least(${gate}.soak_seconds, policy.soak_seconds)
    else ${gate}.soak_seconds
  end
`

/** SQL: the environment before. A stricter policy does not concern what was approved, unless the gate was for no environment. */
const promotesFrom = (gate: Fragment): Fragment => sql`
  case
    when ${gate}.status <> 'approved' or ${gate}.environment is distinct from policy.environment then policy.promotes_from
    else ${gate}.promotes_from
  end
`

/** SQL: what a gate needs where a `policy` has an environment before: a row, or none. */
const ruleOf = (gate: Fragment): Fragment => sql`
  select rule.*
  from (
    select
      ${promotesFrom(gate)} as promotes_from, ${soakSeconds(gate)} as soak_seconds,
      ${digestTextOf(sql`${gate}.subject -> 'digest'`)} as digest
  ) as rule
  where rule.promotes_from is not null
    and policy.promotes_from is not null
    and (${gate}.environment is not null or ${gate}.subject is not null)
`

/**
 * SQL: what a gate needs by a `policy`, and the `run` of its subject there. What a gate without environment and subject triggers needs nothing, as
 * a manual trigger.
 */
const fromRule = (gate: Fragment): Fragment => sql`
  from (${ruleOf(gate)}) as rule
  left join environment_runs as run
    on run.project_id = policy.project_id
    and run.environment = rule.promotes_from
    and run.digest = rule.digest
    and run.organization_id = policy.organization_id
`

const soakUntil = sql`case when ${isRunning} then seconds_after(run.since, rule.soak_seconds) end`

/** SQL: the `Promotion` that a gate needs by a `policy`, as JSON; null if it needs none. @param gate the name of its row */
export const promotionBy = (gate: Fragment): Fragment => sql`
  (
    select jsonb_build_object(
      'from', rule.promotes_from, 'soak_seconds', rule.soak_seconds, 'digest', rule.digest,
      'since', case when ${isRunning} then ${instant(sql`run.since`)} end,
      'soak_until', ${instant(soakUntil)},
      'ended_by', run.ended_by, 'ended_at', ${instant(sql`run.ended_at`)}
    )
    ${fromRule(gate)}
  )
`

/** What a dispatch is promoted from. */
export interface Promoted {
  promoted_from: string
  /** Null if its gate has no subject. */
  promoted_digest: string | null
  /** Null if its subject does not run there. */
  soak_until: string | null
  is_soaking: boolean | null
}

/** SQL: the same for a dispatch, as `Promoted`: there are many of them, and texts of instants take time. */
export const promotedBy = (gate: Fragment): Fragment => sql`
  (
    select jsonb_build_object(
      'promoted_from', rule.promotes_from, 'promoted_digest', rule.digest, 'soak_until', ${soakUntil},
      'is_soaking', ${soakUntil} > now()
    )
    ${fromRule(gate)}
  )
`

/** SQL: the same by the policy of an environment. */
export const promotionOf = (gate: Fragment, environment: Fragment): Fragment => sql`
  (
    select ${promotionBy(gate)}
    from environment_policies as policy
    where policy.project_id = ${gate}.project_id
      and policy.environment = ${environment}
      and policy.organization_id = ${gate}.organization_id
  )
`

const ENDINGS = { failed: 'its last rollout there failed', rolled_back: 'the environment was rolled back' } as const

type Ran = Pick<Promotion, 'from' | 'digest' | 'ended_by' | 'ended_at'>

/** Why a subject does not run in the environment before, as a clause. */
export function notRunningText({ from, digest, ended_by, ended_at }: Ran): string {
  if (digest === null) return `no subject is named that could have run in ${line(from, 64)}`
  if (ended_by === null || ended_at === null) return `it never ran in ${line(from, 64)}`
  return `it does not run in ${line(from, 64)}: ${ENDINGS[ended_by]} on ${minuteText(ended_at)}`
}

/** What a subject lacks at a time, as a sentence; null if it has run long enough. */
export function lackOfPromotion(promotion: Promotion, now: string): string | null {
  const { from, since, soak_until } = promotion
  if (since === null || soak_until === null) return `The subject may not come here yet: ${notRunningText(promotion)}.`
  if (soak_until <= now) return null
  return `The subject has run in ${line(from, 64)} since ${minuteText(since)} and must until ${minuteText(soak_until)}.`
}

/** Until when a promotion holds back what an approval sends; null if it does not, or nothing would be sent. */
export const soaksUntil = ({ soak_until }: Promotion, now: string): string | null =>
  soak_until !== null && soak_until > now ? soak_until : null
