import type { GateStatus } from '../../core/gates/gates.ts'
import { Digest } from '../../core/values/digest.ts'
import type { Static } from '../../core/values/schema.ts'
import { ActorShape, Instant, Maybe, Name, Nullable, OneOf, Shape, Text, Type, Uuid } from '../../core/values/schema.ts'
import { LIST } from '../plugins/lists.ts'
import {
  AnswersInput,
  Binding,
  EvidenceInput,
  FieldsInput,
  GateAnswers,
  GateEvidence,
  GateFields,
  GateRules,
  GateSubject,
  SubjectInput,
} from './evidence.ts'
import { DecidedVia, DecisionAssertion, OUTCOMES } from './outcome-schema.ts'
import { DecideVia, ExpiresInSeconds, PreventSelfApproval, RequiredApprovals, Way } from './policy.ts'

const Status = OneOf([
  'pending',
  'approved',
  'rejected',
  'changes_requested',
  'cancelled',
  'expired',
] as const satisfies GateStatus[])

export const GateInput = Shape({
  name: Name(200, { examples: ['Release review'] }),
  description: Maybe(Nullable(Text(10_000))),
  required_approvals: Maybe(RequiredApprovals),
  prevent_self_approval: Maybe(PreventSelfApproval),
  expires_in_seconds: Maybe(Nullable(ExpiresInSeconds)),
  environment: Maybe(
    Nullable(
      Name(64, {
        description:
          'Where the subject may go after the approval: only hooks of this environment are triggered. Null: all hooks are.',
        examples: ['production'],
      }),
    ),
  ),
  subject: Maybe(Nullable(SubjectInput)),
  evidence: Maybe(Nullable(EvidenceInput)),
  fields: Maybe(FieldsInput),
})
export type GateInput = Static<typeof GateInput>

const Comment = Maybe(Nullable(Text(10_000, { description: 'Everyone who sees the gate can read it.', examples: ['Ship it.'] })))

export const Rejection = Shape({ comment: Comment })
export type Rejection = Static<typeof Rejection>

export const ApprovalInput = Shape({
  comment: Comment,
  binding: Maybe(
    Nullable(
      Type.Unsafe<string>({
        ...Binding,
        description: 'The `binding` of the gate that the approver has seen. Required if the gate has a subject.',
      }),
    ),
  ),
  answers: Maybe(AnswersInput),
  assertion: Maybe(DecisionAssertion),
})
export type ApprovalInput = Static<typeof ApprovalInput>

/** The form behind a mailed link. */
export const LinkedDecision = Shape({
  decision: OneOf(['approve', 'reject', 'request_changes', 'later'] as const),
  ...ApprovalInput.properties,
})

export const ChallengeInput = Shape({
  decision: OneOf(['approve', 'override'] as const, { description: 'The decision that the assertion is about.' }),
  answers: Maybe(AnswersInput),
})

export const GateQuery = Shape({ ...LIST, status: Maybe(Status) })

const Approval = Shape('GateApproval', {
  user_id: Uuid,
  name: Type.String({ description: 'The name of the user.' }),
  comment: Nullable(Type.String()),
  via: Way,
  proof: Nullable(
    OneOf(['passkey'], { description: 'What the approver confirmed with, about this approval alone; null: nothing.' }),
  ),
  answers: GateAnswers('The answers to the fields of the gate, by name.'),
  counts: Type.Boolean({
    description:
      'Whether it counts. It does not if its user has lost the role, or left the group or the organization: as it is now while the gate is pending, and then as it was when the gate was decided.',
    examples: [true],
  }),
  created_at: Instant,
})

export const Gate = Shape('Gate', {
  id: Uuid,
  organization_id: Uuid,
  workspace_id: Uuid,
  project_id: Uuid,
  execution_id: Nullable(
    Type.Unsafe<string>({ ...Uuid, description: 'The execution that waits; null if the gate was opened in its project.' }),
  ),
  name: Type.String(),
  description: Nullable(Type.String()),
  environment: Nullable(
    Type.String({
      description: 'The environment whose hooks the approval triggers; null: it triggers all.',
      examples: ['production'],
    }),
  ),
  subject: Nullable(GateSubject),
  evidence: Nullable(GateEvidence),
  fields: GateFields,
  status: Status,
  required_approvals: RequiredApprovals,
  prevent_self_approval: PreventSelfApproval,
  decide_via: DecideVia,
  expires_at: Nullable(Instant),
  rules: GateRules,
  binding: Nullable(Binding),
  approvals: Type.Array(Approval, { description: 'Oldest first.' }),
  answers: Nullable(GateAnswers('The answers of the last approver; null until the gate is approved.')),
  comment: Nullable(Type.String({ description: 'The comment of the decision.' })),
  triggers_hooks: Nullable(
    Type.Boolean({
      description:
        'Whether its approval triggers hooks; null until it is approved. False if another gate of its execution and environment was still pending: the one approved last triggers them.',
    }),
  ),
  attestation_url: Nullable(
    Type.String({
      description:
        'Where the attestation of its approval is, within seconds; null unless it is approved and has a subject. Until it is signed, the URL answers 404.',
      examples: ['https://signalbox.example.com/api/v1/gates/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d/attestation'],
    }),
  ),
  superseded_by: Nullable(
    Type.Unsafe<string>({ ...Uuid, description: 'The gate with another subject that replaced it while it was pending.' }),
  ),
  source: Nullable(
    Shape(
      'GateSource',
      {
        type: OneOf(['github']),
        repository: Type.String({ examples: ['acme/checkout'] }),
        run_id: Type.Integer({ description: 'The workflow run that waits.', examples: [9876543210] }),
        run_url: Type.String({ examples: ['https://github.com/acme/checkout/actions/runs/9876543210'] }),
        environment: Type.String({ description: 'As GitHub writes it.', examples: ['Production'] }),
        ref: Type.String({ description: 'The branch or tag.', examples: ['main'] }),
        asked_by: Type.Array(Shape({ id: Type.Integer({ examples: [583231] }), login: Type.String({ examples: ['octocat'] }) }), {
          description: 'The people at GitHub who sent, started or re-ran it.',
        }),
        state: OneOf(['open', 'held', 'answered', 'closed'], {
          description:
            '`open`: the run waits. `held`: the gate is approved, and the run is told when a freeze or a soak ends. `answered`: it was told. `closed`: there is nothing to tell any more, because the run ended, went on without an answer, or can no longer be reached.',
        }),
        answered_at: Nullable(Instant),
        error: Nullable(
          Shape(
            { code: Type.String({ examples: ['http_error'] }), detail: Type.String({ examples: ['GitHub answered 502.'] }) },
            { description: 'Why the answer did not arrive yet; null if nothing is wrong.' },
          ),
        ),
      },
      { description: 'The workflow run of GitHub that asked for the gate, and whether it was answered; null for other gates.' },
    ),
  ),
  created_by: Nullable(
    Type.Unsafe<string>({
      ...Uuid,
      description:
        'Null: Signalbox opened it, for a subject that may come to the next environment, or for a workflow run of GitHub whose sender has not linked an account.',
    }),
  ),
  actor: ActorShape,
  decided_by: Nullable(Uuid),
  decided_via: Nullable(DecidedVia),
  decided_at: Nullable(Instant),
  ...OUTCOMES,
  created_at: Instant,
  updated_at: Instant,
})

export const Clearance = Shape(
  'GateClearance',
  {
    state: OneOf(['clear', 'waiting', 'denied'], {
      description:
        '`clear`: go on. `waiting`: not yet, because the gate, or another one of its execution and environment, is not decided, or because a freeze, or the soak of the subject in the environment before, holds back what the approval triggers. `denied`: do not, because the gate is not approved, the approval was revoked, or another gate stands in the way.',
    }),
    held_until: Nullable(
      Type.Unsafe<string>({
        ...Instant,
        description: 'Until when freezes or a soak hold back what the approval triggers; null if nothing does.',
      }),
    ),
    reasons: Type.Array(Type.String({ examples: ['production is frozen until 2026-12-01 06:00 UTC.'] }), {
      description: 'What stands in the way, as sentences; empty if nothing does.',
    }),
  },
  {
    description:
      'Whether one may go on now with what the gate is about. Ask this, and not only `status`: an approval may be revoked, or held back.',
  },
)
export type Clearance = Static<typeof Clearance>

export const GateEffects = Shape('GateEffects', {
  hooks: Type.Array(
    Shape({
      id: Uuid,
      name: Type.String({ examples: ['Deploy to production'] }),
      environment: Type.String({ examples: ['production'] }),
    }),
    {
      description:
        'The hooks that the approval triggers, by name: at once or, where they listen to workflows and their environment requires a gate, when its workflow is completed, if their filter lets it pass. Paused ones are called when they are resumed. Empty: none, also because the gate is no longer pending.',
    },
  ),
  held_until: Nullable(
    Type.Unsafe<string>({
      ...Instant,
      description:
        'Until when freezes, or the soak of the subject in the environment before, hold back what they are sent, in every environment of theirs, or what the approved gate has triggered; null if nothing does, or nothing waits.',
    }),
  ),
  running: Nullable(
    Shape(
      {
        version: Nullable(Type.String({ description: 'As it was reported.', examples: ['v1.4.2'] })),
        digest: Nullable(Digest),
        since: Type.Unsafe<string>({ ...Instant, description: 'When its success was reported.' }),
      },
      { description: 'What runs in the environment of the gate; null if that is not known.' },
    ),
  ),
  promotion: Nullable(
    Shape(
      {
        from: Type.String({ description: 'The environment before.', examples: ['staging'] }),
        since: Nullable(
          Type.Unsafe<string>({ ...Instant, description: 'Since when the subject has run there; null if it does not.' }),
        ),
        soak_until: Nullable(
          Type.Unsafe<string>({ ...Instant, description: 'When it has run there long enough; null if it does not run there.' }),
        ),
      },
      {
        description:
          'What the policy of the environment requires of the subject; null if nothing, as when the gate was overridden.',
      },
    ),
  ),
  github: Nullable(
    Shape(
      {
        run_url: Type.String({
          description: 'The workflow run that goes on.',
          examples: ['https://github.com/acme/checkout/actions/runs/9876543210'],
        }),
      },
      { description: 'The workflow run of GitHub that is told; null if none waits.' },
    ),
  ),
  missing: Type.Array(Type.String({ examples: ['1 more approval.'] }), {
    description: 'What is missing until the gate is approved and its hooks are triggered, as sentences.',
  }),
})
export type GateEffects = Static<typeof GateEffects>
