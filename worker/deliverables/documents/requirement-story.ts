/** The story of one requirement, from request to rollout. */
import { minuteText } from '../../../core/values/instants.ts'
import { usdText } from '../../../core/values/money.ts'
import { shownName } from '../data/project.ts'
import { decisionVerb } from '../data/work.ts'
import { compare, duration } from '../format.ts'
import { type Block, bullets, inline, prose, quoteOf, strong } from '../markdown.ts'
import type { Execution, Gate, ProjectData, Requirement } from '../project-data.ts'
import { nameReleases, releaseIndex } from '../releases.ts'
import { criterionItem } from '../sentences.ts'
import { firstRollouts } from './requirement.ts'

/** The most steps that are shown; in a longer story, the middle is left out. */
const MAX_STEPS = 60
const QUOTE_LENGTH = 300

type Step = { at: string; text: string }

const said = (text: string | null): string => quoteOf(text, QUOTE_LENGTH) || '.'

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

function ofGate(gate: Gate): Step[] {
  const { decided_at, revoked_at } = gate
  const name = strong(inline(gate.name))
  const decision = `${who(gate.decided_by)} ${decisionVerb(gate.status)} ${name}${said(gate.comment)}`
  const revocation = `${who(gate.revoked_by)} revoked the approval of ${name}${said(gate.revocation_reason)}`
  return [
    { at: gate.created_at, text: `The gate ${name} was opened.` },
    ...(decided_at === null ? [] : [{ at: decided_at, text: decision }]),
    ...(revoked_at === null ? [] : [{ at: revoked_at, text: revocation }]),
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
    ...gates.flatMap(ofGate),
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
  return steps.sort((one, other) => compare(one.at, other.at))
}

export const wish = ({ description, acceptance_criteria }: Requirement): Block[] => [
  description ? prose(description) : 'It has no description.',
  acceptance_criteria.length > 0 && 'Acceptance criteria:',
  bullets(acceptance_criteria.map(criterionItem)),
]

export function story(data: ProjectData, requirement: Requirement): string {
  const steps = stepsOf(data, requirement)
  const half = MAX_STEPS / 2
  const rows =
    steps.length <= MAX_STEPS
      ? steps
      : [...steps.slice(0, half), { at: '', text: `${steps.length - MAX_STEPS} steps are left out.` }, ...steps.slice(-half)]
  return bullets(rows.map(({ at, text }) => (at === '' ? text : `${minuteText(at)}: ${text}`)))
}
