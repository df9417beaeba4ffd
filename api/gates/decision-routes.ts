/** Routes of decisions beyond approval and rejection. */
import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { skipIfReplayed } from '../plugins/change.ts'
import { operation } from '../plugins/operation.ts'
import { requestChanges } from './decisions.ts'
import { ChangeRequest, OverrideInput, ReviewInput, RevocationInput } from './outcome-schema.ts'
import { overrideGate, reviewOverride } from './overrides.ts'
import { proveDecision } from './proofs.ts'
import { Gate } from './schema.ts'
import { cancelGate, revokeGate, waitForCancellations } from './withdrawals.ts'

export const gateDecisions = new Elysia({ name: 'gate-decisions', prefix: '/api/v1', tags: ['Gates'] })
  .use(access)
  .post(
    '/gates/:gate_id/cancel',
    ({ caller, gate, change }) => change(200, (tx) => cancelGate(tx, caller, gate)),
    operation('gate', 'member', {
      decidesNothing: true,
      scopes: ['gates:open'],
      id: 'cancelGate',
      summary: 'Cancel a gate',
      description:
        'Withdraws a pending gate: it becomes `cancelled`, and its execution is `running` again once no other gate of it is pending. Nothing is emitted.',
      body: Nothing,
      responses: { 200: Gate },
      errors: ['invalid_transition'],
    }),
  )
  .post(
    '/gates/:gate_id/request-changes',
    ({ caller, gate, change, body }) => change(200, (tx) => requestChanges(tx, caller, gate, body, 'api')),
    operation('gate', 'decider', {
      id: 'requestGateChanges',
      summary: 'Request changes',
      description:
        'Decides the gate without failing its execution, which is `running` again once no other gate of it is pending. An agent reads the `comment`, makes the changes and opens the next gate. After 20 requests in a row at gates of one execution and name, opening another is refused with `gate_limit_reached`. An earlier approval that waited for this gate triggers nothing: the next gate does. Emits `gate.changes_requested`.',
      body: ChangeRequest,
      responses: { 200: Gate },
      errors: ['invalid_transition', 'decision_not_allowed_here'],
    }),
  )
  .post(
    '/gates/:gate_id/override',
    async ({ request, caller, gate, change, body }) => {
      const proof = await skipIfReplayed(request, () =>
        proveDecision(sql, caller, gate, { decision: 'override' }, 'api', body.assertion),
      )
      return change(200, (tx) => overrideGate(tx, caller, gate, body, proof))
    },
    operation('gate', 'organization admin', {
      id: 'overrideGate',
      summary: 'Override a gate',
      description:
        'Approves a pending gate regardless of what it still requires: `decided_via` is `override`, and `comment` is the reason. Emits `gate.approved`, which triggers hooks as any approval, and `gate.overridden`. Freezes do not hold back what it triggers, a completed workflow that it approves, and what another gate of the same execution, environment and subject triggers that was pending at that time. Everyone who could have approved the gate is notified, in the app and by mail. Another owner or admin of the organization has to review it; `gate.review_due` is emitted if no one has within 24 hours. If `rules.require_passkey` is true, an `assertion` is required (`passkey_required`).',
      body: OverrideInput,
      responses: { 200: Gate },
      errors: ['invalid_transition', 'passkey_required', 'passkey_invalid'],
    }),
  )
  .post(
    '/gates/:gate_id/review',
    ({ caller, gate, change, body }) => change(200, (tx) => reviewOverride(tx, caller, gate, body)),
    operation('gate', 'organization admin', {
      id: 'reviewGate',
      summary: 'Review an override',
      description: 'Records that another owner or admin of the organization than the one who overrode the gate has looked at it.',
      body: ReviewInput,
      responses: { 200: Gate },
      errors: ['invalid_transition', 'self_approval'],
    }),
  )
  .post(
    '/gates/:gate_id/revoke',
    async ({ request, caller, gate, change, body }) => {
      const response = await change(200, (tx) => revokeGate(tx, caller, gate, body))
      if (response.status === 200) await waitForCancellations(request, gate)
      return response
    },
    // Admins of the workspace, and who approved the gate: checked in the operation.
    operation('gate', 'member', {
      id: 'revokeGate',
      summary: 'Revoke an approval',
      description:
        'For admins of the workspace, and for those who approved the gate. The status stays `approved`; `revoked_at` says that the approval is no longer valid. After the response nothing is sent because of it but what was in flight: its waiting dispatches become `cancelled` with the error `approval_revoked`. `revoked_in_flight` names the dispatches that may still arrive. Cancelled ones cannot be redelivered (`approval_required`), and `recover` leaves them out. Emits `gate.revoked`.',
      body: RevocationInput,
      responses: { 200: Gate },
      errors: ['forbidden', 'invalid_transition'],
    }),
  )
