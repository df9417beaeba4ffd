/** project_summary: the state of a project, for sponsors and new members. */
import { sumUsd } from '../../../core/values/money.ts'
import { counted, day, duration, grouped, median, share, usd } from '../format.ts'
import { bullets, code, heading, inline, link, pie, prose, table } from '../markdown.ts'
import type { Execution, Gate, ProjectData } from '../project-data.ts'
import { type Document, documentOf } from './document.ts'
import { named } from './requirement.ts'

const STATES = [
  ['done', 'Done'],
  ['in_progress', 'In progress'],
  ['open', 'Open'],
  ['cancelled', 'Cancelled'],
] as const

const sum = (executions: Execution[]): number => sumUsd(executions.map(({ cost_usd }) => cost_usd ?? 0))

function atAGlance({ project, organization, workspace, requirements, executions, gates }: ProjectData): string {
  const done = requirements.filter(({ status }) => status === 'done').length
  const wanted = requirements.filter(({ status }) => status !== 'cancelled').length
  const decided = gates.filter(({ status }) => status === 'approved' || status === 'rejected')
  const approved = decided.filter(({ status }) => status === 'approved').length
  return table(
    ['', ''],
    [
      ['Organization', inline(organization.name)],
      ['Workspace', inline(workspace.name)],
      ['Started', day(project.created_at)],
      ['Repository', project.repository_url ? link(project.repository_url, project.repository_url) : '–'],
      ['Requirements done', `${done} of ${wanted} (${share(done, wanted)})`],
      ['Executions', String(executions.length)],
      ['Gates approved', `${approved} of ${decided.length} decided (${share(approved, decided.length)})`],
      ['Spent', inline(usd(sum(executions)))],
    ],
  )
}

function scope({ requirements }: ProjectData): (string | null)[] {
  if (requirements.length === 0) return ['No requirements yet.']
  const counts = STATES.map(
    ([state, name]) => [name, requirements.filter(({ status }) => status === state).length] as [string, number],
  )
  return [
    pie(
      'Requirements by status',
      counts.filter(([, count]) => count > 0),
    ),
    table(
      ['Status', 'Requirements'],
      counts.map(([name, count]) => [name, String(count)]),
      [1],
    ),
  ]
}

function throughput({ requirements }: ProjectData): (string | null)[] {
  const done = requirements.filter(({ completed_at }) => completed_at !== null)
  if (done.length === 0) return ['Nothing is done yet.']
  const months = grouped(done, ({ completed_at }) => (completed_at ?? '').slice(0, 7)).sort(([one], [other]) =>
    one < other ? 1 : -1,
  )
  const lead = median(
    done.map(({ created_at, completed_at }) => (Date.parse(completed_at ?? '') - Date.parse(created_at)) / 1000),
  )
  return [
    table(
      ['Month', 'Done'],
      months.map(([month, all]) => [month, String(all.length)]),
      [1],
    ),
    lead === null ? null : `Median time from request to done: ${duration(lead)}.`,
  ]
}

function agents({ executions }: ProjectData): string[] {
  if (executions.length === 0) return ['No agent has worked here yet.']
  return [
    table(
      ['Agent', 'Executions', 'Completed', 'Failed', 'Cancelled', 'Unfinished', 'Cost', 'Median time'],
      grouped(executions, ({ agent }) => agent).map(([agent, all]) => {
        const number = (...states: string[]) => String(all.filter(({ status }) => states.includes(status)).length)
        const time = median(all.flatMap(({ seconds }) => (seconds === null ? [] : [seconds])))
        return [
          inline(agent),
          String(all.length),
          number('completed'),
          number('failed'),
          number('cancelled'),
          number('queued', 'running', 'awaiting_gate'),
          inline(usd(sum(all))),
          time === null ? '–' : duration(time),
        ]
      }),
      [1, 2, 3, 4, 5, 6, 7],
    ),
  ]
}

function risks({ requirements, executions, gates, hooks }: ProjectData): string[] {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]))
  const of = (requirement_id: string): string => {
    const requirement = byId.get(requirement_id)
    return requirement ? named(requirement) : 'a requirement'
  }
  const unfinished = requirements.filter(({ status }) => status === 'open' || status === 'in_progress')
  const newest = new Map(executions.filter(({ status }) => status !== 'cancelled').map((each) => [each.requirement_id, each]))
  return [
    ...unfinished.flatMap(({ id }) => {
      const last = newest.get(id)
      return last?.status === 'failed'
        ? [`The newest execution of ${of(id)} failed${last.error ? `: ${inline(last.error.slice(0, 200))}` : '.'}`]
        : []
    }),
    ...requirements
      .filter(({ reopened }) => reopened > 0)
      .map((each) => `${named(each)} was done and reopened ${counted(each.reopened, 'time')}.`),
    ...gates
      .filter(({ status }) => status === 'pending')
      .map(({ name, requirement_id }) => `The gate ${inline(name)} of ${of(requirement_id)} waits for a decision.`),
    ...unfinished.filter(({ kind }) => kind === 'security').map((each) => `${named(each)} concerns security and is not done.`),
    ...hooks
      .filter(({ disabled_reason }) => disabled_reason !== null)
      .map(({ name, disabled_reason }) => `The deployment hook ${inline(name)} was disabled: ${inline(disabled_reason ?? '')}`),
  ]
}

const decision = ({ name, status, comment, decided_by, decided_at }: Gate): string =>
  `${decided_at ? day(decided_at) : ''}: ${inline(decided_by ?? 'A former user')} ${status} ${inline(name)}${comment ? `: ${inline(comment.slice(0, 300))}` : '.'}`

export function projectSummary(data: ProjectData): Document {
  const openRisks = risks(data)
  const unfinished = data.requirements.filter(({ status }) => status === 'in_progress')
  const decisions = data.gates
    .filter(({ decided_at }) => decided_at !== null)
    .slice(-20)
    .reverse()
  const environments = grouped(data.hooks, ({ environment }) => environment)
  return documentOf(data, `${data.project.name}: summary`, [
    data.project.description && prose(data.project.description),
    heading(2, 'At a glance'),
    atAGlance(data),
    heading(2, 'Scope'),
    ...scope(data),
    heading(2, 'Throughput'),
    ...throughput(data),
    unfinished.length > 0 && heading(2, 'In progress'),
    unfinished.length > 0 && bullets(unfinished.map(named)),
    heading(2, 'Agents and cost'),
    ...agents(data),
    heading(2, 'Open risks'),
    openRisks.length > 0 ? bullets(openRisks) : 'None found in the data.',
    environments.length > 0 && heading(2, 'Deployments'),
    environments.length > 0 &&
      table(
        ['Environment', 'Hooks', 'Last success'],
        environments.map(([environment, hooks]) => {
          const last = hooks
            .map(({ last_success_at }) => last_success_at ?? '')
            .sort()
            .at(-1)
          return [code(environment), String(hooks.length), last ? day(last) : '–']
        }),
        [1],
      ),
    decisions.length > 0 && heading(2, 'Decisions'),
    decisions.length > 0 && bullets(decisions.map(decision)),
    heading(2, 'People'),
    data.members.length > 0
      ? bullets(data.members.map(({ name, role }) => `${inline(name)}, ${inline(role)}`))
      : 'The project has no members.',
  ])
}
