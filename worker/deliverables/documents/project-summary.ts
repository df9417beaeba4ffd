/** project_summary: the state of a project for a product manager, or the story of one requirement. */
import { isApproved } from '../../../core/gates/gates.ts'
import { sumUsd, usdText } from '../../../core/values/money.ts'
import { day, duration, grouped, median, share } from '../format.ts'
import { type Block, bullets, heading, inline, link, pie, prose, table } from '../markdown.ts'
import type { Execution, ProjectData, Requirement } from '../project-data.ts'
import { type Document, documentOf } from './document.ts'
import { onlyRequirement } from './requirement.ts'
import { story, wish } from './requirement-story.ts'
import { environmentsOf, runningCells } from './running-versions.ts'
import { decisions, delivered } from './summary-delivered.ts'
import { openRequirements, openWork, otherRisks } from './summary-open.ts'
import { trend } from './summary-trend.ts'
import { verdict } from './summary-verdict.ts'

const STATES = [
  ['done', 'Done'],
  ['in_progress', 'In progress'],
  ['blocked', 'Blocked'],
  ['open', 'Open'],
  ['cancelled', 'Cancelled'],
] as const

const MAX_AGENTS = 30
const MAX_PEOPLE = 50

const sum = (executions: Execution[]): number => sumUsd(executions.map(({ cost_usd }) => cost_usd ?? 0))

function facts(data: ProjectData): Block[] {
  const { project, organization, workspace, requirements, executions, gates } = data
  const decided = gates.filter(({ status }) => status === 'approved' || status === 'rejected')
  const approved = decided.filter(isApproved).length
  const blocked = new Set(openRequirements(data).flatMap(({ isBlocked, requirement }) => (isBlocked ? [requirement.id] : [])))
  const stateOf = ({ id, status }: Requirement) => (blocked.has(id) ? 'blocked' : status)
  const counts = STATES.map(
    ([state, name]) => [name, requirements.filter((each) => stateOf(each) === state).length] as [string, number],
  ).filter(([, count]) => count > 0)
  return [
    table(
      ['', ''],
      [
        ['Organization', inline(organization.name)],
        ['Workspace', inline(workspace.name)],
        ['Started', day(project.created_at)],
        ['Repository', project.repository_url ? link(project.repository_url, project.repository_url) : '–'],
        ['Executions', String(executions.length)],
        ['Gates approved', `${approved} of ${decided.length} decided (${share(approved, decided.length)})`],
        ['Spent on this project', inline(usdText(sum(executions)))],
      ],
    ),
    counts.length > 0 && pie('Requirements by status', counts),
  ]
}

function agents({ executions }: ProjectData): Block[] {
  if (executions.length === 0) return ['No agent has worked here yet.']
  const all = grouped(executions, ({ agent }) => agent).sort(([, one], [, other]) => other.length - one.length)
  return [
    table(
      ['Agent', 'Executions', 'Completed', 'Failed', 'Cancelled', 'Unfinished', 'Cost', 'Median time'],
      all.slice(0, MAX_AGENTS).map(([agent, each]) => {
        const number = (...states: string[]) => String(each.filter(({ status }) => states.includes(status)).length)
        const time = median(each.flatMap(({ seconds }) => (seconds === null ? [] : [seconds])))
        return [
          inline(agent),
          String(each.length),
          number('completed'),
          number('failed'),
          number('cancelled'),
          number('queued', 'running', 'awaiting_gate'),
          inline(usdText(sum(each))),
          time === null ? '–' : duration(time),
        ]
      }),
      [1, 2, 3, 4, 5, 6, 7],
    ),
    all.length > MAX_AGENTS && `${all.length - MAX_AGENTS} more agents are not listed.`,
  ]
}

function running(data: ProjectData): string[] {
  const environments = environmentsOf(data)
  if (environments.length === 0) return []
  return [
    heading(2, 'What runs where'),
    table(
      ['Environment', 'Running', 'Since'],
      environments.map((environment) => [inline(environment.name), ...runningCells(environment)]),
    ),
  ]
}

function people({ members }: ProjectData): string[] {
  if (members.length === 0) return []
  const more = members.length - MAX_PEOPLE
  return [
    heading(2, 'People'),
    bullets([
      ...members.slice(0, MAX_PEOPLE).map(({ name, role }) => `${inline(name)}, ${role}`),
      more > 0 && `and ${more} more.`,
    ]),
  ]
}

function missing({ project, requirements, executions, budgets, hooks, environments, only }: ProjectData): Block[] {
  const undescribed = requirements.filter(({ status, description }) => status === 'done' && !description)
  const free = executions.filter(({ status, cost_usd }) => status === 'completed' && cost_usd === null).length
  const bare = undescribed.length
  return [
    only === null && !project.description && 'The project has no description.',
    requirements.length === 0 && 'The project has no requirements.',
    bare > 0 &&
      `${bare} of the requirements that are done ${bare === 1 ? 'has' : 'have'} no description, so this document has only their titles.`,
    free > 0 && `${free} of the completed executions reported no cost.`,
    budgets.workspace.limit_usd === null &&
      budgets.organization.limit_usd === null &&
      'Neither workspace nor organization has a monthly budget, so spend cannot be compared with one.',
    hooks.length > 0 && environments.length === 0 && 'No rollout was reported, so it is not known what runs where.',
  ]
}

function onOne(data: ProjectData, requirement: Requirement): Document {
  return documentOf(
    data,
    'team',
    `${data.project.name}: summary`,
    [
      verdict(data),
      heading(2, 'Request'),
      ...wish(requirement),
      heading(2, 'From request to rollout'),
      story(data, requirement),
      heading(2, 'What is open'),
      ...openWork(data),
      heading(2, 'Agents and cost'),
      ...agents(data),
    ],
    missing(data),
  )
}

export function projectSummary(data: ProjectData): Document {
  const requirement = onlyRequirement(data)
  if (requirement) return onOne(data, requirement)
  const risks = otherRisks(data)
  return documentOf(
    data,
    'team',
    `${data.project.name}: summary`,
    [
      verdict(data),
      heading(2, 'What was delivered'),
      ...delivered(data),
      heading(2, 'What is open'),
      ...openWork(data),
      risks && heading(3, 'Further risks'),
      risks,
      heading(2, 'The last eight weeks'),
      ...trend(data),
      heading(2, 'Decisions'),
      decisions(data) ?? 'No gate or comparison has been decided.',
      heading(2, 'Agents and cost'),
      ...agents(data),
      ...running(data),
      heading(2, 'About the project'),
      data.project.description && prose(data.project.description),
      ...facts(data),
      ...people(data),
    ],
    missing(data),
  )
}
