/**
 * Answers calls of tools that read. The server of the library, which is made, connected and closed for each message, costs more than the
 * read itself. What a message is, and whether its envelope and headers are valid, is still decided by the library; it answers every message
 * that is not an ordinary call.
 */
import { classifyInboundRequest, SERVER_INFO_META_KEY, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { isObject } from '../../core/values/objects.ts'
import { type Message, perform, toolResult } from './calls.ts'
import { type Definition, definitions } from './definitions.ts'
import type { Arguments } from './operations.ts'
import { INFO } from './server.ts'

interface Call {
  id: string | number
  definition: Definition
  args: Arguments
}

const PARAMS = new Set(['name', 'arguments', '_meta'])

/** The call in a body that may be one; its envelope is not checked. */
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
 * Answers a message that calls a tool that reads.
 *
 * @param body parsed
 * @returns null for other messages
 */
export async function answerRead(message: Message, body: unknown): Promise<Response | null> {
  const call = callIn(body)
  const generation = call && generationOf(message.request, body, call.definition.tool.name)
  if (!generation) return null
  const { id, definition, args } = call
  const result = toolResult(definition, await perform(message, definition, args))
  if (generation === 'legacy') return Response.json({ jsonrpc: '2.0', id, result })
  const _meta = { ...result._meta, [SERVER_INFO_META_KEY]: INFO }
  return Response.json({ jsonrpc: '2.0', id, result: { ...result, _meta, resultType: 'complete' } })
}
