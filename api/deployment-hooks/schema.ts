import {
  Instant,
  InstantInput,
  Maybe,
  Name,
  Nullable,
  OneOf,
  pageQuery,
  Shape,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../core/values/schema.ts'

const Trigger = OneOf(['workflow_done', 'gate_approved'], {
  description: '`workflow_done`: when a workflow completes; `gate_approved`: when a gate is approved.',
})

const Headers = Type.Record(Type.String(), Text(4096), {
  maxProperties: 32,
  description: 'Sent with every dispatch. Values are never shown; `********` keeps the stored value of that name.',
  examples: [{ 'X-Api-Key': 'k-123' }],
})

const MaxAge = Nullable(
  Type.Integer({
    minimum: 60,
    maximum: 604_800,
    description:
      'A dispatch that is older is not sent any more: it becomes `cancelled` with the code `expired`. Null: at any age.',
    examples: [3600],
  }),
)

const Supersede = Type.Boolean({
  description: 'Whether a newer dispatch cancels those before it that still wait: a late deploy then never undoes a newer one.',
  examples: [false],
})

const Paused = Type.Boolean({
  description: 'Holds dispatches back, and loses none, until it is false again. Tests go out all the same.',
  examples: [false],
})

const fields = {
  name: Name(120, { examples: ['Deploy to production'] }),
  url: Text(2048, { description: 'http or https, without credentials.', examples: ['https://ci.example.com/hooks/signalbox'] }),
  trigger_on: Trigger,
}

/** What may be left out: a new hook then has the default, a changed one what it had. */
const optional = {
  secret: Maybe(
    Nullable(
      Text(256, {
        minLength: 1,
        description:
          'Signs every dispatch. With `whsec_` before base64 the key is the decoded bytes, else the text itself. Never shown; `********` keeps the stored one. `null`: nothing is signed. A new hook that leaves it out gets a secret from the service.',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      }),
    ),
  ),
  environment: Maybe(Name(64, { description: '`production` where a new hook names none.', examples: ['production'] })),
  headers: Maybe(Nullable(Headers)),
  enabled: Maybe(
    Type.Boolean({
      description:
        'True where a new hook does not say. Switching it off cancels what waits; switching it on clears `disabled_reason`.',
      examples: [true],
    }),
  ),
  max_age_seconds: Maybe(MaxAge),
  supersede: Maybe(Supersede),
  paused: Maybe(Paused),
}

export const HookInput = Shape({ ...fields, ...optional })
export type HookInput = Static<typeof HookInput>

export const HookUpdate = Shape({
  name: Maybe(fields.name),
  url: Maybe(fields.url),
  trigger_on: Maybe(fields.trigger_on),
  ...optional,
})
export type HookUpdate = Static<typeof HookUpdate>

const hook = {
  id: Uuid,
  project_id: Uuid,
  name: Type.String(),
  url: Type.String(),
  trigger_on: Trigger,
  environment: Type.String(),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Names as they were given; every value is shown as `********`.',
  }),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(Type.String({ description: 'Why the service switched it off.' })),
  max_age_seconds: MaxAge,
  supersede: Supersede,
  paused: Paused,
  has_secret: Type.Boolean(),
  created_at: Instant,
  updated_at: Instant,
}

export const Hook = Shape(hook, { title: 'Hook' })
export type Hook = Static<typeof Hook>

export const CreatedHook = Shape(
  {
    ...hook,
    secret: Maybe(
      Type.String({
        description: 'The secret that the service made, as the request had none: shown here and never again.',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwo9dVOCXa7oA='],
      }),
    ),
  },
  { title: 'CreatedHook' },
)
export type CreatedHook = Static<typeof CreatedHook>

export const Rotation = Shape({
  overlap_seconds: Maybe(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description: 'For so long the old secret signs beside the new one: 86400 where it is not said.',
      examples: [86_400],
    }),
  ),
})
export type Rotation = Static<typeof Rotation>

export const RotatedHook = Shape(
  {
    ...hook,
    secret: Type.String({
      description: 'The new secret: shown here and never again.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwo9dVOCXa7oA='],
    }),
    previous_secret_until: Nullable(
      Type.String({
        description: 'Until then the old secret signs, too. Null: it does not.',
        examples: ['2026-11-22T09:30:00.000Z'],
      }),
    ),
  },
  { title: 'RotatedHook' },
)
export type RotatedHook = Static<typeof RotatedHook>

export const Verification = Shape({
  headers: Type.Record(Type.String(), Text(16_384), {
    maxProperties: 200,
    description: 'All of them, as they came. Names compare without case; `HTTP_X_…`, as CGI has them, are understood.',
    examples: [
      {
        'X-Signalbox-Delivery': '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
        'X-Signalbox-Signature': 'sha256=9f2c…',
        'webhook-id': '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
        'webhook-timestamp': '1795253400',
        'webhook-signature': 'v1,K5oZ…',
      },
    ],
  }),
  body: Text(1_048_576, {
    description: 'The raw text, as it came, before anything parsed it.',
    examples: ['{"id":"019a2f6e-…","event":"gate.approved",…}'],
  }),
})
export type Verification = Static<typeof Verification>

export const CHECKS = {
  signature_form: 'The headers that carry signatures are there, and of the right form.',
  key: "The signatures were made with this hook's secret.",
  body: 'The body is, byte for byte, what was sent.',
  id_and_time: '`webhook-id` and `webhook-timestamp` are those that were signed.',
  clock: 'It was signed within the last 300 seconds.',
  old_secret: 'The secret is in force, or the one before it while both sign.',
} as const

export const Verdict = Shape(
  {
    valid: Type.Boolean({ description: 'Whether every check that was reached holds.' }),
    checks: Type.Array(
      Shape({
        name: OneOf(Object.keys(CHECKS) as (keyof typeof CHECKS)[]),
        ok: Type.Boolean(),
        detail: Type.String({ description: 'What was found, and where it fails, what to look for.' }),
      }),
      { description: 'In this order; one that cannot be decided, as an earlier one failed, is left out.' },
    ),
  },
  { title: 'Verdict' },
)
export type Verdict = Static<typeof Verdict>

const Status = OneOf(['pending', 'succeeded', 'failed', 'cancelled'])

/** What a hook is told of. */
const DispatchEvent = OneOf(['workflow.completed', 'gate.approved', 'manual.trigger', 'deployment.rollback', 'test.ping'])

const DispatchError = Nullable(
  Shape({
    code: Type.String({
      description: 'Each is explained, with what to do about it, at `/docs/receivers`.',
      examples: ['timeout'],
    }),
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
  response_status: Nullable(Type.Integer()),
  response_body: Nullable(
    Type.String({
      description:
        'Up to 16 KiB, as text: of a compressed one what it says, of bytes that are none U+FFFD. Where it repeats a header value of the hook it shows `********`.',
    }),
  ),
  duration_ms: Nullable(Type.Integer()),
  error: DispatchError,
  sequence: Nullable(
    Type.Integer({ description: 'Counts up per hook; null for a test.ping. A receiver drops what comes late.' }),
  ),
  redelivery_of: Nullable(Uuid),
  superseded_by: Nullable(Uuid),
  created_at: Instant,
  completed_at: Nullable(Instant),
}

export const Dispatch = Shape(dispatch, { title: 'Dispatch' })
export type Dispatch = Static<typeof Dispatch>

const Attempt = Shape(
  {
    number: Type.Integer(),
    started_at: Instant,
    address: Nullable(Type.String({ description: 'The address that it was sent to.' })),
    dns_ms: Nullable(Type.Integer()),
    first_byte_ms: Nullable(Type.Integer()),
    duration_ms: Type.Integer(),
    response_status: Nullable(Type.Integer()),
    response_headers: Nullable(Type.Record(Type.String(), Type.String())),
    response_body: Nullable(Type.String()),
    error: DispatchError,
  },
  { title: 'Attempt' },
)
export type Attempt = Static<typeof Attempt>

export const DispatchDetail = Shape(
  {
    ...dispatch,
    payload: Type.String({ description: 'The text that is signed and sent, the same in every attempt.' }),
    request_headers: Type.Record(Type.String(), Type.String(), {
      description:
        'As they go out with its last attempt, or will with its first, by the hook as it is now. Its own values and the signatures are shown as `********`.',
    }),
    attempts: Type.Array(Attempt),
  },
  { title: 'DispatchDetail' },
)
export type DispatchDetail = Static<typeof DispatchDetail>

export const DispatchQuery = Shape({ ...pageQuery, status: Maybe(Status), event: Maybe(DispatchEvent) })
export type DispatchQuery = Static<typeof DispatchQuery>

export const RollbackInput = Shape({
  target_version: Name(120, { description: 'What to go back to.', examples: ['v1.4.2'] }),
  reason: Maybe(Nullable(Text(2000, { examples: ['Checkout fails for card payments.'] }))),
  environment: Maybe(
    Nullable(
      Name(64, {
        description: 'Told to every hook, whatever its own environment is: the receiver decides.',
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
  dry_run: Maybe(Type.Boolean({ description: 'Only counts.', examples: [true] })),
})
export type RecoverInput = Static<typeof RecoverInput>

export const Recovered = Shape(
  { redelivered: Type.Integer({ description: 'How many were redelivered, or would be.' }) },
  { title: 'Recovered' },
)
export type Recovered = Static<typeof Recovered>
