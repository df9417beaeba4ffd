/** Descriptions by subject: what all events about an execution, a gate or a budget have in common. */
import { type Describe, describe, type Severity, threadOf } from './description.ts'
import { at, type Facts } from './facts.ts'

/** ` for #12 Pay by invoice`; empty if the requirement is unknown. */
const forRequirement = (facts: Facts): string => {
  const requirement = facts.requirement()
  return requirement === null ? '' : ` for ${requirement}`
}

export const execution =
  (title: string, severity: Severity, what: string, next: string | null = null): Describe =>
  (facts) =>
    describe(
      title,
      severity,
      `the execution by ${facts.text('execution.agent') ?? 'an agent'}${forRequirement(facts)} ${what}.`,
      {
        subject: facts.requirement() ?? facts.text('execution.agent'),
        facts: [
          ['Requirement', facts.requirement()],
          ['Agent', facts.text('execution.agent')],
          ['Started by', facts.person('execution.started_by')],
          ['Cancelled by', facts.text('execution.status') === 'cancelled' ? facts.actor() : null],
          ['Cost', facts.usd('execution.cost_usd')],
        ],
        quote: facts.prose('execution.error') ?? facts.prose('execution.summary'),
        next,
        thread: threadOf(facts.text('execution.id')),
      },
    )

const isPending = (facts: Facts): boolean => facts.text('gate.status') === 'pending'

/** `1 of 2 given`; null if it was decided, and one approval was enough. */
function approvalsOf(facts: Facts): string | null {
  const [required, approvals] = [facts.number('gate.required_approvals'), at(facts.data, 'gate.approvals')]
  if (required === null || !Array.isArray(approvals) || (required === 1 && !isPending(facts))) return null
  return `${approvals.length} of ${required}${isPending(facts) ? ' given' : ''}`
}

/** When a gate expires, and for how long it is open in all; null if it does not expire. */
function expiryOf(facts: Facts): string | null {
  const [at, duration] = [facts.time('gate.expires_at'), facts.duration('gate.created_at', 'gate.expires_at')]
  return at && `${at}${duration === null ? '' : `; open for ${duration} in all`}`
}

/** The person who decided a gate; null while it is pending, and if it expired. */
const decider = (facts: Facts): [name: string, value: string | null] => [
  facts.text('gate.status') === 'rejected' ? 'Rejected by' : 'Approved by',
  facts.person('gate.decided_by'),
]

export const DECIDE = 'Approve or reject the gate. Admins of the workspace can.'

export const gate =
  (title: string, severity: Severity, what: string, next: string | null = null): Describe =>
  (facts) =>
    describe(title, severity, `${facts.named('gate', 'gate.name')}${forRequirement(facts)} ${what}.`, {
      subject: [facts.text('gate.name', 60), facts.requirement()].filter(Boolean).join(' – ') || null,
      facts: [
        ['Requirement', facts.requirement()],
        ['Gate', facts.text('gate.name')],
        ['Opened by', facts.person('gate.created_by')],
        decider(facts),
        ['Approvals', approvalsOf(facts)],
        ['Expires', isPending(facts) ? expiryOf(facts) : null],
        ['Cost', isPending(facts) ? facts.usd('asked.cost_usd') : null],
        ['Agent', facts.text('execution.agent')],
      ],
      quote: facts.prose('gate.comment') ?? facts.prose('gate.description'),
      asks: isPending(facts),
      next,
      thread: threadOf(facts.text('gate.execution_id')),
    })

export const deployment =
  (title: string, severity: Severity, what: string, next: string | null = null): Describe =>
  (facts) => {
    const to = facts.text('dispatch.environment')
    const by = facts.text('hook.name') === null ? '' : ` by ${facts.named('hook', 'hook.name')}`
    const sentence = `the dispatch of ${facts.verbatim('dispatch.event') ?? 'an event'}${to === null ? '' : ` to ${to}`}${by} ${what}.`
    return describe(title, severity, sentence, {
      subject: [facts.text('hook.name', 80), to].filter(Boolean).join(' – ') || null,
      facts: [
        ['Hook', facts.text('hook.name')],
        ['Environment', to],
        ['Event', facts.verbatim('dispatch.event')],
        ['Attempts', facts.text('dispatch.attempt_count')],
        ['Response', facts.text('dispatch.response_status')],
      ],
      quote: facts.prose('dispatch.error.detail'),
      next,
    })
  }

export const rollout =
  (title: string, severity: Severity, what: string, next: string | null = null): Describe =>
  (facts) => {
    const version = facts.text('rollout.version', 120)
    const subject = [version, facts.text('dispatch.environment')].filter(Boolean).join(' – ') || null
    const of = version === null ? '' : ` of ${version}`
    return describe(title, severity, `the rollout${of} to ${facts.named('environment', 'dispatch.environment')} ${what}.`, {
      subject,
      facts: [
        ['Environment', facts.text('dispatch.environment')],
        ['Version', facts.text('rollout.version')],
        ['Reported by', facts.person('rollout.reported_by')],
        ['Deadline', facts.text('rollout.state') === 'in_progress' ? facts.time('rollout.deadline_at') : null],
        ['CI/CD run', facts.verbatim('rollout.url')],
      ],
      quote: facts.prose('rollout.description'),
      next,
    })
  }

/** @param by what to call the person who caused the event; null if Signalbox did */
export const deliverable =
  (title: string, severity: Severity, what: string, next: string | null = null, by: string | null = null): Describe =>
  (facts) =>
    describe(title, severity, `${facts.named('deliverable', 'deliverable.title')} ${what}.`, {
      subject: facts.text('deliverable.title'),
      facts: [
        ['Type', facts.text('deliverable.deliverable_type')?.replaceAll('_', ' ') ?? null],
        ['Version', facts.text('deliverable.version')],
        ['Requested by', facts.person('deliverable.created_by')],
        [by ?? '', by === null ? null : facts.actor()],
      ],
      quote: facts.prose('deliverable.error'),
      next,
    })

/** A track: its agent, and which of the two it is; both agents may have the same name. */
const track = (facts: Facts, which: 'a' | 'b', limit = 60): string => {
  const agent = facts.text(`comparison.track_${which}_agent`, limit)
  return agent === null ? `track ${which.toUpperCase()}` : `${agent} (track ${which.toUpperCase()})`
}

/** A winner for people; null if there is none. */
export function winnerOf(facts: Facts, path: string): string | null {
  const winner = facts.text(path)
  if (winner === 'tie') return 'a tie'
  return winner === 'a' || winner === 'b' ? track(facts, winner) : null
}

/** The first line of the rationale; its figures are on the page. */
const verdictOf = (facts: Facts): string | null => facts.prose('comparison.result.rationale')?.split('\n', 1)[0] ?? null

export const comparison =
  (title: string, severity: Severity, what: (facts: Facts) => string, next: string | null = null): Describe =>
  (facts) =>
    describe(title, severity, `the comparison of ${agents(facts)}${forRequirement(facts)} ${what(facts)}.`, {
      subject: facts.requirement() ?? agents(facts),
      facts: [
        ['Requirement', facts.requirement()],
        ['Track A', facts.text('comparison.track_a_agent')],
        ['Track B', facts.text('comparison.track_b_agent')],
        ['Recommended', winnerOf(facts, 'comparison.result.recommendation')],
        ['Decided by', facts.person('comparison.decided_by')],
      ],
      quote: facts.prose('comparison.error') ?? verdictOf(facts),
      next,
    })

const agents = (facts: Facts): string =>
  `${facts.text('comparison.track_a_agent', 60) ?? 'track A'} and ${facts.text('comparison.track_b_agent', 60) ?? 'track B'}`

export const budget =
  (title: string, severity: Severity, what: string, next: string): Describe =>
  (facts) => {
    const limit = facts.number('budget.budget_monthly_limit_usd')
    const used = facts.number('budget.budget_used_usd')
    const share = limit === null || used === null || limit === 0 ? null : `${Math.floor((100 * used) / limit)} %`
    const [shownUsed, shownLimit] = [facts.usd('budget.budget_used_usd'), facts.usd('budget.budget_monthly_limit_usd')]
    return describe(title, severity, what, {
      subject: [facts.text('budget.workspace_name', 80), shownUsed && shownLimit && `${shownUsed} of ${shownLimit}`]
        .filter(Boolean)
        .join(' – '),
      facts: [
        ['Workspace', facts.text('budget.workspace_name')],
        ['Limit', shownLimit],
        ['Used', shownUsed],
        ['Share', share],
      ],
      next,
    })
  }

const memberName = (facts: Facts): string => facts.text('member.user_name') ?? facts.text('member.user_email') ?? 'a member'

/** @param by what to call the person who caused the event */
export const member =
  (title: string, what: (facts: Facts) => string, by: string): Describe =>
  (facts) =>
    describe(title, 'info', `${memberName(facts)} ${what(facts)}.`, {
      subject: memberName(facts),
      facts: [
        ['Role', facts.text('to') ?? facts.text('member.role')],
        [by, facts.actor()],
      ],
    })

export const runtime =
  (title: string, severity: Severity, what: string, next: string | null): Describe =>
  (facts) =>
    describe(title, severity, `${facts.named('runtime', 'runtime.name')} ${what}.`, {
      subject: facts.text('runtime.name'),
      facts: [
        ['Host', facts.text('runtime.hostname')],
        ['Last heartbeat', facts.time('runtime.last_heartbeat')],
      ],
      next,
    })
