/** The page of a gate: what it asks, what is known, and the decision. */
import type { Circumstances } from '../../core/dispatches/circumstances.ts'
import { isAtOnce, triggeredHooks } from '../../core/dispatches/effects.ts'
import type { Gate, GateField } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { findSent, Sent } from '../dispatches/outcome.tsx'
import { Choice, Field, Form, Select, Submit, SubmitTo, TextArea } from '../pages/components/forms.tsx'
import { PasskeyField } from '../pages/components/proof-fields.tsx'
import { State } from '../pages/components/text.tsx'
import { jsonFor } from '../pages/headers.ts'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { Actions, Outcomes } from './beyond.tsx'
import { getCircumstances } from './clearance.ts'
import { Consequences, obstacleToApproval, obstacleToDecision, WAY_LABELS } from './components.tsx'
import { type GateContext, getGateContext } from './context.ts'
import { approveGate, rejectGate, requestChanges } from './decisions.ts'
import { GateDetails } from './details.tsx'
import { getGate } from './gates.ts'
import { getDecisionOptions, proveDecision } from './proofs.ts'
import { requirementsSince } from './requirements-since.ts'
import { ApprovalInput } from './schema.ts'
import { Source } from './source.tsx'
import { approvedText, changesRequestedText, rejectedText, stateOf } from './words.ts'

function obstacle(gate: Gate, context: GateContext, role: Resource<'gate'>['role']): string | null {
  const hindered = obstacleToDecision(context, role)
  if (hindered !== null || gate.decide_via.includes('app')) return hindered
  return `This gate cannot be decided in the app. Allowed: ${gate.decide_via.map((way) => WAY_LABELS[way]).join(', ')}.`
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

export const gatePage = page('/app/gates/:gate_id', { gate: 'member' }, async ({ caller, gate }) => {
  const [shown, context, sent, circumstances, since] = await Promise.all([
    getGate(sql, gate),
    getGateContext(sql, gate, caller.id),
    findSent(sql, gate),
    getCircumstances(sql, gate),
    requirementsSince(sql, gate),
  ])
  const hindered = obstacle(shown, context, gate.role)
  const beyond = { gate: shown, context, reader: caller, roles: gate }
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
        since={since}
        decision={hindered === null ? <DecisionForm gate={shown} context={context} reader={caller} /> : <p>{hindered}</p>}
        isDecider={hindered === null}
        source={<Source gate={shown} mayAnswer={gate.role === 'admin'} />}
        outcomes={<Outcomes {...beyond} />}
        actions={<Actions {...beyond} />}
        // The part stays in the page, so that it can appear.
        sent={shown.status === 'approved' ? <Sent of={sent} why={whyNothingSent(shown, circumstances)} /> : null}
      />
    ),
  }
})

const decider = { gate: 'decider' } as const

const approve = actionOn(gatePage, '/approve', decider, ApprovalInput, async ({ caller, gate, change }, decision) => {
  const { answers, assertion } = decision
  const proof = await proveDecision(sql, caller, gate, { decision: 'approve', answers }, 'app', assertion)
  const decided = await change((tx) => approveGate(tx, caller, gate, decision, 'app', proof))
  return { notice: approvedText(decided) }
})

const challenge = actionOn(gatePage, '/approve/challenge', decider, ApprovalInput, async ({ caller, gate }, { answers }) =>
  jsonFor(await getDecisionOptions(sql, caller, gate, { decision: 'approve', answers }, 'app')),
)

const reject = actionOn(gatePage, '/reject', decider, ApprovalInput, async ({ caller, gate, change }, { comment }) => {
  const { execution_id } = await change((tx) => rejectGate(tx, caller, gate, { comment }, 'app'))
  return { notice: rejectedText(execution_id) }
})

const changes = actionOn(gatePage, '/request-changes', decider, ApprovalInput, async ({ caller, gate, change }, { comment }) => {
  const { execution_id } = await change((tx) => requestChanges(tx, caller, gate, { comment }, 'app'))
  return { notice: changesRequestedText(execution_id) }
})

export const gatePages = pageRoutes('gate-pages', gatePage, approve, challenge, reject, changes)

/** How long dispatches may take to appear. */
const USUAL_MS = 60_000

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })
const listed = (texts: string[]): string => LIST.format([...new Set(texts)].map((text) => `“${text}”`))

/** In a sentence or two. Hooks are as they are now: one may have been added or changed since the approval. */
function whyNothingSent(gate: Gate, circumstances: Circumstances): string {
  if (gate.revoked_at !== null) return 'The approval was revoked before anything was sent.'
  if (gate.triggers_hooks === false)
    return 'Another gate for the same environment was pending: the gate that is approved last triggers the hooks.'
  const { environment, decided_at } = gate
  const listening = circumstances.hooks.filter(isAtOnce)
  if (listening.length === 0) return 'No enabled hook of the project is called when a gate is approved.'
  const its = listening.filter((hook) => environment === null || hook.environment === environment)
  if (its.length === 0) {
    const others = listed(listening.map((hook) => hook.environment))
    return `No enabled hook for “${environment}” is called when a gate is approved. There are hooks for ${others}, but the gate is for “${environment}”.`
  }
  const due = triggeredHooks(gate, circumstances).filter(isAtOnce)
  if (due.length > 0) {
    const names = listed(due.map(({ name }) => name))
    return Date.parse(circumstances.now) - Date.parse(decided_at ?? '') < USUAL_MS
      ? `It is on its way to ${names}.`
      : `Hooks get approvals that are given while they are enabled and their filters match. Now ${names} would get it.`
  }
  const filtering = its.filter(({ filter }) => filter !== null)
  if (filtering.length === its.length) return `The filter of ${listed(its.map(({ name }) => name))} leaves it out.`
  return `The policy of the environment does not let it reach ${listed(its.map(({ name }) => name))}.`
}

function Question({ of: { name, label, type, choices, required } }: { of: GateField }) {
  const field = { name: `answers/${name}`, label, required }
  if (type === 'text') return <TextArea {...field} rows={2} maxLength={2000} />
  if (type === 'number') return <Field {...field} type="text" inputMode="decimal" />
  if (type === 'choice') {
    const options = (choices ?? []).map((choice): [string, string] => [choice, choice])
    return <Select {...field} options={[['', 'Choose…'], ...options]} />
  }
  return (
    <Choice
      {...field}
      options={[
        ['true', 'Yes'],
        ['false', 'No'],
      ]}
    />
  )
}

/** @param canApprove whether the reader may approve: who only rejects answers nothing */
export const DecisionFields = ({ gate, canApprove }: { gate: Gate; canApprove: boolean }) => (
  <>
    {gate.binding !== null && <input type="hidden" name="binding" value={gate.binding} />}
    {canApprove && gate.fields.map((field) => <Question of={field} />)}
  </>
)
