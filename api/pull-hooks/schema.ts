import type { Static } from '../../core/values/schema.ts'
import { Instant, InstantInput, Maybe, OneOf, Shape, Text, Type } from '../../core/values/schema.ts'
import { Dispatch } from '../dispatches/schema.ts'

export const PullToken = Shape('PullToken', {
  token: Type.String({
    description: 'Claims and acknowledges the dispatches of this hook. Only this response shows it.',
    examples: ['sbx_pull_6qY0sHk1cZ0m1eVJ9r7oXw2u4Tg5pL8nBdEfAaCcRrI'],
  }),
})
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

export const Claimed = Shape('ClaimedDispatch', {
  dispatch: Dispatch,
  payload: Type.String({ description: 'The body, as it was signed. Not masked.' }),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'As a request would have them, signed when the dispatch was claimed. Not masked.',
  }),
  lease_until: Instant,
})
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
