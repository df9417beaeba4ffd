/** Proxies, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY name them. Node 20 does not use them by itself. */
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import tls from 'node:tls'
import { domainToASCII } from 'node:url'
import { Failure } from './failure.js'

/** @param {string} name */
const either = (name) => process.env[name.toLowerCase()]?.trim() || process.env[name]?.trim() || ''

/**
 * A host without the brackets of IPv6 and the dot that ends a full name.
 *
 * @param {string} host
 */
const plain = (host) => host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/**
 * Whether an address is another one, written differently, or in a range such as `10.0.0.0/8`.
 *
 * @param {string} address
 * @param {string} range
 */
function isInRange(address, range) {
  const [first = '', bits] = range.split('/')
  if (!isIP(address) || !isIP(first)) return false
  const list = new BlockList()
  const family = isIP(first) === 6 ? 'ipv6' : 'ipv4'
  try {
    if (bits === undefined) list.addAddress(first, family)
    else list.addSubnet(first, Number(bits || 'none'), family)
  } catch {
    return false
  }
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Whether an entry of NO_PROXY names a host: `*`, a name, which includes its subdomains, an address, or a range of addresses; all
 * but a range may have a port.
 *
 * @param {URL} url
 * @param {string} entry
 */
function names({ protocol, hostname, port }, entry) {
  const target = plain(hostname)
  // The colons of a bare IPv6 address are not those of a port.
  const [, host = entry, ofPort] = (!isIP(entry) && /^(.*):(\d+)$/.exec(entry)) || []
  if (ofPort !== undefined && ofPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false
  const name = plain(host).replace(/^\*?\./, '')
  if (name === '*' || isInRange(target, name)) return true
  const ascii = domainToASCII(name)
  return ascii !== '' && !isIP(target) && (target === ascii || target.endsWith(`.${ascii}`))
}

/**
 * The proxy of a request.
 *
 * @param {string} text URL of the request
 * @returns {URL | null} null if it needs none
 * @throws {Failure} if the setting cannot be used
 */
export function proxyFor(text) {
  const url = new URL(text)
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const given = either(name)
  if (
    given === '' ||
    either('NO_PROXY')
      .split(/[\s,]+/)
      .some((entry) => entry !== '' && names(url, entry))
  )
    return null
  const proxy = given.includes('://') ? given : `http://${given}`
  if (/^https?:/i.test(proxy) && URL.canParse(proxy)) return new URL(proxy)
  throw new Failure(`${name} must be an http or https URL.`, {
    code: 'proxy',
    next: 'Write it as http://user:password@host:port. In the password, write % as %25, / as %2F, # as %23, ? as %3F and @ as %40.',
  })
}

/**
 * Decodes what is percent-encoded. A `%` that encodes nothing stands for itself.
 *
 * @param {string} text
 */
const decoded = (text) =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })

/**
 * @param {URL} proxy
 * @returns {Record<string, string>}
 */
function authorizationOf({ username, password }) {
  if (!username && !password) return {}
  return { 'Proxy-Authorization': `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}` }
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
      host: plain(proxy.hostname),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path,
      headers: { Host: path, ...authorizationOf(proxy) },
      agent: false,
    })
    const release = onAbort(signals, () => connect.destroy(new Error('aborted')))
    connect.once('connect', ({ statusCode }, socket) => {
      release()
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Error(`the proxy ${proxy.host} answered ${statusCode}`))
    })
    connect.once('error', (error) => {
      release()
      reject(error)
    })
    connect.end()
  })
}

/**
 * Does something once any of some signals is aborted, at once if one already is.
 *
 * @param {AbortSignal[]} signals
 * @param {() => void} abort
 * @returns {() => void} stops listening: signals outlive requests
 */
export function onAbort(signals, abort) {
  if (signals.some(({ aborted }) => aborted)) abort()
  else for (const signal of signals) signal.addEventListener('abort', abort, { once: true })
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
}

/**
 * How a request goes through a proxy: an http one as it is, an https one through a tunnel, so that the proxy cannot read it.
 *
 * @param {URL} proxy
 * @param {string} text URL of the request
 * @param {AbortSignal[]} signals
 * @returns {Promise<{ target: URL, headers?: Record<string, string>, options: object }>}
 */
export async function throughProxy(proxy, text, signals) {
  const target = new URL(text)
  if (target.protocol === 'http:') {
    const headers = { Host: target.host, ...authorizationOf(proxy) }
    // The account would become the service's.
    const address = Object.assign(new URL(proxy), { username: '', password: '' })
    return { target: address, headers, options: { path: text, agent: false } }
  }
  const socket = await tunnel(proxy, target, signals)
  const host = plain(target.hostname)
  // Without an agent, which would make connections of its own.
  return { target, options: { createConnection: () => tls.connect({ socket, host, servername: isIP(host) ? undefined : host }) } }
}
