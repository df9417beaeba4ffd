/** The API of Signalbox, for commands. */
import { randomUUID } from 'node:crypto'
import { Failure } from './failure.js'
import { request } from './service.js'
import { onTerminal } from './terminal.js'

/**
 * @typedef {object} ApiRequest
 * @property {object} [body]
 * @property {Record<string, string>} [headers]
 * @property {import('./service.js').Patience} [patience]
 * @property {boolean} [keyless] whether it has no Idempotency-Key, because its response must not be stored
 */

/**
 * @typedef {object} ApiResponse
 * @property {number} status
 * @property {Record<string, string>} headers
 * @property {any} body
 */

/** @param {string} text */
function parsed(text) {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * What to do about an error of the API.
 *
 * @param {number} status
 * @param {string | undefined} code
 * @param {import('./credentials.js').Credentials} credentials
 */
function adviceFor(status, code, { source, next }) {
  if (status === 401) return `The token is from ${source}. ${next}`
  if (code === 'person_required') return 'Only people decide this: in the app, in Slack, or by the mailed link.'
  if (code === 'insufficient_scope') return 'An admin of the organization changes the scopes of the service account.'
  if (status === 403) return 'See who you are: npx signalbox whoami'
  if (status === 404) return 'Check the id, and that your account may see it: npx signalbox whoami'
  return undefined
}

/**
 * @param {ApiResponse} response
 * @param {import('./credentials.js').Credentials} credentials
 */
export function failureOf({ status, body }, credentials) {
  // The detail of a single error names its field.
  const errors = body?.errors?.length > 1 ? body.errors : []
  const fields = errors.map((/** @type {any} */ each) => `\n  ${onTerminal(`${each.pointer} ${each.detail}`)}`)
  const detail = body?.detail
    ? `Signalbox answered ${status}: ${onTerminal(body.detail)}${fields.join('')}`
    : `Signalbox answered ${status}.`
  return new Failure(detail, { status, code: body?.code ?? 'no_problem', next: adviceFor(status, body?.code, credentials) })
}

/**
 * @param {string} url of the service
 * @param {import('./credentials.js').Credentials} credentials
 */
export function apiClient(url, credentials) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {ApiRequest} [options]
   * @returns {Promise<ApiResponse>} also a refusal
   */
  async function call(method, path, { body, headers = {}, patience, keyless } = {}) {
    const common = {
      Accept: 'application/json',
      ...(body && { 'Content-Type': 'application/json' }),
      // The same in every try, so that what was done is not done again.
      ...(method === 'POST' && !keyless && { 'Idempotency-Key': randomUUID() }),
      ...headers,
    }
    for (let again = true; ; again = false) {
      const signed = { ...common, Authorization: `Bearer ${await credentials.token()}` }
      const options = { method, headers: signed, body: body && JSON.stringify(body) }
      const { status, headers: received, text } = await request(`${url}/api/v1${path}`, options, 'Signalbox', patience)
      if (status === 401 && again && (await credentials.renew())) continue
      return { status, headers: received, body: parsed(text) }
    }
  }

  /**
   * The body of a response.
   *
   * @param {string} method
   * @param {string} path
   * @param {ApiRequest} [options]
   * @returns {Promise<any>}
   * @throws {Failure} if the request is refused
   */
  async function ask(method, path, options) {
    const response = await call(method, path, options)
    if (response.status >= 300) throw failureOf(response, credentials)
    return response.body
  }

  return { url, credentials, call, ask }
}

/** @typedef {ReturnType<typeof apiClient>} Api */
