/** Parses untrusted OpenAPI documents: nothing is fetched, and expansion is limited. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { isScalar, LineCounter, parseDocument, type Scalar, visit, type Document as YamlDocument } from 'yaml'
import { operationsOf } from '../../core/openapi/document.ts'
import { escapePointer, type FieldError, Problem } from '../problems.ts'

const MAX_DEPTH = 128
const MAX_ERRORS = 20
/** Limits for YAML aliases, against "billion laughs" documents. */
const MAX_ALIASES = 1000
const MAX_EXPANDED = 4_194_304
const MAX_VALUES = 100_000

export type DescriptionType = 'application/json' | 'application/yaml'

type Tree = Record<string, unknown>

export interface Description {
  document: Tree
  title: string
  version: string
  operation_count: number
}

const invalidDocument = (errors: FieldError[]): Problem => {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new Problem('validation_failed', `${first?.pointer || 'The document'}: ${first?.detail}${more}`, errors)
}

const fieldError = (pointer: string, code: string, detail: string): FieldError => ({ pointer, code, detail })

const tooDeep = (): Problem =>
  invalidDocument([fieldError('', 'nested_too_deep', `must not be nested more than ${MAX_DEPTH} levels deep`)])

/**
 * Limits depth, number of values and expanded size, before anything processes the document recursively.
 * @throws Problem if the document is too deep or too large
 */
function requireLimits(document: unknown): void {
  const left: [value: unknown, depth: number][] = [[document, 0]]
  let size = 0
  let values = 0
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, depth] = next
    if (depth > MAX_DEPTH) throw tooDeep()
    values += 1
    if (values > MAX_VALUES) throw invalidDocument([fieldError('', 'too_large', `must not have more than ${MAX_VALUES} values`)])
    size += 1 + (typeof value === 'string' ? value.length : 0)
    if (size > MAX_EXPANDED) throw invalidDocument([fieldError('', 'too_large', 'must not exceed 4 MiB after expanding aliases')])
    if (typeof value !== 'object' || value === null) continue
    for (const [key, each] of Object.entries(value)) {
      size += key.length
      left.push([each, depth + 1])
    }
  }
}

/** Checks the depth of brackets in the text, before a recursive parser reads it. */
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
    // The parser's message would quote the document.
    throw invalidDocument([fieldError('', 'malformed', 'is not valid JSON')])
  }
}

const TOO_INDENTED = new RegExp(`^[ -]{${MAX_DEPTH * 16 + 1}}`, 'm')

/** The first key that its map has twice. */
function repeatedKey(document: YamlDocument): Scalar | null {
  let found: Scalar | null = null
  visit(document, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value)) found = key
        keys.add(key.value)
      }
      return found ? visit.BREAK : undefined
    },
  })
  return found
}

function readYaml(text: string): unknown {
  // Each level of YAML is indented by at least one space, or opened by a bracket or a dash.
  if (TOO_INDENTED.test(text) || isTooDeep(text.replaceAll(/[^{}[\]]/g, ''))) throw tooDeep()
  try {
    const lines = new LineCounter()
    // The parser would compare each key with each other.
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, merge: false, version: '1.2' })
    const [error] = document.errors
    const repeated = error ? null : repeatedKey(document)
    if (error || repeated) {
      const { line, col } = lines.linePos(error?.pos[0] ?? repeated?.range?.[0] ?? 0)
      const reason = error?.message.split('\n')[0] ?? 'Map keys must be unique'
      throw invalidDocument([fieldError('', 'malformed', `is not valid YAML at line ${line}, column ${col}: ${reason}`)])
    }
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    if (error instanceof Problem) throw error
    throw invalidDocument([
      fieldError('', 'malformed', `is not valid YAML: ${error instanceof Error ? error.message : String(error)}`),
    ])
  }
}

function isResolvable(document: Tree, ref: string): boolean {
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

/** Keywords whose values are data, or names: `$ref` has no meaning in them. */
const DATA = new Set(['example', 'default', 'enum', 'const', 'mapping', 'scopes', 'dependentRequired'])

/** What an object of a document is: one with keywords, or a map from names that its author chose to others. */
type Kind = 'object' | 'example' | 'link' | { of: Kind; extends: boolean }

const mapOf = (of: Kind, hasExtensions = false): Kind => ({ of, extends: hasExtensions })

/** The keywords whose values are such maps. */
const MAPS: Record<string, Kind> = {
  ...Object.fromEntries(
    [
      ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas', 'responses', 'parameters'],
      ...['requestBodies', 'headers', 'securitySchemes', 'pathItems', 'webhooks', 'content', 'encoding', 'variables'],
    ].map((keyword) => [keyword, mapOf('object')]),
  ),
  paths: mapOf('object', true),
  callbacks: mapOf(mapOf('object', true)),
  examples: mapOf('example'),
  links: mapOf('link'),
}

/** What the value of a key is; null for data. */
function kindOf(kind: Kind, key: string, value: unknown, parent: string): Kind | null {
  const isExtension = key.startsWith('x-')
  if (typeof kind === 'object') return kind.extends && isExtension ? null : kind.of
  if (isExtension || DATA.has(key)) return null
  if (kind === 'example' || (kind === 'link' && key !== 'server')) return null
  if (Array.isArray(value)) return key === 'examples' ? null : 'object'
  // The responses of an operation may have extensions, those of the components only names.
  if (key === 'responses' && parent !== 'components') return mapOf('object', true)
  return (Object.hasOwn(MAPS, key) && MAPS[key]) || 'object'
}

/** References to other documents, and unresolvable ones. */
function brokenRefs(document: Tree): FieldError[] {
  const found: FieldError[] = []
  const dynamic: [pointer: string, ref: string][] = []
  const anchors = new Set<string>()
  const check = (ref: string, at: string, exists: boolean) => {
    if (!ref.startsWith('#'))
      found.push(fieldError(at, 'external_ref', 'must refer to the same document; external references are not supported'))
    else if (!exists) found.push(fieldError(at, 'broken_ref', `does not exist in the document: ${ref.slice(0, 200)}`))
  }
  const walk = (value: unknown, pointer: string, kind: Kind, parent: string): void => {
    if (typeof value !== 'object' || value === null || found.length >= MAX_ERRORS) return
    for (const [key, each] of Object.entries(value)) {
      const at = `${pointer}/${escapePointer(key)}`
      if (typeof each === 'string') {
        if (key === '$ref') check(each, at, isResolvable(document, each))
        else if (key === '$dynamicRef') dynamic.push([at, each])
        else if (key === '$dynamicAnchor') anchors.add(`#${each}`)
        continue
      }
      const next = Array.isArray(value) ? 'object' : kindOf(kind, key, each, parent)
      if (next !== null) walk(each, at, next, Array.isArray(value) ? parent : key)
    }
  }
  walk(document, '', 'object', '')
  for (const [at, ref] of dynamic) check(ref, at, anchors.has(ref) || isResolvable(document, ref))
  return found.slice(0, MAX_ERRORS)
}

// Reused, since compiling the OpenAPI schemas takes 50 ms.
const validator = new Validator()

/** Validates against the OpenAPI schema. The most deeply nested errors come first, since outer ones follow from them. */
async function schemaErrors(document: Tree): Promise<FieldError[]> {
  const { valid, errors } = await validator.validate(structuredClone(document))
  // A text is about references, and wrong: any `$ref`, `$id` or `$anchor` counts as one, also in data and as the name of a property.
  if (valid || typeof errors === 'string') return []
  const found = (errors ?? [])
    .filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'oneOf' && keyword !== 'if')
    .map(({ instancePath, message, keyword }) => fieldError(instancePath, keyword, message ?? 'is invalid'))
    .sort((one, other) => other.pointer.split('/').length - one.pointer.split('/').length)
  return found.length > 0 ? found : [fieldError('', 'invalid', 'is not an OpenAPI document')]
}

/** Parses and validates an OpenAPI 3.0 or 3.1 document. @throws Problem `validation_failed`, with pointers into the document */
export async function readDescription(text: string, type: DescriptionType): Promise<Description> {
  const document = (type === 'application/json' ? readJson : readYaml)(text)
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw invalidDocument([fieldError('', 'invalid', 'must be an OpenAPI document: an object')])
  requireLimits(document)
  const { openapi, info } = document as { openapi?: unknown; info?: Tree }
  if (typeof openapi !== 'string' || !/^3\.[01]\.\d+$/.test(openapi))
    throw invalidDocument([fieldError('/openapi', 'unsupported', 'must be OpenAPI version 3.0 or 3.1, e.g. "3.1.0"')])
  const refs = brokenRefs(document as Tree)
  if (refs.length > 0) throw invalidDocument(refs)
  const found = await schemaErrors(document as Tree)
  if (found.length > 0) throw invalidDocument(found.slice(0, MAX_ERRORS))
  return {
    document: document as Tree,
    title: String(info?.title ?? '').slice(0, 500),
    version: String(info?.version ?? '').slice(0, 100),
    operation_count: [...operationsOf(document as Tree)].length,
  }
}
