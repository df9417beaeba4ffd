/** api_docs: the API reference of the project, from its OpenAPI document (3.0 or 3.1, validated when it was stored). */
import { block, bullets, code, heading, inline, line, link, prose, table, withCode } from '../markdown.ts'
import type { ProjectData } from '../project-data.ts'
import { type Document, documentOf } from './document.ts'

/** Any object in the document; the types of its fields are checked before use. */
type Node = Record<string, unknown>

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const node = (value: unknown): Node => (isNode(value) ? value : {})
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const words = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Resolves a reference within the document. Follows chains of references, but not cycles. */
function resolved(document: Node, value: unknown): Node {
  let at = node(value)
  for (let hops = 0; hops < 16 && typeof at.$ref === 'string'; hops++) {
    const path = at.$ref.startsWith('#/') ? at.$ref.slice(2).split('/') : []
    at = path.reduce<Node>(
      (here, step) => node(here[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')]),
      document,
    )
  }
  return at
}

const lastStep = (ref: string): string => ref.split('/').at(-1) ?? ref

/** A schema as one line: `string`, `Order`, `Order[]`, `"a" | "b"`, `object`. */
function typeOf(schema: unknown, depth = 0): string {
  const { $ref, type, items, format, oneOf, anyOf, allOf, nullable, const: only, ...rest } = node(schema)
  if (typeof $ref === 'string') return lastStep($ref)
  if (depth > 4) return '…'
  const choices = rest.enum
  if (Array.isArray(choices)) return choices.map((each) => JSON.stringify(each)).join(' | ')
  if (only !== undefined) return JSON.stringify(only)
  const several = nodes(oneOf ?? anyOf)
  if (several.length > 0) return several.map((each) => typeOf(each, depth + 1)).join(' | ')
  const all = nodes(allOf)
  if (all.length > 0) return all.map((each) => typeOf(each, depth + 1)).join(' & ')
  const names = (Array.isArray(type) ? type : [type ?? (rest.properties ? 'object' : 'any')]).map(String)
  const types = names.map((name) => {
    if (name === 'array') return `${typeOf(items, depth + 1)}[]`
    return typeof format === 'string' && name !== 'null' ? `${name} (${format})` : name
  })
  return [...types, ...(nullable === true ? ['null'] : [])].join(' | ')
}

const cell = (value: unknown): string => withCode(words(value)) || '–'

function properties(document: Node, schema: unknown): string | null {
  const whole = resolved(document, schema)
  const parts = [whole, ...nodes(whole.allOf).map((part) => resolved(document, part))]
  const required = new Set(parts.flatMap((part) => list(part.required)))
  const rows = parts.flatMap((part) =>
    Object.entries(node(part.properties)).map(([name, property]) => [
      code(name),
      code(typeOf(property)),
      required.has(name) ? 'yes' : 'no',
      cell(node(property).description ?? resolved(document, property).description),
    ]),
  )
  return rows.length > 0 ? table(['Field', 'Type', 'Required', 'Meaning'], rows) : null
}

function parameters(document: Node, path: Node, operation: Node): string | null {
  const all = new Map<string, Node>()
  for (const each of [...list(path.parameters), ...list(operation.parameters)]) {
    const parameter = resolved(document, each)
    all.set(`${words(parameter.in)} ${words(parameter.name)}`, parameter)
  }
  if (all.size === 0) return null
  const rows = [...all.values()].map(({ name, in: where, schema, required, description }) => [
    code(words(name)),
    inline(words(where)),
    code(typeOf(schema)),
    required === true ? 'yes' : 'no',
    cell(description),
  ])
  return table(['Parameter', 'In', 'Type', 'Required', 'Meaning'], rows)
}

/** The preferred media type, JSON if available, and its schema. */
function body(content: unknown): [string, unknown] | null {
  const types = Object.entries(node(content))
  const [type, media] = types.find(([each]) => each.includes('json')) ?? types[0] ?? []
  return type === undefined ? null : [type, node(media).schema]
}

function requestBody(document: Node, operation: Node): (string | null)[] {
  const request = resolved(document, operation.requestBody)
  const found = body(request.content)
  if (!found) return []
  const [type, schema] = found
  return [
    `Body: ${code(type)}, ${code(typeOf(schema))}${request.required === true ? '' : ', optional'}.`,
    typeof node(schema).$ref === 'string' ? null : properties(document, schema),
  ]
}

function responses(document: Node, operation: Node): string | null {
  const rows = Object.entries(node(operation.responses)).map(([status, each]) => {
    const response = resolved(document, each)
    const found = body(response.content)
    return [code(status), found ? code(typeOf(found[1])) : '–', cell(response.description)]
  })
  return rows.length > 0 ? table(['Status', 'Body', 'Meaning'], rows) : null
}

/** Quotes a text for the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function example(document: Node, method: string, path: string, operation: Node): string {
  const server = words(nodes(document.servers)[0]?.url).replace(/\/$/, '')
  const [type] = body(resolved(document, operation.requestBody).content) ?? []
  return block(
    [
      `curl -X ${method.toUpperCase()} ${quoted(server + path)}`,
      ...(type ? [`  -H ${quoted(`Content-Type: ${type}`)} -d @body`] : []),
    ].join(' \\\n'),
    'sh',
  )
}

function operationDocs(document: Node, path: string, item: Node, method: string): (string | null)[] {
  const operation = node(item[method])
  return [
    heading(3, `${method.toUpperCase()} ${path}`),
    words(operation.summary) ? line(words(operation.summary)) : null,
    words(operation.description) ? prose(words(operation.description)) : null,
    operation.deprecated === true ? 'Deprecated.' : null,
    parameters(document, item, operation),
    ...requestBody(document, operation),
    responses(document, operation),
    example(document, method, path, operation),
  ]
}

/** Groups operations by their first tag: first the tags that the document lists, then others. */
function byTag(document: Node): [string, (string | null)[]][] {
  const groups = new Map<string, (string | null)[]>(nodes(document.tags).map(({ name }) => [words(name), []]))
  for (const [path, each] of Object.entries(node(document.paths))) {
    const item = resolved(document, each)
    for (const method of METHODS) {
      if (!isNode(item[method])) continue
      const tag = words(list(node(item[method]).tags)[0]) || 'Operations'
      const group = groups.get(tag) ?? []
      groups.set(tag, [...group, ...operationDocs(document, path, item, method)])
    }
  }
  return [...groups].filter(([, docs]) => docs.length > 0)
}

function security(document: Node): string | null {
  const schemes = Object.entries(node(node(document.components).securitySchemes))
  if (schemes.length === 0) return null
  return bullets(
    schemes.map(([name, each]) => {
      const { type, scheme, in: where, name: key, description } = resolved(document, each)
      const how =
        type === 'http' ? `HTTP ${words(scheme)}` : type === 'apiKey' ? `key ${words(key)} in ${words(where)}` : words(type)
      return `${code(name)}: ${inline(how)}${words(description) ? `. ${withCode(words(description))}` : ''}`
    }),
  )
}

export function apiDocs(data: ProjectData): Document {
  if (!data.api_description) {
    return documentOf(data, `${data.project.name}: API documentation`, [
      'Not available: the project has no API description yet.',
      `Store its OpenAPI document with ${code(`PUT /api/v1/projects/${data.project.id}/api-description`)}, and generate this document again.`,
    ])
  }
  const { title, version, document } = data.api_description
  const servers = nodes(document.servers).map(
    ({ url, description }) => `${code(words(url))}${words(description) ? `: ${inline(words(description))}` : ''}`,
  )
  const auth = security(document)
  const schemas = Object.entries(node(node(document.components).schemas))
  const license = node(node(document.info).license)
  const groups = byTag(document)
  return documentOf(data, `${title}: API documentation`, [
    `Version ${inline(version)}.${words(license.name) ? ` License: ${inline(words(license.name))}.` : ''}`,
    words(node(document.info).description) && prose(words(node(document.info).description)),
    servers.length > 0 && heading(2, 'Servers'),
    servers.length > 0 && bullets(servers),
    auth && heading(2, 'Authentication'),
    auth,
    ...(groups.length > 0
      ? groups.flatMap(([tag, docs]) => [heading(2, tag), ...docs])
      : ['The document describes no operations.']),
    schemas.length > 0 && heading(2, 'Schemas'),
    ...schemas.flatMap(([name, schema]) => [
      heading(3, name),
      words(node(schema).description) ? prose(words(node(schema).description)) : null,
      properties(document, schema) ?? code(typeOf(schema)),
    ]),
    isNode(document.externalDocs) &&
      /^https?:/.test(words(document.externalDocs.url)) &&
      `More: ${link(words(document.externalDocs.url), words(document.externalDocs.url))}`,
  ])
}
