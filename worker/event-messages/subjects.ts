/** Descriptions by subject: what all events about an execution, a gate or a budget have in common. */
import { type Describe, describe, type Severity, threadOf } from './description.ts'
import { at, type Facts } from './facts.ts'

export const execution =
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

/** `1 of 2`; null if one approval is enough. */
function approvalsOf(facts: Facts): string | null {
  const [required, approvals] = [at(facts.data, 'gate.required_approvals'), at(facts.data, 'gate.approvals')]
  return Number(required) > 1 && Array.isArray(approvals) ? `${approvals.length} of ${required}` : null
}

export const DECIDE = 'An admin of the workspace approves or rejects it.'

export const gate =
  (title: string, severity: Severity, what: string, next: string | null = null): Describe =>
  (facts) =>
    describe(title, severity, `${facts.named('gate', 'gate.name')} ${what}.`, {
      subject: facts.text('gate.name'),
      facts: [
        ['Gate', facts.text('gate.name')],
        ['Approvals', approvalsOf(facts)],
        ['Expires', facts.text('gate.expires_at')],
        ['Agent', facts.text('execution.agent')],
        ['Execution', facts.text('gate.execution_id')],
      ],
      quote: facts.prose('gate.comment') ?? facts.prose('gate.description'),
      next,
      thread: threadOf(facts.text('gate.execution_id')),
    })

export const deployment =
  (title: string, severity: Severity, what: string, next: string | null = null): Describe =>
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
      next,
    })

export const rollout =
  (title: string, severity: Severity, what: string, next: string | null = null): Describe =>
  (facts) =>
    describe(title, severity, `the rollout to ${facts.named('environment', 'dispatch.environment')} ${what}.`, {
      subject: facts.text('dispatch.environment'),
      facts: [
        ['Environment', facts.text('dispatch.environment')],
        ['Version', facts.text('rollout.version')],
        ['Event', facts.text('dispatch.event')],
        ['URL', facts.text('rollout.url')],
        ['Dispatch', facts.text('dispatch.id')],
      ],
      quote: facts.prose('rollout.description'),
      next,
    })

export const deliverable =
  (title: string, severity: Severity, what: string, next: string | null = null): Describe =>
  (facts) =>
    describe(title, severity, `${facts.named('deliverable', 'deliverable.title')} ${what}.`, {
      subject: facts.text('deliverable.title'),
      facts: [
        ['Type', facts.text('deliverable.deliverable_type')],
        ['Version', facts.text('deliverable.version')],
        ['Deliverable', facts.text('deliverable.id')],
      ],
      quote: facts.prose('deliverable.error'),
      next,
    })

export const WINNERS: Record<string, string> = { a: 'track A', b: 'track B', tie: 'a tie' }

export const comparison =
  (title: string, severity: Severity, what: (facts: Facts) => string, next: string | null = null): Describe =>
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
      next,
    })

const agents = (facts: Facts): string =>
  `${facts.text('comparison.track_a_agent', 60) ?? 'track A'} and ${facts.text('comparison.track_b_agent', 60) ?? 'track B'}`

export const budget =
  (title: string, severity: Severity, what: string, next: string): Describe =>
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
      next,
    })
  }

const memberName = (facts: Facts): string => facts.text('member.user_name') ?? facts.text('member.user_email') ?? 'a member'

export const member =
  (title: string, what: (facts: Facts) => string): Describe =>
  (facts) =>
    describe(title, 'info', `${memberName(facts)} ${what(facts)}.`, {
      subject: memberName(facts),
      facts: [['Role', facts.text('to') ?? facts.text('member.role')]],
    })

export const runtime =
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
