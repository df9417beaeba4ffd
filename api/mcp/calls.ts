/** Calls of tools: makes a request to an operation from their arguments, and a result from its answer. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FoundCaller } from '../plugins/callers.ts'
import { invalidField, type ProblemDocument } from '../problems.ts'
import type { Definition } from './definitions.ts'
import { type Arguments, callOperation, type Operation, type Outcome, refused } from './operations.ts'
import { refusalOf, resultOf } from './results.ts'
import { MAX_WAIT_SECONDS } from './tools.ts'

/** A message to /mcp. */
export interface Message {
  request: Request
  /** Authenticates its caller. @throws Problem `unauthenticated`, `rate_limited` */
  identify: () => Promise<FoundCaller>
  /** Whether an operation has authenticated its caller. */
  isIdentified: boolean
  /** Set if an operation refused its token. */
  refusal: ProblemDocument | null
}

/** Seconds to wait. @throws Problem `validation_failed` */
function secondsOf(wait: unknown): number {
  if (wait === undefined) return MAX_WAIT_SECONDS
  if (typeof wait === 'number' && Number.isInteger(wait) && wait >= 1 && wait <= MAX_WAIT_SECONDS) return wait
  throw invalidField('/wait', 'malformed', `must be a whole number from 1 to ${MAX_WAIT_SECONDS}`)
}

/** Refuses numbers above what a result has space for: the operation allows more. @throws Problem `validation_failed` */
function requireLimits({ tool, published }: Definition, args: Arguments): void {
  const { properties } = published.inputSchema as { properties: Record<string, { maximum?: number }> }
  for (const name of Object.keys(tool.args)) {
    const [given, most] = [args[name], properties[name]?.maximum]
    if (typeof given === 'number' && most !== undefined && given > most)
      throw invalidField(`/${name}`, 'too_large', `must be <= ${most}`)
  }
}

/** The project of the caller's token, if it is that of one. @throws Problem `validation_failed` */
async function projectOf({ identify }: Message): Promise<string> {
  const project_id = (await identify()).service_account?.project_id
  if (project_id) return project_id
  throw invalidField('/project_id', 'required', 'is required: your token is not that of one project')
}

/** The operation that arguments choose, and what it is sent. */
async function requestFor(message: Message, definition: Definition, given: Arguments): Promise<[Operation, Arguments]> {
  const { tool, operation, alternative } = definition
  requireLimits(definition, given)
  const chosen = alternative && given[tool.or?.argument ?? ''] !== undefined ? alternative : operation
  const args: Arguments = { ...given, ...(chosen === operation ? tool.fixed : {}) }
  for (const name of tool.optional ?? []) args[name] ??= await projectOf(message)
  const limit = (tool.args.limit ?? tool.args.page_size)?.default
  if (limit !== undefined) args[tool.args.limit ? 'limit' : 'page_size'] ??= limit
  return [chosen, args]
}

/** Calls the operation of a tool. */
export async function perform(message: Message, definition: Definition, given: Arguments): Promise<Outcome> {
  try {
    const { idempotency_key, wait, ...rest } = given
    const waits = 'wait' in definition.tool.args
    const [operation, args] = await requestFor(message, definition, {
      ...rest,
      // An argument that the tool does not have is refused by the operation.
      ...(waits || wait === undefined ? {} : { wait }),
      ...(definition.isReading && idempotency_key !== undefined ? { idempotency_key } : {}),
    })
    const idempotencyKey = definition.isReading ? undefined : idempotency_key
    const outcome = await callOperation(message.request, operation, args, {
      idempotencyKey,
      wait: waits ? secondsOf(wait) : undefined,
    })
    message.isIdentified = true
    if (!outcome.ok && outcome.problem.status === 401) message.refusal = outcome.problem
    return outcome
  } catch (error) {
    return refused(error)
  }
}

interface PageOfRecords {
  items: unknown[]
  total: number
}

const isPage = (body: unknown): body is PageOfRecords =>
  typeof body === 'object' && body !== null && 'items' in body && 'total' in body && Array.isArray(body.items)

/** The record that an operation returned, under its name. */
function contentOf(record: string, body: unknown): Record<string, unknown> {
  if (!isPage(body)) return { [record]: body }
  const { items, ...page } = body
  return { [record]: items, ...page }
}

/** What a model gets for what an operation answered. */
export function toolResult({ tool, texts }: Definition, outcome: Outcome): CallToolResult {
  if (!outcome.ok) return refusalOf(outcome.problem, outcome.retryAfter)
  const content = contentOf(tool.record, outcome.body)
  return resultOf({ content, texts, advice: tool.advice?.(outcome.body as never) ?? null })
}
