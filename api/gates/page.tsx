/** The page of a gate: what it asks, what is known, and the decision. */
import type { Gate, Way } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { live } from '../overview/live.ts'
import { Form, Submit, SubmitTo, TextArea } from '../pages/components/forms.tsx'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Money, Prose, State, Time } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import type { Caller, Resource } from '../plugins/request-context.ts'
import { type GateContext, getGateContext } from './context.ts'
import { approveGate, getGate, rejectGate } from './gates.ts'
import { isSelfApproval } from './policy.ts'
import { Decision } from './schema.ts'
import { isOpen, stateOf, VIA } from './state.ts'

const WAYS: Record<Way, string> = { api: 'API', app: 'app', slack: 'Slack', mail: 'mail' }

/** Why the reader cannot decide the gate at all; null if they can. */
function obstacle(gate: Gate, role: Resource['role']): string | null {
  if (role === 'member') return 'An admin of the workspace has to decide this gate.'
  if (!gate.decide_via.includes('app')) {
    return `This gate cannot be decided in the app. Allowed: ${gate.decide_via.map((way) => WAYS[way]).join(', ')}.`
  }
  return null
}

/** Why the reader cannot approve the gate, but can reject it; null if they can. */
function obstacleToApproval(gate: Gate, { started_by }: GateContext, reader: Caller): string | null {
  if (gate.approvals.some(({ user_id }) => user_id === reader.id)) return 'You have approved this gate. Others have to as well.'
  if (isSelfApproval(gate, started_by, reader))
    return 'You opened this gate or started its execution, so another person has to approve it.'
  return null
}

function DecisionForm({ gate, context, reader }: { gate: Gate; context: GateContext; reader: Caller }) {
  const path = `/app/gates/${gate.id}`
  const noApproval = obstacleToApproval(gate, context, reader)
  const missing = gate.required_approvals - gate.approvals.length
  return (
    <Form action={`${path}/${noApproval ? 'reject' : 'approve'}`} others={[`${path}/approve`, `${path}/reject`]}>
      {noApproval && <p>{noApproval}</p>}
      <TextArea name="comment" label="Comment" maxLength={10_000} hint="Everyone who sees the gate can read it." />
      <div class="buttons">
        {noApproval ? (
          <Submit kind="danger">Reject</Submit>
        ) : (
          <>
            <Submit>Approve</Submit>
            <SubmitTo kind="danger" action={`${path}/reject`}>
              Reject
            </SubmitTo>
          </>
        )}
      </div>
      <p class="hint">
        {missing > 1 && !noApproval ? `Your approval is one of ${missing} that are missing. ` : ''}
        One rejection ends the gate, and its execution fails.
      </p>
    </Form>
  )
}

/** Who decided a gate, when and how; or what became of it without a decision. */
function Outcome({ gate, decided_by_name }: { gate: Gate; decided_by_name: string | null }) {
  const state = stateOf(gate)
  if (gate.decided_at !== null && gate.decided_via !== null) {
    return (
      <>
        <p>
          <strong>{decided_by_name ?? 'A former user'}</strong> {state} this gate {VIA[gate.decided_via]},{' '}
          <Time at={gate.decided_at} exact />.
        </p>
        {gate.comment !== null && <Prose>{gate.comment}</Prose>}
      </>
    )
  }
  if (state === 'expired') return <p>Nobody decided this gate in time, so its execution fails.</p>
  return <p>The execution ended, so this gate needs no decision any more.</p>
}

function Decide(props: { gate: Gate; context: GateContext; reader: Caller; role: Resource['role'] }) {
  const { gate, context, role } = props
  const hindered = obstacle(gate, role)
  return (
    <Section title={isOpen(gate) ? 'Your decision' : 'Decision'} live="decision">
      <div class="card">
        {!isOpen(gate) ? (
          <Outcome gate={gate} decided_by_name={context.decided_by_name} />
        ) : hindered ? (
          <p>{hindered}</p>
        ) : (
          <DecisionForm {...props} />
        )}
      </div>
    </Section>
  )
}

function Approvals({ gate }: { gate: Gate }) {
  return (
    <Section title={`Approvals: ${gate.approvals.length} of ${gate.required_approvals}`} live="approvals">
      {gate.approvals.length === 0 ? (
        <Empty>{isOpen(gate) ? 'Nobody has approved this gate yet.' : 'Nobody approved this gate.'}</Empty>
      ) : (
        <ul class="list card">
          {gate.approvals.map(({ user_id, name, comment, via, created_at }) => (
            <li key={user_id}>
              <strong>{name}</strong> approved {VIA[via]}, <Time at={created_at} />
              {comment !== null && <Prose>{comment}</Prose>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Work({ context }: { context: GateContext }) {
  const { requirement_description: description, acceptance_criteria: criteria } = context
  return (
    <>
      <Section title="Requirement">
        <p>
          <a href={`/app/requirements/${context.requirement_id}`}>
            #{context.requirement_number} {context.requirement_title}
          </a>
        </p>
        {description !== null && <Prose>{description}</Prose>}
        <h3>Acceptance criteria</h3>
        {criteria.length === 0 ? (
          <p class="hint">None were written.</p>
        ) : (
          <ol>
            {criteria.map((criterion, index) => (
              <li key={index}>{criterion}</li>
            ))}
          </ol>
        )}
      </Section>
      {context.execution_summary !== null && (
        <Section title="What the execution reported">
          <Prose>{context.execution_summary}</Prose>
        </Section>
      )}
    </>
  )
}

const gatePage = page('/app/gates/:gate_id', { gate: 'member' }, async ({ caller, gate: place }) => {
  const [gate, context] = await Promise.all([getGate(sql, place), getGateContext(sql, place)])
  return {
    title: gate.name,
    aside: (
      <span id="state" data-live>
        <State of={stateOf(gate)} />
      </span>
    ),
    live: `/app/gates/${gate.id}/live`,
    main: (
      <div class="columns">
        <div>
          {gate.description !== null && (
            <Section title="What is asked">
              <Prose>{gate.description}</Prose>
            </Section>
          )}
          <Work context={context} />
          <Approvals gate={gate} />
        </div>
        <div>
          <Decide gate={gate} context={context} reader={caller} role={place.role} />
          <Section title="Details" live="details">
            <Facts
              of={[
                [
                  'Opened',
                  <>
                    <Time at={gate.created_at} /> by {context.created_by_name ?? 'a former user'}
                  </>,
                ],
                ['Expires', gate.expires_at === null ? 'never' : <Time at={gate.expires_at} exact />],
                ['Approvals', `${gate.required_approvals} required`],
                ['Self-approval', gate.prevent_self_approval ? 'not allowed' : 'allowed'],
                ['Decided via', gate.decide_via.map((way) => WAYS[way]).join(', ')],
                [
                  'Execution',
                  <>
                    <a href={`/app/executions/${context.execution_id}`}>by {context.agent}</a>{' '}
                    <State of={context.execution_status} />
                  </>,
                ],
                ['Started by', context.started_by_name],
                ['Cost', <Money usd={context.cost_usd} />],
              ]}
            />
          </Section>
        </div>
      </div>
    ),
  }
})

const approve = action(
  '/app/gates/:gate_id/approve',
  { gate: 'admin' },
  { on: gatePage, body: Decision },
  async ({ caller, gate, change }, decision) => {
    const { status, required_approvals, approvals } = await change((tx) => approveGate(tx, caller, gate, decision, 'app'))
    if (status === 'approved') return { notice: 'You approved this gate.' }
    return { notice: `You approved this gate: ${approvals.length} of ${required_approvals} approvals.` }
  },
)

const reject = action(
  '/app/gates/:gate_id/reject',
  { gate: 'admin' },
  { on: gatePage, body: Decision },
  async ({ caller, gate, change }, decision) => {
    await change((tx) => rejectGate(tx, caller, gate, decision, 'app'))
    return { notice: 'You rejected this gate. Its execution failed.' }
  },
)

export const gatePages = pageRoutes(
  'gate-pages',
  gatePage,
  approve,
  reject,
  live('/app/gates/:gate_id/live', { gate: 'member' }, ({ caller, gate }) => ({
    user_id: caller.id,
    session_id: caller.session_id,
    gate,
  })),
)
