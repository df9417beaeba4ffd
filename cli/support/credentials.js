/** The token of a command: SIGNALBOX_TOKEN, the token of a CI job, or the token of `login`. */
import { configFile, readConfig, variable } from './config.js'
import { Failure } from './failure.js'
import { programWith } from './program.js'

/**
 * @typedef {object} Credentials
 * @property {() => Promise<string>} token
 * @property {() => Promise<boolean>} renew after a token was refused; false if there is no other one
 * @property {string} source where the token is from, for people
 * @property {string} next what to do if it is refused
 */

/**
 * @param {string} token
 * @param {string} source
 * @param {string} next
 * @returns {Credentials}
 */
const fixed = (token, source, next) => ({ token: async () => token, renew: async () => false, source, next })

/** What CI needs so that its jobs can sign in without a token. */
function adviceForCi() {
  const account = variable('SIGNALBOX_SERVICE_ACCOUNT') !== ''
  if (!account) return 'Set SIGNALBOX_SERVICE_ACCOUNT to the id of the service account that trusts this job.'
  if (variable('GITHUB_ACTIONS') !== '') return 'Give the job the permission to sign in: permissions: { id-token: write }'
  return 'Give the job a token: id_tokens: { SIGNALBOX_ID_TOKEN: { aud: <the URL of Signalbox> } }'
}

/**
 * @param {string} url of the service
 * @param {string} [given] on the command line
 * @returns {Promise<Credentials>}
 * @throws {Failure} if there is no token
 */
export async function credentialsFor(url, given) {
  if (given) return fixed(given, '--token', 'Check the token.')
  const fromEnvironment = variable('SIGNALBOX_TOKEN')
  if (fromEnvironment !== '') return fixed(fromEnvironment, 'SIGNALBOX_TOKEN', 'Set SIGNALBOX_TOKEN to a valid token.')
  const account = variable('SIGNALBOX_SERVICE_ACCOUNT')
  if (account !== '' && (variable('ACTIONS_ID_TOKEN_REQUEST_URL') !== '' || variable('SIGNALBOX_ID_TOKEN') !== '')) {
    const { ciCredentials } = await import('./ci.js')
    return ciCredentials(url, account)
  }
  const kept = readConfig().tokens[url]
  if (kept) return fixed(kept, configFile(), `Sign in again: ${programWith(`login --url ${url}`, url)}`)
  throw new Failure(`There is no token for ${url}.`, {
    code: 'no_token',
    next:
      variable('CI') === ''
        ? `Sign in with a browser: ${programWith(`login --url ${url}`, url)}\nOr set SIGNALBOX_TOKEN.`
        : `${adviceForCi()}\nOr set SIGNALBOX_TOKEN.`,
  })
}
