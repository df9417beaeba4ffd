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
import { maskOf } from '../../core/security/masking.ts'
import type { Static, TSchema } from '../../core/values/schema.ts'
import { costOf } from './price.ts'
import { disableUnsupported, type ServerFeatures } from './server-features.ts'
import { parseAnswer, wireSchema } from './structured.ts'

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
  /** The instructions. Must not contain data of tenants. */
  system: string
  /** The data. */
  user: string
  /** The name of the schema: letters, digits, `_` and `-`. */
  name: string
  /** The schema of the answer; all fields are required. */
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

/** The fields of a completion that are used. A server may omit any of them. */
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
