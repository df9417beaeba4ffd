/**
 * The model that the operator has set: one client, one question, one answer that was checked. Failures are values, and
 * what a call has cost is told of failures too.
 *
 * AI_BASE_URL is the operator's own setting: the rules for addresses that tenants give do not apply to it.
 */
import OpenAI, { APIConnectionError, APIError } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { Compile } from 'typebox/compile'
import { config } from '../../core/platform/config.ts'
import { log } from '../../core/platform/log.ts'
import type { Static, TSchema } from '../../core/values/schema.ts'
import { maskOf } from '../outbound/masking.ts'
import { costOf } from './price.ts'
import { type Accepted, yieldTo } from './server-limits.ts'
import { parseAnswer, wireSchema } from './structured.ts'

/** A first try, and two more where the server was busy or away. */
const RETRIES = 2

const client =
  config.AI_BASE_URL === undefined
    ? null
    : new OpenAI({
        baseURL: config.AI_BASE_URL,
        apiKey: config.AI_API_KEY ?? 'none',
        // Nothing of an environment that is meant for other programs counts here.
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        logLevel: 'off',
        maxRetries: RETRIES,
        timeout: config.AI_TIMEOUT_SECONDS * 1000,
        // Neither the question nor the key goes where the operator did not send them.
        fetchOptions: { redirect: 'manual' },
      })

/** A server, or a proxy before it, may repeat the key; what the model says is stored and shown. */
const mask = maskOf(config.AI_API_KEY === undefined ? [] : [config.AI_API_KEY])
const masked = (text: string | null | undefined): string | null => (typeof text === 'string' ? mask(text) : null)

/** Name of the model; null where the operator has set none. */
export const modelName: string | null = client && config.AI_MODEL !== undefined ? config.AI_MODEL : null

/** One question. */
export interface Question<Schema extends TSchema> {
  /** What the model is to do: our own words alone. */
  system: string
  /** What it is to do it with. */
  user: string
  /** Name of the shape of the answer: letters, digits, `_` and `-`. */
  name: string
  /** What an answer must be; every field is required. */
  schema: Schema
}

/** What came of a question. `failure` is a sentence for whoever asked, without a word of the server's. */
export type Asked<Answer> = { cost_usd: number } & ({ ok: true; answer: Answer } | { ok: false; failure: string })

class Failure extends Error {}

/** What the server accepts, as this process has learned it. */
const accepted: Accepted = { format: 'json_schema', temperature: true, limit: 'max_tokens' }

function requestOf(model: string, { system, user, name, schema }: Question<TSchema>, now: Accepted) {
  const formats = {
    json_schema: { type: 'json_schema', json_schema: { name, strict: true, schema: wireSchema(schema) } },
    json_object: { type: 'json_object' },
    text: undefined,
  } as const
  // A server that takes no schema still has to be told what an answer looks like.
  const told = now.format === 'json_schema' ? '' : `\n\nThe JSON schema of the answer:\n${JSON.stringify(wireSchema(schema))}`
  const request: ChatCompletionCreateParamsNonStreaming = {
    model,
    messages: [
      { role: 'system', content: system + told },
      { role: 'user', content: user },
    ],
    [now.limit]: config.AI_MAX_TOKENS,
  }
  if (now.temperature) request.temperature = 0
  if (formats[now.format]) request.response_format = formats[now.format]
  return request
}

/** Sends the question; where the server does not know a part of the request, it is sent again without. */
async function send(model: string, question: Question<TSchema>, signal: AbortSignal): Promise<unknown> {
  for (;;) {
    const now = { ...accepted }
    try {
      return await client?.chat.completions.create(requestOf(model, question, now), { signal })
    } catch (error) {
      if (!(error instanceof APIError) || !yieldTo(accepted, now, error.status, error.message)) throw error
    }
  }
}

/** The fields of a completion that are looked at, of which a server may leave out any. */
interface Completion {
  choices?: { finish_reason?: string; message?: { content?: string | null; refusal?: string | null } }[]
  usage?: unknown
}

function textOf({ choices }: Completion): string {
  const [choice] = Array.isArray(choices) ? choices : []
  if (choice?.message?.refusal) throw new Failure('The model refused to answer.')
  if (choice?.finish_reason === 'content_filter') throw new Failure("The filter of the model's server held the answer back.")
  if (choice?.finish_reason === 'length')
    throw new Failure(`The answer was cut off: the model needed more than ${config.AI_MAX_TOKENS} tokens.`)
  if (typeof choice?.message?.content !== 'string' || choice.message.content === '')
    throw new Failure('The model gave no answer.')
  return choice.message.content
}

/** A sentence about an error: its kind, and nothing of its text, which may hold a part of a key. */
function sentenceOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof Failure) return error.message
  if (signal.aborted) return `The model gave no answer within ${config.AI_TIMEOUT_SECONDS} seconds.`
  if (error instanceof APIConnectionError) return "The model's server could not be reached."
  if (!(error instanceof APIError) || error.status === undefined) return "The model's server gave an answer that cannot be read."
  if (error.status >= 300 && error.status < 400)
    return `The model's server redirected the question (${error.status}), which is not followed: AI_BASE_URL must be the address that answers.`
  if (error.status === 401 || error.status === 403) return `The model's server refused the key of the operator (${error.status}).`
  if (error.status === 404) return "The model's server knows no such model (404)."
  if (error.status === 429) return `The model's server was too busy (429), ${RETRIES + 1} times.`
  if (error.status >= 500) return `The model's server failed (${error.status}), ${RETRIES + 1} times.`
  return `The model's server refused the question (${error.status}).`
}

/** What the operator may want to know of an error; never its text. */
const traceOf = (error: unknown) =>
  error instanceof APIError
    ? { status: error.status, code: masked(error.code), type: masked(error.type), server_request_id: masked(error.requestID) }
    : { kind: error instanceof Error ? error.name : typeof error }

/**
 * Asks the model. It never throws: whatever happens is the outcome.
 *
 * All of it, with up to two repeats that heed `Retry-After`, takes no longer than AI_TIMEOUT_SECONDS, and an answer no
 * more than AI_MAX_TOKENS. A call that was given up is not charged: nobody said what it has cost.
 */
export async function askModel<Schema extends TSchema>(question: Question<Schema>): Promise<Asked<Static<Schema>>> {
  if (modelName === null) return { ok: false, failure: 'There is no model.', cost_usd: 0 }
  const deadline = AbortSignal.timeout(config.AI_TIMEOUT_SECONDS * 1000)
  let cost_usd = 0
  try {
    const given = await send(modelName, question, deadline)
    if (typeof given !== 'object' || given === null) throw new Failure("The model's server gave an answer that cannot be read.")
    const completion: Completion = given
    cost_usd = costOf(completion.usage, config.AI_PRICE_INPUT, config.AI_PRICE_OUTPUT)
    const answer = parseAnswer(textOf(completion), mask)
    if (answer === undefined) throw new Failure('The answer of the model is not JSON.')
    const validator = Compile(question.schema)
    if (!validator.Check(answer)) {
      const [fault] = validator.Errors(answer) as { instancePath: string }[]
      throw new Failure(`The answer of the model is not of the shape that was asked for${placeOf(fault?.instancePath)}.`)
    }
    return { ok: true, answer: answer as Static<Schema>, cost_usd }
  } catch (error) {
    const failure = sentenceOf(error, deadline)
    log.warn({ model: modelName, question: question.name, failure, ...traceOf(error) }, 'the model gave no answer that counts')
    return { ok: false, failure, cost_usd }
  }
}

/** Where an answer is wrong; its own words are not repeated beyond what a path looks like. */
const placeOf = (path = ''): string => (/^(\/\w{1,40}){1,5}$/.test(path) ? ` (${path})` : '')
