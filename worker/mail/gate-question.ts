/** What the mail about a pending gate says beside its notification: what is asked, as it is when the mail is sent. */

import type { Asked } from '../../core/events/texts.ts'
import { checksText, type Evidence, type Gate, subjectText } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { usdText } from '../../core/values/money.ts'
import { line } from '../../core/values/plain-text.ts'
import { askedBy, criteriaText } from '../event-messages/criteria.ts'

interface Question extends Partial<Asked>, Pick<Gate, 'required_approvals' | 'environment' | 'subject' | 'fields'> {
  given: number
  checks: Evidence['checks']
}

const counted = (count: number): string => `${count} approval${count === 1 ? '' : 's'}`

/**
 * The paragraphs: what is approved and its checks, how many approvals the gate needs, the acceptance criteria, and the cost. Empty if it
 * was deleted.
 */
export async function questionOf(organization_id: string, gate_id: string): Promise<string[]> {
  const [gate] = await sql<(Question & { asked: Asked | null })[]>`
    select
      gate.required_approvals, gate.environment, gate.subject, gate.fields,
      coalesce(gate.evidence -> 'checks', '[]') as checks, ${askedBy(organization_id, sql`gate.execution_id`)} as asked,
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

/** What is approved, and for where; null for a gate that is about nothing in particular. */
function subjectLine({ subject, environment }: Question): string | null {
  const what = subject && `It is about ${line(subjectText(subject), 160)}`
  if (environment === null) return what && `${what}.`
  return `${what ?? 'It is'} for ${line(environment, 64)}.`
}

function checksLine({ checks }: Question): string | null {
  const shown = checksText(checks)
  return shown && `Checks: ${line(shown, 300)}.`
}

const questionsLine = ({ fields }: Question): string | null => {
  const required = fields.flatMap(({ label, required }) => (required ? line(label, 100) : []))
  return required.length === 0 ? null : `Whoever approves it answers on its page: ${required.join('; ')}.`
}

function paragraphs(question: Question): string[] {
  const { required_approvals, given, acceptance_criteria = [], cost_usd = null } = question
  const criteria = criteriaText(acceptance_criteria)
  const needs = `It needs ${counted(required_approvals)}; ${given === 0 ? 'none was given yet' : `${counted(given)} given so far`}.`
  const about = [subjectLine(question), checksLine(question)].filter((text) => text !== null)
  return [
    ...(about.length > 0 ? [about.join(' ')] : []),
    cost_usd === null ? needs : `${needs} The execution has cost ${usdText(cost_usd)} so far.`,
    ...[questionsLine(question)].filter((text) => text !== null),
    ...(criteria === null ? [] : [`Acceptance criteria:\n${criteria}`]),
  ]
}
