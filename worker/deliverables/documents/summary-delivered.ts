/** What was delivered and what was decided, in words. */
import { shownName } from '../data/project.ts'
import { decisionVerb } from '../data/work.ts'
import { compare, day, grouped } from '../format.ts'
import { bullets, heading, inline, quoteOf, strong } from '../markdown.ts'
import type { Comparison, Gate, ProjectData, Requirement } from '../project-data.ts'
import { sentenceBeside } from '../sentences.ts'
import { described, doneOf, named, numbered } from './requirement.ts'

const KINDS: [Requirement['kind'], string][] = [
  ['feature', 'New features'],
  ['change', 'Changes'],
  ['security', 'Security'],
  ['fix', 'Fixes'],
  ['deprecation', 'Deprecated'],
  ['removal', 'Removed'],
  ['docs', 'Documentation'],
  ['chore', 'Maintenance'],
]

/** The newest of each kind that are listed, and the newest decisions. */
const MAX_OF_KIND = 12
const MAX_DECISIONS = 20
const QUOTE_LENGTH = 300

export function delivered({ requirements, executions }: ProjectData): string[] {
  const done = doneOf(requirements)
  if (done.length === 0) return ['Nothing is done yet.']
  const summaries = new Map(
    executions.flatMap(({ requirement_id, status, summary }) =>
      status === 'completed' && summary ? [[requirement_id, summary]] : [],
    ),
  )
  const entry = (requirement: Requirement): string => {
    const { id, title, description } = requirement
    const words = sentenceBeside(title, description ?? '') || sentenceBeside(title, summaries.get(id) ?? '')
    const said = words === '' ? '' : `: ${described(requirement, words)}`
    return `${strong(inline(title))} (${numbered(requirement)}, ${day(requirement.completed_at ?? '')})${said}`
  }
  const byKind = new Map(grouped(done, ({ kind }) => kind))
  return KINDS.flatMap(([kind, name]) => {
    const all = byKind.get(kind) ?? []
    if (all.length === 0) return []
    const more = all.length - MAX_OF_KIND
    return [
      heading(3, `${name} (${all.length})`),
      bullets([...all.slice(0, MAX_OF_KIND).map(entry), more > 0 && `and ${more} more, which the changelog lists.`]),
    ]
  })
}

function decidedGate({ name, status, comment, decided_by, decided_at }: Gate, about: string): string {
  const gate = `${strong(inline(name))}${about}`
  if (decided_by === null) return `${day(decided_at ?? '')}: ${gate} ${status === 'expired' ? 'expired' : `was ${status}`}.`
  return `${day(decided_at ?? '')}: ${inline(decided_by)} ${decisionVerb(status)} ${gate}${quoteOf(comment, QUOTE_LENGTH)}`
}

function revokedGate({ name, revoked_by, revoked_at, revocation_reason }: Gate, about: string): string {
  const why = quoteOf(revocation_reason, QUOTE_LENGTH)
  return `${day(revoked_at ?? '')}: ${inline(shownName(revoked_by))} revoked the approval of ${strong(inline(name))}${about}${why}`
}

function decidedComparison(comparison: Comparison, about: string): string {
  const { track_a_agent: a, track_b_agent: b, winner, decided_by, decided_at } = comparison
  const [won, lost] = winner === 'b' ? [b, a] : [a, b]
  const who = inline(shownName(decided_by))
  const how =
    winner === 'tie'
      ? `found ${inline(a)} and ${inline(b)} equally good`
      : `chose the work of ${strong(inline(won))} over the work of ${inline(lost)}`
  return `${day(decided_at)}: ${who} ${how}${about}.`
}

export function decisions({ gates, comparisons, requirements }: ProjectData): string | null {
  const byId = new Map(requirements.map((each) => [each.id, each]))
  const about = (requirement_id: string | null, preposition: string): string => {
    const requirement = requirement_id === null ? undefined : byId.get(requirement_id)
    return requirement ? ` ${preposition} ${named(requirement)}` : ''
  }
  const all = [
    ...gates
      .filter(({ decided_at }) => decided_at !== null)
      .map((gate) => ({ at: gate.decided_at ?? '', text: decidedGate(gate, about(gate.requirement_id, 'of')) })),
    ...gates
      .filter(({ revoked_at }) => revoked_at !== null)
      .map((gate) => ({ at: gate.revoked_at ?? '', text: revokedGate(gate, about(gate.requirement_id, 'of')) })),
    ...comparisons.map((each) => ({ at: each.decided_at, text: decidedComparison(each, about(each.requirement_id, 'for')) })),
  ].sort((one, other) => compare(other.at, one.at))
  return all.length === 0 ? null : bullets(all.slice(0, MAX_DECISIONS).map(({ text }) => text))
}
