/** OTLP exports as Protocol Buffers, made before they are measured. */
import { randomBytes } from 'node:crypto'
import { delimited, varint } from '../../api/otlp/wire.ts'

const text = (field: number, value: string): Uint8Array => delimited(field, Buffer.from(value))

/** Fields of `KeyValue` and of `AnyValue`. */
const attribute = (field: number, key: string, value: string | number): Uint8Array => {
  const content = typeof value === 'string' ? text(1, value) : new Uint8Array([24, ...varint(value)])
  return delimited(field, Buffer.concat([text(1, key), delimited(2, content)]))
}

const ATTRIBUTES = Object.entries({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-5',
  'gen_ai.response.model': 'gpt-5-2026-01-01',
  'gen_ai.response.id': 'chatcmpl-0123456789abcdef',
  'gen_ai.usage.input_tokens': 12_345,
  'gen_ai.usage.output_tokens': 678,
  'gen_ai.usage.cache_read.input_tokens': 10_000,
  'server.address': 'api.example.com',
}).map(([key, value]) => attribute(9, key, value))

/** A span of an inference with ids of its own. */
function span(): Uint8Array {
  const now = Buffer.alloc(9)
  now[0] = (8 << 3) | 1
  now.writeBigUInt64LE(BigInt(Date.now()) * 1_000_000n, 1)
  const ids = [delimited(1, randomBytes(16)), delimited(2, randomBytes(8))]
  return Buffer.concat([...ids, text(5, 'chat gpt-5'), now, ...ATTRIBUTES])
}

/** An export of spans of one execution. */
export function spanExport(execution_id: string, count: number): Uint8Array<ArrayBuffer> {
  const resource = delimited(1, attribute(1, 'signalbox.execution_id', execution_id))
  const spans = Array.from({ length: count }, () => delimited(2, span()))
  return new Uint8Array(delimited(1, Buffer.concat([resource, delimited(2, Buffer.concat(spans))])))
}
