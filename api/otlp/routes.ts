import { Elysia } from 'elysia'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { type Caller, contextOf } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { MAX_EXPORT_BYTES } from './export.ts'
import { exportResponse, ingest, JSON_TYPE, PROTOBUF } from './ingest.ts'
import type { Signal } from './records.ts'

const described = {
  consumes: [PROTOBUF, JSON_TYPE],
  maxBytes: MAX_EXPORT_BYTES,
  produces: [PROTOBUF, JSON_TYPE],
  responses: { 200: null },
  errors: ['malformed_export' as const, 'body_too_large' as const, 'too_busy' as const],
}

/** @throws Problem `unsupported_media_type` for a compression that exporters do not use */
function isGzip(request: Request): boolean {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding === 'gzip' || encoding === 'identity') return encoding === 'gzip'
  throw new Problem('unsupported_media_type', 'The Content-Encoding must be gzip or identity.', undefined, {
    'Accept-Encoding': 'gzip, identity',
  })
}

async function receive(request: Request, caller: Caller, signal: Signal): Promise<Response> {
  const context = contextOf(request)
  const { bytes, mediaType } = context
  const source = { signal, bytes, isJson: mediaType === JSON_TYPE, isGzip: isGzip(request) }
  return exportResponse(context, signal, await ingest(caller, source))
}

export const otlp = new Elysia({ name: 'otlp', prefix: '/otlp/v1', tags: ['Usage'] })
  .use(access)
  .post(
    '/traces',
    ({ request, caller }) => receive(request, caller, 'traces'),
    operation('signedIn', 'withRestrictedTokens', {
      scopes: ['usage:write'],
      ...described,
      id: 'exportTraces',
      summary: 'Receive spans',
      description:
        'OTLP over HTTP, in Protocol Buffers or JSON, at most 4 MiB, also when it is compressed with gzip. Spans of inference by the [conventions for generative AI](https://opentelemetry.io/docs/specs/semconv/gen-ai/) (`gen_ai.operation.name` is `chat`, `generate_content` or `text_completion`, with counts of tokens) become usage of the execution that the resource attribute `signalbox.execution_id` names. Each span counts once, however often it is sent. All other spans are accepted, and not counted. Usage of an execution that does not exist, has not started, or is not accessible to the caller is rejected in `partial_success`; the rest counts. Names of models, counts of tokens and times are stored, and nothing else: no prompts and answers. See [Usage and costs](/docs/usage).',
    }),
  )
  .post(
    '/logs',
    ({ request, caller }) => receive(request, caller, 'logs'),
    operation('signedIn', 'withRestrictedTokens', {
      scopes: ['usage:write'],
      ...described,
      id: 'exportLogs',
      summary: 'Receive log records',
      description:
        'As for spans. Events of inference by the conventions for generative AI, the events `claude_code.api_request` of Claude Code, and the token counts of Codex (`codex.sse_event`) become usage. An event counts once: it is identified by the id of its request, or by everything in it. What both an event and its span report counts once.',
    }),
  )
  .post(
    '/metrics',
    ({ request }) => exportResponse(contextOf(request), 'metrics', { rejected: 0, message: '' }),
    operation('signedIn', 'withRestrictedTokens', {
      scopes: ['usage:write'],
      ...described,
      id: 'exportMetrics',
      summary: 'Accept metrics',
      description:
        'For exporters that send all signals to one endpoint. Metrics are not read and not counted: their sums repeat what spans and log records report.',
      errors: ['body_too_large' as const],
    }),
  )
