/** Describes each event in text that every channel type can render. */
import { line } from '../../core/values/plain-text.ts'
import { at, type Facts } from './facts.ts'

export type Severity = 'info' | 'good' | 'warning' | 'bad'

/** The description of an event. `title` is fixed text; all other fields may contain user-supplied names. */
export interface EventDescription {
  title: string
  /** The subject of the event, for a subject line. */
  subject: string | null
  sentence: string
  severity: Severity
  facts: [name: string, value: string | null][]
  /** User-supplied text, such as a comment or an error. */
  quote: string | null
  /** What to do next; null if there is nothing to do. */
  next: string | null
  /** Messages with the same value belong to one conversation. */
  thread: string | null
}

type Describe = (facts: Facts) => EventDescription

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const describe = (
  title: string,
  severity: Severity,
  sentence: string,
  rest: Partial<EventDescription> = {},
): EventDescription => ({
  title,
  severity,
  sentence: capital(sentence),
  subject: null,
  facts: [],
  quote: null,
  next: null,
  thread: null,
  ...rest,
})

const threadOf = (execution_id: string | null): string | null => execution_id && `execution-${execution_id}`

/** What to do next with a resource; null if the event lacks its id. */
function nextWith(facts: Facts, path: string, next: (id: string) => string | null): string | null {
  const id = facts.text(path)
  return id === null ? null : next(id)
}

const execution =
  (title: string, severity: Severity, what: string, next: string | null = null): Describe =>
  (facts) =>
    describe(title, severity, `the execution by ${facts.text('execution.agent') ?? 'an agent'} ${what}.`, {
      subject: facts.text('execution.agent'),
      facts: [
        ['Agent', facts.text('execution.agent')],
        ['Cost', facts.usd('execution.cost_usd')],
        ['Execution', facts.text('execution.id')],
      ],
      quote: facts.prose('execution.error') ?? facts.prose('execution.summary'),
      next,
      thread: threadOf(facts.text('execution.id')),
    })

const gate =
  (title: string, severity: Severity, what: string, next: (id: string) => string | null): Describe =>
  (facts) =>
    describe(title, severity, `${facts.named('gate', 'gate.name')} ${what}.`, {
      subject: facts.text('gate.name'),
      facts: [
        ['Gate', facts.text('gate.name')],
        ['Agent', facts.text('execution.agent')],
        ['Execution', facts.text('gate.execution_id')],
      ],
      quote: facts.prose('gate.comment') ?? facts.prose('gate.description'),
      next: nextWith(facts, 'gate.id', next),
      thread: threadOf(facts.text('gate.execution_id')),
    })

const deployment =
  (title: string, severity: Severity, what: string, next: (id: string) => string | null): Describe =>
  (facts) =>
    describe(title, severity, `the dispatch of ${facts.text('dispatch.event') ?? 'an event'} ${what}.`, {
      subject: facts.text('dispatch.environment'),
      facts: [
        ['Environment', facts.text('dispatch.environment')],
        ['Event', facts.text('dispatch.event')],
        ['Attempts', facts.text('dispatch.attempt_count')],
        ['Response', facts.text('dispatch.response_status')],
        ['Dispatch', facts.text('dispatch.id')],
      ],
      quote: facts.prose('dispatch.error.detail'),
      next: nextWith(facts, 'dispatch.id', next),
    })

const deliverable =
  (title: string, severity: Severity, what: string, next: (id: string) => string | null): Describe =>
  (facts) =>
    describe(title, severity, `${facts.named('deliverable', 'deliverable.title')} ${what}.`, {
      subject: facts.text('deliverable.title'),
      facts: [
        ['Type', facts.text('deliverable.deliverable_type')],
        ['Version', facts.text('deliverable.version')],
        ['Deliverable', facts.text('deliverable.id')],
      ],
      quote: facts.prose('deliverable.error'),
      next: nextWith(facts, 'deliverable.id', next),
    })

const WINNERS: Record<string, string> = { a: 'track A', b: 'track B', tie: 'a tie' }

const comparison =
  (title: string, severity: Severity, what: (facts: Facts) => string, next: (id: string) => string | null): Describe =>
  (facts) =>
    describe(title, severity, `the comparison of ${agents(facts)} ${what(facts)}.`, {
      subject: agents(facts),
      facts: [
        ['Track A', facts.text('comparison.track_a_agent')],
        ['Track B', facts.text('comparison.track_b_agent')],
        ['Recommended', WINNERS[facts.text('comparison.result.recommendation') ?? ''] ?? null],
        ['Comparison', facts.text('comparison.id')],
      ],
      quote: facts.prose('comparison.error') ?? facts.prose('comparison.result.rationale'),
      next: nextWith(facts, 'comparison.id', next),
    })

const agents = (facts: Facts): string =>
  `${facts.text('comparison.track_a_agent', 60) ?? 'track A'} and ${facts.text('comparison.track_b_agent', 60) ?? 'track B'}`

const budget =
  (title: string, severity: Severity, what: string, next: (organization_id: string) => string): Describe =>
  (facts) => {
    const limit = facts.number('budget.budget_monthly_limit_usd')
    const used = facts.number('budget.budget_used_usd')
    const share = limit === null || used === null || limit === 0 ? null : `${Math.round((100 * used) / limit)} %`
    return describe(title, severity, what, {
      subject: facts.text('budget.workspace_name'),
      facts: [
        ['Workspace', facts.text('budget.workspace_name')],
        ['Limit', limit === null ? null : `$${limit.toFixed(2)}`],
        ['Used', used === null ? null : `$${used.toFixed(2)}`],
        ['Share', share],
      ],
      next: next(facts.organization_id),
    })
  }

const memberName = (facts: Facts): string => facts.text('member.user_name') ?? facts.text('member.user_email') ?? 'a member'

const member =
  (title: string, what: (facts: Facts) => string): Describe =>
  (facts) =>
    describe(title, 'info', `${memberName(facts)} ${what(facts)}.`, {
      subject: memberName(facts),
      facts: [['Role', facts.text('to') ?? facts.text('member.role')]],
    })

const runtime =
  (title: string, severity: Severity, what: string, next: string | null): Describe =>
  (facts) =>
    describe(title, severity, `${facts.named('runtime', 'runtime.name')} ${what}.`, {
      subject: facts.text('runtime.name'),
      facts: [
        ['Host', facts.text('runtime.hostname')],
        ['Last heartbeat', facts.text('runtime.last_heartbeat')],
      ],
      next,
    })

const nothing = () => null

/** By event name. */
export const DESCRIPTIONS: Record<string, Describe> = {
  'execution.started': execution('Execution started', 'info', 'is running'),
  'execution.completed': execution('Execution completed', 'good', 'is completed'),
  'execution.failed': execution(
    'Execution failed',
    'bad',
    'failed',
    'Check what went wrong, and create another execution of the requirement.',
  ),
  'execution.cancelled': execution('Execution cancelled', 'warning', 'was cancelled'),
  'workflow.completed': (facts) => {
    const executions = at(facts.data, 'executions')
    const count = Array.isArray(executions) ? executions.length : null
    return describe('Workflow completed', 'good', 'every requirement of the workflow is completed.', {
      facts: [
        ['Executions', count === null ? null : String(count)],
        ['Workflow graph', facts.text('graph_id')],
      ],
      thread: facts.text('graph_id') && `workflow-${facts.text('graph_id')}`,
    })
  },
  'gate.pending': gate(
    'Gate pending',
    'warning',
    'waits for a decision',
    (id) => `An admin of the workspace approves or rejects it: POST /api/v1/gates/${id}/approve or /reject.`,
  ),
  'gate.approved': gate('Gate approved', 'good', 'was approved', nothing),
  'gate.rejected': gate(
    'Gate rejected',
    'bad',
    'was rejected, and its execution failed',
    () => 'Read the reason, and start another execution.',
  ),
  'deployment.succeeded': deployment('Deployment delivered', 'good', 'was delivered', nothing),
  'deployment.failed': deployment(
    'Deployment failed',
    'bad',
    'failed',
    (id) => `Fix the receiver, then POST /api/v1/dispatches/${id}/redeliver.`,
  ),
  'deployment.rollback': (facts) =>
    describe(
      'Rollback requested',
      'warning',
      `a rollback to ${facts.text('target_version') ?? 'an earlier version'} was requested.`,
      {
        subject: facts.text('target_version'),
        facts: [
          ['Target version', facts.text('target_version')],
          ['Environment', facts.text('environment')],
        ],
        quote: facts.prose('reason'),
      },
    ),
  'deliverable.generated': deliverable(
    'Deliverable ready',
    'good',
    'is ready as a draft',
    (id) => `Read it, then POST /api/v1/deliverables/${id}/publish.`,
  ),
  'deliverable.failed': deliverable(
    'Deliverable failed',
    'bad',
    'could not be generated',
    () => 'Fix the cause, then generate it again.',
  ),
  'deliverable.published': deliverable('Deliverable published', 'good', 'was published', nothing),
  'deliverable.archived': deliverable('Deliverable archived', 'info', 'was archived', nothing),
  'dual_track.compared': comparison(
    'Comparison ready',
    'info',
    () => 'is ready',
    (id) => `Decide which track wins: POST /api/v1/dual-track/${id}/decide.`,
  ),
  'dual_track.failed': comparison(
    'Comparison failed',
    'bad',
    () => 'failed',
    (id) => `Compare again, or decide without it: POST /api/v1/dual-track/${id}/decide.`,
  ),
  'dual_track.decided': comparison(
    'Comparison decided',
    'good',
    (facts) => `was decided for ${WINNERS[facts.text('comparison.winner') ?? ''] ?? 'one of them'}`,
    nothing,
  ),
  'dual_track.cancelled': comparison('Comparison cancelled', 'info', () => 'was cancelled', nothing),
  'budget.alert': budget(
    'Budget alert',
    'warning',
    'the spend of this month exceeds the alert threshold.',
    (id) => `See where the money went (GET /api/v1/organizations/${id}/budget/history), or raise the limit.`,
  ),
  'budget.exhausted': budget(
    'Budget exhausted',
    'bad',
    'the budget of this month is used up: no execution can be created or started.',
    () => 'Raise the limit, or wait for the next month. Running executions continue.',
  ),
  'member.added': member('Member added', () => 'joined the organization'),
  'member.removed': member('Member removed', () => 'left the organization'),
  'member.role_changed': member('Role changed', (facts) => {
    const [from, to] = [facts.text('from'), facts.text('to') ?? facts.text('member.role')]
    return from && to ? `is now ${to}; before: ${from}` : 'has a new role'
  }),
  'runtime.online': runtime('Runtime online', 'good', 'is online', null),
  'runtime.offline': runtime(
    'Runtime offline',
    'warning',
    'has stopped sending heartbeats',
    'Check whether its host is running.',
  ),
  'hook.disabled': (facts) =>
    describe('Deployment hook disabled', 'bad', `${facts.named('deployment hook', 'hook.name')} was disabled.`, {
      subject: facts.text('hook.name'),
      facts: [
        ['Hook', facts.text('hook.name')],
        ['Environment', facts.text('hook.environment')],
      ],
      quote: facts.prose('reason'),
      next: nextWith(
        facts,
        'hook.id',
        (id) => `Fix the receiver, enable the hook again, then POST /api/v1/deployment-hooks/${id}/recover.`,
      ),
    }),
  'channel.disabled': (facts) =>
    describe('Notification channel disabled', 'bad', `${facts.named('notification channel', 'channel.name')} was disabled.`, {
      subject: facts.text('channel.name'),
      facts: [
        ['Channel', facts.text('channel.name')],
        ['Type', facts.text('channel.channel_type')],
      ],
      quote: facts.prose('reason'),
      next: 'Fix the error in its log, test it, then enable it again.',
    }),
  'test.ping': (facts) =>
    describe('Test', 'info', `${facts.named('notification channel', 'channel.name')} works. This is what messages look like.`, {
      subject: facts.text('channel.name'),
      next: 'Subscribe it to events.',
    }),
}

/** The description of an event that is not listed above. */
export const genericDescription = (name: string): EventDescription =>
  describe(line(name, 100), 'info', `${line(name, 100)} happened.`)
