/** What the mail about a pending gate says beside its notification: what is asked, as it is when the mail is sent. */

import type { Asked } from '../../core/events/texts.ts'
import { sql } from '../../core/platform/database.ts'
import { usdText } from '../../core/values/money.ts'
import { askedBy, criteriaText } from '../event-messages/criteria.ts'

interface Question extends Partial<Asked> {
  required_approvals: number
  given: number
}

const counted = (count: number): string => `${count} approval${count === 1 ? '' : 's'}`

/** The paragraphs: how many approvals the gate needs, the acceptance criteria, and the cost. Empty if it was deleted. */
export async function questionOf(organization_id: string, gate_id: string): Promise<string[]> {
  const [gate] = await sql<{ required_approvals: number; given: number; asked: Asked | null }[]>`
    select
      gate.required_approvals, ${askedBy(organization_id, sql`gate.execution_id`)} as asked,
      (
        select count(*)
        from gate_approvals as approval
        where approval.gate_id = gate.id
          and approval.organization_id = ${organization_id}
      ) as given
    from gates as gate
    where gate.id = ${gate_id}
      and gate.organization_id = ${organization_id}
  `
  return gate ? paragraphs({ ...gate, ...gate.asked }) : []
}

function paragraphs({ required_approvals, given, acceptance_criteria = [], cost_usd = null }: Question): string[] {
  const criteria = criteriaText(acceptance_criteria)
  const needs = `It needs ${counted(required_approvals)}; ${given === 0 ? 'none was given yet' : `${counted(given)} given so far`}.`
  return [
    cost_usd === null ? needs : `${needs} The execution has cost ${usdText(cost_usd)} so far.`,
    ...(criteria === null ? [] : [`Acceptance criteria:\n${criteria}`]),
  ]
}
