/** OTLP exports as Protocol Buffers, made before they are measured. */
import { randomBytes } from 'node:crypto'
import { delimited, varint } from '../../api/otlp/wire.ts'

const encoder = new TextEncoder()
const text = (field: number, value: string): Uint8Array => delimited(field, encoder.encode(value))

/** Fields of `KeyValue` and of `AnyValue`. */
const attribute = (field: number, key: string, value: string | number): Uint8Array => {
  const content = typeof value === 'string' ? text(1, value) : new Uint8Array([24, ...varint(value)])
  return delimited(field, Buffer.concat([text(1, key), delimited(2, content)]))
}

const ATTRIBUTES = Buffer.concat([
  attribute(9, 'gen_ai.operation.name', 'chat'),
  attribute(9, 'gen_ai.provider.name', 'openai'),
  attribute(9, 'gen_ai.request.model', 'gpt-5'),
  attribute(9, 'gen_ai.response.model', 'gpt-5-2026-01-01'),
  attribute(9, 'gen_ai.response.id', 'chatcmpl-0123456789abcdef'),
  attribute(9, 'gen_ai.usage.input_tokens', 12_345),
  attribute(9, 'gen_ai.usage.output_tokens', 678),
  attribute(9, 'gen_ai.usage.cache_read.input_tokens', 10_000),
  attribute(9, 'server.address', 'api.example.com'),
])

/** A span of an inference with ids of its own. */
function span(): Uint8Array {
  const now = Buffer.alloc(9)
  now[0] = (8 << 3) | 1
  now.writeBigUInt64LE(BigInt(Date.now()) * 1_000_000n, 1)
  return Buffer.concat([delimited(1, randomBytes(16)), delimited(2, randomBytes(8)), text(5, 'chat gpt-5'), now, ATTRIBUTES])
}

/** An export of spans of one execution. */
export function spanExport(execution_id: string, count: number): Uint8Array {
  const resource = attribute(1, 'signalbox.execution_id', execution_id)
  const spans = Buffer.concat(Array.from({ length: count }, () => delimited(2, span())))
  return delimited(1, Buffer.concat([delimited(1, resource), delimited(2, spans)]))
}
