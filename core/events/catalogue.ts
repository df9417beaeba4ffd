/** The catalogue of events: what can be told, when it is, and what its `data` holds. Docs and checks come from it. */

interface EventKind {
  /** When it is raised, as the docs say it. */
  when: string
  /** The names under which `data` holds what the event is about. */
  data: readonly string[]
  /** Which deployment hooks receive it, beside those of `TRIGGERS`. Absent: none. */
  hooks?: string
}

export const EVENTS = {
  'execution.started': { when: 'An execution is started.', data: ['execution'] },
  'execution.completed': { when: 'An execution ends well.', data: ['execution'] },
  'execution.failed': { when: 'An execution fails, or one of its gates is rejected.', data: ['execution'] },
  'execution.cancelled': { when: 'An execution is cancelled.', data: ['execution'] },
  'workflow.completed': {
    when: 'The last unfinished execution of a workflow graph ends, and the newest execution of every requirement in it is completed.',
    data: ['graph_id', 'executions'],
  },
  'gate.pending': { when: 'A gate opens and waits for a decision.', data: ['gate'] },
  'gate.approved': { when: 'A gate is approved.', data: ['gate', 'execution'] },
  'gate.rejected': { when: 'A gate is rejected.', data: ['gate', 'execution'] },
  'deployment.succeeded': { when: 'A dispatch other than a test.ping was delivered.', data: ['dispatch'] },
  'deployment.failed': { when: 'A dispatch other than a test.ping was given up.', data: ['dispatch'] },
  'deployment.rollback': {
    when: 'A rollback is called for.',
    data: ['target_version', 'reason', 'environment'],
    hooks: 'Every enabled hook of the project.',
  },
  'member.added': { when: 'Somebody becomes a member of the organization, however they came.', data: ['member'] },
  'member.removed': { when: 'Somebody stops being a member: removed, left, or their account deleted.', data: ['member'] },
  'member.role_changed': {
    when: 'A member gets another role, by a change of it or by a transfer of ownership.',
    data: ['member', 'from', 'to'],
  },
  'dual_track.compared': { when: 'Two tracks were compared.', data: ['comparison'] },
  'dual_track.failed': { when: 'Two tracks could not be compared.', data: ['comparison'] },
  'dual_track.decided': { when: 'Somebody decided which track wins.', data: ['comparison'] },
  'dual_track.cancelled': { when: 'A comparison is cancelled.', data: ['comparison'] },
  'deliverable.generated': { when: 'A document was made.', data: ['deliverable'] },
  'deliverable.failed': { when: 'A document could not be made.', data: ['deliverable'] },
  'deliverable.published': { when: 'A document is published.', data: ['deliverable'] },
  'deliverable.archived': { when: 'A document is archived.', data: ['deliverable'] },
  'budget.alert': {
    when: 'The spend of this month exceeds the alert threshold: of the organization, or of a workspace. Once a month, and again after limit or threshold was changed.',
    data: ['budget'],
  },
  'budget.exhausted': {
    when: 'The spend of this month reaches the limit: of the organization, or of a workspace. As often as budget.alert.',
    data: ['budget'],
  },
  'runtime.online': { when: 'A runtime is registered, or heard of again after it was offline.', data: ['runtime'] },
  'runtime.offline': { when: 'A runtime has sent no heartbeat for 90 seconds.', data: ['runtime'] },
  'hook.disabled': { when: 'The service switched a hook off.', data: ['hook', 'reason'] },
  'channel.disabled': { when: 'The service switched a notification channel off.', data: ['channel', 'reason'] },
} as const satisfies Record<string, EventKind>

/** Events that concern one hook or one channel alone; the request that asks for them writes their dispatch itself. */
export const HOOK_EVENTS = {
  'test.ping': {
    when: 'A hook or a notification channel is tested.',
    data: ['hook', 'channel'],
    hooks: 'The hook that is tested; `data` then holds `hook`. The test of a channel goes to that channel, with `channel`.',
  },
  'manual.trigger': { when: 'A hook is triggered by hand.', data: ['hook'], hooks: 'The hook that is triggered.' },
} as const satisfies Record<string, EventKind>

export type EventName = keyof typeof EVENTS | keyof typeof HOOK_EVENTS

/** Which events a hook's `trigger_on` stands for. */
export const TRIGGERS = { workflow_done: 'workflow.completed', gate_approved: 'gate.approved' } as const satisfies Record<
  string,
  EventName
>

/** What a hook waits for, told in one word of its own. */
export type Trigger = keyof typeof TRIGGERS

const KINDS: Record<string, EventKind> = { ...EVENTS, ...HOOK_EVENTS }

/** Which deployment hooks receive an event, as a sentence; null where none does. */
export function hooksOf(name: string): string | null {
  const trigger = Object.entries(TRIGGERS).find(([, event]) => event === name)?.[0]
  return trigger ? `Hooks with \`trigger_on: ${trigger}\`.` : (KINDS[name]?.hooks ?? null)
}

/** An event as the outbox holds it. */
export interface Event {
  id: string
  name: string
  created_at: string
  data: Record<string, unknown>
}
