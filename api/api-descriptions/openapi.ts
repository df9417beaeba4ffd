/** Reads an OpenAPI document that somebody sent: nothing in it is fetched, and none of its tricks costs more than its bytes. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { LineCounter, parseDocument } from 'yaml'
import { type FieldError, Problem } from '../problems.ts'

const MAX_DEPTH = 128
const MAX_FAULTS = 20
/** Aliases may repeat what stands once, up to so many times: more is a bomb. */
const MAX_ALIASES = 1000
const MAX_EXPANDED = 4_194_304

export type DescriptionType = 'application/json' | 'application/yaml'

type Tree = Record<string, unknown>

/** A document that is what it says to be. */
export interface Description {
  document: Tree
  title: string
  version: string
  operation_count: number
}

const refused = (errors: FieldError[]): Problem => {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new Problem('validation_failed', `${first?.pointer || 'The document'}: ${first?.detail}${more}`, errors)
}

const fault = (pointer: string, code: string, detail: string): FieldError => ({ pointer, code, detail })

const tooDeep = (): Problem => refused([fault('', 'nested_too_deep', `must not be nested more than ${MAX_DEPTH} deep`)])

/**
 * Nothing may walk by recursion what is too deep, nor write out what aliases make large.
 *
 * @throws Problem where it is either
 */
function requireMeasure(document: unknown): void {
  const left: [value: unknown, depth: number][] = [[document, 0]]
  let size = 0
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, depth] = next
    if (depth > MAX_DEPTH) throw tooDeep()
    size += 1 + (typeof value === 'string' ? value.length : 0)
    if (size > MAX_EXPANDED) throw refused([fault('', 'too_large', 'must not grow beyond 4 MiB by its aliases')])
    if (typeof value !== 'object' || value === null) continue
    for (const [key, each] of Object.entries(value)) {
      size += key.length
      left.push([each, depth + 1])
    }
  }
}

/** In text, where brackets and indents tell depth before a parser recurses into it. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (quoted) {
      if (letter === '\\') at += 1
      else if (letter === '"') quoted = false
    } else if (letter === '"') quoted = true
    else if (letter === '{' || letter === '[') {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (letter === '}' || letter === ']') depth = Math.max(0, depth - 1)
  }
  return false
}

function readJson(text: string): unknown {
  if (isTooDeep(text)) throw tooDeep()
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the document.
    throw refused([fault('', 'malformed', 'is not valid JSON')])
  }
}

function readYaml(text: string): unknown {
  // Each level of YAML is indented by one space at the least, or opened by a bracket or a dash.
  const deepest = Math.max(0, ...[...text.matchAll(/^[ -]+/gm)].map(([indent]) => indent.length))
  if (deepest > MAX_DEPTH * 16 || isTooDeep(text.replaceAll(/[^{}[\]]/g, ''))) throw tooDeep()
  try {
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: false, version: '1.2' })
    const [error] = document.errors
    if (error) {
      const { line, col } = lines.linePos(error.pos[0])
      throw refused([fault('', 'malformed', `is not YAML, at line ${line}, column ${col}: ${error.message.split('\n')[0]}`)])
    }
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    if (error instanceof Problem) throw error
    throw refused([
      fault('', 'malformed', `is not YAML that can be read: ${error instanceof Error ? error.message : String(error)}`),
    ])
  }
}

const escapeStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

function stands(document: Tree, ref: string): boolean {
  if (ref === '#') return true
  if (!ref.startsWith('#/')) return false
  let at: unknown = document
  for (const step of ref.slice(2).split('/')) {
    let key: string
    try {
      key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    } catch {
      return false
    }
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false
    at = (at as Tree)[key]
  }
  return true
}

/** References that leave the document, or lead nowhere. */
function brokenRefs(document: Tree): FieldError[] {
  const found: FieldError[] = []
  const walk = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null || found.length >= MAX_FAULTS) return
    for (const [key, each] of Object.entries(value)) {
      const at = `${pointer}/${escapeStep(key)}`
      if (key === '$ref' && typeof each === 'string') {
        if (!each.startsWith('#')) found.push(fault(at, 'external_ref', 'must stay in the document: nothing is fetched'))
        else if (!stands(document, each)) found.push(fault(at, 'broken_ref', `leads nowhere: ${each.slice(0, 200)}`))
      } else walk(each, at)
    }
  }
  walk(document, '')
  return found
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

const operationsOf = (paths: unknown): number =>
  Object.values((paths ?? {}) as Tree).reduce<number>(
    (count, item) => count + Object.keys((item ?? {}) as Tree).filter((method) => METHODS.has(method)).length,
    0,
  )

// It keeps the compiled schemas of OpenAPI itself, which take 50 ms to make.
const validator = new Validator()

/** What OpenAPI's own schema finds wrong; the closest faults first, as those above follow from them. */
async function schemaFaults(document: Tree): Promise<FieldError[]> {
  const { valid, errors } = await validator.validate(structuredClone(document))
  if (valid) return []
  if (typeof errors === 'string' || !errors) return [fault('', 'invalid', errors ?? 'is no OpenAPI document')]
  const faults = errors
    .filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'oneOf' && keyword !== 'if')
    .map(({ instancePath, message, keyword }) => fault(instancePath, keyword, message ?? 'is wrong'))
    .sort((one, other) => other.pointer.split('/').length - one.pointer.split('/').length)
  return faults.length > 0 ? faults : [fault('', 'invalid', 'is no OpenAPI document')]
}

/**
 * Reads and checks an OpenAPI 3.0 or 3.1 document.
 *
 * @throws Problem `validation_failed`, with pointers into the document
 */
export async function readDescription(text: string, type: DescriptionType): Promise<Description> {
  const document = (type === 'application/json' ? readJson : readYaml)(text)
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw refused([fault('', 'invalid', 'must be an OpenAPI document: an object')])
  }
  requireMeasure(document)
  const { openapi, info, paths } = document as { openapi?: unknown; info?: Tree; paths?: unknown }
  if (typeof openapi !== 'string' || !/^3\.[01]\.\d+$/.test(openapi)) {
    throw refused([fault('/openapi', 'unsupported', 'must be a version 3.0 or 3.1 of OpenAPI, such as "3.1.0"')])
  }
  const refs = brokenRefs(document as Tree)
  if (refs.length > 0) throw refused(refs)
  const faults = await schemaFaults(document as Tree)
  if (faults.length > 0) throw refused(faults.slice(0, MAX_FAULTS))
  return {
    document: document as Tree,
    title: String(info?.title ?? '').slice(0, 500),
    version: String(info?.version ?? '').slice(0, 100),
    operation_count: operationsOf(paths),
  }
}
