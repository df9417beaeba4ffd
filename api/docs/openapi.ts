/** The OpenAPI document, from what each route says about itself: `operation` and the access macro put it there. */

import { type TSchema, Uuid } from '../../core/values/schema.ts'
import type { Documented } from '../plugins/operation.ts'
import { PROBLEMS, type ProblemCode } from '../problems.ts'
import type { ReferenceDocument } from './reference.ts'
import { type JsonSchema, sample } from './sample.ts'
import { type Webhooks, webhooks } from './webhooks.ts'

/** Who may, as the access macro writes it down. */
interface Access {
  kind: string
  role?: string
}

/** One operation as the plugin lists it, with what our routes added. */
type Raw = Partial<Documented> & { 'x-access'?: Access }

interface Document {
  paths: Record<string, Record<string, Raw>>
  components?: object
}

const ProblemSchema = {
  type: 'object',
  title: 'Problem',
  description: 'RFC 9457. `code` is stable; `detail` says what to change.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      description: 'For 422: the fields, each by its JSON pointer.',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: { pointer: { type: 'string' }, code: { type: 'string' }, detail: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

const IDEMPOTENCY = header(
  'Idempotency-Key',
  'The answer is kept for 24 hours, and a repeat under the same key gets it again, if you may still see what it shows.',
)
const IF_MATCH = header('If-Match', 'The ETag that you last saw: the change is refused with 412 if it was changed since.')
const IF_NONE_MATCH = header('If-None-Match', 'The ETag that you have: 304 if nothing changed.')
const LAST_EVENT_ID = header('Last-Event-ID', 'The id of the last event that you got: the stream goes on after it.')
const PREFER = header('Prefer', '`wait=N`: answer when it is done, after N seconds (25 at most) at the latest.')

const BEARER = 'The access token of a session (15 minutes), or a personal token (`sbx_pat_…`).'

/** What steers our own checks. */
const STEERING = new Set(['x-trim', 'x-address', 'x-canonical'])

/** Titled shapes become components; what only steers our own checks is left out. */
class Schemas {
  readonly components: Record<string, unknown> = { Problem: ProblemSchema }

  publish(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.publish(item))
    if (node === null || typeof node !== 'object') return node
    // A shape that is checked in two steps is shown as what both of them ask for.
    if ('x-shown' in node) return this.publish(node['x-shown'])
    const plain = Object.fromEntries(
      Object.entries(node)
        .filter(([key]) => !key.startsWith('~') && !STEERING.has(key))
        .map(([key, value]) => [key, key === 'examples' || key === 'default' ? value : this.publish(value)]),
    )
    if (!('title' in node) || typeof node.title !== 'string' || !('properties' in node)) return plain
    this.components[node.title] = plain
    return { $ref: `#/components/schemas/${node.title}` }
  }
}

/** Problems that a route can have because of what it is. */
function usualProblems(method: string, access: Access, about: Raw): ProblemCode[] {
  // Of every route, also of one that takes no query: a parameter that nobody knows is refused.
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
  if (!isOpen && method !== 'get') codes.push('read_only_token')
  if (access.kind === 'inSession') codes.push('session_required')
  if (access.role || access.kind === 'signedIn') codes.push('not_found')
  if (access.role && access.role !== 'member') codes.push('forbidden')
  if (about['x-body']) codes.push('malformed_json', 'malformed_encoding', 'nested_too_deep')
  if (about['x-body'] || about['x-consumes']) codes.push('incomplete_body', 'unsupported_media_type', 'body_too_large')
  if (method === 'put' || method === 'delete') codes.push('malformed_header')
  if (method === 'post' && !isOpen) codes.push('malformed_header', 'idempotency_in_progress', 'idempotency_key_reused')
  if (method === 'put' || method === 'delete') codes.push('precondition_failed')
  return codes
}

function problemResponses(codes: ProblemCode[]): Record<string, unknown> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of new Set(codes)) {
    const [status] = PROBLEMS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
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
  200: 'Done.',
  201: 'Made; `Location` says where.',
  202: 'Under way.',
  204: 'Done.',
  503: 'Not ready.',
}

function parameters(path: string, method: string, access: Access, about: Raw, schemas: Schemas): unknown[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas.publish(Uuid),
  }))
  const query = (about['x-query'] ?? {}) as { properties?: Record<string, TSchema>; required?: string[] }
  const inQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemas.publish(schema),
  }))
  const streams = about['x-produces']?.includes('text/event-stream')
  const headers = [
    ...(method === 'post' && access.kind !== 'open' ? [IDEMPOTENCY] : []),
    ...(method === 'put' || method === 'delete' ? [IF_MATCH] : []),
    ...(method === 'get' && !streams ? [IF_NONE_MATCH] : []),
    ...(streams ? [LAST_EVENT_ID] : []),
    ...(about['x-responses']?.[202] && about['x-responses']?.[200] ? [PREFER] : []),
  ]
  return [...inPath, ...inQuery, ...headers]
}

const needs = ({ kind, role }: Access): string => {
  if (kind === 'open') return 'No token needed.'
  if (kind === 'signedIn') return 'Needs a signed-in user.'
  if (kind === 'inSession') return 'Needs a session: personal tokens are refused.'
  const where = kind === 'organization' || kind === 'runtime' ? 'organization' : 'workspace'
  if (role === 'own') return `Needs the role \`admin\` in the ${where}, unless the ${kind} is your own.`
  return `Needs the role \`${role}\` in the ${where}.`
}

/** Bodies that are taken and given as they are, in one of these types. */
const asItIs = (types: string[]) =>
  Object.fromEntries(
    types.map((type) => [
      type,
      type === 'application/json'
        ? { schema: { type: 'object' }, example: {} }
        : { schema: { type: 'string', format: 'binary' } },
    ]),
  )

function publishOperation(path: string, method: string, about: Raw, schemas: Schemas): unknown {
  const access = about['x-access'] ?? { kind: 'open' }
  const body = about['x-body']
  const answers = Object.entries(about['x-responses'] ?? {}).map(([status, schema]) => {
    const content = {
      ...(schema ? { 'application/json': { schema: schemas.publish(schema), example: sample(schema as JsonSchema) } } : {}),
      ...(status === '200' ? asItIs(about['x-produces'] ?? []) : {}),
    }
    return [status, { description: MEANING[status] ?? 'The answer.', ...(Object.keys(content).length > 0 ? { content } : {}) }]
  })
  const codes = [...usualProblems(method, access, about), ...(about['x-errors'] ?? [])]
  return {
    operationId: about.operationId,
    summary: about.summary,
    description: [about.description, needs(access)].filter(Boolean).join('\n\n'),
    tags: about.tags,
    'x-signalbox-access': access,
    security: access.kind === 'open' ? [] : [{ bearer: [] }],
    parameters: parameters(path, method, access, about, schemas),
    ...(about['x-consumes'] ? { requestBody: { required: true, content: asItIs(about['x-consumes']) } } : {}),
    ...(body
      ? {
          requestBody: {
            required: 'required' in body,
            content: { 'application/json': { schema: schemas.publish(body), example: sample(body as JsonSchema) } },
          },
        }
      : {}),
    responses: { ...Object.fromEntries(answers), ...problemResponses(codes) },
  }
}

/** The finished document, as far as our own pages read it. */
export type OpenApi = ReferenceDocument & { webhooks: Webhooks }

/** The finished document, from the plugin's list of routes. */
export function openApi(document: Document): OpenApi {
  const schemas = new Schemas()
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path.length > 1 ? path.replace(/\/$/, '') : path,
      Object.fromEntries(
        Object.entries(methods).map(([method, about]) => [method, publishOperation(path, method, about, schemas)]),
      ),
    ]),
  )
  return {
    ...document,
    paths,
    webhooks: webhooks(schemas.components as Record<string, JsonSchema>),
    components: {
      schemas: schemas.components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: BEARER } },
    },
  } as unknown as OpenApi
}
