/** What a span or log record says about the use of a model, by the conventions of those who send it. */
import { roundUsd } from '../../core/values/money.ts'
import { isPlainLine } from '../../core/values/plain-text.ts'
import { type Counts, tooSmall } from '../executions/usage-values.ts'
import { type Attributes, COUNTS, type Signal, type TelemetryRecord } from './records.ts'

export interface TelemetryUsage extends Counts {
  model: string
  /** Null: not reported. */
  usd: number | null
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
const INFERENCE = new Set(['chat', 'generate_content', 'text_completion', 'completion'])

/** Whether a record is about a call of a model; null if it does not say so. Older instrumentations have another name for the operation. */
function isInference({ attributes }: TelemetryRecord): boolean | null {
  const operation = attributes.get('gen_ai.operation.name') || attributes.get('llm.request.type')
  return operation ? INFERENCE.has(String(operation).toLowerCase()) : null
}

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
  const value = names.map((name) => attributes.get(name)).find((each) => each !== undefined && each !== '') ?? 'unknown'
  const model = String(value).trim().normalize('NFC')
  if (model === '' || Number.isNaN(value) || [...model].length > MAX_MODEL || !model.isWellFormed() || !isPlainLine(model))
    throw new InvalidUsage()
  return model
}

/** The key of a span, or of the one of a log record. */
const spanKey = (trace_id: string, span_id: string): string | null =>
  trace_id !== '' && span_id !== '' ? `span ${trace_id} ${span_id}` : null

/** The key of a log record: the id of the request, else the whole record. */
function logKey({ attributes, whole }: TelemetryRecord, name: string): string | Uint8Array {
  const id = attributes.get(name)
  return typeof id !== 'string' || id === '' ? whole() : `request ${id}`
}

const MODELS = ['gen_ai.response.model', 'gen_ai.request.model']

/** OpenTelemetry's conventions for generative AI. */
function genAiUsage(record: TelemetryRecord): Omit<TelemetryUsage, 'key' | 'span_key'> | null {
  const { attributes } = record
  const has = (names: string[]) => names.some((name) => attributes.has(name))
  if (!(isInference(record) ?? has(MODELS)) || !has([...COUNTS.input, ...COUNTS.output])) return null
  return {
    model: modelIn(attributes, ...MODELS),
    input: count(attributes, ...COUNTS.input),
    cached: count(attributes, ...COUNTS.cached),
    written: count(attributes, ...COUNTS.written),
    output: count(attributes, ...COUNTS.output),
    reasoning: count(attributes, ...COUNTS.reasoning),
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
  const key = spanKey(record.trace_id, record.span_id)
  if (key === null) throw new InvalidUsage()
  return { ...usage, key, span_key: null }
}

function logUsage(record: TelemetryRecord): TelemetryUsage | null {
  const is = (name: string) => record.names.includes(name)
  if (is('claude_code.api_request')) return claudeCodeUsage(record)
  if (is('codex.sse_event') || is('codex.websocket_event')) return codexUsage(record)
  if (!record.names.some((name) => name.startsWith('gen_ai.'))) return null
  const usage = genAiUsage(record)
  return usage && { ...usage, key: logKey(record, 'gen_ai.response.id'), span_key: spanKey(record.trace_id, record.span_id) }
}

/**
 * The use of a model that a record reports.
 * @returns null if it reports none; 'invalid' if its counts, costs or names cannot be
 */
export function usageOf(signal: Signal, record: TelemetryRecord): TelemetryUsage | null | 'invalid' {
  try {
    const usage = signal === 'traces' ? spanUsage(record) : logUsage(record)
    return usage !== null && tooSmall(usage) !== null ? 'invalid' : usage
  } catch (error) {
    if (error instanceof InvalidUsage) return 'invalid'
    throw error
  }
}

/** How many spans are looked through: enough for every framework, and few for a trace that someone made up. */
const MAX_DEPTH = 32

/** The place of a span among those of its export. */
export interface Place {
  /** The key of the span around it that may report the same call; null if there is none. */
  outer_key: string | null
  /** Whether a span that counts is within it. */
  isOuter: boolean
}

/**
 * Finds the places of spans. Other spans in between, such as one of an HTTP request, are looked through; those of tools and agents are not:
 * a call within a tool is another one.
 * @param usages of the records
 */
export function placesOf(records: TelemetryRecord[], usages: (TelemetryUsage | null | 'invalid')[]): Place[] {
  // The same span of another execution is another one.
  const nameOf = ({ execution }: TelemetryRecord, key: string | null) => (key === null ? null : `${execution} ${key}`)
  const names = records.map((record) => nameOf(record, spanKey(record.trace_id, record.span_id)))
  const numbers = new Map(names.map((name, at) => [name, at]))
  const counts = (at: number) => usages[at] !== null && usages[at] !== 'invalid'

  function outerKeyOf(record: TelemetryRecord, at: number): string | null {
    let outer_key: string | null = null
    let isFound = false
    let { parent_id } = record
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const key = spanKey(record.trace_id, parent_id)
      if (key === null) break
      if (!isFound) outer_key = key
      const number = numbers.get(nameOf(record, key))
      const parent = number === undefined ? undefined : records[number]
      if (number === undefined || parent === undefined) break
      // A trace that is no tree, in which each would be around the other.
      if (number === at) return null
      if (!isFound && isInference(parent) === false) return null
      isFound ||= counts(number)
      parent_id = parent.parent_id
    }
    return outer_key
  }

  const outerKeys = records.map((record, at) => (counts(at) ? outerKeyOf(record, at) : null))
  const outers = new Set(records.map((record, at) => nameOf(record, outerKeys[at] ?? null)))
  return names.map((name, at) => ({ outer_key: outerKeys[at] ?? null, isOuter: name !== null && counts(at) && outers.has(name) }))
}
