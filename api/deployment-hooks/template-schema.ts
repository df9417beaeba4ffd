/** The shapes of body templates, filters and previews. */
import { MAX_CONDITIONS } from '../../core/dispatches/filters.ts'
import { HOOK_EVENTS } from '../../core/events/catalogue.ts'
import { Nullable, OneOf, optional, Shape, type Static, Text, Type } from '../../core/values/schema.ts'

const BodyTemplate = Type.Unknown({
  description:
    'The body that is sent instead of the envelope, as JSON of at most 32 KiB, nested at most 16 deep; null: the envelope. A string that is exactly `{{/pointer}}` becomes the value at that JSON Pointer (RFC 6901) in the envelope, of whatever type, or null if it is absent. Inside a longer string, `{{/pointer}}` becomes its text: nothing for null and what is absent, JSON for objects and arrays. `{{secret:name}}` is a value of `template_secrets`. `{{report:url}}` and `{{report:token}}` require `report_within_seconds`; in a `test.ping`, which has no rollout, they are empty. `{{{{` is a literal `{{`. Keys are not replaced, what was put in is not rendered again, and numbers stay as they are written (`1.0`, `12345678901234567890`). It applies to every event of the hook, also to `test.ping`. A rendered body larger than 1 MiB is not sent: its dispatch fails with `payload_too_large`.',
  examples: [{ event_type: 'deploy', client_payload: { environment: '{{/environment}}', note: 'Gate: {{/data/gate/name}}' } }],
})

const SECRETS = 'Values for `{{secret:name}}` in `body_template`, at most 8; names of `a-z`, `0-9` and `_`, 1 to 32 characters.'

const FILTER =
  'Conditions on the envelope, at most 20 and 8 KiB, all of which must hold; null: every event is sent. Keys are JSON Pointers. A value is a literal (text, number, boolean or null), which must be equal, or an object with one of `in` (an array of literals), `not` (a literal or an array), `gte`, `lte` (a number), `starts_with` (text), `exists` (true or false). Values of different types are unequal, and neither `gte` nor `lte`. What is absent equals null, fulfils `not`, and alone fails `exists: true`. Filters decide on `workflow.completed` and `gate.approved` only. An event that is left out makes no dispatch and takes no `sequence`; `/sequence` is therefore null in a filter, and a condition that null does not fulfil is refused, as is any other that no event can fulfil.'

const Filter = Nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    maxProperties: MAX_CONDITIONS,
    description: FILTER,
    examples: [{ '/data/gate/name': { starts_with: 'Release' }, '/data/execution/agent': { not: 'experimental' } }],
  }),
)

export const templateFields = {
  body_template: BodyTemplate,
  template_secrets: Nullable(
    Type.Record(Type.String(), Text(4096), {
      maxProperties: 8,
      description: `${SECRETS} Replaced as a whole. Never returned; \`********\` keeps the stored value of that name.`,
      examples: [{ trigger_token: 'glptt-1f0e' }],
    }),
  ),
  filter: Filter,
}

export const shownTemplateFields = {
  body_template: BodyTemplate,
  template_secrets: Type.Record(Type.String(), Type.String(), {
    description: `${SECRETS} Every value is shown as \`********\`.`,
  }),
  filter: Filter,
}

export const PreviewInput = Shape(
  optional({
    event: OneOf(HOOK_EVENTS, { description: 'Default: the event that `trigger_on` names.' }),
    body_template: Type.Unknown({
      description: "Previewed instead of the hook's template; null: the envelope.",
      examples: [{ text: 'Deploy {{/project/name}}' }],
    }),
    filter: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: MAX_CONDITIONS,
        description: "Previewed instead of the hook's filter; null: every event is sent.",
        examples: [{ '/data/gate/name': 'Release review' }],
      }),
    ),
  }),
)
export type PreviewInput = Static<typeof PreviewInput>

export const Preview = Shape('Preview', {
  method: Type.String({ examples: ['POST'] }),
  url: Nullable(Type.String({ description: 'Null for a pull hook: its dispatches are claimed.' })),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'As in a first attempt. Values of own headers, signatures and the report token are shown as `********`.',
  }),
  body: Type.String({ description: 'As text. Template secrets and report values are shown as `********`.' }),
  matches: Type.Boolean({ description: 'Whether the filter lets the event pass.' }),
  failed_condition: Nullable(
    Shape(
      {
        pointer: Type.String({ examples: ['/data/gate/name'] }),
        condition: Type.Unknown({ description: 'What the filter requires.', examples: [{ starts_with: 'Release' }] }),
        value: Type.Unknown({ description: 'What the event has there; null if it has nothing.', examples: ['Design review'] }),
      },
      { description: 'The first condition that does not hold.' },
    ),
  ),
})
export type Preview = Static<typeof Preview>
