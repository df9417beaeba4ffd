/** Requests over node:http, which Node and Bun both have, and which uses no proxy unless one is configured. */
import http from 'node:http'
import https from 'node:https'
import { proxyFor, throughProxy } from './proxy.js'

/**
 * @typedef {object} HttpRequest
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {AbortSignal[]} [signals] any of them ends the request
 * @property {boolean} [direct] whether it must not use a proxy, as it is for this machine
 */

/**
 * @typedef {object} HttpResponse
 * @property {number} status
 * @property {Record<string, string>} headers
 * @property {string} text
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
export async function send(url, { method = 'GET', headers = {}, body, signals = [], direct = false }) {
  const proxy = direct ? null : proxyFor(url)
  const route = proxy ? await throughProxy(proxy, url, signals) : { target: url, options: {} }
  return new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const all = { ...headers, ...length, ...route.headers }
    const sent = request(route.target, { method, headers: all, ...route.options }, (response) => {
      /** @type {Buffer[]} */
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        release()
        resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), text: Buffer.concat(chunks).toString() })
      })
    })
    const abort = () => sent.destroy(new Error('aborted'))
    const release = () => {
      for (const signal of signals) signal.removeEventListener('abort', abort)
    }
    /** @param {Error} error */
    const fail = (error) => {
      release()
      reject(error)
    }
    sent.on('error', fail)
    for (const signal of signals) {
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    }
    sent.end(body)
  })
}
