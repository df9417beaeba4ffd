/** What is done with dispatches: claims and acknowledgements of pull hooks, rollbacks and recoveries. */

import type { Static } from '../../core/values/schema.ts'
import { Instant, InstantInput, Maybe, Name, Nullable, OneOf, Shape, Text, Type, Uuid } from '../../core/values/schema.ts'
import { Dispatch } from './schema.ts'

export const PullToken = Shape(
  {
    token: Type.String({
      description: 'Claims and acknowledges the dispatches of this hook. Only this response shows it.',
      examples: ['sbx_pull_6qY0sHk1cZ0m1eVJ9r7oXw2u4Tg5pL8nBdEfAaCcRrI'],
    }),
  },
  { title: 'PullToken' },
)
export type PullToken = Static<typeof PullToken>

export const ClaimInput = Shape({
  limit: Maybe(
    Type.Integer({ minimum: 1, maximum: 10, description: 'Maximum number of dispatches. Default: 1.', examples: [1] }),
  ),
  wait: Maybe(
    Type.Integer({
      minimum: 0,
      maximum: 25,
      description: 'Seconds to wait until a dispatch is due. Default: 0.',
      examples: [25],
    }),
  ),
  lease_seconds: Maybe(
    Type.Integer({
      minimum: 30,
      maximum: 3600,
      description: 'How long the claimed dispatches are leased to the caller. Default: 60.',
      examples: [600],
    }),
  ),
})
export type ClaimInput = Static<typeof ClaimInput>

export const Claimed = Shape(
  {
    dispatch: Dispatch,
    payload: Type.String({ description: 'The body, as it was signed. Not masked.' }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'As a request would have them, signed when the dispatch was claimed. Not masked.',
    }),
    lease_until: Instant,
  },
  { title: 'ClaimedDispatch' },
)
export type Claimed = Static<typeof Claimed>

export const Acknowledgement = Shape({
  outcome: OneOf(['succeeded', 'failed', 'retry'], {
    description: '`failed` ends the dispatch; `retry` makes it due again after the delay of the retry schedule.',
  }),
  detail: Maybe(
    Text(16_384, {
      description: 'Shown as the `response_body` of the attempt, with secrets masked. At most 16 KiB.',
      examples: ['Deployed build 4711.'],
    }),
  ),
  lease_until: InstantInput,
})
export type Acknowledgement = Static<typeof Acknowledgement>

export const RollbackInput = Shape({
  target_version: Name(120, { description: 'The version to return to.', examples: ['v1.4.2'] }),
  reason: Maybe(Nullable(Text(2000, { examples: ['Checkout fails for card payments.'] }))),
  environment: Maybe(
    Nullable(
      Name(64, {
        description: 'Passed to every hook, whatever its own environment is; the receiver decides what to do with it.',
        examples: ['production'],
      }),
    ),
  ),
})
export type RollbackInput = Static<typeof RollbackInput>

export const Rollback = Shape({ event_id: Uuid, dispatches: Type.Array(Dispatch) }, { title: 'Rollback' })
export type Rollback = Static<typeof Rollback>

export const RecoverInput = Shape({
  since: InstantInput,
  until: Maybe(Nullable(InstantInput)),
  dry_run: Maybe(Type.Boolean({ description: 'Only counts, without redelivering.', examples: [true] })),
})
export type RecoverInput = Static<typeof RecoverInput>

export const Recovered = Shape(
  { redelivered: Type.Integer({ description: 'How many dispatches were redelivered or, with `dry_run`, would be.' }) },
  { title: 'Recovered' },
)
export type Recovered = Static<typeof Recovered>
