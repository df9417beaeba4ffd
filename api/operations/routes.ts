import { Elysia } from 'elysia'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import { metricsText, requireMetricsAccess } from './metrics.ts'
import { readiness } from './readiness.ts'

const tag = 'Operations'
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

export const operations = new Elysia({ name: 'operations' })
  .use(access)
  .get('/livez', () => ({ status: 'alive' as const }), {
    open: 'probes',
    ...operation({
      tag,
      id: 'getLiveness',
      summary: 'Liveness probe',
      responses: { 200: Shape({ status: Type.Literal('alive') }) },
    }),
  })
  .get('/readyz', readiness, {
    open: 'probes',
    ...operation({
      tag,
      id: 'getReadiness',
      summary: 'Readiness probe',
      description: '200 if the database is available and migrated; 503 otherwise, and while the process shuts down.',
      responses: { 200: Shape({ status: Type.Literal('ready') }) },
      errors: ['shutting_down', 'database_unavailable'],
    }),
  })
  .get(
    '/metrics',
    async ({ request, server }) => {
      requireMetricsAccess(request, server?.requestIP(request)?.address ?? '')
      return new Response(await metricsText(), {
        headers: { ...SECURITY_HEADERS, 'Content-Type': TEXT_FORMAT, 'Cache-Control': 'no-store' },
      })
    },
    {
      open: 'probes',
      ...operation({
        tag,
        id: 'getMetrics',
        summary: 'Prometheus metrics',
        description:
          'Prometheus text format with OpenTelemetry names: requests, statements, the job queue, dispatches, channels and processes. Every API process returns the metrics of all processes, including workers, at most 15 seconds old. Requires `METRICS_TOKEN` as bearer token; if it is not set, metrics are available only from loopback and without a proxy.',
        responses: { 200: Type.String({ description: 'Text format of Prometheus, version 0.0.4.' }) },
        produces: ['text/plain'],
        errors: ['forbidden'],
      }),
    },
  )
