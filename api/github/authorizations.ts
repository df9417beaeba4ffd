/**
 * Authorizations by people at GitHub (https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app): they show which
 * account is theirs, and which installations they own. The token of the person is used at once, and not stored.
 */
import { createHash } from 'node:crypto'
import { currentApp, type StoredApp } from '../../core/github/app.ts'
import { callGitHub, callSite } from '../../core/github/client.ts'
import { idOf, objectIn, objectsIn, personOf, type Sent, textOf } from '../../core/github/sent.ts'
import { config } from '../../core/platform/config.ts'
import { decrypt } from '../../core/security/secrets.ts'
import { derivedFrom, makeState, readState, useUp } from '../credentials/signed-states.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { notFound, Problem } from '../problems.ts'
import { answeredText, askGitHub } from './calls.ts'
import { CALLBACK } from './manifest.ts'

const STATE_SECONDS = 600
const VERIFIER = 'github verifier'

/** What an authorization is for: to bind an installation to an organization, or to link the account. */
const PURPOSES = { connect: 'github connect', account: 'github account' } as const
type Purpose = keyof typeof PURPOSES

const callbackUri = (): string => `${config.PUBLIC_URL}${CALLBACK}`

/** @throws Problem `not_found` */
export async function requireApp(): Promise<StoredApp> {
  const app = await currentApp()
  if (!app) throw notFound('page')
  return app
}

/** Where a person authorizes the app. @param about what the authorization is for, besides the session */
export async function authorizeUrl(by: SignedIn, purpose: Purpose, about: string[] = []): Promise<string> {
  const { url, client_id } = await requireApp()
  const state = makeState(PURPOSES[purpose], [by.session_id, ...about], STATE_SECONDS)
  const verifier = derivedFrom(VERIFIER, state)
  return `${url}/login/oauth/authorize?${new URLSearchParams({
    client_id,
    redirect_uri: callbackUri(),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`
}

export const notConnected = (detail: string): Problem => new Problem('github_not_connected', detail)

/** A person at GitHub, for as long as a request takes. */
interface Authorized {
  purpose: Purpose
  /** Besides the session. */
  about: string[]
  app: StoredApp
  token: string
}

/**
 * Ends an authorization.
 * @param by the person to whose browser GitHub sent the code
 * @throws Problem `github_not_connected`, `github_unavailable`, `not_found`
 */
export async function completeAuthorization(by: SignedIn, { code, state }: { code: string; state: string }): Promise<Authorized> {
  const app = await requireApp()
  const purpose = (Object.keys(PURPOSES) as Purpose[]).find((each) => readState(PURPOSES[each], state))
  const found = purpose && readState(PURPOSES[purpose], state)
  const [session_id, ...about] = found?.ids ?? []
  if (!purpose || !found || session_id !== by.session_id || code === '')
    throw notConnected('This has expired, or was begun in another session. Start again.')
  if (!(await useUp(state, found.expires))) throw notConnected('This was used before. Start again.')
  const answer = await askGitHub(
    callSite(app.url, '/login/oauth/access_token', {
      method: 'POST',
      token: null,
      body: {
        client_id: app.client_id,
        client_secret: await decrypt(app.client_secret),
        code,
        redirect_uri: callbackUri(),
        code_verifier: found.derived(VERIFIER),
      },
    }),
  )
  const { access_token, error_description } = objectIn(answer.body)
  if (typeof access_token !== 'string')
    throw notConnected(`GitHub did not say who you are: ${textOf(error_description, 300) ?? answeredText(answer)}. Start again.`)
  return { purpose, about, app, token: access_token }
}

/** Asks GitHub as the person. @throws Problem `github_not_connected`, `github_unavailable` */
async function read({ app, token }: Authorized, path: string): Promise<Sent> {
  const answer = await askGitHub(callGitHub(app.url, path, { token }))
  if (answer.status !== 200) throw notConnected(`GitHub answered ${answeredText(answer)}. Start again.`)
  return answer.body
}

/** The account of the person. */
export async function accountOf(authorized: Authorized): Promise<{ id: number; login: string }> {
  const person = personOf(await read(authorized, '/user'))
  if (!person) throw notConnected('GitHub did not say who you are. Start again.')
  return person
}

/** An installation that a person owns. */
export interface Owned {
  installation_id: number
  login: string
  type: string
}

const PER_PAGE = 100
const MAX_PAGES = 5

async function installationsOf(authorized: Authorized): Promise<Sent[]> {
  const found: Sent[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { installations } = await read(authorized, `/user/installations?per_page=${PER_PAGE}&page=${page}`)
    const some = objectsIn(installations)
    found.push(...some)
    if (some.length < PER_PAGE) break
  }
  return found
}

/** Whether the person is an owner of an organization at GitHub. What GitHub does not show is not owned. */
async function isOwner({ app, token }: Authorized, login: string): Promise<boolean> {
  const answer = await askGitHub(callGitHub(app.url, `/user/memberships/orgs/${encodeURIComponent(login)}`, { token }))
  const { role, state } = objectIn(answer.body)
  return answer.status === 200 && role === 'admin' && state === 'active'
}

/** What the person owns: GitHub lists installations to everyone who can read one of their repositories. */
export async function ownedBy(authorized: Authorized): Promise<Owned[]> {
  const [{ id }, installations] = await Promise.all([accountOf(authorized), installationsOf(authorized)])
  const owned = await Promise.all(
    installations.map(async ({ id: number, app_id, account }): Promise<Owned | null> => {
      const { id: account_id, login, type } = objectIn(account)
      const [installation_id, name] = [idOf(number), textOf(login, 255)]
      if (app_id !== authorized.app.app_id || installation_id === null || name === null) return null
      const isOwn = type === 'Organization' ? await isOwner(authorized, name) : type === 'User' && account_id === id
      return isOwn ? { installation_id, login: name, type } : null
    }),
  )
  return owned.filter((each) => each !== null)
}

const CHOICE = 'github choice'

/** What chooses an installation: signed for a session and an organization, for ten minutes. */
export const choiceOf = (by: SignedIn, organization_id: string, { installation_id }: Owned): string =>
  makeState(CHOICE, [by.session_id, organization_id, String(installation_id)], STATE_SECONDS)

/** @returns GitHub's id @throws Problem `github_not_connected` */
export function chosenIn(by: SignedIn, organization_id: string, choice: string): number {
  const [session_id, chosen_for, installation_id] = readState(CHOICE, choice)?.ids ?? []
  if (session_id !== by.session_id || chosen_for !== organization_id)
    throw notConnected('This choice has expired, or was offered in another session. Connect again.')
  return Number(installation_id)
}
