/** The subject, evidence and fields of a new gate, in the form in which they are stored. */
import type { Evidence, GateField, Subject } from '../../core/gates/gates.ts'
import { maskCredentials } from '../../core/values/credentials.ts'
import { Digest } from '../../core/values/digest.ts'
import { isPlainLine } from '../../core/values/plain-text.ts'
import { Form, Maybe, Name, Nullable, OneOf, Shape, type Static, Text, Type, Uuid, WebLine } from '../../core/values/schema.ts'
import { Artifact, Metrics } from '../executions/result-fields.ts'
import { type FieldError, invalidField, invalidFields } from '../problems.ts'
import { DecideVia, PreventSelfApproval, RequiredApprovals } from './policy.ts'

/** A name within a list or an object, of which only top-level fields are trimmed. */
const InnerName = (maximum: number, options: Type.TSchemaOptions = {}) =>
  Type.Refine(
    Name(maximum, options),
    (text) => text.trim() === text,
    () => 'must not begin or end with white space',
  )

const SUBJECT_URI = /^(?:(?:https|git\+https):\/\/[^/?#\s@]+(?:[/?#]\S*)?|(?:pkg|oci):(?!\/\/[^/?#\s]*@)\S+)$/

export const isSubjectUri = (text: string): boolean =>
  text.length <= 2048 && SUBJECT_URI.test(text) && URL.canParse(text) && isPlainLine(text)

const SubjectUri = Type.Refine(
  Type.String({
    maxLength: 2048,
    description: 'Where the subject is: an `https:`, `git+https:`, `pkg:` or `oci:` URI without credentials.',
    examples: ['pkg:oci/checkout?repository_url=ghcr.io/acme/checkout'],
  }),
  isSubjectUri,
  () => 'must be an https:, git+https:, pkg: or oci: URI without spaces, user name and password',
)

/** The URL of a report or of what to read. Credentials in it would be shown to all who can read the gate. */
const EvidenceUrl = (options: Type.TSchemaOptions) =>
  Type.Refine(
    WebLine(options),
    (text) => !/^https?:[/\\]*[^/\\?#]*@/i.test(text),
    () => 'must not contain a user name or password',
  )

const VERSION = { description: 'The version that people know it by.', examples: ['v1.5.0'] }

const SUBJECT = 'What is approved; null for a gate that is about nothing in particular. It never changes.'

export const SubjectInput = Shape(
  { uri: SubjectUri, digest: Digest, version: Maybe(Nullable(InnerName(120, VERSION))) },
  { description: SUBJECT },
)
export type SubjectInput = Static<typeof SubjectInput>

export const GateSubject = Shape(
  'GateSubject',
  { uri: SubjectUri, digest: Digest, version: Nullable(Type.String(VERSION)) },
  { description: SUBJECT },
)

const CheckName = InnerName(200, { description: 'The name of the check.', examples: ['Integration tests'] })
const CheckState = OneOf(['passed', 'failed', 'skipped'] as const, { description: 'How the check ended.' })
const CHECK_URL = { description: 'Where its report is.', examples: ['https://ci.example.com/runs/4711'] }
const CHECK_DETAIL = { description: 'What it found.', examples: ['2 of 418 failed'] }
const LinkFields = {
  label: InnerName(200, { description: 'What the link leads to.', examples: ['Pull request'] }),
  url: EvidenceUrl({ description: 'An http or https URL.', examples: ['https://git.example.com/acme/checkout/pull/12'] }),
}
const SUMMARY = { description: 'What was done and what to look at, in Markdown.', examples: ['Adds a due date to invoices.'] }
const EVIDENCE =
  'What the approver should know. It never changes. What looks like a credential in the summary and in details of checks is masked.'

/** Lists and events show up to 1,000 of them. */
const MAX_EVIDENCE_BYTES = 65_536

export const EvidenceInput = Shape(
  {
    summary: Maybe(Nullable(Text(10_000, SUMMARY))),
    metrics: Maybe(Metrics),
    checks: Maybe(
      Type.Array(
        Shape({
          name: CheckName,
          state: CheckState,
          url: Maybe(Nullable(EvidenceUrl(CHECK_URL))),
          detail: Maybe(Nullable(Text(1000, CHECK_DETAIL))),
        }),
        { maxItems: 50, description: 'The checks that ran.' },
      ),
    ),
    links: Maybe(Type.Array(Shape(LinkFields), { maxItems: 20, description: 'Where to read more.' })),
    artifacts: Maybe(Type.Array(Artifact, { maxItems: 20, description: 'What was made.' })),
  },
  { description: `${EVIDENCE} At most ${MAX_EVIDENCE_BYTES / 1024} KiB as JSON, not counting artifacts.` },
)
export type EvidenceInput = Static<typeof EvidenceInput>

export const GateEvidence = Shape(
  'GateEvidence',
  {
    summary: Nullable(
      Type.String({ ...SUMMARY, description: `${SUMMARY.description} Lists and events have the first 500 characters.` }),
    ),
    metrics: Metrics,
    checks: Type.Array(
      Shape({
        name: CheckName,
        state: CheckState,
        url: Nullable(Type.String(CHECK_URL)),
        detail: Nullable(Type.String(CHECK_DETAIL)),
      }),
      { description: 'The checks that ran.' },
    ),
    links: Type.Array(Shape(LinkFields), { description: 'Where to read more.' }),
    artifacts: Maybe(Type.Array(Artifact, { description: 'What was made. Lists and events leave it out.' })),
  },
  { description: EVIDENCE },
)

const FieldName = Form('^[a-z0-9_]{1,32}$', 'must be 1 to 32 lower-case letters, digits and underscores', {
  description: 'The name of the answer.',
  examples: ['change_ticket'],
})
const FIELD_TYPE = ['text', 'number', 'boolean', 'choice'] as const satisfies GateField['type'][]
const FieldType = OneOf(FIELD_TYPE, { description: 'What kind of answer it takes. A text has at most 2,000 characters.' })
const LABEL = { description: 'The question.', examples: ['Change ticket'] }
const Choices = (options: Type.TArrayOptions = {}) =>
  Type.Array(InnerName(200), { description: 'The different answers to choose from. Only if the type is `choice`.', ...options })
const REQUIRED = { description: 'Whether an approval needs an answer.' }

const FieldInput = Shape({
  name: FieldName,
  label: InnerName(200, LABEL),
  type: FieldType,
  choices: Maybe(Nullable(Choices({ minItems: 2, maxItems: 20 }))),
  required: Maybe(Type.Boolean({ ...REQUIRED, description: `${REQUIRED.description} Default: true.` })),
})
type FieldInput = Static<typeof FieldInput>

export const FieldsInput = Type.Array(FieldInput, {
  maxItems: 8,
  description: 'Questions to the approver. Their names must differ.',
})

export const GateFields = Type.Array(
  Shape('GateField', {
    name: FieldName,
    label: Type.String(LABEL),
    type: FieldType,
    choices: Nullable(Choices()),
    required: Type.Boolean(REQUIRED),
  }),
  { description: 'Questions to the approver. They never change.' },
)

const answer = [Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()] as const
const ANSWERS = { examples: [{ change_ticket: 'OPS-4711' }] }

export const AnswersInput = Type.Record(Type.String(), Type.Union([...answer, Type.Null()]), {
  ...ANSWERS,
  maxProperties: 20,
  description:
    'The answers to `fields`, by name. An empty text and null are no answer. One that is missing, wrong or to no question is refused with 422 at `/answers/<name>`.',
})
export type AnswersInput = Static<typeof AnswersInput>

export const GateAnswers = (description: string) =>
  Type.Record(Type.String(), Type.Union([...answer]), { ...ANSWERS, description })

export const Binding = Form('^[0-9a-f]{64}$', 'must be 64 hexadecimal digits in lower case', {
  description:
    'The SHA-256 (hex) of the RFC 8785 form of `{ gate_id, project_id, environment, subject, evidence, rules, fields }`, each as `GET /api/v1/gates/{gate_id}` shows it: it names what is approved.',
  examples: ['2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'],
})

/** What an approval takes: the rules of one gate. */
export const GateRules = Shape(
  'GateRules',
  {
    required_approvals: RequiredApprovals,
    prevent_self_approval: PreventSelfApproval,
    expires_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When it expires; null if it does not.',
        examples: ['2026-11-22T09:30:00.000Z'],
      }),
    ),
    decide_via: DecideVia,
    approvers: Type.Array(
      Shape({
        group_id: Uuid,
        count: Type.Integer({ minimum: 1, maximum: 10, description: 'How many of its members must approve.', examples: [1] }),
      }),
      { description: 'The groups whose members must approve. Empty: admins of the workspace may.' },
    ),
    require_subject: Type.Boolean({ description: 'Whether the gate had to be opened with a subject.' }),
    require_checks: Type.Boolean({ description: 'Whether every check of the evidence must have passed.' }),
    require_passkey: Type.Boolean({ description: 'Whether an approval needs a passkey.' }),
    gate_required: Type.Boolean({ description: 'Whether hooks of the environment are sent only what a gate approved.' }),
  },
  { description: 'The rules of the gate, as they were when it opened.' },
)

export const subjectOf = ({ version = null, ...subject }: SubjectInput): Subject => ({ ...subject, version })

const masked = (text: string | null | undefined): string | null => (text ? maskCredentials(text) : (text ?? null))

/** @throws Problem `validation_failed` */
export function evidenceOf({ artifacts = [], ...rest }: EvidenceInput): Evidence {
  // As it was sent: who sends it can measure that.
  if (Buffer.byteLength(JSON.stringify(rest)) > MAX_EVIDENCE_BYTES) {
    const detail = `must not be larger than ${MAX_EVIDENCE_BYTES} bytes as JSON without artifacts`
    throw invalidField('/evidence', 'too_long', detail)
  }
  const { summary, metrics = {}, checks = [], links = [] } = rest
  const masks = checks.map(({ name, state, url = null, detail }) => ({ name, state, url, detail: masked(detail) }))
  return { summary: masked(summary), metrics, checks: masks, links, artifacts }
}

/** What is wrong in fields that have the right shape. */
const fieldErrors = (fields: FieldInput[]): FieldError[] =>
  fields.flatMap(({ name, type, choices = null }, index): FieldError[] => {
    const at = `/fields/${index}`
    const earlier = fields.findIndex((other) => other.name === name)
    if (earlier < index)
      return [{ pointer: `${at}/name`, code: 'duplicate', detail: `is the name of /fields/${earlier} as well` }]
    if (type === 'choice' && choices === null)
      return [{ pointer: `${at}/choices`, code: 'required', detail: 'is required if the type is choice' }]
    if (type !== 'choice' && choices !== null)
      return [{ pointer: `${at}/choices`, code: 'not_allowed', detail: 'is only for the type choice' }]
    // Not by the schema, which compares all with all before it looks at how many there are.
    if (new Set(choices).size < (choices?.length ?? 0))
      return [{ pointer: `${at}/choices`, code: 'duplicate', detail: 'must not have the same answer twice' }]
    return []
  })

/** @throws Problem `validation_failed` */
export function fieldsOf(fields: FieldInput[]): GateField[] {
  const errors = fieldErrors(fields)
  if (errors.length > 0) throw invalidFields(errors)
  return fields.map(({ name, label, type, choices = null, required = true }) => ({ name, label, type, choices, required }))
}
