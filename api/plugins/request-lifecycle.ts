/** The start and the end of every request: its id, client address, CORS headers, log line, metrics and span. */
import { Elysia } from 'elysia'
import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { log } from '../../core/platform/log.ts'
import { requests } from '../../core/platform/metrics.ts'
import { beginRequest, type Span, traceIds } from '../../core/platform/traces.ts'
import { isSameOrigin } from '../../core/values/web-addresses.ts'
import { Problem } from '../problems.ts'
import { clientAddress } from './client-address.ts'
import { contextOf, createContext, isInner, type RequestContext, withoutSlash } from './request-context.ts'
import { respondWithProblem } from './responses.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Methods used as metric labels. Clients can send arbitrary methods, so all others are counted as `_OTHER`. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'])

const EXPOSED =
  'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count, Idempotent-Replayed, Preference-Applied, RateLimit, RateLimit-Policy'

function crossOrigin(request: Request): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null || config.CORS_ORIGINS.length === 0) return {}
  if (!config.CORS_ORIGINS.some((each) => isSameOrigin(each, origin))) return { Vary: 'Origin' }
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
}

function recordCompletion(request: Request, path: string | undefined, status: number): void {
  const { request_id, span, startedAt, caller, address, errorType } = contextOf(request)
  const route = path && withoutSlash(path)
  const ms = Math.round((monotonicMs() - startedAt) * 10) / 10
  log.info({ request_id, ...traceIds(span), method: request.method, route, status, ms, caller: caller?.id, address }, 'request')
  const method = KNOWN_METHODS.has(request.method) ? request.method : '_OTHER'
  requests.observe([method, route ?? null, String(status), errorType], ms / 1000)
  span?.end({
    name: route ? `${method} ${route}` : method,
    attributes: { 'http.route': route, 'http.response.status_code': status, 'signalbox.request_id': request_id },
    error: errorType,
  })
}

const spanOf = (request: Request, address: string): Span | null =>
  beginRequest(request.method, request.headers.get('traceparent'), () => ({
    'http.request.method': KNOWN_METHODS.has(request.method) ? request.method : '_OTHER',
    'url.path': new URL(request.url).pathname,
    'client.address': address,
    'user_agent.original': request.headers.get('user-agent'),
  }))

/** Every other step needs the URL of the request, which is made of the `Host` header. */
function refuseHost(request: Request, context: RequestContext): Response {
  const problem = new Problem(
    'malformed_header',
    'Host must be the name or address of this service, with its port if it has one.',
  )
  recordCompletion(request, undefined, problem.status)
  return respondWithProblem(request, context, problem)
}

export const requestLifecycle = new Elysia({ name: 'request-lifecycle' })
  .onRequest(({ request, server }) => {
    if (isInner(request)) return
    const given = request.headers.get('x-request-id') ?? ''
    const peer = (server?.requestIP(request)?.address ?? '127.0.0.1').replace(/^::ffff:/, '')
    const address = clientAddress(request.headers.get('x-forwarded-for'), config.TRUST_PROXY, peer)
    const hasUrl = URL.canParse(request.url)
    const context = createContext(
      request,
      address,
      REQUEST_ID.test(given) ? given : crypto.randomUUID(),
      hasUrl ? spanOf(request, address) : null,
      monotonicMs(),
    )
    if (!hasUrl) return refuseHost(request, context)
    Object.assign(context.headers, crossOrigin(request))
    rejectDuringShutdown(request)
    if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method')) {
      const headers = {
        ...context.headers,
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
        'Access-Control-Allow-Headers':
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id, traceparent',
        'Access-Control-Max-Age': '86400',
      }
      recordCompletion(request, undefined, 204)
      return new Response(null, { status: 204, headers })
    }
  })
  .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
    // The request that it is a part of is logged and counted.
    if (isInner(request)) return
    // If no route matched, `responseValue` does not contain the problem response; its status is in the context.
    const responseStatus = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
    recordCompletion(request, route, contextOf(request).status || responseStatus)
  })

/** Paths about this process, served until it exits. */
const PROCESS_PATHS = new Set(['/livez', '/metrics'])

let isShuttingDown = false

export function startShutdown(): void {
  isShuttingDown = true
}

/** @throws Problem `shutting_down` while the process shuts down */
function rejectDuringShutdown(request: Request): void {
  if (!isShuttingDown || PROCESS_PATHS.has(withoutSlash(new URL(request.url).pathname))) return
  throw new Problem(
    'shutting_down',
    'This process is shutting down. Retry now; another process will serve the request.',
    undefined,
    {
      'Retry-After': '1',
      // The retry must use a new connection to reach another process.
      Connection: 'close',
    },
  )
}
