/** One description of each event, in words that every tool can show. */
import { line } from '../../core/values/plain-text.ts'
import { at, type Facts } from './facts.ts'

export type Severity = 'info' | 'good' | 'warning' | 'bad'

/** What is said of an event: fixed words in `title`; names that people chose stand in the rest alone. */
export interface Description {
  title: string
  /** What it is about, for a subject line. */
  subject: string | null
  sentence: string
  severity: Severity
  facts: [name: string, value: string | null][]
  /** What somebody wrote about it. */
  quote: string | null
  /** What to do next, and how; null where nothing is to be done. */
  next: string | null
  /** What belongs together in one conversation. */
  thread: string | null
}

type Describe = (facts: Facts) => Description

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const describe = (title: string, severity: Severity, sentence: string, rest: Partial<Description> = {}): Description => ({
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

/** What to do next with a thing; null of one that has no id. */
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
        ['Answer', facts.text('dispatch.response_status')],
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
        ['Of the workspace', facts.text('budget.workspace_name')],
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

/** Every event by its name. */
export const DESCRIPTIONS: Record<string, Describe> = {
  'execution.started': execution('Execution started', 'info', 'is running'),
  'execution.completed': execution('Execution completed', 'good', 'ended well'),
  'execution.failed': execution(
    'Execution failed',
    'bad',
    'failed',
    'See what went wrong, and create another execution of its requirement.',
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
    (id) => `An admin of the workspace decides: POST /api/v1/gates/${id}/approve or /reject.`,
  ),
  'gate.approved': gate('Gate approved', 'good', 'was approved', nothing),
  'gate.rejected': gate(
    'Gate rejected',
    'bad',
    'was rejected, and its execution failed',
    () => 'Read why, and start another execution.',
  ),
  'deployment.succeeded': deployment('Deployment delivered', 'good', 'was delivered', nothing),
  'deployment.failed': deployment(
    'Deployment failed',
    'bad',
    'was given up',
    (id) => `Mend the receiver, then POST /api/v1/dispatches/${id}/redeliver.`,
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
    'could not be made',
    () => 'Generate it again once the cause is mended.',
  ),
  'deliverable.published': deliverable('Deliverable published', 'good', 'was published', nothing),
  'deliverable.archived': deliverable('Deliverable archived', 'info', 'was archived', nothing),
  'dual_track.compared': comparison(
    'Comparison ready',
    'info',
    () => 'is ready',
    (id) => `Judge it: POST /api/v1/dual-track/${id}/decide.`,
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
    'spending has passed the alert threshold of this month.',
    (id) => `Raise the limit, or see what was spent on: GET /api/v1/organizations/${id}/budget/history.`,
  ),
  'budget.exhausted': budget(
    'Budget exhausted',
    'bad',
    'the budget of this month is spent: no execution can be created or started.',
    () => 'Raise the limit, or wait for the next month. What runs already goes on.',
  ),
  'member.added': member('Member added', () => 'joined the organization'),
  'member.removed': member('Member removed', () => 'left the organization'),
  'member.role_changed': member('Role changed', (facts) => {
    const [from, to] = [facts.text('from'), facts.text('to') ?? facts.text('member.role')]
    return from && to ? `is now ${to}, and was ${from}` : 'has another role now'
  }),
  'runtime.online': runtime('Runtime online', 'good', 'is online', null),
  'runtime.offline': runtime('Runtime offline', 'warning', 'has not been heard of for a while', 'See whether its host runs.'),
  'hook.disabled': (facts) =>
    describe('Deployment hook switched off', 'bad', `${facts.named('deployment hook', 'hook.name')} was switched off.`, {
      subject: facts.text('hook.name'),
      facts: [
        ['Hook', facts.text('hook.name')],
        ['Environment', facts.text('hook.environment')],
      ],
      quote: facts.prose('reason'),
      next: nextWith(
        facts,
        'hook.id',
        (id) => `Mend the receiver, switch the hook on again, then POST /api/v1/deployment-hooks/${id}/recover.`,
      ),
    }),
  'channel.disabled': (facts) =>
    describe(
      'Notification channel switched off',
      'bad',
      `${facts.named('notification channel', 'channel.name')} was switched off.`,
      {
        subject: facts.text('channel.name'),
        facts: [
          ['Channel', facts.text('channel.name')],
          ['Type', facts.text('channel.channel_type')],
        ],
        quote: facts.prose('reason'),
        next: 'Mend what its log shows, test it, then switch it on again.',
      },
    ),
  'test.ping': (facts) =>
    describe('Test', 'info', `${facts.named('notification channel', 'channel.name')} works: this is how messages look here.`, {
      subject: facts.text('channel.name'),
      next: 'Subscribe it to events.',
    }),
}

/** What is said of an event that nobody described yet. */
export const undescribed = (name: string): Description => describe(line(name, 100), 'info', `${line(name, 100)} happened.`)
