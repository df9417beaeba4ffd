/** Describes each event in text that every channel type can render. */

import type { EventName } from '../../core/events/catalogue.ts'
import { line } from '../../core/values/plain-text.ts'
import { type Describe, describe, type EventDescription } from './description.ts'
import { at, Facts } from './facts.ts'
import {
  budget,
  comparison,
  DECIDE,
  deliverable,
  deployment,
  execution,
  gate,
  member,
  rollout,
  runtime,
  winnerOf,
} from './subjects.ts'

/** Requirements that are named; more are only counted. */
const NAMED_REQUIREMENTS = 3

/** The first requirements of a workflow, and how many more there are; null if none is known. */
function requirementsOf(facts: Facts): string | null {
  const requirements = at(facts.data, 'requirements')
  if (!Array.isArray(requirements)) return null
  const named = requirements
    .slice(0, NAMED_REQUIREMENTS)
    .flatMap((requirement) => new Facts({ requirement }).requirement(80) ?? [])
  const more = requirements.length - NAMED_REQUIREMENTS
  return named.length === 0 ? null : `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

/** By event name. `manual.trigger` goes to hooks only. */
export const DESCRIPTIONS: Record<Exclude<EventName, 'manual.trigger'>, Describe> = {
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
    const requirements = requirementsOf(facts)
    return describe('Workflow completed', 'good', 'every requirement of the workflow is completed.', {
      subject: requirements,
      facts: [
        ['Requirements', requirements],
        ['Executions', count === null ? null : String(count)],
      ],
      thread: facts.text('graph_id') && `workflow-${facts.text('graph_id')}`,
    })
  },
  'gate.pending': gate('Gate pending', 'warning', 'waits for a decision', DECIDE),
  'gate.approval_added': gate('Gate approval added', 'info', 'was approved once more, and requires further approvals', DECIDE),
  'gate.approved': gate('Gate approved', 'good', 'was approved'),
  'gate.rejected': gate(
    'Gate rejected',
    'bad',
    'was rejected, and its execution failed',
    'Read the reason, and start another execution.',
  ),
  'gate.expiring': gate('Gate expires soon', 'warning', 'still waits for a decision and expires soon', DECIDE),
  'gate.expired': gate('Gate expired', 'bad', 'expired without a decision, and its execution failed', 'Start another execution.'),
  'deployment.succeeded': deployment('Deployment delivered', 'good', 'was delivered'),
  'deployment.failed': deployment('Deployment failed', 'bad', 'failed', 'Fix the receiver, then send the dispatch again.'),
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
          ['Requested by', facts.actor()],
        ],
        quote: facts.prose('reason'),
        next: 'Check that the previous version is running.',
      },
    ),
  'rollout.started': rollout('Rollout started', 'info', 'is in progress'),
  'rollout.succeeded': rollout('Rollout succeeded', 'good', 'succeeded'),
  'rollout.failed': rollout('Rollout failed', 'bad', 'failed', 'Fix the cause, or roll back.'),
  'rollout.unknown': rollout(
    'Rollout unknown',
    'warning',
    'was not reported in time',
    'Check the CI/CD system. A report is still taken.',
  ),
  'deliverable.generated': deliverable('Deliverable ready', 'good', 'is ready as a draft', 'Read it, then publish it.'),
  'deliverable.failed': deliverable(
    'Deliverable failed',
    'bad',
    'could not be generated',
    'Fix the cause, then generate it again.',
  ),
  'deliverable.published': deliverable('Deliverable published', 'good', 'was published', null, 'Published by'),
  'deliverable.archived': deliverable('Deliverable archived', 'info', 'was archived', null, 'Archived by'),
  'dual_track.compared': comparison(
    'Comparison ready',
    'info',
    () => 'is ready',
    'Read the verdict, then decide which track wins.',
  ),
  'dual_track.failed': comparison('Comparison failed', 'bad', () => 'failed', 'Compare again, or decide without it.'),
  'dual_track.decided': comparison(
    'Comparison decided',
    'good',
    (facts) => `was decided for ${winnerOf(facts, 'comparison.winner') ?? 'one of them'}`,
  ),
  'dual_track.cancelled': comparison('Comparison cancelled', 'info', () => 'was cancelled'),
  'budget.alert': budget(
    'Budget alert',
    'warning',
    'the spend of this month exceeds the alert threshold.',
    'See where the money went, or raise the limit.',
  ),
  'budget.exhausted': budget(
    'Budget exhausted',
    'bad',
    'the budget of this month is used up: no execution can be created or started.',
    'Raise the limit, or wait for the next month. Running executions continue.',
  ),
  'member.added': member('Member added', () => 'joined the organization', 'Added by'),
  'member.removed': member('Member removed', () => 'left the organization', 'Removed by'),
  'member.role_changed': member(
    'Role changed',
    (facts) => {
      const [from, to] = [facts.text('from'), facts.text('to') ?? facts.text('member.role')]
      return from && to ? `is now ${to}; before: ${from}` : 'has a new role'
    },
    'Changed by',
  ),
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
      next: 'Fix the receiver, enable the hook again, and resend what it missed.',
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
