/** The verdict of a summary in two sentences: what was reached; what is at risk, and what was spent. */
import { sumUsd } from '../../../core/values/money.ts'
import { daysBefore } from '../data/newest.ts'
import { counted, day, duration, enumerated, month, share, usd } from '../format.ts'
import { line } from '../markdown.ts'
import type { Budget, ProjectData } from '../project-data.ts'
import { onlyRequirement } from './requirement.ts'
import { firstRollouts } from './requirement-rollouts.ts'
import { environmentsOf, rolledBack } from './running-versions.ts'
import { openRequirements } from './summary-open.ts'

const RECENT_DAYS = 30

/** Requirements at risk that are named one by one. */
const MAX_NAMED = 5

function reached({ project, requirements, newest }: ProjectData): string {
  const wanted = requirements.filter(({ status }) => status !== 'cancelled')
  const done = wanted.filter(({ status }) => status === 'done')
  if (wanted.length === 0) return `${project.name} has no requirements yet, so nothing was delivered`
  const since = daysBefore(newest, RECENT_DAYS)
  const recent = done.filter(({ completed_at }) => (completed_at ?? '') > since).length
  const pace =
    done.length === 0 ? 'nothing is delivered yet' : `${recent === done.length ? 'all' : recent} of them in the last 30 days`
  return `${project.name} has ${done.length} of ${counted(wanted.length, 'requirement')} done (${share(done.length, wanted.length)}), ${pace}`
}

/** What is at risk, as a list of words. */
function dangers(data: ProjectData): string[] {
  const open = openRequirements(data)
  const rejected = open.filter(({ rejection }) => rejection !== null)
  const failed = open.filter(({ execution, gate, rejection }) => !gate && !rejection && execution?.status === 'failed')
  const waiting = open.filter(({ gate }) => gate !== null)
  const security = open.filter(({ requirement }) => requirement.kind === 'security')
  const disabled = data.hooks.filter(({ disabled_reason }) => disabled_reason !== null).length
  const failing = environmentsOf(data).filter(({ reported }) => reported?.latest?.state === 'failed')
  const many = (count: number, noun: string, plural?: string) => (count === 0 ? [] : [counted(count, noun, plural)])
  const named = (found: typeof open, noun: string, plural: string) => {
    if (found.length === 0) return []
    const numbers = found.map(({ requirement }) => `#${requirement.number}`)
    return [`${counted(found.length, noun, plural)}${found.length <= MAX_NAMED ? ` (${numbers.join(', ')})` : ''}`]
  }
  return [
    ...named(failed, 'requirement whose last execution failed', 'requirements whose last execution failed'),
    ...named(rejected, 'requirement whose gate was rejected', 'requirements whose gate was rejected'),
    ...named(waiting, 'requirement that awaits a decision', 'requirements that await a decision'),
    ...named(security, 'open security requirement', 'open security requirements'),
    ...rolledBack(data).map((each) => `a rollback (${each})`),
    ...(failing.length > 0 ? [`the last rollout to ${enumerated(failing.map(({ name }) => name))}, which failed`] : []),
    ...many(disabled, 'disabled deployment hook'),
  ]
}

const ofBudget = ({ limit_usd, used_usd }: Budget, whose: string): string =>
  `${usd(used_usd)} of the ${whose}'s ${usd(limit_usd ?? 0)} budget${limit_usd ? ` (${share(used_usd, limit_usd)})` : ''}`

/** What agents spent in the month of the newest datum, against the budgets that there are. */
export function spending({ budgets: { workspace, organization }, newest }: ProjectData): string {
  const against = [
    ...(workspace.limit_usd === null ? [] : [ofBudget(workspace, 'workspace')]),
    ...(organization.limit_usd === null ? [] : [ofBudget(organization, 'organization')]),
  ]
  const spent = against.length === 0 ? usd(workspace.used_usd) : enumerated(against)
  return `agents spent ${spent} in ${month(newest)}${against.length === 0 ? ', without a budget' : ''}`
}

const cost = ({ executions }: ProjectData): string => usd(sumUsd(executions.map(({ cost_usd }) => cost_usd ?? 0)))

/** The verdict on one requirement. */
function onOne(data: ProjectData, requirement: NonNullable<ReturnType<typeof onlyRequirement>>): string {
  const { number, title, status, created_at, completed_at } = requirement
  const rollouts = firstRollouts(data, requirement).map(
    ({ environment, version }) => `${environment}${version === null ? '' : ` as ${version}`}`,
  )
  const took = duration((Date.parse(completed_at ?? created_at) - Date.parse(created_at)) / 1000)
  const state =
    status === 'done'
      ? `was done on ${day(completed_at ?? '')}, ${took} after it was asked for`
      : `is ${status.replaceAll('_', ' ')} since it was asked for on ${day(created_at)}`
  const where = rollouts.length > 0 ? `, and was rolled out to ${enumerated(rollouts)}` : ''
  const atRisk = dangers({ ...data, hooks: [], environments: [], rollouts: [] })
  const risk = atRisk.length > 0 ? `At risk: ${enumerated(atRisk)}; it` : 'No risks are known; it'
  return `#${number} ${title} ${state}${where}. ${risk} cost ${cost(data)} in ${counted(data.executions.length, 'execution')}.`
}

/** One paragraph of plain text, as Markdown. */
export function verdict(data: ProjectData): string {
  const requirement = onlyRequirement(data)
  if (requirement) return line(onOne(data, requirement))
  const atRisk = dangers(data)
  const risk = atRisk.length > 0 ? `At risk: ${enumerated(atRisk)}` : 'No risks are known'
  return line(`${reached(data)}. ${risk}; ${spending(data)}.`)
}
