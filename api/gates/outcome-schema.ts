/** Shapes of outcomes of gates beyond approval and rejection. */
import { type DecidedVia as Via, WAYS } from '../../core/gates/gates.ts'
import type { Static } from '../../core/values/schema.ts'
import { Instant, Maybe, Nullable, OneOf, Shape, Text, Type, Uuid, VisibleText, WebLine } from '../../core/values/schema.ts'
import { Assertion } from '../passkeys/fields.ts'

export const DecidedVia = OneOf([...WAYS, 'override'] as const satisfies Via[], {
  description: 'How it was decided; `override`: by an owner or admin of the organization, regardless of what it still required.',
})

/** Text of several lines. */
const Required = (options: { description: string; examples: string[] }) => VisibleText(10_000, { 'x-trim': true, ...options })

export const ChangeRequest = Shape({
  comment: Required({
    description: 'What has to change. Everyone who sees the gate can read it.',
    examples: ['Split the migration, so that it locks the table for a moment only.'],
  }),
})

const Reason = (description: string, example: string) => Required({ description, examples: [example] })

export const DecisionAssertion = Type.Unsafe<Assertion>({
  ...Assertion,
  description: `What \`navigator.credentials.get()\` returned, as JSON. The challenge comes from \`POST /api/v1/gates/{gate_id}/challenge\` for the same decision and answers. Required if \`rules.require_passkey\` is true.`,
})

export const OverrideInput = Shape({
  reason: Reason(
    'Why it cannot wait. It becomes the `comment` of the gate, and is mailed to everyone who could have approved it.',
    'The checkout is down, and both approvers are on a plane.',
  ),
  incident_url: Maybe(
    Nullable(WebLine({ description: 'Where the incident is recorded.', examples: ['https://status.acme.example/incidents/42'] })),
  ),
  assertion: Maybe(DecisionAssertion),
})
export type OverrideInput = Static<typeof OverrideInput>

export const ReviewInput = Shape({
  comment: Maybe(Nullable(Text(10_000, { examples: ['It was the right decision. The tests were run afterwards.'] }))),
})
export type ReviewInput = Static<typeof ReviewInput>

export const RevocationInput = Shape({
  reason: Reason('Why the approval is no longer valid.', 'The image contains a vulnerable library.'),
})
export type RevocationInput = Static<typeof RevocationInput>

const described = <T extends object>(schema: T, description: string) => Type.Unsafe<string>({ ...schema, description })

/** What a gate shows of these. */
export const OUTCOMES = {
  override_proof: Nullable(
    OneOf(['passkey'], { description: 'Of an override: what the person confirmed it with, about it alone; null: nothing.' }),
  ),
  incident_url: Nullable(Type.String({ description: 'Of an override: where its incident is recorded.' })),
  reviewed_by: Nullable(described(Uuid, 'Of an override: the other owner or admin of the organization who reviewed it.')),
  reviewed_at: Nullable(Instant),
  review_comment: Nullable(Type.String()),
  revoked_by: Nullable(described(Uuid, 'Who revoked the approval. The status stays `approved`.')),
  revoked_at: Nullable(described(Instant, 'From then on, nothing more is sent because of the approval.')),
  revocation_reason: Nullable(Type.String()),
  revoked_in_flight: Nullable(
    Type.Array(Shape({ id: Uuid, hook_id: Uuid, hook_name: Type.String({ examples: ['Deploy to production'] }) }), {
      description:
        'The dispatches that were in flight, or about to be sent, when the approval was revoked: they may still arrive. The first 100; null if it was not revoked.',
    }),
  ),
}
