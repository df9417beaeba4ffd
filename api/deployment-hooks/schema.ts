import type { Trigger as TriggerName } from '../../core/events/catalogue.ts'
import type { Static } from '../../core/values/schema.ts'
import { Instant, Maybe, Name, Nullable, OneOf, optional, Shape, Text, Type, Uuid } from '../../core/values/schema.ts'
import { ReportWithin } from '../rollouts/schema.ts'
import { FixedSignature, Signature, shownSignatureFields } from './signature-schema.ts'
import { shownTemplateFields, templateFields } from './template-schema.ts'

const TRIGGERED: Record<TriggerName, string> = {
  workflow_done: 'when a workflow completes',
  gate_approved: 'when a gate is approved',
}

const Trigger = OneOf(Object.keys(TRIGGERED) as TriggerName[], {
  description: `${Object.entries(TRIGGERED)
    .map(([trigger, when]) => `\`${trigger}\`: ${when}`)
    .join('; ')}.`,
})

const Headers = Type.Record(Type.String(), Text(4096), {
  maxProperties: 32,
  description: 'Sent with every dispatch. Values are never returned; `********` keeps the stored value of that header.',
  examples: [{ 'X-Api-Key': 'k-123' }],
})

const MaxAge = Nullable(
  Type.Integer({
    minimum: 60,
    maximum: 604_800,
    description:
      'Dispatches older than this are not sent; they become `cancelled` with the error code `expired`. Null: no limit.',
    examples: [3600],
  }),
)

const Supersede = Type.Boolean({
  description: 'Whether a new dispatch cancels older pending ones, so that a delayed deployment never overwrites a newer one.',
  examples: [false],
})

const Paused = Type.Boolean({
  description: 'While true, dispatches are kept pending and none is lost. Tests are still sent.',
  examples: [false],
})

const fields = { name: Name(120, { examples: ['Deploy to production'] }), trigger_on: Trigger }

const Mode = OneOf(['push', 'pull'], {
  description:
    '`push`: dispatches are sent to `url`. `pull`: they wait until a CI system claims them; such a hook has neither `url` nor `headers`.',
})

const Temporary = Type.Boolean({
  description:
    'Whether the service removes the hook, with its dispatches, when no agent has claimed from it for 24 hours. Only for a pull hook; it cannot be changed.',
  examples: [false],
})

/** Optional fields. If omitted, a new hook gets the default, and an update keeps the stored value. */
const settings = optional({
  url: Text(2048, {
    description: 'http or https, without credentials. Required, except for a pull hook.',
    examples: ['https://ci.example.com/hooks/signalbox'],
  }),
  secret: Nullable(
    Text(256, {
      minLength: 1,
      description:
        'Signs every dispatch; not for a hook with the signature `ed25519`. After the prefix `whsec_` the key is decoded from base64, otherwise the key is the text itself. Never returned; `********` keeps the stored secret. `null`: dispatches are not signed. If omitted for a new hook, the service generates a secret.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  ),
  environment: Name(64, { description: 'Default for a new hook: `production`.', examples: ['staging'] }),
  headers: Nullable(Headers),
  enabled: Type.Boolean({
    description: 'Default: true. Setting it to false cancels pending dispatches; setting it to true clears `disabled_reason`.',
    examples: [true],
  }),
  max_age_seconds: MaxAge,
  supersede: Supersede,
  paused: Paused,
  report_within_seconds: ReportWithin,
  ...templateFields,
})

export const HookInput = Shape({
  ...fields,
  ...optional({ mode: Mode, temporary: Temporary }),
  ...settings,
  signature: Maybe(Signature),
})
export type HookInput = Static<typeof HookInput>

export const HookUpdate = Shape({
  ...optional(fields),
  ...settings,
  signature: Maybe(FixedSignature),
})
export type HookUpdate = Static<typeof HookUpdate>

const hook = {
  id: Uuid,
  project_id: Uuid,
  name: Type.String(),
  mode: Mode,
  temporary: Temporary,
  url: Nullable(Type.String({ description: 'Null for a pull hook.' })),
  trigger_on: Trigger,
  environment: Type.String(),
  headers: Type.Record(Type.String(), Type.String(), { description: 'Every value is shown as `********`.' }),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(Type.String({ description: 'Why the service disabled the hook.' })),
  max_age_seconds: MaxAge,
  supersede: Supersede,
  paused: Paused,
  report_within_seconds: ReportWithin,
  ...shownTemplateFields,
  ...shownSignatureFields,
  created_at: Instant,
  updated_at: Instant,
}

export const Hook = Shape('Hook', hook)
export type Hook = Static<typeof Hook>

export const CreatedHook = Shape('CreatedHook', {
  ...hook,
  secret: Maybe(
    Type.String({
      description:
        'The generated secret, if the request had none. Only this response shows it. Absent for the signature `ed25519`.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwo9dVOCXa7oA='],
    }),
  ),
})
export type CreatedHook = Static<typeof CreatedHook>

export const Rotation = Shape({
  overlap_seconds: Maybe(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description: 'How long the old secret or private key also signs. Default: 86400.',
      examples: [86_400],
    }),
  ),
})
export type Rotation = Static<typeof Rotation>

export const RotatedHook = Shape('RotatedHook', {
  ...hook,
  secret: Maybe(
    Type.String({
      description: 'The new secret. Only this response shows it. Absent for the signature `ed25519`: see `public_key`.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwo9dVOCXa7oA='],
    }),
  ),
  previous_secret_until: Nullable(
    Type.String({
      description: 'When the old secret or private key stops signing. Null: it already has.',
      examples: ['2026-11-22T09:30:00.000Z'],
    }),
  ),
})
export type RotatedHook = Static<typeof RotatedHook>
