/** What tools publish: their descriptions with the schemas of their operations; and who may use them. */
import type { Tool as PublishedTool } from '@modelcontextprotocol/server'
import type { FoundCaller } from '../plugins/callers.ts'
import { admittingScopes } from '../plugins/scopes.ts'
import { type Operation, operationOf, responseOf } from './operations.ts'
import { argumentsOf, type JsonSchema, type ObjectSchema, resultOf, textsIn } from './schemas.ts'
import { TOOLS, type Tool } from './tools.ts'

export interface Definition {
  tool: Tool
  operation: Operation
  alternative: Operation | null
  isReading: boolean
  published: PublishedTool
  /** The pointers of free texts in its results. */
  texts: string[]
}

const IDEMPOTENCY_KEY: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A text that you make up for this change, such as a UUID. If an answer is lost, repeat the same call with the same key: the change is made once, and you get its answer. The answer is kept for 24 hours.',
}

function inputOf(tool: Tool, operation: Operation, alternative: Operation | null, isReading: boolean): ObjectSchema {
  const { properties, required } = argumentsOf(operation)
  const others = alternative && argumentsOf(alternative)
  const all: ObjectSchema['properties'] = {
    ...others?.properties,
    ...properties,
    ...(isReading ? {} : { idempotency_key: IDEMPOTENCY_KEY }),
  }
  for (const [name, own] of Object.entries(tool.args)) all[name] = { ...all[name], ...own }
  const left = Object.entries(all).filter(([name]) => !(name in (tool.fixed ?? {})))
  return {
    type: 'object',
    properties: Object.fromEntries(left),
    required: required.filter((name) => !tool.optional?.includes(name) && (others === null || others.required.includes(name))),
    additionalProperties: false,
  }
}

function textsOf(operation: Operation, record: string): string[] {
  const schema = responseOf(operation) as JsonSchema
  const items = (schema.properties as ObjectSchema['properties'] | undefined)?.items
  return [...new Set(items === undefined ? textsIn(schema, `/${record}`) : textsIn(items, `/${record}`))]
}

function define(tool: Tool): Definition {
  const operation = operationOf(tool.operation)
  const alternative = tool.or ? operationOf(tool.or.operation) : null
  const isReading = operation.method === 'GET'
  return {
    tool,
    operation,
    alternative,
    isReading,
    texts: textsOf(operation, tool.record),
    published: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputOf(tool, operation, alternative, isReading) as PublishedTool['inputSchema'],
      outputSchema: resultOf(operation, tool.record) as PublishedTool['outputSchema'],
      annotations: {
        title: tool.title,
        readOnlyHint: isReading,
        // None deletes anything; what an execution or a rollout became stands.
        destructiveHint: false,
        idempotentHint: isReading || tool.isIdempotent === true,
        openWorldHint: false,
      },
    },
  }
}

let defined: Map<string, Definition> | undefined

/** All tools by name, made at the first use, when all routes are registered. */
export function definitions(): Map<string, Definition> {
  defined ??= new Map(TOOLS.map((tool) => [tool.name, define(tool)]))
  return defined
}

/** Whether a caller may use a tool, as far as their token says. */
export function isOffered({ operation, isReading }: Definition, { scope, service_account }: FoundCaller): boolean {
  if (!service_account) return isReading || scope !== 'read'
  const needed = operation.about['x-access'].scopes ?? null
  return needed === 'any' || admittingScopes(service_account, needed).length > 0
}
