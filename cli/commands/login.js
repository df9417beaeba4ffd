/** The device flow (RFC 8628): the code is typed where a browser is, and the token comes here. */
import { hostname } from 'node:os'
import { apiClient, notSignalbox, PROBLEM, readAnswer } from '../support/api.js'
import { openInBrowser } from '../support/browser.js'
import { configFile, readConfig, requireConfigFolder, variable, writeConfig } from '../support/config.js'
import { Failure } from '../support/failure.js'
import { programWith } from '../support/program.js'
import { pause, request } from '../support/service.js'
import { err, onTerminal, printJson, printProgress, printResult } from '../support/terminal.js'

const CLIENT_ID = 'signalbox-cli'
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
/** By how much a client slows down after `slow_down` (RFC 8628, section 3.5). */
const SLOWER_SECONDS = 5

/**
 * @param {string} url
 * @param {Record<string, string>} form
 * @param {object} answer what the body of a success is like
 * @returns {Promise<{ status: number, body: any }>}
 */
async function post(url, form, answer) {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const response = await request(url, { method: 'POST', headers, body: new URLSearchParams(form).toString() }, 'Signalbox')
  const { status, text } = response
  const refusal = status >= 400 ? (readAnswer(text, { error: '' }) ?? readAnswer(text, PROBLEM)) : null
  const body = status === 200 ? readAnswer(text, answer) : refusal
  if (body) return { status, body }
  throw notSignalbox(url, response)
}

/** What ends the flow without a token. @type {Record<string, string>} */
const REFUSALS = {
  access_denied: 'It was denied in the browser.',
  expired_token: 'The code has expired.',
}

/**
 * @param {string} url
 * @param {any} flow
 * @returns {Promise<{ access_token: string, scope?: string }>}
 */
async function tokenFor(url, { device_code, interval = 5, expires_in }) {
  const until = performance.now() + expires_in * 1000
  for (let seconds = interval; performance.now() < until; ) {
    await pause(seconds * 1000, undefined)
    const form = { grant_type: DEVICE_CODE, device_code, client_id: CLIENT_ID }
    const { status, body } = await post(`${url}/oauth/token`, form, { access_token: '' })
    if (status === 200) return body
    if (body.error === 'slow_down') seconds += SLOWER_SECONDS
    else if (body.error !== 'authorization_pending')
      throw new Failure(REFUSALS[body.error] ?? onTerminal(body.error_description ?? `Signalbox answered ${status}.`), {
        code: body.error,
        next: `Try again: ${programWith(`login --url ${url}`, url)}`,
      })
  }
  throw new Failure('The code has expired.', {
    code: 'expired_token',
    next: `Try again: ${programWith(`login --url ${url}`, url)}`,
  })
}

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options: { scope = 'write' }, json, url }) {
  // Names the token in the list of tokens.
  const device_name = hostname()
    .replaceAll(/[^\w.-]/g, '')
    .slice(0, 60)
  // Before the code is allowed.
  requireConfigFolder()
  const { status, body: flow } = await post(
    `${url}/oauth/device_authorization`,
    { client_id: CLIENT_ID, scope, ...(device_name && { device_name }) },
    { device_code: '', user_code: '', verification_uri: '', expires_in: 0 },
  )
  if (status !== 200)
    throw new Failure(onTerminal(flow.error_description ?? flow.detail ?? `Signalbox answered ${status}.`), {
      code: flow.error ?? flow.code,
    })
  const address = flow.verification_uri_complete ?? flow.verification_uri
  printProgress(
    `Open ${err.strong(onTerminal(flow.verification_uri))} and type the code ${err.strong(onTerminal(flow.user_code))}`,
  )
  if (process.stderr.isTTY && variable('CI') === '' && (await openInBrowser(address)))
    printProgress('Your browser was opened. Compare the code.')
  printProgress('Waiting until you allow it …')
  const { access_token } = await tokenFor(url, flow)
  const credentials = { token: async () => access_token, renew: async () => false, source: configFile(), next: '' }
  const me = await apiClient(url, credentials).ask('GET', '/users/me', { answer: { name: '' } })
  const config = readConfig()
  writeConfig({ url, tokens: { ...config.tokens, [url]: access_token } })
  if (json) printJson({ url, scope, config: configFile(), user: { id: me.id, name: me.name } })
  else printResult(`Signed in as ${onTerminal(me.name)} at ${url}. The token is in ${configFile()}`)
}
