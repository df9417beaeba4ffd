/**
 * Exports spans with the OpenTelemetry packages. Loaded only if an endpoint is configured. The packages read the OTEL_ variables
 * themselves: endpoint, headers, timeout, compression, service name and resource attributes.
 */
import { DiagLogLevel, diag, SpanKind as Kind, ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { monotonicMs } from './clock.ts'
import { config } from './config.ts'
import { log } from './log.ts'
import { instance } from './metric-reports.ts'
import type { Attributes, Exporter, Span, SpanKind, TraceContext } from './spans.ts'

const kindOf = (kind: SpanKind): Kind => Kind[kind.toUpperCase() as Uppercase<SpanKind>]

const WARN_MS = 60_000

/** Logs export errors at most once a minute, not for each batch. */
function logExportErrors(): void {
  let warned = Number.NEGATIVE_INFINITY
  const warn = (message: string) => {
    if (monotonicMs() - warned < WARN_MS) return
    warned = monotonicMs()
    log.warn({ detail: message.slice(0, 500) }, 'could not export traces')
  }
  const ignore = () => {}
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
}

const withoutEmpty = (attributes: Attributes) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined)) as Record<
    string,
    string | number | boolean
  >

/** Creates an exporter. Resource attributes in the environment take precedence over those set here. */
export function openExporter(process: 'api' | 'worker'): Exporter {
  logExportErrors()
  const exporter = config.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json' ? new JsonExporter() : new ProtobufExporter()
  const own = { 'service.name': `signalbox-${process}`, 'service.namespace': 'signalbox', 'service.instance.id': instance }
  const ratio = config.OTEL_TRACES_SAMPLER_ARG
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: ratio === undefined ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('signalbox')

  const within = (parent: TraceContext | null) =>
    parent
      ? trace.setSpanContext(ROOT_CONTEXT, {
          traceId: parent.trace_id,
          spanId: parent.span_id,
          traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
          isRemote: true,
        })
      : ROOT_CONTEXT

  return {
    begin(name, kind, parent, attributes): Span {
      const span = tracer.startSpan(name, { kind: kindOf(kind), attributes: withoutEmpty(attributes) }, within(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        trace_id: traceId,
        span_id: spanId,
        sampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
        mark: (event, at = monotonicMs()) => void span.addEvent(event, performance.timeOrigin + at),
        end({ name, attributes, error } = {}) {
          if (name !== undefined) span.updateName(name)
          if (attributes) span.setAttributes(withoutEmpty(attributes))
          if (error) {
            span.setAttribute('error.type', error)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
    },
    stop: () => provider.shutdown(),
  }
}
