/** Events of executions, and of workflows, which consist of them. */
import type { NotificationType } from '../notifications/types.ts'
import type { ShortExecution } from '../records/executions.ts'
import { pagePath } from '../tenants/links.ts'
import { declare, messagesOf, type NotificationSpec, type ToldEvent } from './declaration.ts'
import type { NamedRequirement } from './subjects.ts'
import {
  actor,
  excerpt,
  forRequirement,
  joined,
  named,
  nameIn,
  notificationText,
  numbered,
  ofRequirement,
  person,
  prose,
  text,
  threadOf,
  usd,
  verbatim,
} from './words.ts'

type Data = { execution: ShortExecution; requirement: NamedRequirement }

/** A message about an execution. @param what follows `the execution by … for …` */
export const message = messagesOf<Data>(({ execution, requirement }, what, people) => ({
  sentence: `the execution by ${text(execution.agent) ?? 'an agent'}${forRequirement(requirement)} ${what}.`,
  subject: numbered(requirement) ?? text(execution.agent),
  facts: [
    ['Requirement', numbered(requirement)],
    ['Agent', text(execution.agent)],
    ['Started by', person(people, execution.started_by)],
    ['Cancelled by', execution.status === 'cancelled' ? actor(people) : null],
    ['Cost', usd(execution.cost_usd)],
    ['Cost limit', usd(execution.max_cost_usd ?? null)],
  ],
  quote: prose(execution.error) ?? prose(execution.summary),
  thread: threadOf(execution.id),
}))

/** Tells who started an execution, and the author of its requirement. */
const tells =
  (type: NotificationType, what: string, outcome: (execution: Data['execution']) => string | null) =>
  ({ data: { execution, requirement }, ...at }: ToldEvent<Data>): NotificationSpec => {
    const { id, requirement_id, agent, started_by, cost_usd } = execution
    return {
      type,
      resource: ['execution', id],
      data: { requirement_id, agent, cost_usd },
      text: (_, people) => {
        const starter = nameIn(people, started_by)
        return notificationText(
          `The execution by ${named(agent)} ${what}${ofRequirement(requirement)}`,
          at,
          excerpt(outcome(execution)),
          joined(' ', starter && `${starter} started it.`, (cost_usd !== null && `It cost ${usd(cost_usd)}.`) || null),
        )
      },
      mentions: [started_by],
      people: [started_by],
      requirement_id,
    }
  }

const about = {
  data: { execution: 'execution', requirement: 'requirement' },
  scope: 'project',
  page: ({ execution }: { execution?: { id?: unknown } }) => pagePath('execution', execution?.id),
} as const

const AT = '2026-11-21T09:30:00.000Z'
const STARTED = '2026-11-21T09:12:00.000Z'
const METRICS = { tests_passed: 42, tests_failed: 0, lines_added: 310, lines_removed: 25 }
const ended = { started_at: STARTED, finished_at: AT, cost_usd: 0.42 }

export const RUNNING = {
  status: 'running',
  summary: null,
  error: null,
  cost_usd: null,
  finished_at: null,
  started_at: STARTED,
  metrics: {},
} as const
export const failedWith = (error: string) => ({ ...ended, status: 'failed', summary: null, error, metrics: {} }) as const

/** Requirements that are named; more are only counted. */
const NAMED_REQUIREMENTS = 3

/** The first requirements of a workflow, and how many more there are; null if none is known. */
function firstOf(requirements: NamedRequirement[]): string | null {
  const shown = requirements.slice(0, NAMED_REQUIREMENTS).flatMap((requirement) => numbered(requirement, 80) ?? [])
  const more = requirements.length - NAMED_REQUIREMENTS
  return shown.length === 0 ? null : `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

export const executionEvents = {
  'execution.started': declare({
    ...about,
    when: 'An execution is started.',
    sample: { execution: RUNNING },
    message: message('Execution started', 'info', 'is running'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'execution.completed': declare({
    ...about,
    when: 'An execution is completed.',
    sample: {
      execution: { ...ended, status: 'completed', error: null, summary: 'Customers can pay by invoice.', metrics: METRICS },
    },
    message: message('Execution completed', 'good', 'is completed'),
    notifies: tells('execution_completed', 'is completed', ({ summary }) => summary),
    hooks: null,
    slack: 'reply',
  }),
  'execution.failed': declare({
    ...about,
    when: 'An execution fails, or one of its gates is rejected or expires.',
    sample: { execution: { ...failedWith('Two tests fail.'), metrics: METRICS } },
    message: message(
      'Execution failed',
      'bad',
      'failed',
      'Check what went wrong, and create another execution of the requirement.',
    ),
    slack: 'broadcast',
    notifies: tells('execution_failed', 'failed', ({ error }) => error),
    hooks: null,
  }),
  'execution.cancelled': declare({
    ...about,
    when: 'An execution is cancelled.',
    sample: { execution: { ...ended, status: 'cancelled', summary: null, error: null, metrics: {} } },
    message: message('Execution cancelled', 'warning', 'was cancelled'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'execution.over_budget': declare({
    ...about,
    when: 'The cost of an execution exceeds its `max_cost_usd`; once for each execution. The execution continues.',
    sample: { execution: { ...RUNNING, cost_usd: 5.2, max_cost_usd: 5 } },
    message: message(
      'Execution over budget',
      'warning',
      'costs more than its limit',
      'Check what it does, and cancel it if it should stop.',
    ),
    slack: 'broadcast',
    hooks: null,
    notifies: null,
  }),
  'workflow.completed': declare({
    when: 'The last unfinished execution of a workflow graph ends, and the newest execution of every requirement in it that was not cancelled is completed.',
    data: { graph_id: 'uuid', executions: 'executions', requirements: 'requirements' },
    scope: 'project',
    sample: {},
    page: (_, { project_id }) => pagePath('project', project_id),
    hooks: null,
    message: {
      title: 'Workflow completed',
      severity: 'good',
      next: null,
      describe: ({ graph_id, executions, requirements }) => ({
        sentence: 'every requirement of the workflow is completed.',
        subject: firstOf(requirements),
        facts: [
          ['Requirements', firstOf(requirements)],
          ['Executions', String(executions.length)],
        ],
        thread: verbatim(graph_id) && `workflow-${verbatim(graph_id)}`,
      }),
    },
    slack: 'reply',
    notifies: null,
  }),
}
