import { Elysia } from 'elysia'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import { admitScraper, metricsText } from './metrics.ts'
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
      summary: 'Whether the process is up',
      responses: { 200: Shape({ status: Type.Literal('alive') }) },
    }),
  })
  .get('/readyz', readiness, {
    open: 'probes',
    ...operation({
      tag,
      id: 'getReadiness',
      summary: 'Whether requests should come here',
      description: 'The database answers and is migrated; 503 while the process drains.',
      responses: { 200: Shape({ status: Type.Literal('ready') }) },
      errors: ['shutting_down', 'database_unavailable'],
    }),
  })
  .get(
    '/metrics',
    async ({ request, server }) => {
      admitScraper(request, server?.requestIP(request)?.address ?? '')
      return new Response(await metricsText(), {
        headers: { ...SECURITY_HEADERS, 'Content-Type': TEXT_FORMAT, 'Cache-Control': 'no-store' },
      })
    },
    {
      open: 'probes',
      ...operation({
        tag,
        id: 'getMetrics',
        summary: 'Figures for Prometheus',
        description:
          "In Prometheus's text format, under OpenTelemetry's names: requests, statements, the queue, dispatches and channels, and what every process says of itself. They are those of all processes, the workers' too, the same from whichever API process answers, and at most 15 seconds old. Needs `METRICS_TOKEN` as bearer token; where none is set, they are told to loopback alone, and to nobody through a proxy.",
        responses: { 200: Type.String({ description: 'Text format of Prometheus, version 0.0.4.' }) },
        produces: ['text/plain'],
        errors: ['forbidden'],
      }),
    },
  )
