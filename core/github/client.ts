/** Requests to the API of GitHub: only to allowed addresses, limited in time and size. */
import { Deadline } from '../outbound/deadline.ts'
import { explainError, type OutboundError } from '../outbound/errors.ts'
import { exchange, type HttpResponse, type Method } from '../outbound/http/exchange.ts'
import { epochSeconds, monotonicMs } from '../platform/clock.ts'
import { isObject, parseExactly } from '../values/json.ts'
import { line } from '../values/plain-text.ts'
import { type AppKey, apiOf, appToken } from './app.ts'
import type { Permissions } from './permissions.ts'

/** Time limit of a request with its redirects: DNS, connecting, headers and bodies. */
const TIMEOUT_MS = 10_000

/** A comparison of 300 files has the differences of each. */
const MAX_BYTES = 4 * 1_048_576

const MAX_REDIRECTS = 3

export interface GitHubAnswer {
  status: number
  headers: Record<string, string>
  /** The JSON of the body; null if there is none, or it was too long. */
  // biome-ignore lint/suspicious/noExplicitAny: what GitHub sends is checked where it is used
  body: any
}

/** There was no answer, or none that is one of GitHub. */
export class GitHubAway extends Error {
  /** @param isSent whether GitHub may have received the request */
  constructor(
    readonly reason: OutboundError,
    readonly isSent: boolean,
  ) {
    super(reason.detail)
  }
}

interface GitHubRequest {
  method?: Method
  /** Null: none. */
  token: string | null
  body?: object
  deadline?: Deadline
}

const isRedirect = (status: number): boolean => [301, 302, 307, 308].includes(status)

function jsonOf({ body, isCut, headers }: HttpResponse): unknown {
  if (isCut || ![undefined, 'identity'].includes(headers['content-encoding'])) return null
  try {
    // Ids of deliveries are larger than what a number holds.
    return parseExactly(body.toString())
  } catch {
    return null
  }
}

/**
 * Sends a request. Redirects are followed within the API: repositories are renamed.
 *
 * @param url the origin of GitHub
 * @param path below the URL of its API
 * @throws GitHubAway
 */
export const callGitHub = (url: string, path: string, request: GitHubRequest): Promise<GitHubAnswer> =>
  sendTo(apiOf(url), `${apiOf(url)}${path}`, 'application/vnd.github+json', request)

/** The same for a URL outside of the API, where redirects are not followed. */
export const callSite = (url: string, path: string, request: GitHubRequest): Promise<GitHubAnswer> =>
  sendTo(null, `${url}${path}`, 'application/json', request)

async function sendTo(api: string | null, at: string, accept: string, { method, token, body, deadline }: GitHubRequest) {
  const text = body === undefined ? null : JSON.stringify(body)
  const headers = {
    Accept: accept,
    'User-Agent': 'Signalbox',
    ...(api === null ? {} : { 'X-GitHub-Api-Version': '2022-11-28' }),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(text === null ? {} : { 'Content-Type': 'application/json' }),
  }
  const until = deadline ?? new Deadline(TIMEOUT_MS)
  let isSent = false
  try {
    for (let target = at, redirects = 0; ; redirects++) {
      const response = await exchange(target, { method, headers, body: text }, MAX_BYTES, until, () => {
        isSent = true
      })
      if (response.bodyError !== null) throw response.bodyError
      const next = isRedirect(response.status) ? URL.parse(response.headers.location ?? '', target)?.href : undefined
      if (api !== null && next?.startsWith(`${api}/`) && redirects < MAX_REDIRECTS) target = next
      else return { status: response.status, headers: response.headers, body: jsonOf(response) }
    }
  } catch (error) {
    throw new GitHubAway(explainError(error, 'GitHub did not answer', TIMEOUT_MS / 1000), isSent)
  } finally {
    if (!deadline) until.end()
  }
}

/** What GitHub says is wrong, in a line; empty if it says nothing. */
export function messageOf({ body }: GitHubAnswer): string {
  const { message, errors } = isObject(body) ? body : {}
  const details = Array.isArray(errors) ? errors.map((each) => (typeof each === 'string' ? each : (each?.message ?? ''))) : []
  return [message, ...details]
    .filter((each) => typeof each === 'string' && each !== '')
    .map((each) => line(each, 300))
    .join(' ')
}

/** The longest that GitHub can make us wait: its limits are those of an hour. */
const MAX_WAIT_SECONDS = 3_600
const USUAL_WAIT_SECONDS = 60

/**
 * For how many seconds a limit that is used up makes the installation wait; null if the answer is about none
 * (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 */
export function limitedFor(answer: GitHubAnswer): number | null {
  const { status, headers } = answer
  const isLimit = headers['x-ratelimit-remaining'] === '0' || 'retry-after' in headers || /rate limit/i.test(messageOf(answer))
  if (status !== 429 && !(status === 403 && isLimit)) return null
  const asked = Number(headers['retry-after'] ?? Number.NaN)
  const reset = Number(headers['x-ratelimit-remaining'] === '0' ? headers['x-ratelimit-reset'] : Number.NaN) - epochSeconds()
  const seconds = [asked, reset].find((each) => Number.isFinite(each)) ?? USUAL_WAIT_SECONDS
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS)
}

/** Who asks, and about which installation of the app. */
export interface Installed {
  url: string
  app: AppKey
  /** GitHub's id. */
  installation_id: number
}

/** A token of an installation, for some repositories. */
interface InstallationToken {
  token: string
  /** On the monotonic clock. */
  until: number
}

/** Tokens are good for an hour; one that is about to end is not used. */
const TOKEN_MS = 50 * 60_000
const MAX_TOKENS = 500

/** In the memory of this process alone, the oldest first. */
const tokens = new Map<string, InstallationToken>()

const keyFor = ({ url, app, installation_id }: Installed, repository_id: number | null, permissions: Permissions): string =>
  [url, app.app_id, installation_id, repository_id, JSON.stringify(permissions)].join(' ')

/** An answer in place of a token: GitHub refused to make one. */
export class TokenRefused extends Error {
  constructor(readonly answer: GitHubAnswer) {
    super(`GitHub made no token (${answer.status})`)
  }
}

/** Makes a token of an installation. */
export const requestToken = async (installed: Installed, body: object, deadline?: Deadline): Promise<GitHubAnswer> =>
  callGitHub(installed.url, `/app/installations/${installed.installation_id}/access_tokens`, {
    method: 'POST',
    token: await appToken(installed.app),
    body,
    ...(deadline ? { deadline } : {}),
  })

/**
 * A token for one repository, or for all of an installation, made at most once an hour.
 * @throws GitHubAway, TokenRefused
 */
export async function tokenFor(
  installed: Installed,
  repository_id: number | null,
  permissions: Permissions,
  deadline?: Deadline,
): Promise<string> {
  const key = keyFor(installed, repository_id, permissions)
  const kept = tokens.get(key)
  if (kept && kept.until > monotonicMs()) return kept.token
  const body = { permissions, ...(repository_id === null ? {} : { repository_ids: [repository_id] }) }
  const answer = await requestToken(installed, body, deadline)
  const token = answer.body?.token
  if (answer.status !== 201 || typeof token !== 'string') throw new TokenRefused(answer)
  tokens.delete(key)
  tokens.set(key, { token, until: monotonicMs() + TOKEN_MS })
  const [oldest] = tokens.keys()
  if (tokens.size > MAX_TOKENS && oldest !== undefined) tokens.delete(oldest)
  return token
}

/** Forgets a token that GitHub does not accept any more. */
export function forgetToken(token: string): void {
  for (const [key, each] of tokens) if (each.token === token) tokens.delete(key)
}
