/**
 * Reads OpenAPI documents (3.0 or 3.1). They were validated when they were stored; what the validation leaves open, such as
 * schemas and examples, is checked before use.
 */
import { isObject, unescapePointer } from '../values/json.ts'

export type Node = Record<string, unknown>

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

export const node = (value: unknown): Node => (isObject(value) ? value : {})
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const nodes = (value: unknown): Node[] => list(value).filter(isObject)
export const words = (value: unknown): string => (typeof value === 'string' ? value : '')

/** References are followed through at most this many others, so that cycles end. */
const MAX_HOPS = 16

const decodedStep = (step: string): string => unescapePointer(decodeURIComponent(step))

/** What the references of a document lead to, because most are used many times. */
const targets = new WeakMap<Node, Map<string, unknown>>()

function target(document: Node, ref: string): unknown {
  const known = targets.get(document) ?? new Map<string, unknown>()
  targets.set(document, known)
  if (!known.has(ref)) known.set(ref, lookUp(document, ref))
  return known.get(ref)
}

function lookUp(document: Node, ref: string): unknown {
  if (ref === '#') return document
  let at: unknown = document
  for (const step of ref.slice(2).split('/')) {
    const key = decodedStep(step)
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Node)[key]
  }
  return at
}

/** The object that a value refers to, or the value itself. Empty for anything else, and for references in a cycle. */
export function resolved(document: Node, value: unknown): Node {
  let at = node(value)
  for (let hops = 0; typeof at.$ref === 'string'; hops++) {
    if (hops === MAX_HOPS) return {}
    at = node(target(document, at.$ref))
  }
  return at
}

/** The name of the schema that is referred to, if it is one of the document's named ones. */
export function schemaName(schema: unknown): string | null {
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(words(node(schema).$ref)) ?? []
  return name === undefined ? null : decodedStep(name)
}

export interface Operation {
  method: string
  path: string
  tag: string
  operation: Node
  parameters: Node[]
  /** Alternatives: the schemes that are required together, with their scopes. */
  security: Node[]
  servers: Node[]
}

function parametersOf(document: Node, item: Node, operation: Node): Node[] {
  const all = new Map<string, Node>()
  for (const each of [...list(item.parameters), ...list(operation.parameters)]) {
    const parameter = resolved(document, each)
    all.set(`${words(parameter.in)} ${words(parameter.name)}`, parameter)
  }
  return [...all.values()]
}

function* operationsOfPaths(document: Node, paths: [string, unknown][]): Generator<Operation> {
  for (const [path, each] of paths) {
    const item = resolved(document, each)
    for (const method of METHODS) {
      const operation = item[method]
      if (!isObject(operation)) continue
      yield {
        method: method.toUpperCase(),
        path,
        tag: words(list(operation.tags)[0]),
        operation,
        parameters: parametersOf(document, item, operation),
        security: nodes(operation.security ?? document.security),
        servers: [operation, item, document].map(({ servers }) => nodes(servers)).find(({ length }) => length > 0) ?? [],
      }
    }
  }
}

export function operationsOf(document: Node): Generator<Operation> {
  const paths = Object.entries(node(document.paths)).filter(([path]) => path.startsWith('/'))
  return operationsOfPaths(document, paths)
}

/** The requests that the API itself sends (3.1). */
export const webhooksOf = (document: Node): Generator<Operation> =>
  operationsOfPaths(document, Object.entries(node(document.webhooks)))

export const isJson = (type: string): boolean => /[/+]json\b/i.test(type)

/** The media types of a body with their contents: those of JSON first. */
export function mediaTypesOf(content: unknown): [type: string, media: Node][] {
  const types = Object.entries(node(content)).map(([type, media]): [string, Node] => [type, node(media)])
  return [...types.filter(([type]) => isJson(type)), ...types.filter(([type]) => !isJson(type))]
}

const MAX_PARTS = 50

/** The schemas that a schema combines with `allOf`, itself first. */
function partsOf(document: Node, schema: unknown): Node[] {
  const parts = new Set([resolved(document, schema)])
  // A set also iterates over what is added on the way.
  for (const { allOf } of parts) {
    for (const part of nodes(allOf)) if (parts.size < MAX_PARTS) parts.add(resolved(document, part))
  }
  return [...parts]
}

/** The properties of a schema by name, including those from `allOf`, and the names of the required ones. */
export function propertiesOf(document: Node, schema: unknown): { properties: Map<string, unknown>; required: Set<unknown> } {
  const parts = partsOf(document, schema)
  return {
    properties: new Map(parts.flatMap((part) => Object.entries(node(part.properties)))),
    required: new Set(parts.flatMap((part) => list(part.required))),
  }
}
