/**
 * CI jobs sign in with the token by which their platform vouches for them (OpenID Connect), which is exchanged for one of a
 * service account. GitHub makes a new one for each request; GitLab makes one for the job, and it can be exchanged once.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { configFolder, variable, writePrivate } from './config.js'
import { Failure } from './failure.js'
import { request } from './service.js'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** How long before its end a token is replaced. */
const MARGIN_SECONDS = 30

/**
 * @typedef {object} Exchanged
 * @property {string} access_token
 * @property {number} until seconds since 1970, on the clock of this machine
 */

/** @param {string} audience */
async function githubToken(audience) {
  const url = new URL(variable('ACTIONS_ID_TOKEN_REQUEST_URL'))
  url.searchParams.set('audience', audience)
  const Authorization = `Bearer ${variable('ACTIONS_ID_TOKEN_REQUEST_TOKEN')}`
  const { status, text } = await request(url.href, { headers: { Authorization, Accept: 'application/json' } }, 'GitHub')
  if (status !== 200) throw new Failure(`GitHub answered ${status} to the request for an ID token.`)
  return /** @type {string} */ (JSON.parse(text).value)
}

/**
 * @param {string} url of the service
 * @param {string} service_account
 * @param {string} assertion
 * @returns {Promise<Exchanged>}
 */
async function exchange(url, service_account, assertion) {
  const { status, text } = await request(
    `${url}/oauth/token`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: JWT_BEARER, assertion, service_account }).toString(),
    },
    'Signalbox',
  )
  const answer = jsonIn(text)
  if (status === 200) return { access_token: answer.access_token, until: Date.now() / 1000 + answer.expires_in }
  throw new Failure(
    `The service account ${service_account} does not accept this job: ${answer.error_description ?? `status ${status}`}`,
    {
      code: answer.error,
      next: `An admin sees why at ${url}/app/service-accounts/${service_account}/trusts or in the audit log (service_account.sign_in_refused). The claims of a trust must be those of this job. If there is no such account, check SIGNALBOX_SERVICE_ACCOUNT.`,
    },
  )
}

/** @param {string} text */
function jsonIn(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/**
 * What another command of this job got for the same ID token.
 *
 * @param {string} file
 * @returns {Exchanged | null}
 */
function keptIn(file) {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    return kept.until - MARGIN_SECONDS > Date.now() / 1000 ? kept : null
  } catch {
    return null
  }
}

/**
 * @param {string} url
 * @param {string} account
 * @returns {Promise<Exchanged>}
 */
async function gitlabExchange(url, account) {
  const assertion = variable('SIGNALBOX_ID_TOKEN')
  const key = createHash('sha256').update(`${url} ${account} ${assertion}`).digest('hex').slice(0, 32)
  const file = join(configFolder(), `job-${key}.json`)
  const kept = keptIn(file)
  if (kept) return kept
  try {
    const exchanged = await exchange(url, account, assertion)
    writePrivate(file, exchanged)
    return exchanged
  } catch (error) {
    // Another command of the job may be exchanging it at this moment.
    await sleep(1_000)
    const other = keptIn(file)
    if (other) return other
    throw error
  }
}

/**
 * @param {string} url of the service
 * @param {string} account id of the service account
 * @returns {import('./credentials.js').Credentials}
 */
export function ciCredentials(url, account) {
  const onGithub = variable('ACTIONS_ID_TOKEN_REQUEST_URL') !== ''
  const audience = variable('SIGNALBOX_AUDIENCE') || url
  /** @type {Exchanged | null} */
  let current = null
  const isValid = () => current !== null && current.until - MARGIN_SECONDS > Date.now() / 1000
  return {
    async token() {
      if (!current || !isValid())
        current = onGithub ? await exchange(url, account, await githubToken(audience)) : await gitlabExchange(url, account)
      return current.access_token
    },
    async renew() {
      current = null
      return onGithub
    },
    source: onGithub ? 'the ID token of GitHub Actions' : 'SIGNALBOX_ID_TOKEN',
    next: 'Check that the service account is enabled. A token of GitLab is exchanged once: it ends after max_ttl_seconds of the trust.',
  }
}
