/** The API of Signalbox, for commands. */
import { randomUUID } from 'node:crypto'
import { Failure } from './failure.js'
import { programWith } from './program.js'
import { isPassing, request } from './service.js'
import { onTerminal } from './terminal.js'
import { compareVersion } from './version.js'

/**
 * @typedef {object} ApiRequest
 * @property {object} [body]
 * @property {Record<string, string>} [headers]
 * @property {import('./service.js').Patience} [patience]
 * @property {boolean} [keyless] whether it has no Idempotency-Key, because its response must not be stored
 * @property {unknown} [answer] what the body of a success is like, see `fits`; without it there is none
 */

/**
 * @typedef {object} ApiResponse
 * @property {number} status
 * @property {Record<string, string>} headers
 * @property {any} body
 */

/**
 * Who asked, and whom.
 *
 * @typedef {object} Client
 * @property {string} url of the service
 * @property {import('./credentials.js').Credentials} credentials
 */

/** What an error of the API is like. */
export const PROBLEM = { code: '', detail: '' }

/** @param {string} text */
function parsed(text) {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Whether a value has what an example has: the same types, at least its fields, and in a list items like its only one.
 *
 * @param {any} value
 * @param {any} example `{ id: '', labels: [''] }`
 * @returns {boolean}
 */
export function fits(value, example) {
  if (Array.isArray(example)) return Array.isArray(value) && value.every((each) => fits(each, example[0]))
  if (typeof example !== 'object') return typeof value === typeof example
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && Object.entries(example).every(([name, each]) => fits(value[name], each))
}

/**
 * Parses a JSON answer.
 *
 * @param {string} text
 * @param {unknown} example
 * @returns {any} null if it is not like the example
 */
export function readAnswer(text, example) {
  const body = parsed(text)
  return fits(body, example) ? body : null
}

/**
 * Whether a response is from Signalbox and not, for example, from a proxy that asks to sign in.
 *
 * @param {import('./http.js').HttpResponse} response
 * @param {ApiRequest} request
 */
function isAnswer({ status, text }, { answer, headers }) {
  if (status === 304) return Boolean(headers?.['If-None-Match'])
  if (status >= 300) return status >= 400 && fits(parsed(text), PROBLEM)
  return status >= 200 && (answer === undefined ? status === 204 : readAnswer(text, answer) !== null)
}

/**
 * @param {string} url of the service
 * @param {{ status: number, headers: Record<string, string> }} response
 */
export function notSignalbox(url, { status, headers }) {
  const where = headers.location ? `${status}, to ${onTerminal(headers.location)}` : status
  return new Failure(`${new URL(url).origin} does not answer as Signalbox does (status ${where}).`, {
    code: 'not_signalbox',
    status,
    next: 'Check the URL (--url or SIGNALBOX_URL), and that nothing in between asks to sign in.',
  })
}

/**
 * What to do about an error of the API.
 *
 * @param {number} status
 * @param {string | undefined} code
 * @param {Client} client
 */
function adviceFor(status, code, { url, credentials: { source, next } }) {
  if (status === 401) return `The token is from ${source}. ${next}`
  if (code === 'person_required') return 'Only people decide this: in the app, in Slack, or by the mailed link.'
  if (code === 'insufficient_scope') return 'An admin of the organization changes the scopes of the service account.'
  if (status === 403) return `See who you are: ${programWith('whoami', url)}`
  if (status === 404) return `Check the id, and that your account may see it: ${programWith('whoami', url)}`
  return undefined
}

/**
 * @param {ApiResponse} response
 * @param {Client} client
 */
export function failureOf({ status, body }, client) {
  // The detail of a single error names its field.
  const errors = body?.errors?.length > 1 ? body.errors : []
  const fields = errors.map((/** @type {any} */ each) => `\n  ${onTerminal(`${each.pointer} ${each.detail}`)}`)
  const detail = body?.detail
    ? `Signalbox answered ${status}: ${onTerminal(body.detail)}${fields.join('')}`
    : `Signalbox answered ${status}.`
  return new Failure(detail, { status, code: body?.code ?? 'no_problem', next: adviceFor(status, body?.code, client) })
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
   * @throws {Failure} `not_signalbox`, after the patience of those that have some
   */
  async function call(method, path, options = {}) {
    const { body, headers = {}, patience, keyless } = options
    const common = {
      Accept: 'application/json',
      ...(body && { 'Content-Type': 'application/json' }),
      // The same in every try, so that what was done is not done again.
      ...(method === 'POST' && !keyless && { 'Idempotency-Key': randomUUID() }),
      ...headers,
    }
    /** @param {import('./http.js').HttpResponse} response */
    const objection = (response) => {
      if (patience && !isAnswer(response, options)) return notSignalbox(url, response).message
      // The try before this one, whose answer was lost, is still running.
      return parsed(response.text)?.code === 'idempotency_in_progress' ? 'Signalbox still works on it' : null
    }
    for (let again = true; ; again = false) {
      const signed = { ...common, Authorization: `Bearer ${await credentials.token()}` }
      const sent = { method, headers: signed, body: body && JSON.stringify(body) }
      const response = await request(`${url}/api/v1${path}`, sent, 'Signalbox', { ...patience, objection })
      const { status, headers: received, text } = response
      if (status === 401 && again && (await credentials.renew())) continue
      if (!isPassing(status) && !isAnswer(response, options)) throw notSignalbox(url, response)
      compareVersion(url, received)
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
    if (response.status >= 300) throw failureOf(response, { url, credentials })
    return response.body
  }

  return { url, credentials, call, ask }
}

/** @typedef {ReturnType<typeof apiClient>} Api */
