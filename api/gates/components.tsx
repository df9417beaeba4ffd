/** What pages about a gate show: what it asks, what is known, who approved it, and who decided it. */
import type { ComponentChildren } from 'preact'
import { type Circumstances, effectsText } from '../../core/dispatches/effects.ts'
import { filled, groupNames } from '../../core/gates/approval.ts'
import {
  type Answers,
  type Approval,
  countingApprovals,
  type Gate,
  type GateField,
  isApproved,
  neededApprovals,
  type Way,
} from '../../core/gates/gates.ts'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Dot, Money, Prose, State, Time } from '../pages/components/text.tsx'
import type { Caller } from '../plugins/request-context.ts'
import type { WorkspaceRole } from '../roles.ts'
import { missingOf } from './clearance.ts'
import type { GateContext } from './context.ts'
import { onlyMembersOf } from './deciders.ts'
import type { RequirementsSince } from './requirements-since.ts'
import { Checks, Effects, EvidenceSection, WhatChanges } from './review.tsx'
import { Warnings } from './warnings.tsx'
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
    // Its comment is that of the last approval.
    const isApproval = gate.status === 'approved' && gate.decided_via !== 'override'
    return (
      <>
        <p>
          <strong>{decided_by_name}</strong> {gate.status === 'changes_requested' ? 'requested changes at' : gate.status} this
          gate {DECISION_PHRASES[gate.decided_via]}, <Time at={gate.decided_at} exact />.
        </p>
        {gate.comment !== null && !isApproval && <Prose>{gate.comment}</Prose>}
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

/** Who approved, how and when, and what an open gate still lacks. */
function Approvals({ gate, context, circumstances }: Pick<GateDetailsProps, 'gate' | 'context' | 'circumstances'>) {
  const missing = isOpen(gate, context.now) ? missingOf(gate, circumstances, context.approval) : []
  return (
    <Section title={`Approvals: ${countingApprovals(gate).length} of ${neededApprovals(gate)}`} live="approvals">
      {gate.approvals.length + missing.length === 0 ? (
        <Empty>There were no approvals.</Empty>
      ) : (
        <ul class="rows" aria-label="Approvals">
          {gate.approvals.map((approval) => (
            <ApprovalRow gate={gate} of={approval} name={context.approvers.get(approval.user_id) ?? approval.name} />
          ))}
          {missing.map((text) => (
            <li>
              <div class="about">
                <Dot tone="wait" text="missing" />
                <div class="what">
                  <p>{text}</p>
                </div>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** An approval of a gate that is not approved, or no longer, has no sign of success. */
function ApprovalRow({ gate, of, name }: { gate: Gate; of: Approval; name: string }) {
  const { comment, via, proof, answers, counts, created_at } = of
  const isGood = counts && (gate.status === 'pending' || isApproved(gate))
  return (
    <li>
      <div class="about">
        <Dot tone={isGood ? 'good' : 'off'} text={counts ? 'approved' : 'does not count'} />
        <div class="what">
          <span>{name}</span>
          <p>
            {WAY_PHRASES[via]}
            {withProof(proof)}, <Time at={created_at} />
          </p>
          {!counts && <p>Does not count: this person can no longer approve this gate.</p>}
          {comment !== null && <Prose>{comment}</Prose>}
          <GivenAnswers fields={gate.fields} answers={answers} />
        </div>
      </div>
    </li>
  )
}

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
    <Warnings gate={gate} circumstances={circumstances} decision="Your decision" />
    {gate.description !== null && <Prose>{gate.description}</Prose>}
    <WhatChanges gate={gate} circumstances={circumstances} since={null} />
    <p>{effectsText(gate, circumstances)}</p>
    {gate.evidence !== null && <Checks of={gate.evidence.checks} />}
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
        <div class="card">
          <p>
            <a href={`/app/requirements/${work.requirement_id}`}>
              #{work.requirement_number} {work.requirement_title}
            </a>
          </p>
          {description !== null && <Prose>{description}</Prose>}
          <Criteria criteria={criteria} />
        </div>
      </Section>
      {work.summary !== null && (
        <Section title="What the execution reported">
          <div class="card">
            <Prose>{work.summary}</Prose>
          </div>
        </Section>
      )}
    </>
  )
}

/** Who may approve a gate, and how many of them have to. */
function approversText({ approval: { rules } }: GateContext): string {
  return rules.length === 0 ? 'admins of the workspace' : rules.map(({ name, count }) => `${count} of ${name}`).join(', ')
}

const Details = ({ gate, context }: Pick<GateDetailsProps, 'gate' | 'context'>) => (
  <Section title="Details" live="details">
    <Facts
      of={[
        ['Opened', <Time at={gate.created_at} exact />],
        ['Expires', gate.expires_at === null ? 'never' : <Time at={gate.expires_at} exact />],
        ['Approvals', `${neededApprovals(gate)} required`],
        ['May approve', approversText(context)],
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
        ['Attestation', gate.attestation_url && <a href={`/app/gates/${gate.id}/attestation`}>signed proof of the approval</a>],
        // In the evidence, if there is any.
        ['Cost', gate.evidence === null && context.work ? <Money usd={context.work.cost_usd} /> : null],
      ]}
    />
  </Section>
)

interface GateDetailsProps {
  gate: Gate
  context: GateContext
  circumstances: Circumstances
  /** What was completed since what runs there was deployed; null if that is not known. */
  since: RequirementsSince | null
  /** What an open gate shows for its decision. */
  decision: ComponentChildren
  /** Whether the reader can decide it. */
  isDecider: boolean
  /** What its approval has sent. */
  sent: ComponentChildren
  /** What has become of its approval. */
  outcomes: ComponentChildren
  /** What else can be done about it. */
  actions: ComponentChildren
}

/** The content of the page of a gate. */
export function GateDetails(props: GateDetailsProps) {
  const { gate, context, circumstances, since, decision, isDecider, sent, outcomes, actions } = props
  const open = isOpen(gate, context.now)
  const story = (
    <div id="story">
      <Warnings
        gate={gate}
        circumstances={circumstances}
        decision={open ? (isDecider ? 'Go to your decision' : 'Who may decide') : null}
      />
      {gate.description !== null && (
        <Section title="What is asked">
          <Prose>{gate.description}</Prose>
        </Section>
      )}
      <WhatChanges gate={gate} circumstances={circumstances} since={since} />
      {open && <Effects gate={gate} circumstances={circumstances} />}
      {sent}
      <EvidenceSection gate={gate} circumstances={circumstances} cost_usd={context.work?.cost_usd ?? null} />
      {context.work && <Work of={context.work} />}
    </div>
  )
  const facing = (
    <div id="facing" class="facing">
      {gate.revoked_at !== null && outcomes}
      <Section title={open && isDecider ? 'Your decision' : 'Decision'} live="decision">
        <div class="card">
          {open ? decision : <Outcome gate={gate} decided_by_name={context.decided_by_name} now={context.now} />}
        </div>
      </Section>
      {gate.revoked_at === null && outcomes}
      <Approvals gate={gate} context={context} circumstances={circumstances} />
      <Details gate={gate} context={context} />
      {actions}
    </div>
  )
  return (
    <>
      <p class="hint" id="opened">
        {context.created_by_name} opened it <Time at={gate.created_at} />
        {gate.environment !== null && (
          <>
            {' '}
            for <bdi>{gate.environment}</bdi>
          </>
        )}
        {open && gate.expires_at !== null && (
          <>
            . It expires <Time at={gate.expires_at} />
          </>
        )}
        .
      </p>
      {/* In one column, an open question comes before its answer, and a decision before what it was about. */}
      <div class="columns">
        {open ? story : facing}
        {open ? facing : story}
      </div>
    </>
  )
}
