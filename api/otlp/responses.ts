/** Responses to OTLP exports, in the format of the request. */
import type { RequestContext } from '../plugins/request-context.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import type { Signal } from './records.ts'
import { delimited, varint } from './wire.ts'

export const PROTOBUF = 'application/x-protobuf'
export const JSON_TYPE = 'application/json'

const REJECTED = { traces: 'rejectedSpans', logs: 'rejectedLogRecords' } as const

/** What was not counted, and why. */
export interface PartialSuccess {
  rejected: number
  message: string
}

/** Field 1 of the response is `partial_success`; of that, field 1 is how many were rejected, and field 2 why. */
function encode({ rejected, message }: PartialSuccess): Uint8Array {
  if (rejected === 0) return new Uint8Array()
  const partial = Buffer.concat([new Uint8Array([8, ...varint(rejected)]), delimited(2, new TextEncoder().encode(message))])
  return delimited(1, partial)
}

/** @param partial what was rejected; for metrics, which are not counted, nothing */
export function exportResponse(context: RequestContext, signal: Signal | 'metrics', partial: PartialSuccess): Response {
  const isJson = context.mediaType === JSON_TYPE
  const { rejected, message } = partial
  const object = rejected === 0 || signal === 'metrics' ? {} : { [REJECTED[signal]]: String(rejected), errorMessage: message }
  const body = isJson ? JSON.stringify(rejected === 0 ? {} : { partialSuccess: object }) : Buffer.from(encode(partial))
  return new Response(body, {
    headers: {
      ...SECURITY_HEADERS,
      ...context.headers,
      'Content-Type': isJson ? JSON_TYPE : PROTOBUF,
      'Cache-Control': 'no-store',
    },
  })
}
