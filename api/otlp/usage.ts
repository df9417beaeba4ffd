/** What a span or log record says about the use of a model, by the conventions of those who send it. */

import { roundUsd } from '../../core/values/money.ts'
import { isPlainLine } from '../../core/values/plain-text.ts'
import type { Attributes, Signal, TelemetryRecord } from './records.ts'

/** The use of a model. */
export interface TelemetryUsage {
  model: string
  /** Includes what was read from and written to the cache. */
  input: number
  cached: number
  written: number
  /** Includes reasoning. */
  output: number
  reasoning: number
  /** Null: not reported. */
  usd: number | null
  /** What identifies it. */
  key: string | Uint8Array
  /** Of an event: the key that its span has. */
  span_key: string | null
}

/** Thrown for a record with counts or costs that cannot be. */
class InvalidUsage extends Error {}

const LARGEST_COUNT = 2_147_483_647
const LARGEST_USD = 1e9
const MAX_MODEL = 200

/** Operations that call a model; agents, tools and others contain or follow these. */
const INFERENCE = new Set(['chat', 'generate_content', 'text_completion'])

/** A count. Some clients send numbers as text. */
function count(attributes: Attributes, ...names: string[]): number {
  const value = names.map((name) => attributes.get(name)).find((each) => each !== undefined)
  if (value === undefined) return 0
  const number = typeof value === 'number' ? value : /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN
  return checked(number)
}

function checked(number: number): number {
  if (!Number.isInteger(number) || number < 0 || number > LARGEST_COUNT) throw new InvalidUsage()
  return number
}

function amount(attributes: Attributes, name: string): number | null {
  const value = attributes.get(name)
  if (value === undefined) return null
  const usd = typeof value === 'number' ? value : /^\d+(\.\d+)?(e-?\d+)?$/i.test(value) ? Number(value) : Number.NaN
  if (!(usd >= 0 && usd <= LARGEST_USD)) throw new InvalidUsage()
  return roundUsd(usd)
}

function modelIn(attributes: Attributes, ...names: string[]): string {
  const value = names.map((name) => attributes.get(name)).find((each) => each !== undefined) ?? 'unknown'
  const model = String(value).trim().normalize('NFC')
  if (model === '' || [...model].length > MAX_MODEL || !model.isWellFormed() || !isPlainLine(model)) throw new InvalidUsage()
  return model
}

const spanKey = ({ trace_id, span_id }: TelemetryRecord): string | null =>
  trace_id !== '' && span_id !== '' ? `span ${trace_id} ${span_id}` : null

/** The key of a log record: that of the request, else all of it. */
function logKey({ attributes, whole }: TelemetryRecord, name: string): string | Uint8Array {
  const id = attributes.get(name)
  return id === undefined || id === '' ? whole() : `request ${id}`
}

/** OpenTelemetry's conventions for generative AI. */
function genAiUsage(record: TelemetryRecord): Omit<TelemetryUsage, 'key' | 'span_key'> | null {
  const { attributes } = record
  const has = (...names: string[]) => names.some((name) => attributes.has(`gen_ai.usage.${name}`))
  if (!INFERENCE.has(String(attributes.get('gen_ai.operation.name')))) return null
  if (!has('input_tokens', 'output_tokens', 'prompt_tokens', 'completion_tokens')) return null
  const counted = (...names: string[]) => count(attributes, ...names.map((name) => `gen_ai.usage.${name}`))
  return {
    model: modelIn(attributes, 'gen_ai.response.model', 'gen_ai.request.model'),
    input: counted('input_tokens', 'prompt_tokens'),
    cached: counted('cache_read.input_tokens'),
    written: counted('cache_write.input_tokens', 'cache_creation.input_tokens'),
    output: counted('output_tokens', 'completion_tokens'),
    reasoning: counted('reasoning.output_tokens'),
    usd: null,
  }
}

/** Claude Code counts what is cached apart from the input. */
function claudeCodeUsage(record: TelemetryRecord): TelemetryUsage {
  const { attributes } = record
  const [cached, written] = [count(attributes, 'cache_read_tokens'), count(attributes, 'cache_creation_tokens')]
  return {
    model: modelIn(attributes, 'model'),
    input: checked(count(attributes, 'input_tokens') + cached + written),
    cached,
    written,
    output: count(attributes, 'output_tokens'),
    reasoning: 0,
    usd: amount(attributes, 'cost_usd'),
    key: logKey(record, 'request_id'),
    span_key: null,
  }
}

/** Codex sends events of a response; the last one has its counts. */
function codexUsage(record: TelemetryRecord): TelemetryUsage | null {
  const { attributes } = record
  if (!attributes.has('input_token_count') && !attributes.has('output_token_count')) return null
  return {
    model: modelIn(attributes, 'model'),
    input: count(attributes, 'input_token_count'),
    cached: count(attributes, 'cached_token_count'),
    written: count(attributes, 'cache_write_token_count'),
    output: count(attributes, 'output_token_count'),
    reasoning: count(attributes, 'reasoning_token_count'),
    usd: null,
    key: logKey(record, 'request_id'),
    span_key: null,
  }
}

function spanUsage(record: TelemetryRecord): TelemetryUsage | null {
  const usage = genAiUsage(record)
  // Claude Code sends its requests as events, too.
  if (usage === null || record.names.some((name) => name.startsWith('claude_code.'))) return null
  const key = spanKey(record)
  if (key === null) throw new InvalidUsage()
  return { ...usage, key, span_key: null }
}

function logUsage(record: TelemetryRecord): TelemetryUsage | null {
  const is = (name: string) => record.names.includes(name)
  if (is('claude_code.api_request')) return claudeCodeUsage(record)
  if (is('codex.sse_event') || is('codex.websocket_event')) return codexUsage(record)
  if (!record.names.some((name) => name.startsWith('gen_ai.'))) return null
  const usage = genAiUsage(record)
  return usage && { ...usage, key: logKey(record, 'gen_ai.response.id'), span_key: spanKey(record) }
}

/**
 * The use of a model that a record reports.
 *
 * @returns null if it reports none; 'invalid' if its counts, costs or names cannot be
 */
export function usageOf(signal: Signal, record: TelemetryRecord): TelemetryUsage | null | 'invalid' {
  try {
    return signal === 'traces' ? spanUsage(record) : logUsage(record)
  } catch (error) {
    if (error instanceof InvalidUsage) return 'invalid'
    throw error
  }
}
