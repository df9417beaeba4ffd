/** The catalogue of events. Documentation and checks are generated from it. */

interface EventKind {
  /** When it is emitted, for the documentation. */
  when: string
  /** The fields of `data`. */
  data: readonly string[]
  /** Which deployment hooks receive it, in addition to those of `TRIGGERS`. If absent, none. */
  hooks?: string
}

export const EVENTS = {
  'execution.started': { when: 'An execution is started.', data: ['execution', 'requirement'] },
  'execution.completed': { when: 'An execution is completed.', data: ['execution', 'requirement'] },
  'execution.failed': {
    when: 'An execution fails, or one of its gates is rejected or expires.',
    data: ['execution', 'requirement'],
  },
  'execution.cancelled': { when: 'An execution is cancelled.', data: ['execution', 'requirement'] },
  'workflow.completed': {
    when: 'The last unfinished execution of a workflow graph ends, and the newest execution of every requirement in it that was not cancelled is completed.',
    data: ['graph_id', 'executions', 'requirements'],
  },
  'gate.pending': { when: 'A gate opens and waits for a decision.', data: ['gate', 'requirement'] },
  'gate.approval_added': {
    when: 'A person approves a gate that requires further approvals.',
    data: ['gate', 'approval', 'requirement'],
  },
  'gate.approved': {
    when: 'A gate has all the approvals that it requires.',
    data: ['gate', 'execution', 'requirement'],
  },
  'gate.rejected': { when: 'A gate is rejected.', data: ['gate', 'execution', 'requirement'] },
  'gate.expiring': {
    when: 'A gate is pending when 80 % of the time to its expiry has passed; only gates that expire after 10 minutes or more.',
    data: ['gate', 'requirement'],
  },
  'gate.expired': {
    when: 'A gate is pending at its expiry. Its execution fails.',
    data: ['gate', 'execution', 'requirement'],
  },
  'deployment.succeeded': { when: 'A dispatch is delivered (except test.ping).', data: ['dispatch', 'hook'] },
  'deployment.failed': { when: 'A dispatch fails for good (except test.ping).', data: ['dispatch', 'hook'] },
  'deployment.rollback': {
    when: 'A rollback is requested.',
    data: ['target_version', 'reason', 'environment'],
    hooks: 'Every enabled hook of the project.',
  },
  'rollout.started': { when: 'The receiver of a dispatch first reports progress.', data: ['dispatch', 'rollout'] },
  'rollout.succeeded': {
    when: 'The receiver of a dispatch reports that the deployment succeeded.',
    data: ['dispatch', 'rollout'],
  },
  'rollout.failed': { when: 'The receiver of a dispatch reports that the deployment failed.', data: ['dispatch', 'rollout'] },
  'rollout.unknown': {
    when: 'The receiver of a dispatch has not reported an outcome in time. Once per dispatch.',
    data: ['dispatch', 'rollout'],
  },
  'member.added': { when: 'A user becomes a member of the organization.', data: ['member'] },
  'member.removed': { when: 'A member is removed or leaves, or the account is deleted.', data: ['member'] },
  'member.role_changed': {
    when: "A member's role changes, also by a transfer of ownership.",
    data: ['member', 'from', 'to'],
  },
  'dual_track.compared': { when: 'A comparison of two tracks is completed.', data: ['comparison', 'requirement'] },
  'dual_track.failed': { when: 'A comparison of two tracks fails.', data: ['comparison', 'requirement'] },
  'dual_track.decided': { when: 'A user decides which track wins.', data: ['comparison', 'requirement'] },
  'dual_track.cancelled': { when: 'A comparison is cancelled.', data: ['comparison', 'requirement'] },
  'deliverable.generated': { when: 'A document is generated.', data: ['deliverable'] },
  'deliverable.failed': { when: 'The generation of a document fails.', data: ['deliverable'] },
  'deliverable.published': { when: 'A document is published.', data: ['deliverable'] },
  'deliverable.archived': { when: 'A document is archived.', data: ['deliverable'] },
  'budget.alert': {
    when: 'The spend of an organization or workspace exceeds its alert threshold. Once per month, and again after the limit or threshold is changed.',
    data: ['budget'],
  },
  'budget.exhausted': {
    when: 'The spend of an organization or workspace reaches its limit. As often as budget.alert.',
    data: ['budget'],
  },
  'runtime.online': { when: 'A runtime is registered, or sends a heartbeat after it was offline.', data: ['runtime'] },
  'runtime.offline': {
    when: 'A runtime has not sent a heartbeat for `RUNTIME_OFFLINE_SECONDS` (default: 90).',
    data: ['runtime'],
  },
  'hook.disabled': { when: 'Signalbox disables a hook because its receiver fails.', data: ['hook', 'reason'] },
  'channel.disabled': { when: 'Signalbox disables a notification channel because it fails.', data: ['channel', 'reason'] },
} as const satisfies Record<string, EventKind>

/** Events that go directly to one hook or channel, and cannot be subscribed to. The request that causes them creates their dispatch or message. */
export const DIRECT_EVENTS = {
  'test.ping': {
    when: 'A hook or a notification channel is tested.',
    data: ['hook', 'channel'],
    hooks: 'The tested hook; `data` then holds `hook`. The test of a channel goes to that channel, with `channel`.',
  },
  'manual.trigger': { when: 'A user triggers a hook.', data: ['hook'], hooks: 'The triggered hook.' },
} as const satisfies Record<string, EventKind>

export type EventName = keyof typeof EVENTS | keyof typeof DIRECT_EVENTS

/** The event for each value of a hook's `trigger_on`. */
export const TRIGGERS = { workflow_done: 'workflow.completed', gate_approved: 'gate.approved' } as const satisfies Record<
  string,
  EventName
>

/** The `trigger_on` of a hook. */
export type Trigger = keyof typeof TRIGGERS

const KINDS: Record<string, EventKind> = { ...EVENTS, ...DIRECT_EVENTS }

/** Which deployment hooks receive an event, as a sentence; null if none does. */
export function hooksOf(name: string): string | null {
  const trigger = Object.entries(TRIGGERS).find(([, event]) => event === name)?.[0]
  return trigger ? `Hooks with \`trigger_on: ${trigger}\`.` : (KINDS[name]?.hooks ?? null)
}

/** An event in the outbox. */
export interface Event {
  id: string
  name: string
  created_at: string
  data: Record<string, unknown>
}
