import { isLegacyRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import { Elysia } from 'elysia'
import { config } from '../../core/platform/config.ts'
import { access } from '../plugins/access.ts'
import type { FoundCaller } from '../plugins/callers.ts'
import { operation } from '../plugins/operation.ts'
import { contextOf } from '../plugins/request-context.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import type { Message } from './calls.ts'
import { answerRead } from './reads.ts'
import { serve } from './server.ts'

/** Where clients learn how to get a token (RFC 9728). */
const METADATA = `${config.PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`

/** Twice the largest call. The library copies a message several times, before the caller is known: one of many fields would hold up others. */
const MAX_VALUES = 2_000

/** Adds to a refused token where the client gets another one. */
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
  if (origin === null || origin === new URL(config.PUBLIC_URL).origin) return
  throw new Problem('forbidden', 'Pages of other origins cannot use the tools. Clients outside of a browser send no Origin.')
}

/** Whether a message says that it is of revision 2026-07-28, which is cheaper to find out than whether it is of another one. */
function isModern(body: unknown): boolean {
  const meta = (body as { params?: { _meta?: unknown } } | null)?.params?._meta
  return typeof meta === 'object' && meta !== null && PROTOCOL_VERSION_META_KEY in meta
}

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
  const response = (await answerRead(message, body)) ?? (await serveWithLibrary(message, body))
  if (message.refusal) throw new Problem('unauthenticated', message.refusal.detail)
  if (!message.isIdentified) await identify()
  for (const [name, value] of Object.entries({ 'Cache-Control': 'no-store', ...SECURITY_HEADERS, ...context.headers }))
    response.headers.set(name, value)
  return response
}

export const mcp = new Elysia({ name: 'mcp' })
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
    {
      byHandler: true,
      ...operation({
        tag: 'Agents',
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
    },
  )
