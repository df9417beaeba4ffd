/** Expressions of statements that change rows, in a form that Citus accepts there. */
import { mask } from './text.ts'

const CASE = /\bcase\s+(?!when\b)(\w+(?:\.\w+)?)\s+(?=when\b)/i
const SECONDS_LATER = /(\w+\.\w+)\s*\+\s*(\w+\.\w+)\s*\*\s*interval '1 second'/g

/**
 * Repeats what `case value when … when …` compares for each `when`, because Citus would compute the comparison before it knows the value; and
 * adds seconds of a column by an immutable function, because adding an interval depends on the time zone of the session.
 */
export function acceptable(text: string): string {
  let result = text.replaceAll(SECONDS_LATER, 'seconds_after($1, $2)')
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
