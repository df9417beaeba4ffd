/** The first and the last that every request meets: its id, its address, cross-origin rules, and its log line. */
import { Elysia } from 'elysia'
import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { log } from '../../core/platform/log.ts'
import { requests } from '../../core/platform/metrics.ts'
import { beginRequest, type Span, traceIds } from '../../core/platform/traces.ts'
import { clientAddress } from './client-address.ts'
import { requireServing } from './draining.ts'
import { contextOf, openContext } from './request-context.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Those that are counted by their names: anybody can make up others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'])

const EXPOSED =
  'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count, Idempotent-Replayed, Preference-Applied, RateLimit, RateLimit-Policy'

function crossOrigin(request: Request): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null || config.CORS_ORIGINS.length === 0) return {}
  if (!config.CORS_ORIGINS.includes(origin)) return { Vary: 'Origin' }
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
}

/** What every request leaves behind when it is answered: its log line, its figures, its span. */
function conclude(request: Request, path: string | undefined, status: number): void {
  const { request_id, span, begun, caller, address, error_type } = contextOf(request)
  const route = path && path.length > 1 ? path.replace(/\/$/, '') : path
  const ms = Math.round((monotonicMs() - begun) * 10) / 10
  log.info({ request_id, ...traceIds(span), method: request.method, route, status, ms, caller: caller?.id, address }, 'request')
  const method = METHODS.has(request.method) ? request.method : '_OTHER'
  requests.observe([method, route ?? null, String(status), error_type], ms / 1000)
  span?.end({
    name: route ? `${method} ${route}` : method,
    attributes: { 'http.route': route, 'http.response.status_code': status, 'signalbox.request_id': request_id },
    error: error_type,
  })
}

const spanOf = (request: Request, address: string): Span | null =>
  beginRequest(request.method, request.headers.get('traceparent'), () => ({
    'http.request.method': METHODS.has(request.method) ? request.method : '_OTHER',
    'url.path': new URL(request.url).pathname,
    'client.address': address,
    'user_agent.original': request.headers.get('user-agent'),
  }))

export const frontDoor = new Elysia({ name: 'front-door' })
  .onRequest(({ request, server }) => {
    const given = request.headers.get('x-request-id') ?? ''
    const peer = (server?.requestIP(request)?.address ?? '127.0.0.1').replace(/^::ffff:/, '')
    const address = clientAddress(request.headers.get('x-forwarded-for'), config.TRUST_PROXY, peer)
    const context = openContext(
      request,
      address,
      REQUEST_ID.test(given) ? given : crypto.randomUUID(),
      spanOf(request, address),
      monotonicMs(),
    )
    Object.assign(context.headers, crossOrigin(request))
    requireServing(request)
    if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method')) {
      const headers = {
        ...context.headers,
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
        'Access-Control-Allow-Headers':
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id, traceparent',
        'Access-Control-Max-Age': '86400',
      }
      conclude(request, undefined, 204)
      return new Response(null, { status: 204, headers })
    }
  })
  .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
    // What no route fits is answered with a problem that Elysia does not show here.
    const shown = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
    conclude(request, route, contextOf(request).status || shown)
  })
