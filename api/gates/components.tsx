/** What pages about a gate show: what it asks, what is known, who approved it, and who decided it. */
import type { ComponentChildren } from 'preact'
import { effectsText } from '../../core/dispatches/effects.ts'
import { filled, groupNames } from '../../core/gates/approval.ts'
import { type Answers, countingApprovals, type Gate, type GateField, neededApprovals, type Way } from '../../core/gates/gates.ts'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Money, Prose, State, Time } from '../pages/components/text.tsx'
import type { Caller } from '../plugins/request-context.ts'
import type { WorkspaceRole } from '../roles.ts'
import type { Circumstances } from './clearance.ts'
import type { GateContext } from './context.ts'
import { onlyMembersOf } from './deciders.ts'
import { Changed, Effects, ShortEvidence } from './review.tsx'
import { DECISION_PHRASES, isOpen, stateOf, WAY_PHRASES, withProof } from './words.ts'

export const WAY_LABELS: Record<Way, string> = { api: 'API', app: 'app', slack: 'Slack', mail: 'mail' }

/** Why someone in this role cannot decide the gate at all; null if they can. */
export function obstacleToDecision({ approval: { rules }, standing }: GateContext, role: WorkspaceRole): string | null {
  if (standing !== null) return null
  if (rules.length === 0) return 'An admin of the workspace has to decide this gate.'
  return `${onlyMembersOf(groupNames(rules), role)} Admins of the workspace can reject it.`
}

/** Why a reader who can reject the gate cannot approve it; null if they can. */
export function obstacleToApproval(
  gate: Gate,
  { involvement, approval, standing }: GateContext,
  reader: Pick<Caller, 'id'>,
): string | null {
  if (standing === 'reject') return onlyMembersOf(groupNames(approval.rules), 'admin')
  const { asked, approved_as } = involvement
  const own = gate.approvals.find(({ user_id }) => user_id === approved_as)
  // Approvals that count again may be enough: a person who gave one of them can then decide.
  if (own?.user_id === reader.id && own.counts && filled(approval).is_filled) return null
  if (own)
    return `You have approved this gate${own.counts ? '' : ', and your approval no longer counts'}. Others have to approve it as well.`
  return asked === null ? null : `You ${asked}, so another person has to approve it.`
}

export function Consequences({ gate, canApprove }: { gate: Gate; canApprove: boolean }) {
  const missing = neededApprovals(gate) - countingApprovals(gate).length
  return (
    <p class="hint">
      {missing > 1 && canApprove ? `Your approval is one of ${missing} that are missing. ` : ''}
      One rejection ends the gate{gate.execution_id !== null && ', and its execution fails'}. If you request changes,{' '}
      {gate.execution_id === null ? 'another gate can be opened for them' : 'the execution continues and can open another gate'}:
      say in the comment what has to change.
    </p>
  )
}

const NEXT_OF_CHANGES = {
  execution: 'The execution continues with this comment. When the changes are made, it can open another gate.',
  project: 'When the changes are made, another gate can be opened.',
}

/** Who decided a gate, when and how; or how it ended without a decision. */
export function Outcome({ gate, decided_by_name, now }: { gate: Gate; decided_by_name: string | null; now: string }) {
  const state = stateOf(gate, now)
  if (gate.decided_at !== null && gate.decided_via !== null) {
    return (
      <>
        <p>
          <strong>{decided_by_name}</strong> {gate.status === 'changes_requested' ? 'requested changes at' : gate.status} this
          gate {DECISION_PHRASES[gate.decided_via]}, <Time at={gate.decided_at} exact />.
        </p>
        {gate.comment !== null && <Prose>{gate.comment}</Prose>}
        {gate.status === 'changes_requested' && (
          <p class="hint">{NEXT_OF_CHANGES[gate.execution_id === null ? 'project' : 'execution']}</p>
        )}
      </>
    )
  }
  if (state === 'expired')
    return <p>This gate was not decided in time{gate.execution_id !== null && ', so its execution fails'}.</p>
  if (gate.superseded_by !== null) {
    return (
      <p>
        <a href={`/app/gates/${gate.superseded_by}`}>A newer gate</a> with another subject has replaced this one. Approvals do not
        carry over.
      </p>
    )
  }
  return <p>The execution ended, so this gate no longer needs a decision.</p>
}

const answerText = (answer: Answers[string]): string => (typeof answer === 'boolean' ? (answer ? 'Yes' : 'No') : String(answer))

function GivenAnswers({ fields, answers }: { fields: GateField[]; answers: Answers }) {
  const given = fields.flatMap(({ name, label }): [string, string][] => {
    // A field may be called `constructor`.
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
    return answer === undefined ? [] : [[label, answerText(answer)]]
  })
  return given.length === 0 ? null : <Facts of={given} />
}

const Approvals = ({ gate, context, now }: { gate: Gate; context: GateContext; now: string }) => (
  <Section title={`Approvals: ${countingApprovals(gate).length} of ${neededApprovals(gate)}`} live="approvals">
    {gate.approvals.length === 0 ? (
      <Empty>{isOpen(gate, now) ? 'No approvals yet.' : 'There were no approvals.'}</Empty>
    ) : (
      <ul class="list card">
        {gate.approvals.map(({ user_id, name, comment, via, proof, answers, counts, created_at }) => (
          <li>
            <strong>{context.approvers.get(user_id) ?? name}</strong> approved {WAY_PHRASES[via]}
            {withProof(proof)}, <Time at={created_at} />
            {!counts && <p class="hint">Does not count: this person can no longer approve this gate.</p>}
            {comment !== null && <Prose>{comment}</Prose>}
            <GivenAnswers fields={gate.fields} answers={answers} />
          </li>
        ))}
      </ul>
    )}
  </Section>
)

const Criteria = ({ criteria }: { criteria: string[] }) => (
  <>
    <h3>Acceptance criteria</h3>
    {criteria.length === 0 ? (
      <p class="hint">None were written.</p>
    ) : (
      <ol class="prose">
        {criteria.map((criterion) => (
          <li>{criterion}</li>
        ))}
      </ol>
    )}
  </>
)

/** What a gate asks, for anyone who opens a mailed link: without what people and the execution have written since. */
export const Question = ({
  gate,
  context,
  circumstances,
}: {
  gate: Gate
  context: GateContext
  circumstances: Circumstances
}) => (
  <>
    {gate.description !== null && <Prose>{gate.description}</Prose>}
    <ShortEvidence gate={gate} />
    <p>{effectsText(gate, circumstances)}</p>
    {context.work && (
      <>
        <p>
          Requirement: #{context.work.requirement_number} {context.work.requirement_title}
        </p>
        <Criteria criteria={context.work.acceptance_criteria} />
      </>
    )}
    <Facts
      of={[
        ['Approvals', `${countingApprovals(gate).length} of ${neededApprovals(gate)}`],
        ['Expires', gate.expires_at === null ? 'never' : <Time at={gate.expires_at} exact />],
      ]}
    />
  </>
)

function Work({ of: work }: { of: NonNullable<GateContext['work']> }) {
  const { requirement_description: description, acceptance_criteria: criteria } = work
  return (
    <>
      <Section title="Requirement">
        <p>
          <a href={`/app/requirements/${work.requirement_id}`}>
            #{work.requirement_number} {work.requirement_title}
          </a>
        </p>
        {description !== null && <Prose>{description}</Prose>}
        <Criteria criteria={criteria} />
      </Section>
      {work.summary !== null && (
        <Section title="What the execution reported">
          <Prose>{work.summary}</Prose>
        </Section>
      )}
    </>
  )
}

interface GateDetailsProps {
  gate: Gate
  context: GateContext
  circumstances: Circumstances
  decision: ComponentChildren
  sent?: ComponentChildren
  beyond?: ComponentChildren
}

/**
 * The content of a page about a gate.
 * @param decision what an open gate shows for its decision
 * @param sent what its approval has sent
 * @param beyond what else can be done about the gate, and has become of it
 */
export function GateDetails({ gate, context, circumstances, decision, sent, beyond }: GateDetailsProps) {
  const { now } = context
  return (
    // On a phone, a question stands above its answer, and a decision above what it was about.
    <div class={isOpen(gate, now) ? 'columns question' : 'columns'}>
      <div>
        {gate.description !== null && (
          <Section title="What is asked">
            <Prose>{gate.description}</Prose>
          </Section>
        )}
        <Changed gate={gate} circumstances={circumstances} cost_usd={context.work?.cost_usd ?? null} />
        {isOpen(gate, now) ? <Effects gate={gate} circumstances={circumstances} /> : null}
        {sent}
        {context.work && <Work of={context.work} />}
        <Approvals gate={gate} context={context} now={now} />
      </div>
      <div>
        <Section title={isOpen(gate, now) ? 'Your decision' : 'Decision'} live="decision">
          <div class="card">
            {isOpen(gate, now) ? decision : <Outcome gate={gate} decided_by_name={context.decided_by_name} now={now} />}
          </div>
        </Section>
        {beyond}
        <Section title="Details" live="details">
          <Facts
            of={[
              [
                'Opened',
                <>
                  <Time at={gate.created_at} /> by {context.created_by_name}
                </>,
              ],
              // Beside the subject, or what an approval does, if they are shown.
              [
                'Environment',
                gate.subject === null && !isOpen(gate, now) && gate.environment ? <bdi>{gate.environment}</bdi> : null,
              ],
              ['Expires', gate.expires_at === null ? 'never' : <Time at={gate.expires_at} exact />],
              ['Approvals', `${neededApprovals(gate)} required`],
              ['Approved by', context.approval.rules.map(({ name, count }) => `${count} of ${name}`).join(', ') || null],
              ['Self-approval', gate.prevent_self_approval ? 'not allowed' : 'allowed'],
              ['Passkey', gate.rules.require_passkey ? 'required to approve' : null],
              ['Decided via', gate.decide_via.map((way) => WAY_LABELS[way]).join(', ')],
              [
                'Execution',
                context.work && (
                  <>
                    <a href={`/app/executions/${context.work.execution_id}`}>by {context.work.agent}</a>{' '}
                    <State of={context.work.status} />
                  </>
                ),
              ],
              ['Started by', context.started_by_name],
              [
                'Attestation',
                gate.attestation_url && <a href={`/app/gates/${gate.id}/attestation`}>signed proof of the approval</a>,
              ],
              // Beside the evidence, if there is any.
              ['Cost', gate.evidence === null && context.work ? <Money usd={context.work.cost_usd} /> : null],
            ]}
          />
        </Section>
      </div>
    </div>
  )
}
