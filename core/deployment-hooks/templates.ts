/**
 * Templates of the bodies that hooks send: JSON in which strings contain placeholders. Pure functions. A template is compiled into
 * the pieces of its JSON text, so that what is put in is never read as part of the template.
 */
import { isWellFormedPointer, isWrittenNumber, parseExactly, valueAt } from '../values/json.ts'
import { memoize } from '../values/memoize.ts'

export const MAX_BODY_BYTES = 1_048_576

/** The values of a dispatch that its template can name as `{{report:…}}`. */
type ReportValue = 'url' | 'token'

/** What a placeholder names. Only a pointer names a value that may be shown. */
type Placeholder = { kind: 'pointer'; pointer: string } | { kind: 'secret'; name: string } | { kind: 'report'; name: ReportValue }

/** A piece of the body: JSON text, or a placeholder that is a value of its own or part of a string. */
type Piece = string | { placeholder: Placeholder; isWhole: boolean }

export interface Template {
  pieces: Piece[]
  /** Whether it contains `{{secret:…}}` or `{{report:…}}`. */
  isSecret: boolean
}

/** The values that are not in the envelope; undefined or null for one that does not exist. */
export interface SecretValues {
  secret: (name: string) => string | null | undefined
  report: (name: ReportValue) => string | null | undefined
}

const NAMED = /^(?:secret:(?<secret>[a-z0-9_]{1,32})|report:(?<report>url|token))$/

/** @returns null if the text between the braces is no placeholder */
function parsePlaceholder(inner: string): Placeholder | null {
  if (inner.startsWith('/'))
    return !inner.includes('{{') && isWellFormedPointer(inner) ? { kind: 'pointer', pointer: inner } : null
  const { secret, report } = NAMED.exec(inner)?.groups ?? {}
  if (secret) return { kind: 'secret', name: secret }
  return report ? { kind: 'report', name: report as ReportValue } : null
}

/** @returns null if it contains `{{` that neither begins a placeholder nor is written as `{{{{` */
function parseText(text: string): (string | Placeholder)[] | null {
  const parts: (string | Placeholder)[] = []
  let literal = ''
  let at = 0
  for (;;) {
    const open = text.indexOf('{{', at)
    if (open === -1) break
    literal += text.slice(at, open)
    if (text.startsWith('{{{{', open)) {
      literal += '{{'
      at = open + 4
      continue
    }
    const close = text.indexOf('}}', open + 2)
    const placeholder = close === -1 ? null : parsePlaceholder(text.slice(open + 2, close))
    if (!placeholder) return null
    if (literal !== '') parts.push(literal)
    parts.push(placeholder)
    literal = ''
    at = close + 2
  }
  literal += text.slice(at)
  return literal === '' ? parts : [...parts, literal]
}

export interface TemplateError {
  /** The path to the value: keys and indexes. */
  path: string[]
  reason: 'malformed' | 'unknown_secret' | 'no_reports' | 'out_of_range'
  name?: string
}

interface TemplateScope {
  secrets: ReadonlySet<string>
  /** Whether its dispatches can be reported on. */
  hasReports: boolean
}

const MAX_ERRORS = 20

/** Characters of a number, and its exponent: events contain templates as `jsonb`, which writes out all zeros, at most 16,383. */
const [MAX_DIGITS, MAX_EXPONENT] = [400, 324]

const isInRange = (number: string): boolean =>
  number.length <= MAX_DIGITS &&
  Number.isFinite(Number(number)) &&
  Math.abs(Number(/e(.+)$/i.exec(number)?.[1] ?? 0)) <= MAX_EXPONENT

function valueError(value: unknown, scope: TemplateScope): Omit<TemplateError, 'path'> | null {
  if (isWrittenNumber(value)) return isInRange(value.rawJSON) ? null : { reason: 'out_of_range' }
  if (typeof value !== 'string') return null
  const parts = parseText(value)
  if (!parts) return { reason: 'malformed' }
  const unknown = parts.find((part) => typeof part !== 'string' && part.kind === 'secret' && !scope.secrets.has(part.name))
  if (unknown && typeof unknown !== 'string' && unknown.kind === 'secret') return { reason: 'unknown_secret', name: unknown.name }
  const reports = parts.some((part) => typeof part !== 'string' && part.kind === 'report')
  return reports && !scope.hasReports ? { reason: 'no_reports' } : null
}

/**
 * What is wrong in a template, in its order; one error per string, and at most twenty: a small template with long names could
 * otherwise have errors of many megabytes.
 */
export function templateErrors(template: unknown, scope: TemplateScope): TemplateError[] {
  const found: TemplateError[] = []
  const visit = (value: unknown, path: string[]): void => {
    if (found.length >= MAX_ERRORS) return
    const error = valueError(value, scope)
    if (error) found.push({ path, ...error })
    if (!hasValues(value)) return
    for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
  }
  visit(template, [])
  return found
}

const hasValues = (value: unknown): value is object => value !== null && typeof value === 'object' && !isWrittenNumber(value)

/** How deep objects and arrays are nested in a value; 0 for a value that is neither. */
export function depthOf(value: unknown): number {
  if (!hasValues(value)) return 0
  return 1 + Object.values(value).reduce((deepest: number, item) => Math.max(deepest, depthOf(item)), 0)
}

const inString = (text: string): string => JSON.stringify(text).slice(1, -1)

function piecesOf(value: unknown): Piece[] {
  if (typeof value === 'string') {
    const parts = parseText(value)
    if (!parts) throw new Error('A stored template has a malformed placeholder')
    const [only] = parts
    if (parts.length === 1 && typeof only === 'object') return [{ placeholder: only, isWhole: true }]
    const inner = parts.map((part) => (typeof part === 'string' ? inString(part) : { placeholder: part, isWhole: false }))
    return ['"', ...inner, '"']
  }
  if (Array.isArray(value)) {
    return ['[', ...value.flatMap((item, index) => [...(index > 0 ? [','] : []), ...piecesOf(item)]), ']']
  }
  if (!hasValues(value)) return [JSON.stringify(value)]
  const fields = Object.entries(value).flatMap(([key, item], index) => [
    `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`,
    ...piecesOf(item),
  ])
  return ['{', ...fields, '}']
}

function joined(pieces: Piece[]): Piece[] {
  const out: Piece[] = []
  for (const piece of pieces) {
    const last = out.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') out[out.length - 1] = last + piece
    else out.push(piece)
  }
  return out
}

/** Compiles a valid template that `parseExactly` read. */
export function compileTemplate(value: unknown): Template {
  const pieces = joined(piecesOf(value))
  const isSecret = pieces.some((piece) => typeof piece !== 'string' && piece.placeholder.kind !== 'pointer')
  return { pieces, isSecret }
}

/** Compiles the JSON text of a valid template. The last ones are kept: a template is used for many dispatches. */
export const templateOf = memoize(256, (json) => compileTemplate(parseExactly(json)))

/** A value as part of a string: nothing for null, and JSON for objects and arrays. */
const asText = (value: unknown): string => (value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value))

function placedValue(placeholder: Placeholder, envelope: unknown, { secret, report }: SecretValues): unknown {
  if (placeholder.kind === 'pointer') return valueAt(envelope, placeholder.pointer)
  return placeholder.kind === 'secret' ? secret(placeholder.name) : report(placeholder.name)
}

/** Stops at the maximum size, so that a repeated large value needs no more memory. @returns null if the body is larger */
export function renderTemplate({ pieces }: Template, envelope: unknown, values: SecretValues, maximum = MAX_BODY_BYTES) {
  const out: string[] = []
  let bytes = 0
  for (const piece of pieces) {
    let text: string
    if (typeof piece === 'string') text = piece
    else {
      const value = placedValue(piece.placeholder, envelope, values)
      text = piece.isWhole ? JSON.stringify(value ?? null) : inString(asText(value))
    }
    bytes += Buffer.byteLength(text)
    if (bytes > maximum) return null
    out.push(text)
  }
  return out.join('')
}
