/**
 * The client of the configured model. It returns a validated answer, or a failure; both with the cost of the call.
 *
 * AI_BASE_URL is set by the operator, so the address rules for tenants' URLs do not apply to it.
 */
import OpenAI, { APIConnectionError, APIError } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { Compile } from 'typebox/compile'
import { config } from '../../core/platform/config.ts'
import { log } from '../../core/platform/log.ts'
import { type Mask, maskOf } from '../../core/security/masking.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import type { Static, TSchema } from '../../core/values/schema.ts'
import type { Tx } from '../../sql/index.ts'

/** More than any call uses; higher numbers are errors of the server. */
const MAX_TOKENS = 1e8

const tokensOf = (usage: unknown, name: string): number => {
  const count = typeof usage === 'object' && usage !== null ? (usage as Record<string, unknown>)[name] : 0
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_TOKENS ? count : 0
}

const MILLION = 1_000_000n
const HALF = MILLION / 2n

/** Exact, because prices have six decimals. */
const millionthsOf = (usd: number): bigint => BigInt(Math.round(usd * 1e6))

/** USD, rounded half up to six decimals. Prices are per million tokens; missing and invalid numbers of `usage` count as 0. */
export function costOf(usage: unknown, input: number, output: number): number {
  const read = BigInt(tokensOf(usage, 'prompt_tokens')) * millionthsOf(input)
  const written = BigInt(tokensOf(usage, 'completion_tokens')) * millionthsOf(output)
  return Number((read + written + HALF) / MILLION) / 1e6
}

/** Features of requests that not every server supports. */
interface ServerFeatures {
  format: 'json_schema' | 'json_object' | 'text'
  temperature: boolean
  limit: 'max_tokens' | 'max_completion_tokens'
}

const FALLBACKS = { json_schema: 'json_object', json_object: 'text', text: 'text' } as const

/** Disables the feature that an error message names, in `supported`. @returns whether to retry the request */
function disableUnsupported(supported: ServerFeatures, sent: ServerFeatures, status: number | undefined, message: string) {
  if (status !== 400 && status !== 422) return false
  if (/max_tokens/.test(message) && sent.limit === 'max_tokens') supported.limit = 'max_completion_tokens'
  else if (/temperature/.test(message) && sent.temperature) supported.temperature = false
  else if (/response_format|json_schema|json_object/.test(message) && sent.format !== 'text')
    supported.format = FALLBACKS[sent.format]
  else return false
  return true
}

/** Keywords that every server with structured output supports. Other constraints are only checked on the answer. */
const KEYWORDS = new Set(['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description', 'anyOf'])

const wireSchema = (schema: TSchema): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => (KEYWORDS.has(key) ? [[key, wireValue(key, value)]] : [])))

function wireValue(key: string, value: unknown): unknown {
  if (key === 'items') return wireSchema(value as TSchema)
  if (key === 'anyOf') return (value as TSchema[]).map(wireSchema)
  if (key !== 'properties') return value
  return Object.fromEntries(Object.entries(value as Record<string, TSchema>).map(([name, field]) => [name, wireSchema(field)]))
}

/** Parses the JSON of an answer, which may be surrounded by text or a code fence; undefined if there is none. Masks its strings. */
function parseAnswer(text: string, mask: Mask): unknown {
  // JSON can contain U+0000 and lone surrogates, which PostgreSQL cannot store.
  const storable = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? mask(value.replaceAll('\0', '').toWellFormed()) : value
  for (const candidate of [text, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(candidate, storable)
    } catch {
      // Try the next candidate.
    }
  }
}

/** Retries if the server is busy or unavailable. */
const RETRIES = 2

const client =
  config.AI_BASE_URL === undefined
    ? null
    : new OpenAI({
        baseURL: config.AI_BASE_URL,
        apiKey: config.AI_API_KEY ?? 'none',
        // Ignores environment variables that are meant for other programs.
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        logLevel: 'off',
        maxRetries: RETRIES,
        timeout: config.AI_TIMEOUT_SECONDS * 1000,
        // Redirects could send the prompt and the key to another server.
        fetchOptions: { redirect: 'manual' },
      })

/** The server or a proxy may repeat the key, and answers are stored and shown. */
const mask = maskOf(config.AI_API_KEY === undefined ? [] : [config.AI_API_KEY])
const masked = (text: string | null | undefined): string | null => (typeof text === 'string' ? mask(text) : null)

/** The name of the model; null if none is configured. */
export const modelName: string | null = client && config.AI_MODEL !== undefined ? config.AI_MODEL : null

interface ModelPrompt<Schema extends TSchema> {
  system: string
  user: string
  /** The name of the schema: letters, digits, `_` and `-`. */
  name: string
  schema: Schema
}

/** The result of a call. `failure` is a sentence for users, without text from the server. */
export type ModelResult<Answer> = { cost_usd: number } & ({ ok: true; answer: Answer } | { ok: false; failure: string })

class ModelFailure extends Error {}

/** What the server supports, as far as this process has learned from its errors. */
const supported: ServerFeatures = { format: 'json_schema', temperature: true, limit: 'max_tokens' }

function requestOf(model: string, { system, user, name, schema }: ModelPrompt<TSchema>, features: ServerFeatures) {
  const formats = {
    json_schema: { type: 'json_schema', json_schema: { name, strict: true, schema: wireSchema(schema) } },
    json_object: { type: 'json_object' },
    text: undefined,
  } as const
  // If the server does not support schemas, the schema is part of the prompt.
  const hint =
    features.format === 'json_schema' ? '' : `\n\nThe JSON schema of the answer:\n${JSON.stringify(wireSchema(schema))}`
  const request: ChatCompletionCreateParamsNonStreaming = {
    model,
    messages: [
      { role: 'system', content: system + hint },
      { role: 'user', content: user },
    ],
    [features.limit]: config.AI_MAX_TOKENS,
  }
  if (features.temperature) request.temperature = 0
  if (formats[features.format]) request.response_format = formats[features.format]
  return request
}

/** Sends a prompt. If the server does not support a feature, it is sent again without it. */
async function send(model: string, prompt: ModelPrompt<TSchema>, signal: AbortSignal): Promise<unknown> {
  for (;;) {
    const features = { ...supported }
    try {
      return await client?.chat.completions.create(requestOf(model, prompt, features), { signal })
    } catch (error) {
      if (!(error instanceof APIError) || !disableUnsupported(supported, features, error.status, error.message)) throw error
    }
  }
}

interface ChatCompletion {
  choices?: { finish_reason?: string; message?: { content?: string | null; refusal?: string | null } }[]
  usage?: unknown
}

function textOf({ choices }: ChatCompletion): string {
  const [choice] = Array.isArray(choices) ? choices : []
  if (choice?.message?.refusal) throw new ModelFailure('The model refused to answer.')
  if (choice?.finish_reason === 'content_filter')
    throw new ModelFailure("The content filter of the model's server blocked the answer.")
  if (choice?.finish_reason === 'length')
    throw new ModelFailure(`The answer was cut off: the model needed more than ${config.AI_MAX_TOKENS} tokens.`)
  if (typeof choice?.message?.content !== 'string' || choice.message.content === '')
    throw new ModelFailure('The model returned an empty answer.')
  return choice.message.content
}

/** Describes an error in a sentence, without its message, which may contain a part of the key. */
function sentenceOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ModelFailure) return error.message
  if (signal.aborted) return `The model did not answer within ${config.AI_TIMEOUT_SECONDS} seconds.`
  if (error instanceof APIConnectionError) return "The model's server could not be reached."
  if (!(error instanceof APIError) || error.status === undefined) return "The response of the model's server is not valid."
  if (error.status >= 300 && error.status < 400)
    return `The model's server redirected the request (${error.status}). Redirects are not followed: AI_BASE_URL must be the final URL.`
  if (error.status === 401 || error.status === 403) return `The model's server rejected the API key (${error.status}).`
  if (error.status === 404) return "The model's server does not have this model (404)."
  if (error.status === 429) return `The model's server was too busy (429) in all ${RETRIES + 1} attempts.`
  if (error.status >= 500) return `The model's server failed (${error.status}) in all ${RETRIES + 1} attempts.`
  return `The model's server rejected the request (${error.status}).`
}

/** The fields of an error for the log; never its message. */
const logFields = (error: unknown) =>
  error instanceof APIError
    ? { status: error.status, code: masked(error.code), type: masked(error.type), server_request_id: masked(error.requestID) }
    : { kind: error instanceof Error ? error.name : typeof error }

/**
 * Calls the model. Never throws.
 *
 * The call takes at most AI_TIMEOUT_SECONDS, including up to two retries that respect `Retry-After`, and the answer has at most
 * AI_MAX_TOKENS. A call that timed out costs nothing here, because the server did not report its usage.
 */
export async function askModel<Schema extends TSchema>(prompt: ModelPrompt<Schema>): Promise<ModelResult<Static<Schema>>> {
  if (modelName === null) return { ok: false, failure: 'No model is configured.', cost_usd: 0 }
  const deadline = AbortSignal.timeout(config.AI_TIMEOUT_SECONDS * 1000)
  let cost_usd = 0
  try {
    const response = await send(modelName, prompt, deadline)
    if (typeof response !== 'object' || response === null)
      throw new ModelFailure("The response of the model's server is not valid.")
    const completion: ChatCompletion = response
    cost_usd = costOf(completion.usage, config.AI_PRICE_INPUT, config.AI_PRICE_OUTPUT)
    const answer = parseAnswer(textOf(completion), mask)
    if (answer === undefined) throw new ModelFailure('The answer of the model is not JSON.')
    const validator = Compile(prompt.schema)
    if (!validator.Check(answer)) {
      const [error] = validator.Errors(answer) as { instancePath: string }[]
      throw new ModelFailure(`The answer of the model does not match the schema${pathSuffix(error?.instancePath)}.`)
    }
    return { ok: true, answer: answer as Static<Schema>, cost_usd }
  } catch (error) {
    const failure = sentenceOf(error, deadline)
    log.warn({ model: modelName, question: prompt.name, failure, ...logFields(error) }, 'no valid answer from the model')
    return { ok: false, failure, cost_usd }
  }
}

/** Where the answer is wrong. The path contains keys of the answer, so only plain ones are shown. */
const pathSuffix = (path = ''): string => (/^(\/\w{1,40}){1,5}$/.test(path) ? ` (${path})` : '')

/** Locks organization and workspace in the same order as a deletion. False if either is deleted; nothing is charged then. */
export async function lockTenant(tx: Tx, { organization_id, workspace_id }: Scope): Promise<boolean> {
  const [organization] = await tx`select from organizations where id = ${organization_id} for key share`
  const [workspace] = await tx`
    select from workspaces where id = ${workspace_id} and organization_id = ${organization_id} for key share
  `
  return organization !== undefined && workspace !== undefined
}
