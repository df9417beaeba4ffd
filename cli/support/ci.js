/**
 * CI jobs sign in with the token by which their platform vouches for them (OpenID Connect), which is exchanged for one of a
 * service account. GitHub makes a new one for each request; GitLab makes one for the job, and it can be exchanged once.
 */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { notSignalbox, readAnswer } from './api.js'
import { configFolder, variable, writePrivate } from './config.js'
import { Failure } from './failure.js'
import { isPassing, request } from './service.js'
import { onTerminal, printProgress } from './terminal.js'

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
  const answer = status === 200 ? readAnswer(text, { value: '' }) : null
  if (!answer) throw new Failure(`GitHub answered ${status} to the request for an ID token, without one.`)
  return answer.value
}

/**
 * @param {string} url of the service
 * @param {string} service_account
 * @param {string} assertion
 * @returns {Promise<Exchanged>}
 */
async function exchange(url, service_account, assertion) {
  const response = await request(
    `${url}/oauth/token`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: JWT_BEARER, assertion, service_account }).toString(),
    },
    'Signalbox',
  )
  const { status, text } = response
  const token = status === 200 ? readAnswer(text, { access_token: '', expires_in: 0 }) : null
  if (token) return { access_token: token.access_token, until: Date.now() / 1000 + token.expires_in }
  const refusal = status >= 400 ? readAnswer(text, { error: '' }) : null
  if (!refusal) throw isPassing(status) ? new Failure(`Signalbox answered ${status}.`, { status }) : notSignalbox(url, response)
  throw new Failure(
    `The service account ${service_account} does not accept this job: ${onTerminal(refusal.error_description ?? refusal.error)}`,
    {
      code: refusal.error,
      next: `An admin sees why at ${url}/app/service-accounts/${service_account}/trusts or in the audit log (service_account.sign_in_refused). The claims of a trust must be those of this job. If there is no such account, check SIGNALBOX_SERVICE_ACCOUNT.`,
    },
  )
}

/** Where the commands of a job keep a token for each other. The home of a container's user often cannot be written. */
const jobFolders = () => [configFolder(), join(tmpdir(), `signalbox-${process.getuid?.() ?? ''}`)].filter(Boolean)

/**
 * What another command of this job got for the same ID token.
 *
 * @param {string} name
 * @returns {Exchanged | null}
 */
function keptAs(name) {
  for (const folder of jobFolders())
    try {
      const file = join(folder, name)
      const kept = JSON.parse(readFileSync(file, 'utf8'))
      // Others can write to the folder for temporary files.
      const isOwn = !process.getuid || statSync(file).uid === process.getuid()
      if (isOwn && kept.until - MARGIN_SECONDS > Date.now() / 1000) return kept
    } catch {
      // It is not in this folder, or cannot be read: another one may have it.
    }
  return null
}

/**
 * @param {string} name
 * @param {Exchanged} exchanged
 */
function keepAs(name, exchanged) {
  for (const folder of jobFolders())
    try {
      return writePrivate(join(folder, name), exchanged)
    } catch {
      // The next folder may be writable.
    }
  printProgress(
    'The other commands of this job cannot sign in: the token cannot be kept. Set XDG_CONFIG_HOME to a folder that can be written.',
  )
}

/**
 * @param {string} url
 * @param {string} account
 * @returns {Promise<Exchanged>}
 */
async function gitlabExchange(url, account) {
  const assertion = variable('SIGNALBOX_ID_TOKEN')
  const key = createHash('sha256').update(`${url} ${account} ${assertion}`).digest('hex').slice(0, 32)
  const name = `job-${key}.json`
  const kept = keptAs(name)
  if (kept) return kept
  try {
    const exchanged = await exchange(url, account, assertion)
    keepAs(name, exchanged)
    return exchanged
  } catch (error) {
    // Another command of the job may be exchanging it at this moment.
    await sleep(1_000)
    const other = keptAs(name)
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
