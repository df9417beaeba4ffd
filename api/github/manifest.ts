/** The manifest flow: GitHub makes an app of what the service asks for (https://docs.github.com/apps/sharing-github-apps). */
import { privateKeyOf, readApp } from '../../core/github/app.ts'
import { callGitHub } from '../../core/github/client.ts'
import { PERMISSIONS } from '../../core/github/permissions.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { encrypt } from '../../core/security/secrets.ts'
import { isObject } from '../../core/values/json.ts'
import { isOwnComputer } from '../../core/values/web-addresses.ts'
import type { Tx } from '../../sql/index.ts'
import { makeState, readState, useUp } from '../credentials/signed-states.ts'
import { transactionWith } from '../plugins/confirm-access.ts'
import type { Caller, SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { appExists, createApp, type GitHubApp, githubOrigin, type KnownApp, knownOf } from './app.ts'
import { answeredText, askGitHub } from './calls.ts'

const PURPOSE = 'github manifest'
const STATE_SECONDS = 3_600
/** GitHub takes no longer name. */
const MAX_NAME = 34

const below = (path: string): string => `${config.PUBLIC_URL}${path}`

/** Where people come back to after authorizing, and after installing. */
export const CALLBACK = '/github/callback'
export const INSTALLED = '/github/installed'
export const CONVERSION = '/github/app'

/** Whether GitHub on the internet can reach this service at all. */
export const isReachable = (): boolean => !isOwnComputer(config.PUBLIC_URL)

export interface Wanted {
  url: string
  /** The organization that owns the app; null: the person. */
  organization: string | null
  /** Whether other accounts can install it. */
  isPublic: boolean
}

/** What the app is to be. */
const manifestOf = ({ isPublic }: Wanted): object => ({
  name: `Signalbox ${new URL(config.PUBLIC_URL).hostname}`.slice(0, MAX_NAME),
  url: config.PUBLIC_URL,
  hook_attributes: { url: below('/github/webhooks'), active: true },
  redirect_url: below(CONVERSION),
  callback_urls: [below(CALLBACK)],
  setup_url: below(INSTALLED),
  setup_on_update: true,
  request_oauth_on_install: false,
  public: isPublic,
  default_permissions: PERMISSIONS,
  default_events: ['deployment_protection_rule', 'deployment_status', 'repository', 'workflow_run'],
})

/** The form that leads to GitHub: where, and what it posts. @throws Problem 422 for the URL */
export function manifestForm(by: SignedIn, wanted: Wanted): { action: string; manifest: string; origin: string } {
  const origin = githubOrigin(wanted.url)
  const owner = wanted.organization === null ? '' : `/organizations/${encodeURIComponent(wanted.organization)}`
  const state = makeState(PURPOSE, [by.session_id, Buffer.from(origin).toString('base64url')], STATE_SECONDS)
  return {
    action: `${origin}${owner}/settings/apps/new?state=${state}`,
    manifest: JSON.stringify(manifestOf(wanted)),
    origin,
  }
}

const notMade = (detail: string): Problem => new Problem('github_not_connected', detail)

/** An app that GitHub has made, with its secrets as they are. */
interface Conversion extends KnownApp {
  url: string
  private_key: string
  client_secret: string
  webhook_secret: string
}

/** What a conversion has answered; null if it is none. */
function conversionOf(at: string, sent: unknown): Conversion | null {
  const known = knownOf(at, sent)
  const { pem, client_secret, webhook_secret } = isObject(sent) ? sent : {}
  if (!known || typeof pem !== 'string' || typeof client_secret !== 'string' || typeof webhook_secret !== 'string') return null
  return privateKeyOf(pem) && { ...known, url: at, private_key: pem, client_secret, webhook_secret }
}

/** Whether this service has an app. @throws Problem `already_exists` */
async function requireNone(): Promise<void> {
  if (await readApp(sql)) throw appExists()
}

/** Stores an app that GitHub has made. @throws Problem `already_exists` */
async function storeConversion(tx: Tx, by: Caller, conversion: Conversion): Promise<GitHubApp> {
  const { private_key, client_secret, webhook_secret, ...known } = conversion
  const [key, client, webhook] = await Promise.all([private_key, client_secret, webhook_secret].map(encrypt))
  return createApp(tx, by, {
    ...known,
    private_key: key as Uint8Array,
    client_secret: client as Uint8Array,
    webhook_secret: webhook as Uint8Array,
  })
}

/**
 * Stores the app that GitHub has made.
 *
 * @throws Problem `github_not_connected`, `already_exists`
 */
export async function completeManifest(by: SignedIn, { code, state }: { code: string; state: string }): Promise<GitHubApp> {
  const found = readState(PURPOSE, state)
  const [session_id, origin = ''] = found?.ids ?? []
  if (!found || session_id !== by.session_id || code === '')
    throw notMade('This has expired, or was begun in another session. Start again, and delete the app that GitHub has made.')
  await requireNone()
  if (!(await useUp(state, found.expires))) throw notMade('This was used before. Start again.')
  const at = Buffer.from(origin, 'base64url').toString()
  const path = `/app-manifests/${encodeURIComponent(code)}/conversions`
  const answer = await askGitHub(callGitHub(at, path, { method: 'POST', token: null })).catch((error: unknown) => {
    throw error instanceof Problem ? notMade(`${error.detail} Delete the app that GitHub has made first.`) : error
  })
  const conversion = answer.status === 201 ? conversionOf(at, answer.body) : null
  if (!conversion)
    throw notMade(
      `GitHub did not hand out the app: it answered ${answeredText(answer)}. Start again, and delete the app that it has made.`,
    )
  return transactionWith({ caller: by, resource: null, required_role: null }, (tx) => storeConversion(tx, by, conversion))
}
