/** Expressions in a form that Citus accepts. */
import { mask } from './text.ts'

const CASE = /\bcase\s+(?!when\b)(\w+(?:\.\w+)?)\s+(?=when\b)/i
const SECONDS_LATER = /(\w+\.\w+)\s*\+\s*(\w+\.\w+)\s*\*\s*interval '1 second'/g

/** Conditions of single statements, with those in their place. */
export const CONDITIONS: [condition: string, replacement: string][] = [
  // The nodes do not have what is in the session. The drain leaves out the events of tenants that it has not locked.
  ["tenant.organization_id = any(string_to_array(current_setting('signalbox.locked', true), ' ')::uuid[])", 'true'],
  // The clocks of the nodes differ.
  [
    'entry.created_at = gates.decided_at',
    "entry.created_at between gates.decided_at - interval '1 minute' and gates.decided_at + interval '1 minute'",
  ],
]

/**
 * The text of a statement with what Citus accepts. Where rows are changed, it would compute the comparison of `case value when … when …` before
 * it knows the value, so this is repeated for each `when`; and adding an interval depends on the time zone of the session, so seconds of a column
 * are added by an immutable function.
 */
export function acceptable(text: string): string {
  let result = CONDITIONS.reduce((changed, [condition, replacement]) => changed.replace(condition, replacement), text)
  result = result.replaceAll(SECONDS_LATER, 'seconds_after($1, $2)')
  for (let masked = mask(result), found = CASE.exec(masked); found; masked = mask(result), found = CASE.exec(masked))
    result = compareInEach(result, masked, found)
  return result
}

function compareInEach(text: string, masked: string, { 0: start, 1: value, index }: RegExpExecArray): string {
  const from = index + start.length
  let result = `${text.slice(0, index)}case `
  let depth = 0
  let at = from
  for (const { 0: word, index: to } of masked.slice(from).matchAll(/\b(?:case|when|end)\b/gi)) {
    const name = word.toLowerCase()
    if (name === 'end' && depth-- === 0) break
    if (name === 'case') depth++
    if (name !== 'when' || depth > 0) continue
    const next = from + to + word.length
    result += `${text.slice(at, next)} ${value} =`
    at = next
  }
  return result + text.slice(at)
}
