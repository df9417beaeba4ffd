/** The story of one requirement, from request to rollout. */
import { minuteText } from '../../../core/values/instants.ts'
import { usdText } from '../../../core/values/money.ts'
import { shownName } from '../data/project.ts'
import { decisionVerb } from '../data/work.ts'
import { duration } from '../format.ts'
import { bullets, inline, prose, shortened, strong } from '../markdown.ts'
import type { Execution, ProjectData, Requirement } from '../project-data.ts'
import { nameReleases, releaseIndex } from '../releases.ts'
import { criterionItem } from '../sentences.ts'
import { firstRollouts } from './requirement.ts'

/** The most steps that are shown; in a longer story, the middle is left out. */
const MAX_STEPS = 60
const QUOTE_LENGTH = 300

type Step = { at: string; text: string }

const said = (text: string | null): string => (text ? `: ${inline(shortened(text, QUOTE_LENGTH))}` : '.')

const who = (name: string | null): string => inline(shownName(name))

function ofExecution(execution: Execution): Step[] {
  const { agent, status, summary, error, cost_usd, seconds, started_by, started_at, finished_at } = execution
  const price = cost_usd === null ? '' : ` for ${inline(usdText(cost_usd))}`
  const took = seconds === null ? '' : ` after ${duration(seconds)}`
  const end = status === 'failed' ? `failed${took}${price}${said(error)}` : `${status}${took}${price}${said(summary)}`
  return [
    ...(started_at === null ? [] : [{ at: started_at, text: `${who(started_by)} started ${strong(inline(agent))}.` }]),
    ...(finished_at === null ? [] : [{ at: finished_at, text: `${strong(inline(agent))} ${end}` }]),
  ]
}

function releaseSteps(data: ProjectData, { kind, completed_at }: Requirement): Step[] {
  if (completed_at === null || kind === 'docs' || kind === 'chore') return []
  const { named } = nameReleases(data)
  const release = named[releaseIndex(named, completed_at)]
  return release ? [{ at: release.published_at, text: `Published in the changelog under ${strong(inline(release.name))}.` }] : []
}

function stepsOf(data: ProjectData, requirement: Requirement): Step[] {
  const { history, executions, gates, comparisons } = data
  const steps: Step[] = [
    { at: requirement.created_at, text: `${who(requirement.created_by)} asked for it.` },
    ...history
      .filter(({ from_status }) => from_status !== null)
      .map(({ changed_at, changed_by, to_status }) => ({
        at: changed_at,
        text: `${who(changed_by)} set it to ${strong(to_status.replaceAll('_', ' '))}.`,
      })),
    ...executions.flatMap(ofExecution),
    ...gates.flatMap(
      ({ name, status, created_at, decided_at, decided_by, comment, revoked_at, revoked_by, revocation_reason }) => [
        { at: created_at, text: `The gate ${strong(inline(name))} was opened.` },
        ...(decided_at === null
          ? []
          : [{ at: decided_at, text: `${who(decided_by)} ${decisionVerb(status)} ${strong(inline(name))}${said(comment)}` }]),
        ...(revoked_at === null
          ? []
          : [
              {
                at: revoked_at,
                text: `${who(revoked_by)} revoked the approval of ${strong(inline(name))}${said(revocation_reason)}`,
              },
            ]),
      ],
    ),
    ...comparisons.map(({ decided_at, decided_by, winner, track_a_agent, track_b_agent }) => ({
      at: decided_at,
      text:
        winner === 'tie'
          ? `${who(decided_by)} found ${inline(track_a_agent)} and ${inline(track_b_agent)} equally good.`
          : `${who(decided_by)} chose the work of ${strong(inline(winner === 'a' ? track_a_agent : track_b_agent))}.`,
    })),
    ...releaseSteps(data, requirement),
    ...firstRollouts(data, requirement).map(({ reported_at, environment, version }) => ({
      at: reported_at,
      text: `First rolled out to ${strong(inline(environment))}${version === null ? '.' : ` as ${inline(version)}.`}`,
    })),
  ]
  return steps.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}

export const wish = ({ description, acceptance_criteria }: Requirement): (string | null)[] => [
  description ? prose(description) : 'It has no description.',
  acceptance_criteria.length > 0 ? 'Acceptance criteria:' : null,
  acceptance_criteria.length > 0 ? bullets(acceptance_criteria.map(criterionItem)) : null,
]

export function story(data: ProjectData, requirement: Requirement): string {
  const steps = stepsOf(data, requirement)
  const half = MAX_STEPS / 2
  const told =
    steps.length <= MAX_STEPS
      ? steps
      : [...steps.slice(0, half), { at: '', text: `${steps.length - MAX_STEPS} steps are left out.` }, ...steps.slice(-half)]
  return bullets(told.map(({ at, text }) => (at === '' ? text : `${minuteText(at)}: ${text}`)))
}
