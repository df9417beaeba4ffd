/** What an approver sends: the binding of what they saw, and answers to the fields of the gate. */
import { type Answers, type Gate, type GateField, shortDigest } from '../../core/gates/gates.ts'
import { isVisible } from '../../core/values/schema.ts'
import { escapePointer, type FieldError, invalidField, invalidFields, Problem } from '../problems.ts'
import type { AnswersInput } from './evidence.ts'
import type { ApprovalInput } from './schema.ts'

/** @throws Problem `validation_failed` if the gate has a subject, and the approval does not say what was seen */
export function requireBinding({ subject }: Gate, { binding }: ApprovalInput): void {
  if (subject === null || binding) return
  throw invalidField('/binding', 'required', 'is required, because the gate has a subject: read the gate, and send its binding')
}

/** @throws Problem `subject_changed` */
export function requireSameBinding(gate: Gate, { binding }: ApprovalInput): void {
  if (!binding || binding === gate.binding) return
  const about = gate.subject === null ? 'nothing in particular' : `${gate.subject.uri} (${shortDigest(gate.subject.digest)})`
  const detail = `Nothing was decided: the binding is not the one of this gate. It is about ${about}, and its binding is ${gate.binding}. Read it, then decide.`
  throw new Problem('subject_changed', detail)
}

type Answer = Answers[string]

/** Why an answer does not fit its field; null if it does. */
function mismatch({ type, choices }: GateField, answer: Answer): string | null {
  if (type === 'choice') return choices?.some((choice) => choice === answer) ? null : `must be one of ${choices?.join(', ')}`
  const wanted = type === 'text' ? 'string' : type
  // What lies beyond is rounded, or read as Infinity: the answer on record would be another one.
  if (type === 'number' && typeof answer === 'number' && Math.abs(answer) > Number.MAX_SAFE_INTEGER)
    return `must be a number from −${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`
  if (typeof answer === wanted) return null
  return type === 'boolean' ? 'must be true or false' : `must be a ${type}`
}

const isMissing = (answer: AnswersInput[string] | undefined): answer is null | undefined | '' =>
  answer === undefined || answer === null || (typeof answer === 'string' && !isVisible(answer))

/** @throws Problem `validation_failed`, at `/answers/<name>` for each that is missing, wrong or to no question */
export function answersTo(fields: GateField[], given: AnswersInput = {}): Answers {
  const answers = new Map(Object.entries(given))
  const errors: FieldError[] = []
  const refuse = (name: string, code: string, detail: string) =>
    errors.push({ pointer: `/answers/${escapePointer(name)}`, code, detail })
  const taken = fields.flatMap((field): [string, Answer][] => {
    const answer = answers.get(field.name)
    if (isMissing(answer)) {
      if (field.required) refuse(field.name, 'required', 'is required')
      return []
    }
    const detail = mismatch(field, answer)
    if (detail !== null) refuse(field.name, field.type === 'choice' ? 'not_allowed' : 'wrong_type', detail)
    return [[field.name, answer]]
  })
  const known = new Set(fields.map(({ name }) => name))
  for (const name of answers.keys()) if (!known.has(name)) refuse(name, 'unknown_field', 'is not a field of this gate')
  if (errors.length > 0) throw invalidFields(errors)
  return Object.fromEntries(taken)
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/

/** The answers of a form, all of which are texts, in the types of their fields. */
export function typedAnswers(fields: GateField[], texts: AnswersInput = {}): AnswersInput {
  const types = new Map(fields.map(({ name, type }) => [name, type]))
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const type = types.get(name)
      if (type === 'number' && typeof text === 'string' && NUMBER.test(text.trim())) return [name, Number(text)]
      if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true']
      return [name, text]
    }),
  )
}
