/** What is not done yet, and what blocks it. */
import { pageUrl } from '../../../core/tenants/links.ts'
import { shownName } from '../data/project.ts'
import { counted, day, enumerated, grouped } from '../format.ts'
import { type Block, bullets, inline, link, quoteOf, strong, table } from '../markdown.ts'
import type { Execution, Gate, ProjectData, Requirement } from '../project-data.ts'
import { named } from './requirement.ts'
import { environmentsOf, rolledBack, wasRolledBack } from './running-versions.ts'

const MAX_ROWS = 30
const ERROR_LENGTH = 160

interface OpenRequirement {
  requirement: Requirement
  gates: Gate[]
  rejection: Gate | null
  execution: Execution | null
  isBlocked: boolean
}

/** Blocked ones first, then those in progress. */
export function openRequirements({ requirements, executions, gates }: ProjectData): OpenRequirement[] {
  const newest = new Map(executions.filter(({ status }) => status !== 'cancelled').map((each) => [each.requirement_id, each]))
  const undecided = gates.filter(({ status }) => status === 'pending')
  const pending = new Map(grouped(undecided, ({ requirement_id }) => requirement_id ?? ''))
  const rejected = new Map(gates.filter(({ status }) => status === 'rejected').map((gate) => [gate.execution_id, gate]))
  const rank = ({ isBlocked, requirement }: OpenRequirement) => (isBlocked ? 0 : requirement.status === 'in_progress' ? 1 : 2)
  return requirements
    .filter(({ status }) => status === 'open' || status === 'in_progress')
    .map((requirement) => {
      const [waiting = [], execution = null] = [pending.get(requirement.id), newest.get(requirement.id)]
      const rejection = (execution?.status === 'failed' && rejected.get(execution.id)) || null
      const isBlocked = waiting.length > 0 || execution?.status === 'failed'
      return { requirement, gates: waiting, rejection, execution, isBlocked }
    })
    .sort((one, other) => rank(one) - rank(other) || one.requirement.number - other.requirement.number)
}

function waiting(gates: Gate[]): string {
  const [first] = gates as [Gate]
  const names = enumerated(gates.map(({ id, name }) => link(name, pageUrl('gate', id) ?? '')))
  return gates.length === 1
    ? `The gate ${names} has been waiting for a decision since ${day(first.created_at)}`
    : `The gates ${names} have been waiting for decisions, the oldest since ${day(first.created_at)}`
}

function reason({ requirement, gates, rejection, execution }: OpenRequirement): string {
  if (gates.length > 0) return waiting(gates)
  if (rejection) {
    const { decided_by, decided_at, name, comment } = rejection
    return `${inline(shownName(decided_by))} rejected ${inline(name)} on ${day(decided_at ?? '')}${quoteOf(comment, ERROR_LENGTH)}`
  }
  if (execution?.status === 'failed') return `${inline(execution.agent)} failed${quoteOf(execution.error, ERROR_LENGTH)}`
  if (execution && execution.status !== 'completed') {
    const { agent, started_at } = execution
    return `Nothing: ${inline(agent)} ${started_at ? `has been working on it since ${day(started_at)}` : 'works on it'}`
  }
  if (execution) return 'Work is completed: check it and close the requirement'
  return requirement.status === 'in_progress' ? 'No agent works on it' : 'Work has not started'
}

const stateOf = ({ isBlocked, requirement: { status, kind } }: OpenRequirement): string =>
  `${isBlocked ? strong('blocked') : status.replace('_', ' ')}${kind === 'security' ? ', security' : ''}`

export function openWork(data: ProjectData): Block[] {
  const open = openRequirements(data)
  const gates = data.gates.filter(({ status, execution_id }) => status === 'pending' && execution_id === null)
  const ofProject =
    gates.length === 0 ? [] : [`${waiting(gates)}. No requirement waits for ${gates.length === 1 ? 'it' : 'them'}.`]
  if (open.length === 0) return ofProject.length > 0 ? ofProject : ['Nothing is open.']
  return [
    table(
      ['Requirement', 'State', 'What blocks it'],
      open.slice(0, MAX_ROWS).map((each) => [named(each.requirement), stateOf(each), reason(each)]),
    ),
    open.length > MAX_ROWS && `${open.length - MAX_ROWS} more are open.`,
    ...ofProject,
  ]
}

export function otherRisks(data: ProjectData): string | null {
  const risks = [
    ...data.requirements
      .filter(({ reopened }) => reopened > 0)
      .slice(0, MAX_ROWS)
      .map((each) => `${named(each)} was done and reopened ${counted(each.reopened, 'time')}.`),
    ...data.hooks
      .filter(({ disabled_reason }) => disabled_reason !== null)
      .map(({ name, disabled_reason }) => `The deployment hook ${inline(name)} was disabled: ${inline(disabled_reason ?? '')}`),
    ...rolledBack(data).map((each) => `${wasRolledBack(each)}.`),
    ...environmentsOf(data)
      .filter(({ reported }) => reported?.latest?.state === 'failed')
      .map(({ name, reported }) => {
        const { version = null, description = null } = reported?.latest ?? {}
        const what = version === null ? 'The last rollout' : `The rollout of ${inline(version)}`
        return `${what} to ${inline(name)} failed${description === null ? '.' : quoteOf(description, ERROR_LENGTH)}`
      }),
  ]
  return bullets(risks) || null
}
