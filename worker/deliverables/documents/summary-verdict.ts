/** The verdict of a summary in two sentences: what was reached; what is at risk, and what was spent. */
import { sumUsd, usdText } from '../../../core/values/money.ts'
import { daysBefore } from '../data/project.ts'
import { counted, day, duration, enumerated, month, share } from '../format.ts'
import { inline, line } from '../markdown.ts'
import type { Budget, Execution, ProjectData, Requirement } from '../project-data.ts'
import { firstRollouts, named, numbered, onlyRequirement } from './requirement.ts'
import { environmentsOf, rolledBack } from './running-versions.ts'
import { openRequirements } from './summary-open.ts'
import { endOf, RECENT_DAYS } from './summary-trend.ts'

const MAX_NAMED = 5

function reached({ project, requirements, newest }: ProjectData): string {
  const wanted = requirements.filter(({ status }) => status !== 'cancelled')
  const done = wanted.filter(({ status }) => status === 'done')
  if (wanted.length === 0) return `${project.name} has no requirements yet, so nothing was delivered`
  const since = daysBefore(newest, RECENT_DAYS)
  const recent = done.filter(({ completed_at }) => (completed_at ?? '') > since).length
  const pace =
    done.length === 0 ? 'nothing is delivered yet' : `${recent === done.length ? 'all' : recent} of them in the last four weeks`
  return `${project.name} has ${done.length} of ${counted(wanted.length, 'requirement')} done (${share(done.length, wanted.length)}), ${pace}`
}

/** Numbers of requirements, linked to them; of many, nothing. */
const numbersOf = (requirements: Requirement[]): string =>
  requirements.length > MAX_NAMED ? '' : ` (${requirements.map(numbered).join(', ')})`

function undecided({ gates, requirements }: ProjectData): string[] {
  const pending = gates.filter(({ status }) => status === 'pending')
  if (pending.length === 0) return []
  const ids = new Set(pending.map(({ requirement_id }) => requirement_id))
  const waiting = requirements.filter(({ id }) => ids.has(id))
  const count = counted(pending.length, 'gate that awaits a decision', 'gates that await a decision')
  if (waiting.length === 0) return [count]
  if (pending.length === 1) return [`${count}${numbersOf(waiting)}`]
  const project = ids.has(null) ? ' and on the project itself' : ''
  return [`${count} on ${counted(waiting.length, 'requirement')}${numbersOf(waiting)}${project}`]
}

function dangers(data: ProjectData): string[] {
  const open = openRequirements(data)
  const rejected = open.filter(({ rejection }) => rejection !== null)
  const failed = open.filter(
    ({ execution, gates, rejection }) => gates.length === 0 && !rejection && execution?.status === 'failed',
  )
  const security = open.filter(({ requirement }) => requirement.kind === 'security')
  const disabled = data.hooks.filter(({ disabled_reason }) => disabled_reason !== null).length
  const failing = environmentsOf(data).filter(({ reported }) => reported?.latest?.state === 'failed')
  const many = (found: typeof open, noun: string, plural: string) =>
    found.length === 0 ? [] : [`${counted(found.length, noun, plural)}${numbersOf(found.map(({ requirement }) => requirement))}`]
  return [
    ...many(failed, 'requirement whose last execution failed', 'requirements whose last execution failed'),
    ...many(rejected, 'requirement whose gate was rejected', 'requirements whose gate was rejected'),
    ...undecided(data),
    ...many(security, 'open security requirement', 'open security requirements'),
    ...rolledBack(data).map(({ environment, from, to }) => inline(`a rollback of ${environment} from ${from} to ${to}`)),
    ...(failing.length > 0 ? [`the last rollout to ${enumerated(failing.map(({ name }) => inline(name)))}, which failed`] : []),
    ...(disabled === 0 ? [] : [counted(disabled, 'disabled deployment hook')]),
  ]
}

const ofBudget = (whose: string, { limit_usd, used_usd }: Budget): string[] =>
  limit_usd === null
    ? []
    : [
        `the ${whose} ${usdText(used_usd)} of its ${usdText(limit_usd)} budget${limit_usd > 0 ? ` (${share(used_usd, limit_usd)})` : ''}`,
      ]

const costOf = (executions: Execution[]): string => usdText(sumUsd(executions.map(({ cost_usd }) => cost_usd ?? 0)))

function spending({ budgets: { workspace, organization }, executions, newest }: ProjectData): string {
  const inMonth = executions.filter((each) => endOf(each).slice(0, 7) === newest.slice(0, 7))
  const against = [...ofBudget('workspace', workspace), ...ofBudget('organization', organization)]
  const project = `${costOf(inMonth)} on it in ${month(newest)}`
  return `agents spent ${against.length === 0 ? `${project}, without a budget` : enumerated([project, ...against])}`
}

function onOne(data: ProjectData, requirement: Requirement): string {
  const { status, created_at, completed_at } = requirement
  const rollouts = firstRollouts(data, requirement).map(
    ({ environment, version }) => `${environment}${version === null ? '' : ` as ${version}`}`,
  )
  const took = duration((Date.parse(completed_at ?? created_at) - Date.parse(created_at)) / 1000)
  const state =
    status === 'done'
      ? `was done on ${day(completed_at ?? '')}, ${took} after it was asked for`
      : `is ${status.replaceAll('_', ' ')} since it was asked for on ${day(created_at)}`
  const where = rollouts.length > 0 ? `, and was first rolled out to ${enumerated(rollouts.map(inline))}` : ''
  const atRisk = dangers({ ...data, hooks: [], environments: [], rollouts: [] })
  const risk = atRisk.length > 0 ? `At risk: ${enumerated(atRisk)}; it` : 'No risks are known; it'
  const cost = `cost ${costOf(data.executions)} in ${counted(data.executions.length, 'execution')}`
  return `${named(requirement)} ${state}${where}. ${risk} ${inline(cost)}.`
}

/** One paragraph, as Markdown whose only markup are the linked numbers of requirements. */
export function verdict(data: ProjectData): string {
  const requirement = onlyRequirement(data)
  if (requirement) return onOne(data, requirement)
  const atRisk = dangers(data)
  const risk = atRisk.length > 0 ? `At risk: ${enumerated(atRisk)}` : 'No risks are known'
  return `${line(reached(data))}. ${risk}; ${inline(spending(data))}.`
}
