/** Proxies, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY name them. Node 20 does not use them by itself. */
import http from 'node:http'
import https from 'node:https'
import tls from 'node:tls'

/** @param {string} name */
const either = (name) => process.env[name.toLowerCase()] || process.env[name] || ''

/**
 * Whether a host is excepted. Names match their subdomains as well; `*` matches all.
 *
 * @param {URL} url
 */
const isExcepted = ({ hostname, host }) =>
  either('NO_PROXY')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((each) => each.replace(/^\*?\./, ''))
    .some((each) => each === '*' || each === hostname || each === host || hostname.endsWith(`.${each}`))

/**
 * The proxy of a request.
 *
 * @param {string} text URL of the request
 * @returns {URL | null} null if it needs none
 */
export function proxyFor(text) {
  const url = new URL(text)
  const proxy = (url.protocol === 'https:' && either('HTTPS_PROXY')) || (url.protocol === 'http:' && either('HTTP_PROXY')) || ''
  if (proxy === '' || isExcepted(url)) return null
  return new URL(/^https?:\/\//.test(proxy) ? proxy : `http://${proxy}`)
}

/**
 * @param {URL} proxy
 * @returns {Record<string, string>}
 */
function authorizationOf({ username, password }) {
  if (!username) return {}
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(account).toString('base64')}` }
}

/**
 * A connection to the target of an https request.
 *
 * @param {URL} proxy
 * @param {URL} target
 * @param {AbortSignal[]} signals
 * @returns {Promise<import('node:net').Socket>}
 */
function tunnel(proxy, target, signals) {
  return new Promise((resolve, reject) => {
    const { request } = proxy.protocol === 'https:' ? https : http
    const path = `${target.hostname}:${target.port || 443}`
    const connect = request({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path,
      headers: { Host: path, ...authorizationOf(proxy) },
      agent: false,
    })
    connect.once('connect', ({ statusCode }, socket) =>
      statusCode === 200 ? resolve(socket) : reject(new Error(`the proxy ${proxy.host} answered ${statusCode}`)),
    )
    connect.once('error', reject)
    for (const signal of signals) signal.addEventListener('abort', () => connect.destroy(new Error('aborted')), { once: true })
    connect.end()
  })
}

/**
 * How a request goes through a proxy: an http one as it is, an https one through a tunnel, so that the proxy cannot read it.
 *
 * @param {URL} proxy
 * @param {string} text URL of the request
 * @param {AbortSignal[]} signals
 * @returns {Promise<{ target: string | URL, headers?: Record<string, string>, options: object }>}
 */
export async function throughProxy(proxy, text, signals) {
  const target = new URL(text)
  if (target.protocol === 'http:') {
    const headers = { Host: target.host, ...authorizationOf(proxy) }
    return { target: proxy, headers, options: { path: text, agent: false } }
  }
  const socket = await tunnel(proxy, target, signals)
  const servername = /^[\d.]+$|:/.test(target.hostname) ? undefined : target.hostname
  // Without an agent, which would make connections of its own.
  return { target, options: { createConnection: () => tls.connect({ socket, host: target.hostname, servername }) } }
}
