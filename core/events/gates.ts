/** Events of gates. */
import {
  checksText,
  countingApprovals,
  failedText,
  type Gate,
  neededApprovals,
  subjectAddress,
  subjectText,
  subjectUrl,
} from '../gates/gates.ts'
import { metricsText } from '../gates/metrics.ts'
import type { ShortExecution } from '../records/executions.ts'
import { pagePath } from '../tenants/links.ts'
import { quotedName } from '../values/plain-text.ts'
import { declare, type MessageSpec, type NotificationSpec, type Severity, type ToldEvent } from './declaration.ts'
import { failedWith, RUNNING } from './executions.ts'
import type { NamedRequirement } from './subjects.ts'
import {
  duration,
  excerpt,
  forRequirement,
  joined,
  nameIn,
  notificationText,
  numbered,
  ofRequirement,
  person,
  prose,
  quoted,
  text,
  threadOf,
  time,
  usd,
} from './words.ts'

export interface GateData {
  gate: Gate
  requirement: NamedRequirement | null
  execution?: ShortExecution | null
}

const isPending = ({ status }: Gate): boolean => status === 'pending'

/** `1 of 2 given`; null if it was decided, and one approval was enough. */
function approvalsOf(gate: Gate): string | null {
  const needed = neededApprovals(gate)
  if (!Array.isArray(gate.approvals) || (needed === 1 && !isPending(gate))) return null
  return `${countingApprovals(gate).length} of ${needed}${isPending(gate) ? ' given' : ''}`
}

/** When a gate expires, and for how long it is open in all; null if it does not expire. */
function expiryOf({ created_at, expires_at }: Gate): string | null {
  const [at, open] = [time(expires_at), duration(created_at, expires_at)]
  return at && `${at}${open === null ? '' : `; open for ${open} in all`}`
}

/** What to do about a pending gate. */
export const DECIDE = 'Approve or reject the gate. Its page says who can.'

/** What the fact is called that names who decided. */
const DECIDERS: Partial<Record<Gate['status'], string>> = { rejected: 'Rejected by', changes_requested: 'Changes requested by' }

/** @param ofExecution what else happened, to the execution of the gate */
export const message = (
  title: string,
  severity: Severity,
  what: string,
  next: string | null = null,
  ofExecution = '',
): MessageSpec<GateData> => ({
  title,
  severity,
  next,
  describe: ({ gate, requirement, execution }, people, asked) => ({
    sentence: `${quoted('gate', gate.name)}${forRequirement(requirement)} ${what}${gate.execution_id === null ? '' : ofExecution}.`,
    subject: joined(' – ', text(gate.name, 60), numbered(requirement)),
    warning: isPending(gate) ? text(failedText(gate.evidence?.checks ?? []), 300) : null,
    // As on the page of a gate: what changes, the evidence, the requirement, and who does what until when.
    facts: [
      ['Subject', gate.subject ? text(subjectText(gate.subject)) : null, gate.subject ? subjectUrl(gate.subject) : null],
      ['Address', gate.subject ? text(subjectAddress(gate.subject)) : null],
      ['Environment', text(gate.environment)],
      ['Checks', isPending(gate) ? text(checksText(gate.evidence?.checks ?? [])) : null],
      ['Metrics', isPending(gate) ? text(metricsText(gate.evidence?.metrics ?? {}, asked?.previous_metrics ?? null), 300) : null],
      ['Cost', isPending(gate) ? usd(asked?.cost_usd) : null],
      ['Requirement', numbered(requirement)],
      ['Agent', text(execution?.agent)],
      ['Gate', text(gate.name)],
      ['Opened by', person(people, gate.created_by)],
      // Null while it is pending, and if it expired.
      [
        gate.decided_via === 'override' ? 'Overridden by' : (DECIDERS[gate.status] ?? 'Approved by'),
        person(people, gate.decided_by),
      ],
      ['Approvals', approvalsOf(gate)],
      ['Expires', isPending(gate) ? expiryOf(gate) : null],
    ],
    quote: prose(gate.comment) ?? prose(gate.description) ?? prose(gate.evidence?.summary),
    thread: threadOf(gate.execution_id),
    asks: isPending(gate),
  }),
})

/** Asks for a decision: the members of the groups that the gate names, and the admins of the workspace. */
const asks =
  (what: string, isReminder = false) =>
  ({ data: { gate, requirement }, ...at }: ToldEvent<GateData>): NotificationSpec => ({
    type: 'gate_pending',
    resource: ['gate', gate.id],
    data: { gate_name: gate.name, execution_id: gate.execution_id, ...(isReminder && { reminder: true }) },
    text: (_, people) => {
      const opener = nameIn(people, gate.created_by)
      const { created_at, expires_at, execution_id } = gate
      const expiry =
        expires_at &&
        `It is open for ${duration(created_at, expires_at)} in all and expires at ${time(expires_at)}${execution_id ? '; its execution fails then' : ''}.`
      return notificationText(
        `The gate ${quotedName(gate.name)} ${what}${ofRequirement(requirement)}`,
        at,
        joined(' ', opener && `${opener} opened it.`, expiry),
        excerpt(gate.description ?? gate.evidence?.summary),
      )
    },
    mentions: [gate.created_by],
    admins: true,
    // Events that were written by an earlier version have no rules.
    groups: gate.rules?.approvers.map(({ group_id }) => group_id) ?? [],
    except: isReminder ? gate.approvals.map(({ user_id }) => user_id) : [],
  })

const about = {
  data: { gate: 'gate', requirement: 'optional_requirement' },
  scope: 'project',
  page: ({ gate }: { gate?: { id?: unknown } }) => pagePath('gate', gate?.id),
} as const
/** What events of decided gates have in common. */
export const decision = {
  ...about,
  data: { gate: 'gate', execution: 'optional_execution', requirement: 'optional_requirement' },
} as const

const gate = {
  name: 'Release review',
  environment: 'production',
  required_approvals: 1,
  prevent_self_approval: false,
  expires_at: null,
  fields: [],
  approvals: [],
  superseded_by: null,
}
const pending = {
  ...gate,
  status: 'pending',
  answers: null,
  comment: null,
  triggers_hooks: null,
  decided_by: null,
  decided_via: null,
  decided_at: null,
} as const
const expiring = { ...pending, expires_at: '2026-11-21T10:00:00.000Z' }
export const decided = { ...gate, decided_via: 'app', decided_at: '2026-11-21T09:30:00.000Z' } as const
const approval = {
  user_id: '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
  name: 'Ada Lovelace',
  comment: 'Ship it.',
  via: 'app',
  answers: {},
  counts: true,
  proof: null,
  created_at: '2026-11-21T09:30:00.000Z',
} as const

export const gateEvents = {
  'gate.pending': declare({
    ...about,
    when: 'A gate opens and waits for a decision.',
    sample: { gate: pending },
    message: message('Gate pending', 'warning', 'waits for a decision', DECIDE),
    slack: 'decision',
    notifies: asks('awaits your review'),
    hooks: null,
  }),
  'gate.approval_added': declare({
    ...about,
    when: 'A person approves a gate that requires further approvals.',
    data: { gate: 'gate', approval: 'approval', requirement: 'optional_requirement' },
    sample: { gate: { ...pending, required_approvals: 2, approvals: [approval] }, approval },
    message: message('Gate approval added', 'info', 'was approved once more, and requires further approvals', DECIDE),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'gate.approved': declare({
    ...decision,
    when: 'A gate has all the approvals that it requires.',
    sample: {
      gate: { ...decided, status: 'approved', answers: {}, triggers_hooks: true, comment: 'Ship it.', approvals: [approval] },
      execution: RUNNING,
    },
    message: message('Gate approved', 'good', 'was approved'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'gate.rejected': declare({
    ...decision,
    when: 'A gate is rejected.',
    sample: {
      gate: {
        ...decided,
        status: 'rejected',
        answers: null,
        triggers_hooks: null,
        comment: 'The migration locks a large table.',
      },
      execution: failedWith('The gate Release review was rejected.'),
    },
    message: message(
      'Gate rejected',
      'bad',
      'was rejected',
      'Read the reason, and start another execution.',
      ', and its execution failed',
    ),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'gate.expiring': declare({
    ...about,
    when: 'A gate is pending when 80% of the time to its expiry has passed; only gates that expire after 10 minutes or more.',
    sample: { gate: expiring },
    message: message('Gate expires soon', 'warning', 'still waits for a decision and expires soon', DECIDE),
    notifies: asks('expires soon', true),
    hooks: null,
    slack: 'reply',
  }),
  'gate.expired': declare({
    ...decision,
    when: 'A gate is pending at its expiry. Its execution fails.',
    sample: {
      gate: { ...expiring, status: 'expired', decided_at: expiring.expires_at },
      execution: failedWith('The gate Release review expired without a decision.'),
    },
    message: message(
      'Gate expired',
      'bad',
      'expired without a decision',
      'Start another execution.',
      ', and its execution failed',
    ),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
}
