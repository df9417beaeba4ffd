/** The subject, evidence and fields of a new gate, in the form in which they are stored, and the hash that binds an approval to them. */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Evidence, Gate, GateField, Subject } from '../../core/gates.ts'
import { maskCredentials } from '../../core/security/credentials.ts'
import { type FieldError, invalidField, invalidFields } from '../problems.ts'
import { type EvidenceInput, type FieldInput, MAX_EVIDENCE_BYTES, type SubjectInput } from './evidence-fields.ts'

export const subjectOf = ({ version = null, ...subject }: SubjectInput): Subject => ({ ...subject, version })

const masked = (text: string | null | undefined): string | null => (text ? maskCredentials(text) : (text ?? null))

/** @throws Problem `validation_failed` */
export function evidenceOf({ summary, metrics = {}, checks = [], links = [], artifacts = [] }: EvidenceInput): Evidence {
  const shown = {
    summary: masked(summary),
    metrics,
    checks: checks.map(({ name, state, url = null, detail }) => ({ name, state, url, detail: masked(detail) })),
    links,
  }
  if (Buffer.byteLength(JSON.stringify(shown)) > MAX_EVIDENCE_BYTES) {
    const detail = `must not be larger than ${MAX_EVIDENCE_BYTES} bytes as JSON without artifacts`
    throw invalidField('/evidence', 'too_long', detail)
  }
  return { ...shown, artifacts }
}

/** What is wrong in fields that have the right shape. */
function fieldErrors(fields: FieldInput[]): FieldError[] {
  return fields.flatMap(({ name, type, choices = null }, index): FieldError[] => {
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
}

/** @throws Problem `validation_failed` */
export function fieldsOf(fields: FieldInput[]): GateField[] {
  const errors = fieldErrors(fields)
  if (errors.length > 0) throw invalidFields(errors)
  return fields.map(({ name, label, type, choices = null, required = true }) => ({ name, label, type, choices, required }))
}

/** The hash of what a gate asks for: of all that an approver should have seen. */
export function bindingOf({
  id: gate_id,
  project_id,
  environment,
  subject,
  evidence,
  rules,
  fields,
}: Pick<Gate, 'id' | 'project_id' | 'environment' | 'subject' | 'evidence' | 'rules' | 'fields'>): string {
  const form = canonicalize({ gate_id, project_id, environment, subject, evidence, rules, fields }) ?? ''
  return createHash('sha256').update(form).digest('hex')
}
