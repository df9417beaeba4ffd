import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const TRACES = { protobuf: ProtobufTraceExporter, json: JsonTraceExporter }
const LOGS = { protobuf: ProtobufLogExporter, json: JsonLogExporter }

const options = (signal: string, compression: string) => ({
  url: `${box.base}/otlp/v1/${signal}`,
  headers: { Authorization: `Bearer ${ada.token}` },
  compression: compression as never,
})

const forms = (['protobuf', 'json'] as const).flatMap((form) =>
  ['none', 'gzip'].map((compression) => [form, compression] as const),
)

test.each(forms)(
  "OpenTelemetry's exporters deliver spans and log records in %s, compressed with %s",
  async (form, compression) => {
    const { id } = await box.running(ada, site.project.id, { cost_from: 'telemetry' })
    const resource = resourceFromAttributes({ 'service.name': 'agent', 'signalbox.execution_id': id })
    const tracers = new TracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor({ exporter: new TRACES[form](options('traces', compression)) })],
    })
    const tracer = tracers.getTracer('agent')
    // A framework within an agent, and the library that it calls.
    let context = ROOT_CONTEXT
    const spans = ['chat', 'invoke_agent', 'chat', 'chat'].map((operation) => {
      const attributes = {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.usage.input_tokens': 1200,
        'gen_ai.usage.output_tokens': 300,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.request.temperature': 0.5,
      }
      const span = tracer.startSpan(`${operation} gpt-5`, { kind: SpanKind.CLIENT, attributes }, context)
      context = trace.setSpan(context, span)
      return span
    })
    for (const span of spans.toReversed()) span.end()
    await tracers.forceFlush()
    const loggers = new LoggerProvider({
      resource,
      processors: [new BatchLogRecordProcessor({ exporter: new LOGS[form](options('logs', compression)) })],
    })
    loggers.getLogger('claude').emit({
      body: 'claude_code.api_request',
      attributes: {
        'event.name': 'api_request',
        model: 'claude-opus-4-8',
        cost_usd: 0.25,
        input_tokens: 5,
        cache_read_tokens: 100,
        output_tokens: 7,
        request_id: 'req_1',
      },
    })
    await loggers.forceFlush()
    const { body } = await ada.get(`/api/v1/executions/${id}`)
    expect(body).toMatchObject({
      cost_usd: 0.25,
      unpriced: 2,
      usage: [
        { model: 'claude-opus-4-8', input_tokens: 105, cached_input_tokens: 100, output_tokens: 7, cost_usd: 0.25 },
        { model: 'gpt-5', input_tokens: 2400, output_tokens: 600, cost_usd: null },
      ],
    })
    await Promise.all([tracers.shutdown(), loggers.shutdown()])
  },
)
