/** Requests over node:http, which Node and Bun both have, and which uses no proxy unless one is configured. */
import http from 'node:http'
import https from 'node:https'
import { onAbort, proxyFor, throughProxy } from './proxy.js'

/** How much of a body is read whose status decides, and for how long. */
const MAX_BYTES = 16_000
const MAX_BODY_MS = 3_000

/**
 * @typedef {object} HttpRequest
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {AbortSignal[]} [signals] any of them ends the request
 * @property {boolean} [direct] whether it must not use a proxy, as it is for this machine
 * @property {boolean} [statusDecides] whether a body that breaks off, is long or does not end is cut, instead of an error
 */

/**
 * @typedef {object} HttpResponse
 * @property {number} status
 * @property {Record<string, string>} headers
 * @property {string} text
 * @property {boolean} isCut whether the body is not complete
 */

/** @param {import('node:http').IncomingHttpHeaders} headers */
const flat = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/**
 * Sends a request. Redirects are not followed.
 *
 * @param {string} url
 * @param {HttpRequest} options
 * @returns {Promise<HttpResponse>}
 */
export async function send(url, { method = 'GET', headers = {}, body, signals = [], direct = false, statusDecides = false }) {
  const proxy = direct ? null : proxyFor(url)
  const route = proxy ? await throughProxy(proxy, url, signals) : { target: new URL(url), options: {} }
  return new Promise((resolve, reject) => {
    const { request } = route.target.protocol === 'https:' ? https : http
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const all = { ...headers, ...length, ...route.headers }
    /** @param {Error} error */
    let fail = (error) => {
      release()
      reject(error)
    }
    const sent = request(route.target, { method, headers: all, ...route.options }, (response) => {
      /** @type {Buffer[]} */
      const chunks = []
      let bytes = 0
      const end = (isCut = false) => {
        release()
        clearTimeout(timer)
        if (isCut) sent.destroy()
        const text = Buffer.concat(chunks)
          .subarray(0, statusDecides ? MAX_BYTES : undefined)
          .toString()
        resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), text, isCut })
      }
      const cut = () => end(true)
      if (statusDecides) fail = cut
      const timer = statusDecides ? setTimeout(cut, MAX_BODY_MS) : undefined
      response.on('data', (chunk) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (statusDecides && bytes > MAX_BYTES) cut()
      })
      response.on('error', (error) => fail(error))
      response.on('end', () => end(!response.complete))
    })
    const release = onAbort(signals, () => sent.destroy(new Error('aborted')))
    sent.on('error', (error) => fail(error))
    // Some ends, such as an unrequested upgrade, come without an error.
    sent.on('close', () => fail(new Error('the connection was closed')))
    sent.end(body)
  })
}
