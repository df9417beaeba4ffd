import type { Circumstances } from '../../core/dispatches/circumstances.ts'
import { approvalText } from '../../core/dispatches/effects.ts'
import { filled, groupNames } from '../../core/gates/approval.ts'
import { countingApprovals, type Gate, neededApprovals, type Way } from '../../core/gates/gates.ts'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Prose, Time } from '../pages/components/text.tsx'
import type { Caller } from '../plugins/request-context.ts'
import type { WorkspaceRole } from '../roles.ts'
import type { GateContext } from './context.ts'
import { GITHUB_MISSING, onlyMembersOf } from './deciders.ts'
import { Checks, WhatChanges } from './review.tsx'
import { Warnings } from './warnings.tsx'
import { DECISION_PHRASES, stateOf } from './words.ts'

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
  const { asked, approved_as, lacks_github } = involvement
  const own = gate.approvals.find(({ user_id }) => user_id === approved_as)
  // Approvals that count again may be enough: a person who gave one of them can then decide.
  if (own?.user_id === reader.id && own.counts && filled(approval).is_filled) return null
  if (own)
    return `You have approved this gate${own.counts ? '' : ', and your approval no longer counts'}. Others have to approve it as well.`
  if (asked !== null) return `You ${asked}, so another person has to approve it.`
  return lacks_github ? GITHUB_MISSING : null
}

export function Consequences({ gate, canApprove }: { gate: Gate; canApprove: boolean }) {
  const missing = neededApprovals(gate) - countingApprovals(gate).length
  return (
    <p class="hint">
      {missing > 1 && canApprove ? `${missing} approvals are missing; yours is one of them. ` : ''}
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

export const Criteria = ({ criteria }: { criteria: string[] }) => (
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
    <Warnings gate={gate} circumstances={circumstances} decision="Go to your decision" />
    {gate.description !== null && <Prose>{gate.description}</Prose>}
    <WhatChanges gate={gate} circumstances={circumstances} since={null} />
    <Section title="What an approval does">
      <p>{approvalText(gate, circumstances)}</p>
    </Section>
    {gate.evidence !== null && gate.evidence.checks.length > 0 && (
      <Section title="Evidence">
        <Checks of={gate.evidence.checks} />
      </Section>
    )}
    {context.work && (
      <Section title="Requirement">
        <p>
          #{context.work.requirement_number} {context.work.requirement_title}
        </p>
        <Criteria criteria={context.work.acceptance_criteria} />
      </Section>
    )}
    <Facts
      of={[
        ['Approvals', `${countingApprovals(gate).length} of ${neededApprovals(gate)}`],
        ['Expires', gate.expires_at === null ? 'never' : <Time at={gate.expires_at} exact />],
      ]}
    />
  </>
)
