/** Agents in tests: the official clients of both generations, behind one interface. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

/** The result of a tool. */
export interface Result {
  content: { type: string; text: string }[]
  structuredContent?: Body
  isError?: boolean
  _meta?: Record<string, Body>
}

export interface Agent extends AsyncDisposable {
  tools: () => Promise<Body[]>
  call: (name: string, args?: object) => Promise<Result>
  instructions: () => string | undefined
}

const INFO = { name: 'test-agent', version: '1.0.0' }

const transportOptions = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })

/** The client of revision 2026-07-28. */
export async function modern(base: string, token: string, extensions: object = {}): Promise<Agent & { client: ModernClient }> {
  const client = new ModernClient(INFO, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    capabilities: { extensions } as never,
  })
  await client.connect(new ModernTransport(new URL(`${base}/mcp`), transportOptions(token)))
  return {
    client,
    tools: async () => (await client.listTools()).tools,
    call: (name, args = {}) => client.callTool({ name, arguments: args as never }) as Promise<Result>,
    instructions: () => client.getInstructions(),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The client of the revisions from 2025. */
export async function legacy(base: string, token: string): Promise<Agent> {
  const client = new LegacyClient(INFO)
  const transport = new LegacyTransport(new URL(`${base}/mcp`), transportOptions(token))
  // Their types differ in what may be undefined.
  await client.connect(transport as never)
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, args = {}) => client.callTool({ name, arguments: args as never }) as Promise<Result>,
    instructions: () => client.getInstructions(),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

export const GENERATIONS = { modern, legacy }

/** A message as a client of revision 2026-07-28 sends it. */
export function message(headers: Record<string, string>, method: string, params: object = {}, extensions?: object) {
  const version = '2026-07-28'
  const { name } = params as { name?: string }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': INFO,
    'io.modelcontextprotocol/clientCapabilities': extensions ? { extensions } : {},
  }
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': version,
      'Mcp-Method': method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
      ...headers,
    } as Record<string, string>,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  }
}

/** The record in the result of a tool that succeeded. */
export function recordOf(result: Result, name: string): Body {
  if (result.isError) throw new Error(`The tool answered ${result.content[0]?.text}`)
  return result.structuredContent[name]
}
