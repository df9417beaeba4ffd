/** The page of a gate: what it asks, what is known, and the decision. */

import type { Gate } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { findSent, Sent } from '../deployment-hooks/sent.tsx'
import { Form, Submit, SubmitTo, TextArea } from '../pages/components/forms.tsx'
import { PasskeyField } from '../pages/components/passkey-field.tsx'
import { State } from '../pages/components/text.tsx'
import { jsonFor } from '../pages/json.ts'
import { action, page, pageRoutes } from '../pages/page.tsx'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { Beyond } from './beyond.tsx'
import { requestChanges } from './changes.ts'
import { Consequences, GateDetails, obstacleToApproval, obstacleToDecision, WAY_LABELS } from './components.tsx'
import { type GateContext, getGateContext } from './context.ts'
import { DecisionFields } from './decision-fields.tsx'
import { getCircumstances } from './effects.ts'
import { approveGate, getGate, rejectGate } from './gates.ts'
import { whyNothingSent } from './nothing-sent.ts'
import { getDecisionOptions, proveDecision } from './proofs.ts'
import { ApprovalInput } from './schema.ts'
import { approvedText, changesRequestedText, rejectedText, stateOf } from './state.ts'

/** Why the reader cannot decide the gate at all; null if they can. */
function obstacle(gate: Gate, context: GateContext, role: Resource<'gate'>['role']): string | null {
  const hindered = obstacleToDecision(context, role)
  if (hindered !== null) return hindered
  if (!gate.decide_via.includes('app')) {
    return `This gate cannot be decided in the app. Allowed: ${gate.decide_via.map((way) => WAY_LABELS[way]).join(', ')}.`
  }
  return null
}

function DecisionForm({ gate, context, reader }: { gate: Gate; context: GateContext; reader: Caller }) {
  const path = `/app/gates/${gate.id}`
  const noApproval = obstacleToApproval(gate, context, reader)
  const needsPasskey = gate.rules.require_passkey && noApproval === null
  return (
    <Form
      action={`${path}/${noApproval ? 'reject' : 'approve'}`}
      others={['approve', 'reject', 'request-changes'].map((name) => `${path}/${name}`)}
    >
      {noApproval && <p>{noApproval}</p>}
      <DecisionFields gate={gate} canApprove={noApproval === null} />
      {needsPasskey && <PasskeyField />}
      <TextArea name="comment" label="Comment" maxLength={10_000} hint="Everyone who sees the gate can read it." />
      <div class="buttons verdict">
        {noApproval ? (
          <>
            <Submit kind="danger">Reject</Submit>
            <SubmitTo action={`${path}/request-changes`} bare>
              Request changes
            </SubmitTo>
          </>
        ) : (
          <>
            <Submit passkey={needsPasskey ? `${path}/approve/challenge` : undefined}>Approve</Submit>
            <SubmitTo action={`${path}/request-changes`} bare>
              Request changes
            </SubmitTo>
            <SubmitTo kind="danger" action={`${path}/reject`} bare>
              Reject
            </SubmitTo>
          </>
        )}
      </div>
      {needsPasskey && (
        <p class="hint">
          Approving asks for one of <a href="/app/account/passkeys">your passkeys</a>.
        </p>
      )}
      <Consequences gate={gate} canApprove={noApproval === null} />
    </Form>
  )
}

function Decide(props: { gate: Gate; context: GateContext; reader: Caller; role: Resource<'gate'>['role'] }) {
  const hindered = obstacle(props.gate, props.context, props.role)
  return hindered === null ? <DecisionForm {...props} /> : <p>{hindered}</p>
}

export const gatePage = page('/app/gates/:gate_id', { gate: 'member' }, async ({ caller, gate }) => {
  const [shown, context, sent, circumstances] = await Promise.all([
    getGate(sql, gate),
    getGateContext(sql, gate, caller.id),
    findSent(sql, gate),
    getCircumstances(sql, gate),
  ])
  return {
    title: shown.name,
    aside: (
      <span id="state">
        <State of={stateOf(shown, context.now)} />
      </span>
    ),
    passkeys: shown.rules.require_passkey,
    main: (
      <GateDetails
        gate={shown}
        context={context}
        circumstances={circumstances}
        decision={<Decide gate={shown} context={context} reader={caller} role={gate.role} />}
        beyond={<Beyond gate={shown} context={context} reader={caller} roles={gate} />}
        // The part stays in the page, so that it can appear.
        sent={shown.status === 'approved' ? <Sent of={sent} why={whyNothingSent(shown, circumstances)} /> : null}
      />
    ),
  }
})

const approve = action(
  '/app/gates/:gate_id/approve',
  { gate: 'decider' },
  { on: gatePage, body: ApprovalInput },
  async ({ caller, gate, change }, decision) => {
    const { answers, assertion } = decision
    const proof = await proveDecision(sql, caller, gate, { decision: 'approve', answers }, 'app', assertion)
    const decided = await change((tx) => approveGate(tx, caller, gate, decision, 'app', proof))
    return { notice: approvedText(decided) }
  },
)

const challenge = action(
  '/app/gates/:gate_id/approve/challenge',
  { gate: 'decider' },
  { on: gatePage, body: ApprovalInput },
  async ({ caller, gate }, { answers }) =>
    jsonFor(await getDecisionOptions(sql, caller, gate, { decision: 'approve', answers }, 'app')),
)

const reject = action(
  '/app/gates/:gate_id/reject',
  { gate: 'decider' },
  { on: gatePage, body: ApprovalInput },
  async ({ caller, gate, change }, { comment }) => {
    const { execution_id } = await change((tx) => rejectGate(tx, caller, gate, { comment }, 'app'))
    return { notice: rejectedText(execution_id) }
  },
)

const changes = action(
  '/app/gates/:gate_id/request-changes',
  { gate: 'decider' },
  { on: gatePage, body: ApprovalInput },
  async ({ caller, gate, change }, { comment }) => {
    const { execution_id } = await change((tx) => requestChanges(tx, caller, gate, { comment }, 'app'))
    return { notice: changesRequestedText(execution_id) }
  },
)

export const gatePages = pageRoutes('gate-pages', gatePage, approve, challenge, reject, changes)
