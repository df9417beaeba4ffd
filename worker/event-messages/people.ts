/** What messages say in addition to their event: the names of the people that it mentions by id, and what a gate asks about. */
import { previousMetrics } from '../../core/dispatches/circumstances.ts'
import type { Asked, People } from '../../core/events/declaration.ts'
import type { Envelope } from '../../core/notification-channels/messages.ts'
import { sql } from '../../core/platform/database.ts'
import { paragraph, unlinked } from '../../core/values/plain-text.ts'
import type { Fragment } from '../../sql/index.ts'

/** SQL: what the gates of an execution ask about, as JSON. */
export const askedBy = (organization_id: string, execution_id: ReturnType<typeof sql>) => sql`
  (
    select jsonb_build_object(
      'acceptance_criteria',
      -- A subquery: a join may be planned as a loop over all requirements.
      (
        select acceptance_criteria
        from requirements
        where id = execution.requirement_id and organization_id = ${organization_id}
      ),
      'cost_usd', execution.cost_usd,
      'previous_metrics', ${previousMetrics(organization_id, sql`execution.id`)}
    )
    from executions as execution
    where execution.id = ${execution_id} and execution.organization_id = ${organization_id}
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

/** An envelope with the names of its people, and what its gate asks about while it is pending. */
export interface NamedEnvelope extends Envelope {
  people?: People
  asked?: Asked | null
}

export type StoredEvent = { body: string; people?: People | null; asked?: Asked | null }

/** SQL: the columns `body`, `people` and `asked` of a row `event` of `channel_events`. @param body what to read of its body */
export const namedEvent = (organization_id: string, body: Fragment = sql`event.body`) => sql`
  ${body} as body,
  names_in(
    event.body::jsonb, (select actor_id from outbox where id = event.id and organization_id = ${organization_id})
  ) as people,
  case
    when event.body::jsonb #>> '{data,gate,status}' = 'pending'
      then ${askedBy(organization_id, sql`(event.body::jsonb #>> '{data,gate,execution_id}')::uuid`)}
  end as asked
`

export const envelopeOf = ({ body, people, asked }: StoredEvent): NamedEnvelope => ({
  ...(JSON.parse(body) as Envelope),
  people: people ?? {},
  asked: asked ?? null,
})
