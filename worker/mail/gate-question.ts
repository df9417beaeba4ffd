/** What the mail about a pending gate says beside its notification: what is asked, as it is when the mail is sent. */

import type { Asked } from '../../core/events/texts.ts'
import { effectsText, readCircumstances } from '../../core/gate-effects.ts'
import { type ApprovalState, filled, readApprovalState } from '../../core/gate-rules.ts'
import { checksText, type Gate, gateColumns, neededApprovals, subjectText } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { usdText } from '../../core/values/money.ts'
import { line } from '../../core/values/plain-text.ts'
import { askedBy, criteriaText } from '../event-messages/criteria.ts'

interface Question extends Gate, Partial<Asked> {
  approval: ApprovalState
  /** What an approval does; null if the gate is no longer pending. */
  effects: string | null
}

const counted = (count: number): string => `${count} approval${count === 1 ? '' : 's'}`

/**
 * The paragraphs: what is approved and its checks, how many approvals the gate needs, the acceptance criteria, and the cost. Empty if it
 * was deleted.
 */
export async function questionOf(organization_id: string, gate_id: string): Promise<string[]> {
  const [[gate], approval] = await Promise.all([
    sql<(Gate & { asked: Asked | null })[]>`
      select ${gateColumns}, ${askedBy(organization_id, sql`gates.execution_id`)} as asked
      from gates
      where gates.id = ${gate_id}
        and gates.organization_id = ${organization_id}
    `,
    readApprovalState(sql, { id: gate_id, organization_id }),
  ])
  if (!gate || !approval) return []
  const open = gate.status === 'pending' ? [gate_id] : []
  const circumstances = (await readCircumstances(sql, organization_id, open)).get(gate_id)
  const effects = circumstances ? effectsText(gate, circumstances) : null
  return paragraphs({ ...gate, ...gate.asked, approval, effects })
}

/** What is approved, and for where; null for a gate that is about nothing in particular. */
function subjectLine({ subject, environment }: Question): string | null {
  const what = subject && `It is about ${line(subjectText(subject), 160)}`
  if (environment === null) return what && `${what}.`
  return `${what ?? 'It is'} for ${line(environment, 64)}.`
}

function checksLine({ evidence }: Question): string | null {
  const shown = evidence && checksText(evidence.checks)
  return shown && `Checks: ${line(shown, 300)}.`
}

const questionsLine = ({ fields }: Question): string | null => {
  const required = fields.flatMap(({ label, required }) => (required ? line(label, 100) : []))
  return required.length === 0 ? null : `To approve it, answer on its page: ${required.join('; ')}.`
}

/** How many approvals it needs, how many of them were given, and of whom others are missing where it names groups. */
function needsLine(question: Question): string {
  const { approval } = question
  const given = approval.approvals.length
  const needs = `It needs ${counted(neededApprovals(question))}; ${given === 0 ? 'none was given yet' : `${counted(given)} given so far`}.`
  if (approval.rules.length === 0) return needs
  return `${needs} Missing: ${line(filled(approval).missing.join(', '), 800)}.`
}

function paragraphs(question: Question): string[] {
  const { acceptance_criteria = [], cost_usd = null, effects } = question
  const criteria = criteriaText(acceptance_criteria)
  const needs = needsLine(question)
  const about = [subjectLine(question), checksLine(question)].filter((text) => text !== null)
  return [
    ...(about.length > 0 ? [about.join(' ')] : []),
    ...(effects === null ? [] : [effects]),
    cost_usd === null ? needs : `${needs} The execution has cost ${usdText(cost_usd)} so far.`,
    ...[questionsLine(question)].filter((text) => text !== null),
    ...(criteria === null ? [] : [`Acceptance criteria:\n${criteria}`]),
  ]
}
