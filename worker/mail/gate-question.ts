/** What the mail about a pending gate says in addition to its notification: the question, as it is when the mail is sent. */
import { readCircumstances } from '../../core/dispatches/circumstances.ts'
import { effectsText } from '../../core/dispatches/effects.ts'
import { warningsText } from '../../core/dispatches/warnings.ts'
import type { Asked } from '../../core/events/declaration.ts'
import { type ApprovalState, filled, readApprovalState, understaffed } from '../../core/gates/approval.ts'
import {
  checksText,
  type Gate,
  gateColumns,
  neededApprovals,
  subjectAddress,
  subjectText,
  subjectUrl,
} from '../../core/gates/gates.ts'
import { metricsText } from '../../core/gates/metrics.ts'
import { sql } from '../../core/platform/database.ts'
import { usdText } from '../../core/values/money.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import { type Fact, factOf } from '../event-messages/index.ts'
import { askedBy, criteriaText } from '../event-messages/people.ts'

interface Question extends Gate, Partial<Asked> {
  approval: ApprovalState
  /** What an approval does; null if the gate is no longer pending. */
  effects: string | null
  /** What speaks against it; null if nothing does. */
  warning: string | null
}

/** Facts, and the same as sentences; null where there are none. */
interface Passage {
  facts: Fact[]
  text: string | null
}

/** In the order of the page of a gate. */
export interface AskedInMail {
  warning: string | null
  changes: Passage
  effects: string | null
  evidence: Passage
  /** What an approval takes. */
  needs: string[]
  criteria: string | null
}

const counted = (count: number): string => `${count} approval${count === 1 ? '' : 's'}`

export async function questionOf(organization_id: string, gate_id: string): Promise<AskedInMail | null> {
  const [[gate], approval] = await Promise.all([
    sql<(Gate & { asked: Asked | null })[]>`
      select ${gateColumns}, ${askedBy(organization_id, sql`gates.execution_id`)} as asked
      from gates
      where gates.id = ${gate_id} and gates.organization_id = ${organization_id}
    `,
    readApprovalState(sql, { id: gate_id, organization_id }),
  ])
  if (!gate || !approval) return null
  const open = gate.status === 'pending' ? [gate_id] : []
  const circumstances = (await readCircumstances(sql, organization_id, open)).get(gate_id)
  const effects = circumstances ? effectsText(gate, circumstances) : null
  const warning = circumstances ? warningsText(gate, circumstances) : null
  return asked({ ...gate, ...gate.asked, approval, effects, warning })
}

const shown = (text: string | null | undefined, limit: number): string | null => (text ? unlinked(line(text, limit)) : null)

const wordsOf = ({ subject, environment, evidence, previous_metrics = null }: Question) => ({
  subject: shown(subject && subjectText(subject), 160),
  // Where it is, if that is no page to link.
  address: shown(subject && subjectAddress(subject), 160),
  environment: shown(environment, 64),
  checks: shown(evidence && checksText(evidence.checks), 300),
  metrics: shown(evidence && metricsText(evidence.metrics, previous_metrics), 300),
})

type Words = ReturnType<typeof wordsOf>

const factsOf = (facts: [name: string, value: string | null, url?: string | null][]): Fact[] =>
  facts.flatMap(([name, value, url]) => (value === null ? [] : factOf(name, value, url)))

const sentencesOf = (...sentences: (string | null)[]): string | null => sentences.filter(Boolean).join(' ') || null

function changesOf({ subject, address, environment }: Words, url: string | null): Passage {
  const what = subject && `It is about ${subject}`
  return {
    facts: factsOf([
      ['Subject', subject, url],
      ['Address', address],
      ['Environment', environment],
    ]),
    text: sentencesOf(
      environment === null ? what && `${what}.` : `${what ?? 'It is'} for ${environment}.`,
      address && `Address: ${address}`,
    ),
  }
}

const evidenceOf = ({ checks, metrics }: Words): Passage => ({
  facts: factsOf([
    ['Checks', checks],
    ['Metrics', metrics],
  ]),
  text: sentencesOf(checks && `Checks: ${checks}.`, metrics && `Metrics: ${metrics}.`),
})

const questionsLine = ({ fields, rules }: Question): string | null => {
  const required = fields.flatMap(({ label, required }) => (required ? line(label, 100) : []))
  if (required.length === 0 && rules.require_passkey) return 'To approve it, confirm with a passkey on its page.'
  return required.length === 0 ? null : `To approve it, answer on its page: ${required.join('; ')}.`
}

/** How many approvals it needs, how many of them were given, and whose are missing where it names groups. */
function needsLine(question: Question): string {
  const { approval } = question
  const given = approval.approvals.length
  const needs = `It needs ${counted(neededApprovals(question))}; ${given === 0 ? 'none was given yet' : `${counted(given)} given so far`}.`
  if (approval.rules.length === 0) return needs
  return [`${needs} Missing: ${line(filled(approval).missing.join(', '), 800)}.`, ...understaffed(approval)].join(' ')
}

function asked(question: Question): AskedInMail {
  const { subject, effects, warning, cost_usd = null, acceptance_criteria = [] } = question
  const words = wordsOf(question)
  const needs = needsLine(question)
  return {
    warning: warning && unlinked(warning),
    changes: changesOf(words, subject && subjectUrl(subject)),
    effects: effects && unlinked(effects),
    evidence: evidenceOf(words),
    needs: [
      cost_usd === null ? needs : `${needs} The execution has cost ${usdText(cost_usd)} so far.`,
      questionsLine(question),
    ].flatMap((text) => (text === null ? [] : unlinked(text))),
    criteria: criteriaText(acceptance_criteria),
  }
}
