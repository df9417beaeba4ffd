import { ROLLOUT_STATES } from '../../core/rollouts/rollouts.ts'
import { reportedDigestFields } from '../../core/values/digest.ts'
import { Instant, Name, Nullable, OneOf, optional, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import { FreezeInput, ShownFreeze } from '../freezes/input.ts'
import { GateSubject } from '../gates/evidence.ts'
import { DecideVia, ExpiresInSeconds, PreventSelfApproval, RequiredApprovals } from '../gates/policy.ts'
import { CANDIDATE_STATES } from './candidates.ts'

const State = OneOf(ROLLOUT_STATES)

export const EnvironmentRollout = Shape('EnvironmentRollout', {
  dispatch_id: Nullable(
    Type.Unsafe<string>({ ...Uuid, description: 'Null once the dispatch is deleted, and for a deployment of GitHub.' }),
  ),
  hook_id: Nullable(
    Type.Unsafe<string>({ ...Uuid, description: 'Null once the hook is deleted, and for a deployment of GitHub.' }),
  ),
  event: Type.String({ description: 'Of a deployment of GitHub `github.deployment`.', examples: ['gate.approved'] }),
  version: Nullable(Type.String({ examples: ['v1.5.0'] })),
  url: Nullable(Type.String({ examples: ['https://ci.example.com/runs/4711'] })),
  state: State,
  at: Type.String({
    format: 'date-time',
    description:
      'When it was last reported; if never, when it became `unknown` or `not_delivered` or, before that, when it was dispatched.',
    examples: ['2026-11-21T09:30:00.000Z'],
  }),
  ...reportedDigestFields,
})
export type EnvironmentRollout = Static<typeof EnvironmentRollout>

const figure = (description: string, example: number) => Nullable(Type.Number({ description, examples: [example] }))

const Candidate = Shape(
  'Candidate',
  {
    subject: GateSubject,
    since: Type.Unsafe<string>({ ...Instant, description: 'When its run in the environment before began.' }),
    soak_until: Type.Unsafe<string>({ ...Instant, description: 'When it has run there for `soak_seconds`.' }),
    gate_id: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'The newest gate about it for this environment.' })),
    state: OneOf(CANDIDATE_STATES, {
      description:
        '`soaking`: it has not run there long enough. `ready`: it has. `waiting`: and a gate for it is pending, or approved. `failed`: it failed there, or was rolled back.',
    }),
  },
  { description: 'What may come here next. Null if nothing, or it runs here already.' },
)

export const Environment = Shape('Environment', {
  environment: Type.String({ examples: ['production'] }),
  current: Nullable(EnvironmentRollout),
  previous: Nullable(EnvironmentRollout),
  latest: Nullable(EnvironmentRollout),
  frequency_30d: figure('Successful rollouts per day.', 1.4),
  change_failure_rate_30d: figure('The share of failed rollouts in those that succeeded or failed.', 0.125),
  lead_time_median_seconds_30d: figure('From the event to the success.', 312),
  restore_time_median_seconds_30d: figure('From the first failure after a success to the next success.', 1260),
  promotes_from: Nullable(Type.String({ description: 'The environment before, as the policy says.', examples: ['staging'] })),
  soak_seconds: Type.Integer({ examples: [3600] }),
  candidate: Nullable(Candidate),
})
export type Environment = Static<typeof Environment>

const flag = (description: string) => Type.Boolean({ description, examples: [false] })

const flags = {
  require_subject: flag('Whether gates for the environment must name what is to be deployed.'),
  require_checks: flag('Whether gates for the environment need evidence with at least one check, and all of them passed.'),
  require_passkey: flag(
    'Whether people who approve or override gates for the environment must confirm that with a passkey. They decide on the page of the gate, or through the API.',
  ),
  gate_required: flag('Whether automatic dispatches to hooks of the environment are made only for an approved gate.'),
}

const count = Type.Integer({ minimum: 1, maximum: 10, description: 'How many members of the group must approve.', examples: [1] })

const promotion = {
  promotes_from: Nullable(
    Name(64, {
      description:
        'The environment where a subject must run before it may come here: gates for this environment need a subject that does. Null: none. Environments must not make a circle, or a chain of more than 10 (`circular`).',
      examples: ['staging'],
    }),
  ),
  soak_seconds: Type.Integer({
    minimum: 0,
    maximum: 2_592_000,
    description:
      'How long it must run there, from its first success; what is approved before waits until then. Needs `promotes_from`.',
    examples: [3600],
  }),
  open_gate: flag('Whether Signalbox opens the gate for a subject that has run there so long. Needs `promotes_from`.'),
}

const limits = {
  required_approvals: Nullable(RequiredApprovals),
  prevent_self_approval: Nullable(PreventSelfApproval),
  expires_in_seconds: Nullable(ExpiresInSeconds),
  decide_via: Nullable(DecideVia),
}

export const EnvironmentPolicyInput = Shape(
  optional({
    ...limits,
    approvers: Type.Array(Shape({ group_id: Uuid, count }), {
      maxItems: 6,
      description: 'Groups whose members approve, each once. Replaces the list.',
    }),
    ...flags,
    ...promotion,
    freezes: Type.Array(FreezeInput, {
      maxItems: 20,
      description: 'When nothing is deployed. Freezes that meet hold as one, and must end at some time. Replaces the list.',
    }),
  }),
)
export type EnvironmentPolicyInput = Static<typeof EnvironmentPolicyInput>

export const EnvironmentPolicy = Shape(
  'EnvironmentPolicy',
  {
    id: Uuid,
    organization_id: Uuid,
    workspace_id: Uuid,
    project_id: Uuid,
    environment: Type.String({ examples: ['production'] }),
    ...limits,
    approvers: Type.Array(Shape({ group_id: Uuid, count })),
    ...flags,
    ...promotion,
    freezes: Type.Array(ShownFreeze),
    created_at: Instant,
    updated_at: Instant,
  },
  {
    description:
      'What gates for an environment require. Null: as the policy of the workspace says. A gate copies the stricter of both, so a workspace policy that becomes stricter later wins.',
  },
)
export type EnvironmentPolicy = Static<typeof EnvironmentPolicy>
