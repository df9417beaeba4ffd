import {
  classifyInboundRequest,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { Elysia } from 'elysia'
import { config } from '../../core/platform/config.ts'
import { isObject } from '../../core/values/json.ts'
import { isSameOrigin } from '../../core/values/web-addresses.ts'
import { access } from '../plugins/access.ts'
import type { FoundCaller } from '../plugins/callers.ts'
import { operation } from '../plugins/operation.ts'
import { contextOf } from '../plugins/request-context.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import { type Message, perform, toolResult } from './calls.ts'
import { type Definition, definitions } from './definitions.ts'
import type { Arguments } from './operations.ts'
import { INFO, serve } from './server.ts'

interface Call {
  id: string | number
  definition: Definition
  args: Arguments
}

const PARAMS = new Set(['name', 'arguments', '_meta'])

/** The call of a tool that reads in a body that may be one; its envelope is not checked. */
function callIn(body: unknown): Call | null {
  if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params)) return null
  const { name, arguments: args = {} } = body.params
  const definition = typeof name === 'string' ? definitions().get(name) : undefined
  if (!definition?.isReading || !isObject(args) || !Object.keys(body.params).every((key) => PARAMS.has(key))) return null
  return { id: body.id as Call['id'], definition, args }
}

/** The generation of the client that sends an ordinary call; null for other messages, and for those that the library refuses. */
function generationOf({ headers }: Request, body: unknown, name: string): 'modern' | 'legacy' | null {
  const [version, method, named] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((header) => headers.get(header))
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    ...(version == null ? {} : { protocolVersionHeader: version }),
    ...(method == null ? {} : { mcpMethodHeader: method }),
    body,
  })
  if (route.kind === 'modern') {
    const { messageKind, classification } = route
    const isOrdinary = messageKind === 'request' && version === '2026-07-28' && classification.revision === version
    return isOrdinary && method != null && named === name ? 'modern' : null
  }
  if (route.kind !== 'legacy' || route.reason !== 'no-claim') return null
  const accepted = headers.get('accept') ?? ''
  const takesBoth = accepted.includes('application/json') && accepted.includes('text/event-stream')
  return takesBoth && (version == null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) ? 'legacy' : null
}

/**
 * Answers a message that calls a tool that reads. The server of the library, which is made, connected and closed for each message, costs more
 * than the read itself. What a message is, and whether its envelope and headers are valid, is still decided by the library; it answers every
 * message that is not an ordinary call.
 *
 * @param body parsed
 * @returns null for other messages
 */
async function answerRead(message: Message, body: unknown): Promise<Response | null> {
  const call = callIn(body)
  const generation = call && generationOf(message.request, body, call.definition.tool.name)
  if (!generation) return null
  const { id, definition, args } = call
  const result = toolResult(definition, await perform(message, definition, args))
  if (generation === 'legacy') return Response.json({ jsonrpc: '2.0', id, result })
  const _meta = { ...result._meta, [SERVER_INFO_META_KEY]: INFO }
  return Response.json({ jsonrpc: '2.0', id, result: { ...result, _meta, resultType: 'complete' } })
}

/** Where clients learn how to get a token (RFC 9728). */
const METADATA = `${config.PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`

/** Twice the largest call. The library copies a message several times, before the caller is known: one of many fields would hold up others. */
const MAX_VALUES = 2_000

function challenged(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'unauthenticated') return error
  return new Problem(error.code, error.detail, undefined, { 'WWW-Authenticate': `Bearer resource_metadata="${METADATA}"` })
}

/**
 * Refuses requests of other pages. Those of agents have no origin. The host is not compared: a page can choose the name under which a
 * browser reaches this service (DNS rebinding).
 *
 * @throws Problem `forbidden`
 */
function requireOwnOrigin(request: Request): void {
  const origin = request.headers.get('origin')
  if (origin === null || isSameOrigin(origin, config.PUBLIC_URL)) return
  throw new Problem('forbidden', 'Pages of other origins cannot use the tools. Clients outside of a browser send no Origin.')
}

/** Whether a message says that it is of revision 2026-07-28, which is cheaper to find out than whether it is of another one. */
function isModern(body: unknown): boolean {
  const meta = (body as { params?: { _meta?: unknown } } | null)?.params?._meta
  return typeof meta === 'object' && meta !== null && PROTOCOL_VERSION_META_KEY in meta
}

/** The library reads these words in the header, and nothing else. */
const TYPES = ['application/json', 'text/event-stream']

/** Whether a client takes a media type: that itself, or what includes it. None at all takes everything. */
const takes = (accepted: string, type: string): boolean =>
  accepted
    .toLowerCase()
    .split(',')
    .map((range) => range.replaceAll(/\s/g, ''))
    .filter((range) => !/;q=0(\.0*)?(;|$)/.test(range))
    .some((range) => ['*/*', `${type.split('/')[0]}/*`, type].includes(range.split(';')[0] ?? ''))

async function serveWithLibrary(message: Message, body: unknown): Promise<Response> {
  // The answers to clients of the older revisions begin before the operation has ended.
  if (!isModern(body) && (await isLegacyRequest(message.request, body))) await message.identify()
  return serve(message, body)
}

/** Answers a message, whose caller is authenticated by then: by the operation that it called, or here. */
async function answer(request: Request, body: unknown, identify: () => Promise<FoundCaller>): Promise<Response> {
  const context = contextOf(request)
  const message: Message = { request, identify, isIdentified: false, refusal: null }
  if (context.bodyProblem || !request.headers.has('authorization')) {
    await identify()
    if (context.bodyProblem) throw context.bodyProblem
  }
  const accepted = request.headers.get('accept') || '*/*'
  request.headers.set('accept', TYPES.filter((type) => takes(accepted, type)).join())
  const response = (await answerRead(message, body)) ?? (await serveWithLibrary(message, body))
  if (message.refusal) throw new Problem('unauthenticated', message.refusal.detail)
  if (!message.isIdentified) await identify()
  for (const [name, value] of Object.entries({ 'Cache-Control': 'no-store', ...SECURITY_HEADERS, ...context.headers }))
    response.headers.set(name, value)
  return response
}

export const mcp = new Elysia({ name: 'mcp', tags: ['Agents'] })
  .use(access)
  // GET and DELETE, which belong to sessions, are answered 405.
  .post(
    '/mcp',
    async ({ request, body, identify }) => {
      requireOwnOrigin(request)
      try {
        return await answer(request, body, identify)
      } catch (error) {
        throw challenged(error)
      }
    },
    operation('byHandler', true, {
      id: 'sendMcpMessage',
      summary: 'Tools for agents (Model Context Protocol)',
      description:
        'Streamable HTTP, without sessions: revision 2026-07-28 of the Model Context Protocol, and clients of the revisions from 2025. The body is a JSON-RPC message. The tools call the operations of this API with the token of the request: a personal token, the access token of a client that a person has allowed, or a key or access token of a service account. With the scope `read` there are the tools that read. No tool decides a gate. See [Agents](/docs/agents).',
      maxValues: MAX_VALUES,
      responses: { 200: null },
      produces: ['application/json', 'text/event-stream'],
      errors: [
        'forbidden',
        'malformed_json',
        'malformed_encoding',
        'nested_too_deep',
        'too_many_values',
        'unsupported_media_type',
        'body_too_large',
      ],
    }),
  )
