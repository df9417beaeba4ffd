/** OTLP exports as JSON, for tests. */
import { randomBytes } from 'node:crypto'
import type { Actor } from '../support/signalbox.ts'

type Value = string | number

const anyValue = (value: Value) =>
  typeof value === 'string'
    ? { stringValue: value }
    : Number.isInteger(value)
      ? { intValue: String(value) }
      : { doubleValue: value }

export const attributes = (given: Record<string, Value>) =>
  Object.entries(given).map(([key, value]) => ({ key, value: anyValue(value) }))

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

/** The nanoseconds of a time. */
export const nanoseconds = (at: Date): string => `${at.getTime()}000000`

/** A span of an inference. */
export const span = (given: Record<string, Value> = {}, more: object = {}) => ({
  traceId: hex(16),
  spanId: hex(8),
  name: 'chat gpt-5',
  kind: 3,
  startTimeUnixNano: nanoseconds(new Date(Date.now() - 1000)),
  endTimeUnixNano: nanoseconds(new Date()),
  attributes: attributes({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-5',
    'gen_ai.usage.input_tokens': 1000,
    'gen_ai.usage.output_tokens': 100,
    ...given,
  }),
  ...more,
})

/** An event of Claude Code. */
export const apiRequest = (given: Record<string, Value> = {}) => ({
  timeUnixNano: nanoseconds(new Date()),
  body: { stringValue: 'claude_code.api_request' },
  attributes: attributes({
    'event.name': 'api_request',
    model: 'claude-opus-4-8',
    input_tokens: '10',
    output_tokens: '200',
    cache_read_tokens: '5000',
    cache_creation_tokens: '300',
    cost_usd: '0.0123',
    duration_ms: '900',
    request_id: `req_${hex(8)}`,
    ...given,
  }),
})

/** The last event of a response of Codex. */
export const codexEvent = (given: Record<string, Value> = {}, more: object = {}) => ({
  observedTimeUnixNano: nanoseconds(new Date()),
  attributes: attributes({
    'event.name': 'codex.sse_event',
    'event.kind': 'response.completed',
    'conversation.id': hex(8),
    model: 'gpt-5-codex',
    input_token_count: '2000',
    output_token_count: '300',
    cached_token_count: 1500,
    reasoning_token_count: 200,
    tool_token_count: '2300',
    ...given,
  }),
  ...more,
})

const resource = (execution: string | null) => ({
  attributes: attributes({ 'service.name': 'agent', ...(execution === null ? {} : { 'signalbox.execution_id': execution }) }),
})

export const traces = (execution: string | null, ...spans: object[]) => ({
  resourceSpans: [{ resource: resource(execution), scopeSpans: [{ scope: { name: 'test' }, spans }] }],
})

export const logs = (execution: string | null, ...logRecords: object[]) => ({
  resourceLogs: [{ resource: resource(execution), scopeLogs: [{ scope: { name: 'test' }, logRecords }] }],
})

export const sendTraces = (actor: Actor, execution: string | null, ...spans: object[]) =>
  actor.post('/otlp/v1/traces', traces(execution, ...spans))

export const sendLogs = (actor: Actor, execution: string | null, ...records: object[]) =>
  actor.post('/otlp/v1/logs', logs(execution, ...records))
