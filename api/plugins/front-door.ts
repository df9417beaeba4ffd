/** The first and the last that every request meets: its id, its address, cross-origin rules, and its log line. */
import { Elysia } from 'elysia'
import { monotonicMs } from '../../core/clock.ts'
import { config } from '../../core/config.ts'
import { log } from '../../core/log.ts'
import { exchangeOf, openExchange } from './exchange.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's address: the n-th from the right of X-Forwarded-For behind n proxies, else the peer's. */
function addressOf(request: Request, peer: string): string {
  if (config.TRUST_PROXY === 0) return peer
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return hops.at(-config.TRUST_PROXY) || peer
}

const EXPOSED =
  'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count, Idempotent-Replayed, Preference-Applied, RateLimit, RateLimit-Policy'

function crossOrigin(request: Request): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null || config.CORS_ORIGINS.length === 0) return {}
  if (!config.CORS_ORIGINS.includes(origin)) return { Vary: 'Origin' }
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
}

export const frontDoor = new Elysia({ name: 'front-door' })
  .onRequest(({ request, server }) => {
    const given = request.headers.get('x-request-id') ?? ''
    const peer = (server?.requestIP(request)?.address ?? '127.0.0.1').replace(/^::ffff:/, '')
    const exchange = openExchange(
      request,
      addressOf(request, peer),
      REQUEST_ID.test(given) ? given : crypto.randomUUID(),
      monotonicMs(),
    )
    Object.assign(exchange.headers, crossOrigin(request))
    if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method')) {
      const headers = {
        ...exchange.headers,
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
        'Access-Control-Allow-Headers':
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id, traceparent',
        'Access-Control-Max-Age': '86400',
      }
      return new Response(null, { status: 204, headers })
    }
  })
  .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
    const { request_id, begun, caller, address } = exchangeOf(request)
    const status = responseValue instanceof Response ? responseValue.status : set.status
    const ms = Math.round((monotonicMs() - begun) * 10) / 10
    log.info({ request_id, method: request.method, route, status, ms, caller: caller?.id, address }, 'request')
  })
