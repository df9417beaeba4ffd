import { HOOK_EVENTS } from '../../core/events/catalogue.ts'
import {
  Instant,
  InstantInput,
  Maybe,
  Name,
  Nullable,
  OneOf,
  optional,
  Shape,
  type Static,
  Text,
  Type,
  Uuid,
  VisibleText,
} from '../../core/values/schema.ts'
import { PAGED_LIST } from '../plugins/lists.ts'
import { Rollout, RolloutStateFilter } from '../rollouts/schema.ts'

const Status = OneOf(['pending', 'succeeded', 'failed', 'cancelled'])

const DispatchEvent = OneOf(HOOK_EVENTS)

const DispatchError = Nullable(
  Shape({
    code: Type.String({ description: 'All codes are explained at `/docs/receivers`.', examples: ['timeout'] }),
    detail: Type.String(),
  }),
)

const dispatch = {
  id: Uuid,
  hook_id: Uuid,
  project_id: Uuid,
  event: DispatchEvent,
  environment: Type.String(),
  status: Status,
  attempt_count: Type.Integer(),
  max_attempts: Type.Integer(),
  next_attempt_at: Nullable(Instant),
  held_until: Nullable(
    Type.Unsafe<string>({
      ...Instant,
      description:
        'Until when freezes of the environment, or the soak of its subject in the environment before, hold it back: it is sent then, unless another freeze holds. Null if nothing does.',
    }),
  ),
  response_status: Nullable(Type.Integer()),
  response_body: Nullable(
    Type.String({
      description:
        'The first 16 KiB as text, decompressed; invalid bytes become U+FFFD. Header values of the hook that it repeats are shown as `********`.',
    }),
  ),
  duration_ms: Nullable(Type.Integer()),
  error: DispatchError,
  sequence: Nullable(
    Type.Integer({
      description: 'Increases with every dispatch of the hook, so that receivers can ignore delayed ones. Null for a test.ping.',
    }),
  ),
  redelivery_of: Nullable(Uuid),
  superseded_by: Nullable(Uuid),
  rollout: Nullable(Rollout),
  override_reason: Nullable(
    Type.String({
      description: 'Why it is sent without what an approval lacks, and in a freeze. Null if nothing was overridden.',
    }),
  ),
  created_at: Instant,
  completed_at: Nullable(Instant),
}

const override = Shape({ reason: VisibleText(2000, { examples: ['The checkout is down, and its approvers are asleep.'] }) })

export const TriggerInput = Shape({ override: Maybe(Nullable(override)) })
export type TriggerInput = Static<typeof TriggerInput>

export const Dispatch = Shape('Dispatch', dispatch)
export type Dispatch = Static<typeof Dispatch>

const Attempt = Shape('Attempt', {
  number: Type.Integer(),
  started_at: Instant,
  address: Nullable(Type.String({ description: 'The IP address that the request was sent to.' })),
  dns_ms: Nullable(Type.Integer()),
  first_byte_ms: Nullable(Type.Integer()),
  duration_ms: Type.Integer(),
  response_status: Nullable(Type.Integer()),
  response_headers: Nullable(Type.Record(Type.String(), Type.String())),
  response_body: Nullable(Type.String()),
  error: DispatchError,
})
export type Attempt = Static<typeof Attempt>

export const DispatchDetail = Shape('DispatchDetail', {
  ...dispatch,
  payload: Type.String({
    description:
      'The signed request body, identical in every attempt. Template secrets and report values in it are shown as `********`. Empty if it was too large to be sent (`payload_too_large`).',
  }),
  request_headers: Type.Record(Type.String(), Type.String(), {
    description:
      'The headers of the last attempt, or of the first one to come, according to the current settings of the hook. Values of its own headers and signatures are shown as `********`.',
  }),
  attempts: Type.Array(Attempt),
})
export type DispatchDetail = Static<typeof DispatchDetail>

export const DispatchQuery = Shape({
  ...PAGED_LIST,
  ...optional({ status: Status, event: DispatchEvent, rollout: RolloutStateFilter }),
})
export type DispatchQuery = Static<typeof DispatchQuery>

export const RollbackInput = Shape({
  target_version: Name(120, { description: 'The version to return to.', examples: ['v1.4.2'] }),
  ...optional({
    reason: Nullable(Text(2000, { examples: ['Checkout fails for card payments.'] })),
    environment: Nullable(
      Name(64, {
        description: 'Passed to every hook, whatever its own environment is; the receiver decides what to do with it.',
        examples: ['production'],
      }),
    ),
  }),
})
export type RollbackInput = Static<typeof RollbackInput>

export const Rollback = Shape('Rollback', { event_id: Uuid, dispatches: Type.Array(Dispatch) })
export type Rollback = Static<typeof Rollback>

export const RecoverInput = Shape({
  since: InstantInput,
  until: Maybe(Nullable(InstantInput)),
  dry_run: Maybe(Type.Boolean({ description: 'Only counts, without redelivering.', examples: [true] })),
})
export type RecoverInput = Static<typeof RecoverInput>

export const Recovered = Shape('Recovered', {
  redelivered: Type.Integer({ description: 'How many dispatches were redelivered or, with `dry_run`, would be.' }),
})
export type Recovered = Static<typeof Recovered>
