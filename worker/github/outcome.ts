/** What an answer of GitHub means for what was sent. */

import { retrySchedule } from '../../core/delivery/attempts.ts'
import { type GitHubAnswer, GitHubAway, limitedFor, messageOf, TokenRefused } from '../../core/github/client.ts'
import { config } from '../../core/platform/config.ts'
import { Unreadable } from './reading.ts'
import type { AttemptFailure } from './request.ts'

const HOUR = 3600

/** The last delay goes on until GitHub does not let the run wait any more. */
export const { delay: retryDelay } = retrySchedule(config.GITHUB_RETRY_SECONDS, [5, 30, 120, 600, 1800, HOUR])

/** A request that has to be made again. */
export interface Failure extends AttemptFailure {
  /** Whether GitHub may have done what was asked. */
  isUncertain: boolean
  /** For how long the whole installation waits; null if it does not. */
  hold_seconds: number | null
  /** Whether GitHub did not let us in: the installation is asked about. */
  isShut: boolean
  timedOut: boolean
}

const failure = (code: string, detail: string, more: Partial<Failure> = {}): Failure => ({
  code,
  detail,
  isUncertain: false,
  hold_seconds: null,
  isShut: false,
  timedOut: false,
  ...more,
})

const told = (answer: GitHubAnswer): string => {
  const said = messageOf(answer)
  return `GitHub answered ${answer.status}${said === '' ? '' : `: ${said}`}.`
}

/** Of an answer that is no success. */
export function failureOf(answer: GitHubAnswer): Failure {
  const hold_seconds = limitedFor(answer)
  if (hold_seconds !== null) return failure('rate_limited', told(answer), { hold_seconds })
  return failure('http_error', told(answer), {
    isUncertain: answer.status >= 500,
    isShut: [401, 403, 404].includes(answer.status),
  })
}

/** Of an error; undefined if it is none of GitHub. */
export function failureFrom(error: unknown): Failure | undefined {
  if (error instanceof GitHubAway) {
    const { code, detail } = error.reason
    return failure(code, detail, { isUncertain: error.isSent, timedOut: code === 'timeout' })
  }
  if (error instanceof Unreadable) return failure('http_error', `${error.message}.`)
  if (!(error instanceof TokenRefused)) return undefined
  const known = failureOf(error.answer)
  return known.hold_seconds === null
    ? failure('no_access', `GitHub gave no access to the repository: ${told(error.answer)}`, { isShut: true })
    : known
}

/** Whether GitHub says that the deployment was answered before. */
export const isAnsweredBefore = (answer: GitHubAnswer): boolean =>
  [403, 409, 422].includes(answer.status) && /already (been )?(reviewed|approved|rejected)/i.test(messageOf(answer))
