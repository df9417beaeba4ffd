/** Makes the OpenAPI document from the details that `operation` and the access macros attach to each route. */

import type { EventName } from '../../core/events/catalogue.ts'
import type { Node } from '../../core/openapi/document.ts'
import { type TSchema, Type, Uuid } from '../../core/values/schema.ts'
import { UUID_PATTERN } from '../../core/values/uuids.ts'
import type { Declaration } from '../plugins/declarations.ts'
import { titledSchemas } from '../plugins/operation.ts'
import { withoutSlash } from '../plugins/request-context.ts'
import { type OtherStatus, PROBLEMS, type ProblemCode, ProblemDocument, statusOf } from '../problems.ts'
import { exampleFor, header, type Webhooks, webhooks } from './webhooks.ts'

interface Access {
  kind: string
  role?: string
  /** Whether it changes nothing, although it is no GET. */
  only_reads?: true
  /** The scopes of which a service account needs one; absent if it has no access. */
  scopes?: 'any' | string[]
  /** Whether it changes a gate without deciding it. */
  decides_nothing?: true
}

interface RawOperation {
  tags?: string[]
  'x-access'?: Access
  'x-operation'?: Declaration
}

interface Document {
  paths: Record<string, Record<string, RawOperation>>
  components?: object
}

const IDEMPOTENCY = header(
  'Idempotency-Key',
  'The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content.',
)
const IF_MATCH = header(
  'If-Match',
  'The last ETag that you received. The request is rejected with 412 if the resource has changed since.',
)
const IF_NONE_MATCH = header('If-None-Match', 'The last ETag that you received. The response is 304 if nothing has changed.')
const LAST_EVENT_ID = header('Last-Event-ID', 'The id of the last event that you received. The stream continues after it.')
const PREFER = header(
  'Prefer',
  '`wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later.',
)

const BEARER =
  'The access token of a session (15 minutes), a personal token (`sbx_pat_…`), the access token of a client that you have allowed (`sbx_oat_…`), or a key (`sbx_svc_…`) or access token of a service account.'

/** Keywords that only affect our validation. */
const INTERNAL_KEYWORDS = new Set(['x-trim', 'x-address', 'x-canonical', 'x-list'])

/** Publishes schemas: titled ones become components, and internal keywords are removed. */
class Schemas {
  readonly components: Node = { Problem: { ...ProblemDocument } }

  json(schema: unknown): Node {
    const published = this.publish(schema)
    return { 'application/json': { schema: published, example: exampleFor(published, this.components) } }
  }

  publish(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.publish(item))
    if (node === null || typeof node !== 'object') return node
    // A schema that is validated in two steps is published as their combination.
    if ('x-shown' in node) return this.publish(node['x-shown'])
    const plain = Object.fromEntries(
      Object.entries(node)
        .filter(([key]) => !key.startsWith('~') && !INTERNAL_KEYWORDS.has(key))
        .map(([key, value]) => [key, key === 'examples' || key === 'default' ? value : this.publish(value)]),
    )
    // Tools know this format, and readers need no pattern.
    if (plain.pattern === UUID_PATTERN) {
      plain.format = 'uuid'
      delete plain.pattern
    }
    if (!('title' in node) || typeof node.title !== 'string' || !('properties' in node)) return plain
    this.components[node.title] = plain
    return { $ref: `#/components/schemas/${node.title}` }
  }
}

const decides = (method: string, { kind, decides_nothing }: Access): boolean =>
  kind === 'gate' && method !== 'get' && !decides_nothing

function usualProblems(method: string, access: Access, { body, consumes }: Declaration): ProblemCode[] {
  // All routes reject unknown query parameters, also those without a query.
  const codes: ProblemCode[] = [
    'malformed_query',
    'validation_failed',
    'rate_limited',
    'internal',
    'database_unavailable',
    'shutting_down',
  ]
  const isOpen = access.kind === 'open'
  if (!isOpen) codes.push('unauthenticated')
  if (!isOpen && method !== 'get' && !access.only_reads) codes.push('read_only_token')
  if (decides(method, access) || (!isOpen && !access.scopes)) codes.push('person_required')
  if (Array.isArray(access.scopes)) codes.push('insufficient_scope')
  const isOverride = access.kind === 'gate' && access.role === 'organization admin'
  if (['inSession', 'operator'].includes(access.kind) || isOverride) codes.push('session_required')
  if (access.role || ['signedIn', 'operator'].includes(access.kind)) codes.push('not_found')
  if (access.role && access.role !== 'member') codes.push('forbidden')
  if (access.role) codes.push('second_factor_required', 'sso_required')
  if (body) codes.push('malformed_json', 'malformed_encoding', 'nested_too_deep', 'too_many_values')
  if (body || consumes) codes.push('incomplete_body', 'unsupported_media_type', 'body_too_large')
  if (method === 'put' || method === 'delete') codes.push('malformed_header')
  if (method === 'post' && !isOpen) codes.push('malformed_header', 'idempotency_in_progress', 'idempotency_key_reused')
  if (method === 'put' || method === 'delete') codes.push('precondition_failed')
  return codes
}

function problemResponses(codes: (ProblemCode | OtherStatus)[]): Record<string, unknown> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const each of new Set(codes)) {
    const status = statusOf(each)
    byStatus.set(status, [...(byStatus.get(status) ?? []), typeof each === 'string' ? each : each[0]])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}.`).join(' '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

const MEANING: Record<string, string> = {
  200: 'Success.',
  201: 'Created. `Location` is the path of the new resource.',
  202: 'Accepted; in progress.',
  204: 'Success, without content.',
  503: 'Not ready.',
}

function parameters(path: string, method: string, access: Access, about: Declaration, schemas: Schemas): unknown[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    // An environment is identified by its name; everything else by an id.
    schema: schemas.publish(name === 'environment' ? Type.String({ examples: ['production'] }) : Uuid),
  }))
  const query = (about.query ?? {}) as { properties?: Record<string, TSchema>; required?: string[] }
  const inQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemas.publish(schema),
  }))
  const streams = about.produces?.includes('text/event-stream')
  const headers = [
    ...(method === 'post' && access.kind !== 'open' ? [IDEMPOTENCY] : []),
    ...(method === 'put' || method === 'delete' ? [IF_MATCH] : []),
    ...(method === 'get' && !streams ? [IF_NONE_MATCH] : []),
    ...(streams ? [LAST_EVENT_ID] : []),
    ...(about.waits || (about.responses?.[202] && about.responses[200]) ? [PREFER] : []),
  ]
  return [...inPath, ...inQuery, ...headers]
}

const DECIDES = ' Personal tokens need the scope `decide`.'

const requirementOf = (method: string, access: Access): string => {
  const { kind, role } = access
  if (kind === 'open') return 'No token required.'
  if (kind === 'signedIn') return 'Requires a signed-in user.'
  if (kind === 'inSession') return 'Requires a session; personal tokens are rejected.'
  if (kind === 'operator') return 'Requires a session of an operator of the service; for others it does not exist.'
  const where = ['organization', 'runtime', 'group', 'service_account'].includes(kind) ? 'organization' : 'workspace'
  if (role === 'organization admin' && kind !== 'gate') return 'Requires the role `admin` in the organization.'
  if (role === 'organization admin')
    return 'Requires a session and the role `admin` in the organization; personal tokens are rejected.'
  if (role === 'own') return `Requires the role \`admin\` in the ${where}, or to own the ${kind}.`
  if (role === 'decider')
    return `Requires the role \`admin\` in the workspace or, if the gate names groups, to be in one of them and a member of the workspace.${DECIDES}`
  if (access.only_reads)
    return `Requires the role \`${role}\` in the ${where}. A personal token with the scope \`read\` suffices.`
  return `Requires the role \`${role}\` in the ${where}.${decides(method, access) ? DECIDES : ''}`
}

const rawContent = (types: string[]) =>
  Object.fromEntries(
    types.map((type) => [
      type,
      type === 'application/json'
        ? { schema: { type: 'object' }, example: {} }
        : { schema: { type: 'string', format: 'binary' } },
    ]),
  )

const scopesOf = ({ kind, scopes }: Access): string => {
  if (kind === 'open' || scopes === 'any') return ''
  if (!scopes) return 'Service accounts cannot do this.'
  return `A service account needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`
}

function publishOperation(path: string, method: string, raw: RawOperation, schemas: Schemas): unknown {
  const { tags, 'x-access': access = { kind: 'open' }, 'x-operation': about = {} } = raw
  const { body, consumes, confidential } = about
  const responses = Object.entries(about.responses ?? {}).map(([status, schema]) => {
    const content = {
      ...(schema ? schemas.json(schema) : {}),
      ...(status === '200' ? rawContent(about.produces ?? []) : {}),
    }
    return [status, { description: MEANING[status] ?? 'The response.', ...(Object.keys(content).length > 0 ? { content } : {}) }]
  })
  const codes = about.refusals ? [] : [...usualProblems(method, access, about), ...(about.errors ?? [])]
  return {
    operationId: about.id,
    summary: about.summary,
    description: [about.description, `${requirementOf(method, access)} ${scopesOf(access)}`.trim()].filter(Boolean).join('\n\n'),
    tags,
    'x-signalbox-access': access,
    ...(confidential ? { 'x-signalbox-confidential': confidential } : {}),
    security: access.kind === 'open' ? [] : [{ bearer: [] }],
    parameters: parameters(path, method, access, about, schemas),
    ...(consumes ? { requestBody: { required: true, content: rawContent(consumes) } } : {}),
    ...(body ? { requestBody: { required: 'required' in body, content: schemas.json(body) } } : {}),
    responses: { ...Object.fromEntries(responses), ...problemResponses(codes) },
  }
}

/** The parts of the document that our pages use. */
export type OpenApi = Node & { webhooks: Webhooks }

export function openApi(document: Document): OpenApi {
  const schemas = new Schemas()
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      withoutSlash(path),
      Object.fromEntries(
        Object.entries(methods).map(([method, about]) => [method, publishOperation(path, method, about, schemas)]),
      ),
    ]),
  )
  return {
    ...document,
    paths,
    webhooks: webhooks(schemas.components),
    components: {
      schemas: schemas.components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: BEARER } },
    },
  } as unknown as OpenApi
}

export function sampleData(name: EventName): Record<string, unknown> {
  const schemas = new Schemas()
  for (const schema of titledSchemas.values()) schemas.publish(schema)
  const example = webhooks(schemas.components)[name]?.post.requestBody.content['application/json'].example
  return (example as { data: Record<string, unknown> }).data
}
