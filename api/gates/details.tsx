/** The content of the page of a gate: what speaks against it, what it is about, and next to them the decision. */
import type { ComponentChildren } from 'preact'
import type { Circumstances } from '../../core/dispatches/circumstances.ts'
import {
  type Answers,
  type Approval,
  countingApprovals,
  type Gate,
  type GateField,
  isApproved,
  neededApprovals,
} from '../../core/gates/gates.ts'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Dot, Money, Prose, State, Time } from '../pages/components/text.tsx'
import { missingOf } from './clearance.ts'
import { Criteria, Outcome, WAY_LABELS } from './components.tsx'
import type { GateContext } from './context.ts'
import type { RequirementsSince } from './requirements-since.ts'
import { Effects, EvidenceSection, WhatChanges } from './review.tsx'
import { Warnings } from './warnings.tsx'
import { isOpen, WAY_PHRASES, withProof } from './words.ts'

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
        <Dot tone={isGood ? 'good' : 'off'} text={counts ? 'counts' : 'does not count'} />
        <div class="what">
          <span>{name}</span>{' '}
          <p>
            approved {WAY_PHRASES[via]}
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
  /** What waits for it elsewhere. */
  source: ComponentChildren
  /** The outcome of its approval. */
  outcomes: ComponentChildren
  /** What else can be done about it. */
  actions: ComponentChildren
}

/** The content of the page of a gate. */
export function GateDetails(props: GateDetailsProps) {
  const { gate, context, circumstances, since, decision, isDecider, sent, source, outcomes, actions } = props
  const open = isOpen(gate, context.now)
  const story = (
    <div id="story">
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
      {source}
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
        <Warnings
          gate={gate}
          circumstances={circumstances}
          decision={open ? (isDecider ? 'Go to your decision' : 'Who may decide') : null}
        />
        {open ? story : facing}
        {open ? facing : story}
      </div>
    </>
  )
}
