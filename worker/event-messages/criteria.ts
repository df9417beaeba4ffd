/** What a person who decides a gate reads of its requirement and its execution. It is read when a message is rendered. */
import { previousMetrics } from '../../core/gate-effects.ts'
import { sql } from '../../core/platform/database.ts'
import { paragraph, unlinked } from '../../core/values/plain-text.ts'

/** SQL: what the gates of an execution ask about, as JSON. */
export const askedBy = (organization_id: string, execution_id: ReturnType<typeof sql>) => sql`
  (
    select jsonb_build_object(
      'acceptance_criteria',
      -- A subquery: a join may be planned as a loop over all requirements.
      (
        select acceptance_criteria
        from requirements
        where id = execution.requirement_id
          and organization_id = ${organization_id}
      ),
      'cost_usd', execution.cost_usd,
      'previous_metrics', ${previousMetrics(organization_id, sql`execution.id`)}
    )
    from executions as execution
    where execution.id = ${execution_id}
      and execution.organization_id = ${organization_id}
  )
`

/** The page of the gate shows all of them in full. */
const MAX_SHOWN = 5
const MAX_LENGTH = 110

/** One criterion. Its further lines are indented, and none is empty: mails are split there. */
const item = (criterion: string): string => `• ${unlinked(paragraph(criterion, MAX_LENGTH)).replaceAll(/\s*\n\s*/g, '\n  ')}`

/** The first acceptance criteria, each on its own lines; null if there are none. */
export function criteriaText(criteria: string[]): string | null {
  const shown = criteria.slice(0, MAX_SHOWN).map(item)
  const more = criteria.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') || null
}
