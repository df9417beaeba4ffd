import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { MigrationError } from '../../sql/migrate.ts'
import { prepareProcess } from '../../sql/process.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import { metricsText, requireMetricsAccess } from './metrics.ts'

let usable = false

/** Checks the database connection and, until it succeeded once, the migrations. @throws Problem 503 with what is missing */
async function readiness(): Promise<{ status: 'ready' }> {
  if (usable) {
    await sql`select`
    return { status: 'ready' }
  }
  const pending = await prepareProcess(sql).catch((error: unknown) => {
    throw error instanceof MigrationError ? notReady(error.message) : error
  })
  if (pending > 0) throw notReady(`The database is not migrated: ${pending} migrations are pending. Run the release process.`)
  usable = true
  return { status: 'ready' }
}

const notReady = (detail: string) => new Problem('database_unavailable', detail, undefined, { 'Retry-After': '5' })

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

export const operations = new Elysia({ name: 'operations', tags: ['Operations'] })
  .use(access)
  .get(
    '/livez',
    () => ({ status: 'alive' as const }),
    operation('open', 'probes', {
      id: 'getLiveness',
      ignoresQuery: true,
      summary: 'Liveness probe',
      responses: { 200: Shape({ status: Type.Literal('alive') }) },
    }),
  )
  .get(
    '/readyz',
    readiness,
    operation('open', 'probes', {
      id: 'getReadiness',
      ignoresQuery: true,
      summary: 'Readiness probe',
      description: '200 if the database is available and migrated; 503 otherwise, and while the process shuts down.',
      responses: { 200: Shape({ status: Type.Literal('ready') }) },
      errors: ['shutting_down', 'database_unavailable'],
    }),
  )
  .get(
    '/metrics',
    async ({ request, server }) => {
      requireMetricsAccess(request, server?.requestIP(request)?.address ?? '')
      return new Response(await metricsText(), {
        headers: { ...SECURITY_HEADERS, 'Content-Type': TEXT_FORMAT, 'Cache-Control': 'no-store' },
      })
    },
    operation('open', 'probes', {
      id: 'getMetrics',
      ignoresQuery: true,
      summary: 'Prometheus metrics',
      description:
        'Prometheus text format with OpenTelemetry names: requests, statements, the job queue, dispatches, channels and processes. Every API process returns the metrics of all processes, including workers, at most 15 seconds old. Requires `METRICS_TOKEN` as bearer token; if it is not set, metrics are available only from loopback and without a proxy.',
      responses: { 200: Type.String({ description: 'Text format of Prometheus, version 0.0.4.' }) },
      produces: ['text/plain'],
      errors: ['forbidden'],
    }),
  )
