/** Values for the examples of events that the schemas cannot provide, such as the status that an event implies. */
import type { EventName } from '../../core/events/catalogue.ts'

const AT = '2026-11-21T09:30:00.000Z'
const STARTED = '2026-11-21T09:12:00.000Z'

const organization = { name: 'Acme Robotics' }
const workspace = { name: 'Platform' }
const place = { organization, workspace }
const hookFields = { ...place, hook: { name: 'Deploy to production' }, sequence: 7 }
const organizationOnly = { organization, workspace: null, project: null }

const running = { status: 'running', summary: null, error: null, cost_usd: null, finished_at: null, started_at: STARTED }
const ended = { started_at: STARTED, finished_at: AT, cost_usd: 0.42 }
const completed = { ...ended, status: 'completed', error: null, summary: 'Customers can pay by invoice.' }
const metrics = { tests_passed: 42, tests_failed: 0, lines_added: 310, lines_removed: 25 }
const gate = { name: 'Release review', required_approvals: 1, prevent_self_approval: false, expires_at: null, approvals: [] }
const pending = { ...gate, status: 'pending', comment: null, decided_by: null, decided_via: null, decided_at: null }
const approval = {
  user_id: '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
  name: 'Ada Lovelace',
  comment: 'Ship it.',
  via: 'app',
  created_at: AT,
}
const decided = { ...gate, decided_via: 'app', decided_at: AT }
const expiring = { ...pending, expires_at: '2026-11-21T10:00:00.000Z' }
const dispatch = {
  event: 'gate.approved',
  next_attempt_at: null,
  redelivery_of: null,
  superseded_by: null,
  rollout: null,
  sequence: 7,
  max_attempts: 9,
  completed_at: AT,
}
const delivered = { ...dispatch, status: 'succeeded', attempt_count: 1, response_status: 200, duration_ms: 84, error: null }
const rollout = {
  state: 'succeeded',
  version: 'v1.5.0',
  url: 'https://ci.example.com/runs/4711',
  description: null,
  reported_by: null,
  reported_at: '2026-11-21T09:34:00.000Z',
  deadline_at: '2026-11-21T10:00:00.000Z',
}
const rolledOut = (own: object) => {
  const shown = { ...rollout, ...own }
  return { ...place, data: { dispatch: { ...delivered, rollout: shown }, rollout: shown } }
}
const draft = { title: 'Changelog', status: 'draft', error: null, requirement_id: null, published_at: null, archived_at: null }
const published = { ...draft, status: 'published', published_at: AT }
const undecided = { status: 'compared', winner: null, decided_by: null, decided_at: null, error: null }
const unjudged = { ...undecided, status: 'cancelled', result: null }
const hook = { name: 'Deploy to production', url: 'https://ci.example.com/hooks/signalbox', headers: {}, disabled_reason: null }
const reason = 'The receiver answered 410 Gone.'
const channel = { name: 'Releases', channel_type: 'slack' }

/** Merged recursively into the sample generated from the schema. */
export const EXAMPLES: Record<EventName, object> = {
  'execution.started': { ...place, data: { execution: { ...running, metrics: {} } } },
  'execution.completed': { ...place, data: { execution: { ...completed, metrics } } },
  'execution.failed': {
    ...place,
    data: { execution: { ...ended, status: 'failed', summary: null, error: 'Two tests fail.', metrics } },
  },
  'execution.cancelled': {
    ...place,
    data: { execution: { ...ended, status: 'cancelled', summary: null, error: null, metrics: {} } },
  },
  'workflow.completed': hookFields,
  'gate.pending': { ...place, data: { gate: pending } },
  'gate.approval_added': { ...place, data: { gate: { ...pending, required_approvals: 2, approvals: [approval] }, approval } },
  'gate.expiring': { ...place, data: { gate: expiring } },
  'gate.expired': {
    ...place,
    data: {
      gate: { ...expiring, status: 'expired', decided_at: expiring.expires_at },
      execution: {
        ...ended,
        status: 'failed',
        summary: null,
        error: 'The gate Release review expired without a decision.',
        metrics: {},
      },
    },
  },
  'gate.approved': {
    ...hookFields,
    data: {
      gate: { ...decided, status: 'approved', comment: 'Ship it.', approvals: [approval] },
      execution: { ...running, metrics: {} },
    },
  },
  'gate.rejected': {
    ...place,
    data: {
      gate: { ...decided, status: 'rejected', comment: 'The migration locks a large table.' },
      execution: { ...ended, status: 'failed', summary: null, error: 'The gate Release review was rejected.', metrics: {} },
    },
  },
  'deployment.succeeded': {
    ...place,
    data: {
      dispatch: { ...dispatch, status: 'succeeded', attempt_count: 1, response_status: 200, duration_ms: 84, error: null },
    },
  },
  'deployment.failed': {
    ...place,
    data: {
      dispatch: {
        ...dispatch,
        status: 'failed',
        attempt_count: 9,
        response_status: 503,
        duration_ms: 97,
        error: { code: 'http_error', detail: 'The receiver answered 503.' },
      },
    },
  },
  'deployment.rollback': {
    ...hookFields,
    data: { target_version: 'v1.4.2', reason: 'Checkout is slow.', environment: 'production' },
  },
  'rollout.started': rolledOut({ state: 'in_progress' }),
  'rollout.succeeded': rolledOut({}),
  'rollout.failed': rolledOut({ state: 'failed', description: 'The health check of the new version fails.' }),
  'rollout.unknown': rolledOut({ state: 'unknown', version: null, url: null, reported_at: null }),
  'member.added': { ...organizationOnly, data: { member: { role: 'member' } } },
  'member.removed': { ...organizationOnly, data: { member: { role: 'member' } } },
  'member.role_changed': { ...organizationOnly, data: { member: { role: 'admin' }, from: 'member', to: 'admin' } },
  'dual_track.compared': { ...place, data: { comparison: undecided } },
  'dual_track.failed': {
    ...place,
    data: { comparison: { ...unjudged, status: 'failed', error: 'The model could not be reached.' } },
  },
  'dual_track.decided': { ...place, data: { comparison: { ...undecided, status: 'decided', winner: 'a', decided_at: AT } } },
  'dual_track.cancelled': { ...place, data: { comparison: unjudged } },
  'deliverable.generated': { ...place, data: { deliverable: draft } },
  'deliverable.failed': {
    ...place,
    data: {
      deliverable: {
        ...draft,
        status: 'failed',
        source: null,
        error: "The Changelog could not be made from this project's data.",
      },
    },
  },
  'deliverable.published': { ...place, data: { deliverable: published } },
  'deliverable.archived': { ...place, data: { deliverable: { ...published, status: 'archived', archived_at: AT } } },
  'budget.alert': {
    ...organizationOnly,
    data: { budget: { budget_monthly_limit_usd: 100, budget_used_usd: 85.5, usage_percent: 0.855 } },
  },
  'budget.exhausted': {
    ...organizationOnly,
    data: { budget: { budget_monthly_limit_usd: 100, budget_used_usd: 100.2, usage_percent: 1.002 } },
  },
  'runtime.online': { ...organizationOnly, data: { runtime: { name: 'Build farm 1', status: 'online' } } },
  'runtime.offline': { ...organizationOnly, data: { runtime: { name: 'Build farm 1', status: 'offline' } } },
  'hook.disabled': {
    ...place,
    data: { hook: { ...hook, enabled: false, disabled_reason: reason }, reason },
  },
  'channel.disabled': {
    ...place,
    project: null,
    data: {
      channel: { ...channel, enabled: false, disabled_reason: 'The channel was deleted in Slack.' },
      reason: 'The channel was deleted in Slack.',
    },
  },
  'test.ping': { ...hookFields, sequence: null, data: { hook } },
  'manual.trigger': { ...hookFields, data: { hook } },
}
