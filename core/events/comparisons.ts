/** Events of dual-track comparisons. */
import { pagePath } from '../tenants/links.ts'
import { declare, messagesOf } from './declaration.ts'
import type { EventComparison, NamedRequirement } from './subjects.ts'
import { forRequirement, numbered, person, prose, text } from './words.ts'

/** A winner for people, with its track, as both agents may have the same name; null if there is none. */
function winnerOf(comparison: EventComparison, winner: string | null | undefined): string | null {
  if (winner === 'tie') return 'a tie'
  if (winner !== 'a' && winner !== 'b') return null
  const track = `track ${winner.toUpperCase()}`
  const agent = text(comparison[`track_${winner}_agent`], 60)
  return agent === null ? track : `${agent} (${track})`
}

const agentsOf = ({ track_a_agent, track_b_agent }: EventComparison): string =>
  `${text(track_a_agent, 60) ?? 'track A'} and ${text(track_b_agent, 60) ?? 'track B'}`

/** The first line of the rationale; its figures are on the page. */
const verdictOf = ({ result }: EventComparison): string | null => prose(result?.rationale)?.split('\n', 1)[0] ?? null

type Data = { comparison: EventComparison; requirement: NamedRequirement }

const message = messagesOf<Data, (comparison: EventComparison) => string>(({ comparison, requirement }, what, people) => ({
  sentence: `the comparison of ${agentsOf(comparison)}${forRequirement(requirement)} ${what(comparison)}.`,
  subject: numbered(requirement) ?? agentsOf(comparison),
  facts: [
    ['Requirement', numbered(requirement)],
    ['Track A', text(comparison.track_a_agent)],
    ['Track B', text(comparison.track_b_agent)],
    ['Recommended', winnerOf(comparison, comparison.result?.recommendation)],
    ['Decided by', person(people, comparison.decided_by)],
  ],
  quote: prose(comparison.error) ?? verdictOf(comparison),
}))

const about = {
  data: { comparison: 'comparison', requirement: 'requirement' },
  scope: 'project',
  page: ({ comparison }: { comparison?: { id?: unknown } }) => pagePath('dual_track', comparison?.id),
} as const

const undecided = { status: 'compared', winner: null, decided_by: null, decided_at: null, error: null }
const unjudged = { ...undecided, status: 'cancelled', result: null }

export const comparisonEvents = {
  'dual_track.compared': declare({
    ...about,
    when: 'A comparison of two tracks is completed.',
    sample: { comparison: undecided },
    message: message('Comparison ready', 'info', () => 'is ready', 'Read the verdict, then decide which track wins.'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'dual_track.failed': declare({
    ...about,
    when: 'A comparison of two tracks fails.',
    sample: { comparison: { ...unjudged, status: 'failed', error: 'The model could not be reached.' } },
    message: message('Comparison failed', 'bad', () => 'failed', 'Compare again, or decide without it.'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'dual_track.decided': declare({
    ...about,
    when: 'A user decides which track wins.',
    sample: { comparison: { ...undecided, status: 'decided', winner: 'a', decided_at: '2026-11-21T09:30:00.000Z' } },
    message: message(
      'Comparison decided',
      'good',
      (comparison) => `was decided for ${winnerOf(comparison, comparison.winner) ?? 'one of them'}`,
    ),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'dual_track.cancelled': declare({
    ...about,
    when: 'A comparison is cancelled.',
    sample: { comparison: unjudged },
    message: message('Comparison cancelled', 'info', () => 'was cancelled'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
}
