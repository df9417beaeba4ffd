/** A realistic example of each event, as messages about it are rendered. */
import { declarationOf, EVENTS } from '../../core/events/catalogue.ts'
import type { Subjects } from '../../core/events/subjects.ts'
import type { NamedEnvelope } from '../../worker/event-messages/people.ts'

const ID = (number: number): string => `019a2f6e-7c1b-7d52-8a3f-${String(number).padStart(12, '0')}`
const [ADA, GRACE] = [ID(1), ID(2)]

const requirement = { id: ID(10), number: 12, title: 'Customers can pay by invoice' }
const execution = {
  id: ID(11),
  requirement_id: requirement.id,
  agent: 'claude-code',
  status: 'running',
  started_by: ADA,
  created_by: ADA,
  cost_usd: null as number | null,
  summary: null as string | null,
  error: null as string | null,
}
const gate = {
  id: ID(12),
  execution_id: execution.id,
  name: 'Release review',
  description: 'The migration adds a column to orders. Is the lock short enough?',
  status: 'pending',
  required_approvals: 1,
  approvals: [] as object[],
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2026-11-21T11:30:00.000Z' as string | null,
  comment: null as string | null,
  created_by: GRACE,
  decided_by: null as string | null,
}
const overridden = {
  ...gate,
  status: 'approved',
  decided_via: 'override',
  decided_by: ADA,
  comment: 'The checkout is down, and both approvers are on a plane.',
  incident_url: 'https://status.acme.example/incidents/42',
}
const failed = { ...execution, status: 'failed', cost_usd: 1004.5, error: 'The gate Release review was rejected.' }
const approval = { user_id: ADA, name: 'Ada Lovelace', comment: 'Ship it.', via: 'app', created_at: '2026-11-21T09:30:00.000Z' }
const dispatch = {
  id: ID(13),
  event: 'gate.approved',
  environment: 'production',
  status: 'succeeded',
  attempt_count: 1,
  response_status: 202,
  error: null as object | null,
}
const hook = { id: ID(14), name: 'Deploy to production', environment: 'production' }
const rollout = {
  state: 'succeeded',
  version: 'v1.5.0',
  url: 'https://ci.example.com/runs/4711',
  description: null as string | null,
  reported_by: null as string | null,
  actor: null,
  deadline_at: '2026-11-21T10:00:00.000Z',
}
const deliverable = {
  id: ID(15),
  title: 'Changelog',
  deliverable_type: 'changelog',
  version: 3,
  status: 'draft',
  created_by: ADA,
  error: null as string | null,
}
const comparison = {
  id: ID(16),
  work_item_id: requirement.id,
  track_a_agent: 'claude-code',
  track_b_agent: 'codex',
  winner: null as string | null,
  created_by: ADA,
  decided_by: null as string | null,
  error: null as string | null,
  result: {
    recommendation: 'a',
    rationale:
      'claude-code is cheaper by 40%, but passes 90% of its tests against 97.5%.\nTrack a scores 0.93 against 0.86: cost $3.00 against $5.00. Track b is better in: tests passed 97.5% against 90%.',
  } as object | null,
}
const budget = { budget_monthly_limit_usd: 1500, budget_used_usd: 1204.5, usage_percent: 0.803 }
const member = { user_id: GRACE, user_name: 'Grace Hopper', user_email: 'grace@example.com', role: 'member' }
const runtime = { name: 'Build farm 1', hostname: 'farm-1.example.com', last_heartbeat: '2026-11-21T09:28:20.000Z' }
const channel = { id: ID(17), name: 'Releases', channel_type: 'slack' }
const about = (data: object) => ({ ...data, requirement })

/** Examples of what the data of events holds. */
const SUBJECTS: Partial<Record<keyof Subjects, unknown>> = {
  text: 'The receiver answered 410 Gone.',
  optional_text: null,
  uuid: ID(18),
  role: 'member',
  execution,
  optional_execution: execution,
  executions: [execution, execution],
  requirement,
  optional_requirement: requirement,
  requirements: [requirement],
  gate,
  approval,
  dispatch,
  rollout,
  named_hook: hook,
  hook,
  channel,
  member,
  comparison,
  deliverable,
  budget,
  runtime,
}

/** The sample of a declaration, completed with these. */
function sampleOf(name: string): object {
  const { data = {}, sample = {} } = declarationOf(name) ?? {}
  const given: Record<string, unknown> = sample
  const example = (key: string, subject: keyof Subjects) => {
    const [general, own] = [SUBJECTS[subject], given[key]]
    if (own === undefined) return general
    const isPart = own !== null && typeof own === 'object' && !Array.isArray(own)
    return isPart ? { ...(general as object), ...own } : own
  }
  return Object.fromEntries(Object.entries(data).map(([key, subject]) => [key, example(key, subject)]))
}

/** Examples that say more than the sample of the declaration. */
const WRITTEN: Record<string, object> = {
  'execution.completed': about({
    execution: { ...execution, status: 'completed', cost_usd: 4.2, summary: 'Invoices are offered at checkout. 42 tests pass.' },
  }),
  'execution.failed': about({ execution: { ...failed, error: 'Two tests fail.' } }),
  'execution.cancelled': about({ execution: { ...execution, status: 'cancelled', cost_usd: 0.0042 } }),
  'workflow.completed': {
    graph_id: ID(18),
    executions: [execution, execution],
    requirements: [requirement, { id: ID(19), number: 13, title: 'Invoices are sent as PDF' }],
  },
  'gate.pending': about({ gate }),
  'gate.approval_added': about({ gate: { ...gate, required_approvals: 2, approvals: [approval] }, approval }),
  'gate.approved': about({ gate: { ...gate, status: 'approved', comment: 'Ship it.', decided_by: ADA }, execution }),
  'gate.rejected': about({
    gate: { ...gate, status: 'rejected', comment: 'The migration locks a large table.', decided_by: ADA },
    execution: failed,
  }),
  'gate.expiring': about({ gate: { ...gate, expires_at: '2026-11-21T09:54:00.000Z' } }),
  'gate.expired': about({ gate: { ...gate, status: 'expired' }, execution: failed }),
  'gate.changes_requested': about({
    gate: { ...gate, status: 'changes_requested', comment: 'Split the migration.', decided_by: ADA },
    execution,
  }),
  'gate.overridden': about({ gate: overridden, execution }),
  'gate.review_due': about({ gate: { ...overridden, incident_url: null }, execution }),
  'gate.revoked': about({
    gate: {
      ...gate,
      status: 'approved',
      comment: 'Ship it.',
      decided_by: ADA,
      revoked_by: GRACE,
      revoked_at: '2026-11-21T10:15:00.000Z',
      revocation_reason: 'The image contains a vulnerable library.',
      revoked_in_flight: [{ id: ID(20), hook_id: ID(21), hook_name: 'Deploy to production' }],
    },
    execution,
  }),
  'deployment.succeeded': { dispatch, hook },
  'rollout.failed': {
    dispatch,
    rollout: { ...rollout, state: 'failed', description: 'The health check fails.', reported_by: GRACE },
  },
  'dual_track.decided': about({ comparison: { ...comparison, winner: 'b', decided_by: GRACE } }),
  'deliverable.failed': { deliverable: { ...deliverable, error: 'The project has no requirements.' } },
  'budget.alert': { budget },
  'budget.exhausted': { budget: { ...budget, budget_used_usd: 1500.25, workspace_name: 'Platform' } },
  'test.ping': { channel },
}

/** The data of each event. */
export const EXAMPLE_DATA: Record<string, object> = {
  ...Object.fromEntries(Object.keys(EVENTS).map((name) => [name, sampleOf(name)])),
  ...WRITTEN,
}

const ORGANIZATION_WIDE = /^(member|runtime)\.|^budget\.alert$/
const WITHOUT_PROJECT = /^(member|runtime|budget|channel|test)\./

/** The envelope of an event, with the names of its people. */
export const exampleOf = (event: string, data: object = EXAMPLE_DATA[event] ?? {}): NamedEnvelope => ({
  id: ID(99),
  event,
  created_at: '2026-11-21T09:30:00.000Z',
  url: `https://signalbox.example.com/app/projects/${ID(20)}`,
  organization: { id: ID(21), name: 'Acme Robotics' },
  workspace: ORGANIZATION_WIDE.test(event) ? null : { id: ID(22), name: 'Platform' },
  project: WITHOUT_PROJECT.test(event) ? null : { id: ID(20), name: 'Checkout' },
  data: data as Record<string, unknown>,
  asked: {
    acceptance_criteria: ['An invoice can be chosen at checkout.', 'The invoice is due in 30 days.'],
    cost_usd: 3.25,
  },
  people: { [ADA]: 'Ada Lovelace', [GRACE]: 'Grace Hopper', actor: 'Ada Lovelace' },
})
