/** Spans and log records of an OTLP export, from Protocol Buffers or JSON. Of their attributes only those are read that usage needs. */
import { isObject } from '../../core/values/json.ts'
import { bytesOf, doubleOf, type FieldValue, fixedOf, MalformedMessage, readFields, textOf } from './wire.ts'

/** Counts of OpenTelemetry's conventions for generative AI: today's name first, then older ones and those of single instrumentations. */
export const COUNTS = {
  input: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.usage.prompt_tokens'],
  cached: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cached_input_tokens',
    'gen_ai.usage.input_tokens.cached',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.details.cached_tokens',
    'ai.usage.cachedInputTokens',
  ],
  written: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.cache_write_input_tokens',
    'gen_ai.usage.input_tokens.cache_write',
    'gen_ai.usage.details.cache_write_tokens',
  ],
  output: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.usage.completion_tokens'],
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.output_tokens.reasoning',
    'gen_ai.usage.details.reasoning_tokens',
    'ai.usage.reasoningTokens',
  ],
}

/** What may be read of resources, spans and log records. Everything else, prompts and answers among it, is skipped. */
const WANTED = new Set([
  'signalbox.execution_id',
  'event.name',
  'event.kind',
  'model',
  'cost_usd',
  'request_id',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'input_token_count',
  'output_token_count',
  'cached_token_count',
  'cache_write_token_count',
  'reasoning_token_count',
  'gen_ai.operation.name',
  'llm.request.type',
  'gen_ai.request.model',
  'gen_ai.response.model',
  'gen_ai.response.id',
  ...Object.values(COUNTS).flat(),
])

/** The longest name that is wanted, in bytes. */
const LONGEST = Math.max(...[...WANTED].map((name) => name.length))

/** Longer texts are no names, ids or numbers. */
const MAX_TEXT = 1_000

/** Stands for a value that is neither a text nor a number, or too long: no count, and no name. */
const OTHER = Number.NaN

export type Attributes = Map<string, string | number>

export interface TelemetryRecord {
  /** The execution that its resource names; null if it names none. */
  execution: string | null
  /** Of a span: its name. Of a log record: names that its event may have. */
  names: string[]
  attributes: Attributes
  /** In lower-case hexadecimal digits; empty without one. */
  trace_id: string
  span_id: string
  /** Of a span: the one around it. */
  parent_id: string
  /** Milliseconds since 1970; null without a time. */
  at: number | null
  /** All of it, to recognize it when it is sent again. */
  whole: () => string | Uint8Array
}

export type Signal = 'traces' | 'logs'

/** Milliseconds of nanoseconds; null for 0, which means unknown, and for what is no time. */
const milliseconds = (nanoseconds: number): number | null =>
  nanoseconds > 0 && nanoseconds <= 2 ** 64 ? Math.floor(nanoseconds / 1e6) : null

const hex = (bytes: Uint8Array): string => (bytes.every((byte) => byte === 0) ? '' : Buffer.from(bytes).toString('hex'))

/** A text or number of `AnyValue`; undefined without a value. */
function readValue(bytes: Uint8Array): string | number | undefined {
  let read: string | number | undefined
  readFields(bytes, (field, value) => {
    if (field === 1) read = bytesOf(value).length > MAX_TEXT ? OTHER : textOf(value)
    else if (field === 3 && typeof value === 'number') read = value
    else read = field === 4 ? doubleOf(value) : OTHER
  })
  return read
}

function readAttribute(attributes: Attributes, bytes: Uint8Array): void {
  let name = ''
  let content: Uint8Array | null = null
  readFields(bytes, (field, value) => {
    if (field === 1) name = bytesOf(value).length > LONGEST ? '' : textOf(value)
    if (field === 2) content = bytesOf(value)
  })
  const value = content && WANTED.has(name) ? readValue(content) : undefined
  if (value !== undefined) attributes.set(name, value)
}

function readSpan(bytes: Uint8Array): Omit<TelemetryRecord, 'execution'> {
  const ids = { trace_id: '', span_id: '', parent_id: '' }
  const record = { ...ids, names: [''], attributes: new Map(), at: null as number | null, whole: () => bytes }
  readFields(bytes, (field, value) => {
    if (field === 1) record.trace_id = hex(bytesOf(value))
    if (field === 2) record.span_id = hex(bytesOf(value))
    if (field === 4) record.parent_id = hex(bytesOf(value))
    if (field === 5) record.names = bytesOf(value).length > MAX_TEXT ? [''] : [textOf(value)]
    if (field === 8) record.at = milliseconds(fixedOf(value))
    if (field === 9) readAttribute(record.attributes, bytesOf(value))
  })
  return record
}

function readLogRecord(bytes: Uint8Array): Omit<TelemetryRecord, 'execution'> {
  const ids = { trace_id: '', span_id: '', parent_id: '' }
  const record = { ...ids, names: [] as string[], attributes: new Map(), whole: () => bytes }
  let time: number | null = null
  let observed: number | null = null
  readFields(bytes, (field, value) => {
    if (field === 1) time = milliseconds(fixedOf(value))
    if (field === 5) addName(record.names, readValue(bytesOf(value)))
    if (field === 6) readAttribute(record.attributes, bytesOf(value))
    if (field === 9) record.trace_id = hex(bytesOf(value))
    if (field === 10) record.span_id = hex(bytesOf(value))
    if (field === 11) observed = milliseconds(fixedOf(value))
    if (field === 12 && bytesOf(value).length <= MAX_TEXT) addName(record.names, textOf(value))
  })
  addName(record.names, record.attributes.get('event.name'))
  return { ...record, at: time ?? observed }
}

function addName(names: string[], name: unknown): void {
  if (typeof name === 'string' && name !== '') names.push(name)
}

const READERS = { traces: readSpan, logs: readLogRecord }

/** The records of an export in Protocol Buffers: resources have scopes, and these have records. @throws MalformedMessage */
export function recordsOfMessage(signal: Signal, bytes: Uint8Array): TelemetryRecord[] {
  const records: TelemetryRecord[] = []
  const eachOf = (message: Uint8Array, wanted: number, visit: (part: Uint8Array) => void) =>
    readFields(message, (field: number, value: FieldValue) => {
      if (field === wanted) visit(bytesOf(value))
    })
  eachOf(bytes, 1, (group) => {
    const attributes: Attributes = new Map()
    eachOf(group, 1, (resource) => eachOf(resource, 1, (attribute) => readAttribute(attributes, attribute)))
    const execution = executionIn(attributes)
    eachOf(group, 2, (scope) => eachOf(scope, 2, (record) => records.push({ execution, ...READERS[signal](record) })))
  })
  return records
}

const executionIn = (attributes: Attributes): string | null => {
  const id = attributes.get('signalbox.execution_id')
  return id === undefined ? null : String(id)
}

/** A JSON value whose fields may be absent, or of any type. */
type Json = Record<string, unknown>

/** The objects of a list. @throws MalformedMessage if it is none */
function objectsIn(value: unknown): Json[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every(isObject)) throw new MalformedMessage()
  return value
}

const objectIn = (value: unknown): Json => (isObject(value) ? value : {})

/** A text or number of `AnyValue` in JSON, where long integers and NaN are texts; undefined without a value. */
function valueIn(value: unknown): string | number | undefined {
  const { stringValue, intValue, doubleValue } = objectIn(value)
  if (typeof stringValue === 'string') return stringValue.length > MAX_TEXT ? OTHER : stringValue
  const number = intValue ?? doubleValue
  if (typeof number === 'number') return number
  if (typeof number === 'string') return /^[-+\d.e]+$/i.test(number) ? Number(number) : OTHER
  return Object.values(objectIn(value)).some((each) => each !== null) ? OTHER : undefined
}

function attributesIn(value: unknown): Attributes {
  const attributes: Attributes = new Map()
  for (const { key, value: content } of objectsIn(value)) {
    const read = typeof key === 'string' && WANTED.has(key) ? valueIn(content) : undefined
    if (read !== undefined) attributes.set(String(key), read)
  }
  return attributes
}

const idIn = (value: unknown): string => (typeof value === 'string' && !/^0*$/.test(value) ? value.toLowerCase() : '')

function recordIn(signal: Signal, record: Json): Omit<TelemetryRecord, 'execution'> {
  const attributes = attributesIn(record.attributes)
  const times = signal === 'traces' ? [record.endTimeUnixNano] : [record.timeUnixNano, record.observedTimeUnixNano]
  const names: string[] = []
  const named = signal === 'traces' ? [record.name] : [record.eventName, valueIn(record.body), attributes.get('event.name')]
  for (const name of named) addName(names, name)
  return {
    names,
    attributes,
    trace_id: idIn(record.traceId),
    span_id: idIn(record.spanId),
    parent_id: idIn(record.parentSpanId),
    at: times.map((time) => milliseconds(Number(time ?? 0))).find((time) => time !== null) ?? null,
    whole: () => JSON.stringify(record),
  }
}

const FIELDS = { traces: ['resourceSpans', 'scopeSpans', 'spans'], logs: ['resourceLogs', 'scopeLogs', 'logRecords'] } as const

/** The records of an export in JSON. @throws MalformedMessage */
export function recordsOfJson(signal: Signal, value: unknown): TelemetryRecord[] {
  if (!isObject(value)) throw new MalformedMessage()
  const [groups, scopes, records] = FIELDS[signal]
  return objectsIn(value[groups]).flatMap((group) => {
    const execution = executionIn(attributesIn(objectIn(group.resource).attributes))
    return objectsIn(group[scopes]).flatMap((scope) =>
      objectsIn(scope[records]).map((record) => ({ execution, ...recordIn(signal, record) })),
    )
  })
}
