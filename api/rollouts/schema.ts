/** The shapes of reports and rollouts. */
import { MAX_VERSION, ROLLOUT_STATES } from '../../core/rollouts/rollouts.ts'
import { Digest, reportedDigestFields } from '../../core/values/digest.ts'
import type { Static } from '../../core/values/schema.ts'
import { ActorShape, Instant, Maybe, Name, Nullable, OneOf, Shape, Text, Type, Uuid, WebLine } from '../../core/values/schema.ts'

export const RolloutStateFilter = OneOf(ROLLOUT_STATES, { description: 'Only dispatches whose rollout is in this state.' })

const State = OneOf(ROLLOUT_STATES, {
  description:
    '`awaiting`: nothing was reported yet; `unknown`: nothing was reported in time; `not_delivered`: the dispatch failed, expired or was cancelled before it was delivered. `succeeded` and `failed` are final; after `unknown` and `not_delivered`, a report is still taken.',
})

export const ReportWithin = Nullable(
  Type.Integer({
    minimum: 60,
    maximum: 604_800,
    description:
      'Makes receivers report the outcome of the deployment: a dispatch is sent with `X-Signalbox-Report-Url` and `X-Signalbox-Report-Token`, and its `rollout` becomes `unknown` this many seconds after the delivery or the last report of progress. Applies to dispatches made from then on. Null: no reports.',
    examples: [1800],
  }),
)

export const Rollout = Shape(
  'Rollout',
  {
    state: State,
    version: Nullable(Type.String({ examples: ['v1.5.0'] })),
    url: Nullable(Type.String({ examples: ['https://ci.example.com/runs/4711'] })),
    description: Nullable(Type.String()),
    reported_by: Nullable(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'The user or service account that reported last. Null for the report token of the dispatch.',
      }),
    ),
    actor: Nullable(ActorShape),
    reported_at: Nullable(Instant),
    deadline_at: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'When the rollout becomes `unknown`, unless an outcome was reported. Set when the dispatch is delivered, and moved by each `in_progress`.',
        examples: ['2026-11-21T10:00:00.000Z'],
      }),
    ),
    ...reportedDigestFields,
  },
  { description: 'The outcome of the deployment, as the receiver reports it. Null if the hook had no `report_within_seconds`.' },
)
export type Rollout = Static<typeof Rollout>

/** In characters. */
export const MAX_DESCRIPTION = 2000

export const ReportInput = Shape({
  state: OneOf(['in_progress', 'succeeded', 'failed'], { examples: ['succeeded'] }),
  version: Maybe(
    Nullable(
      Name(MAX_VERSION, {
        description:
          'What is deployed. If omitted, the value of the last report is kept; null clears it. The same applies to `url` and `description`.',
        examples: ['v1.5.0'],
      }),
    ),
  ),
  url: Maybe(
    Nullable(
      WebLine({
        description:
          'A page about the deployment, http or https, without a user name or password. Rejected if it contains a secret of the hook, a value of its headers, or a token.',
        examples: ['https://ci.example.com/runs/4711'],
      }),
    ),
  ),
  description: Maybe(
    Nullable(
      Text(MAX_DESCRIPTION, {
        description: 'Secrets of the hook and tokens are masked in it, and in `version`.',
        examples: ['3 of 3 instances are healthy.'],
      }),
    ),
  ),
  digest: Maybe(Nullable(Digest)),
})
export type ReportInput = Static<typeof ReportInput>
