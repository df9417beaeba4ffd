/** Reads parts of a repository, with one token. */

import { callGitHub, forgetToken, type GitHubAnswer, messageOf, tokenFor } from '../../core/github/client.ts'
import { grantedOf, type Permissions } from '../../core/github/permissions.ts'
import type { Deadline } from '../../core/outbound/deadline.ts'
import type { Installation } from './request.ts'

/** What evidence is made of. */
const READING: Permissions = {
  actions: 'read',
  checks: 'read',
  contents: 'read',
  metadata: 'read',
  pull_requests: 'read',
  statuses: 'read',
}

/** A part that cannot be read, and why; whether another try may help. */
export class Unreadable extends Error {
  constructor(
    message: string,
    readonly mayPass: boolean,
  ) {
    super(message)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what GitHub sends is checked where it is used
export type Read = (path: string) => Promise<any>

/** Whether a refusal is about what the token may read, and not about this moment. */
const isRefused = ({ status }: GitHubAnswer): boolean => [403, 404, 409, 410, 422].includes(status)

/**
 * What reads below the path of a repository, all within one time limit.
 * @throws GitHubAway, TokenRefused; `read` also `Unreadable`
 */
export async function readerOf(
  installation: Installation,
  repository_id: number,
  path: string,
  deadline: Deadline,
): Promise<Read> {
  const token = await tokenFor(installation, repository_id, grantedOf(READING, installation.permissions), deadline)
  return async (below) => {
    const answer = await callGitHub(installation.url, `${path}${below}`, { token, deadline })
    if (answer.status === 200 && answer.body !== null) return answer.body
    if (answer.status === 401) forgetToken(token)
    const said = messageOf(answer)
    throw new Unreadable(`GitHub answered ${answer.status}${said === '' ? '' : `: ${said}`}`, !isRefused(answer))
  }
}
