/** Reads what is known about the commit of a request. */

import { GitHubAway } from '../../core/github/client.ts'
import type { Sent } from '../../core/github/sent.ts'
import type { Deadline } from '../../core/outbound/deadline.ts'
import { sql } from '../../core/platform/database.ts'
import { isObject } from '../../core/values/json.ts'
import type { Parts } from './evidence.ts'
import { type Read, readerOf, Unreadable } from './reading.ts'
import { type DueRequest, type Installation, repositoryPath } from './request.ts'

/** The commit that runs in an environment; null if that is not known. */
export async function runningCommit({ organization_id, project_id }: DueRequest, environment: string): Promise<string | null> {
  const [current] = await sql<{ commit: string | null }[]>`
    select rollout.digest ->> 'gitCommit' as commit
    from environments as known
    join rollouts as rollout on rollout.id = known.current_id and rollout.organization_id = ${organization_id}
    where known.project_id = ${project_id}
      and known.environment = ${environment}
      and known.organization_id = ${organization_id}
  `
  return current?.commit ?? null
}

export interface Gathered {
  parts: Parts
  /** Why parts are missing. */
  unreadable: Partial<Record<keyof Parts, string>>
  /** Whether another try may read them. */
  mayPass: boolean
}

const PER_PAGE = 100
const MAX_PAGES = 3

/** All items of a list of at most three pages. */
async function pagesOf(read: Read, path: string, items: (body: Sent) => unknown): Promise<Sent[]> {
  const found: Sent[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const body = await read(`${path}${path.includes('?') ? '&' : '?'}per_page=${PER_PAGE}&page=${page}`)
    const some = items(body)
    if (!Array.isArray(some)) break
    found.push(...some.filter(isObject))
    if (some.length < PER_PAGE) break
  }
  return found
}

const reasonOf = (error: unknown): string =>
  error instanceof GitHubAway || error instanceof Unreadable ? error.message : 'unknown'

/**
 * Reads all parts at the same time, within a time limit. Those that cannot be read are noted; without the run there is nothing to ask about.
 * @throws GitHubAway, TokenRefused, Unreadable
 */
export async function gather(
  installation: Installation,
  request: DueRequest,
  base: string | null,
  deadline: Deadline,
): Promise<Gathered> {
  const read = await readerOf(installation, request.repository_id, repositoryPath(request), deadline)
  const { run_id, commit } = request
  const unreadable: Gathered['unreadable'] = {}
  let mayPass = false
  const part = async <Value>(name: keyof Parts, reading: Promise<Value>): Promise<Value | null> => {
    try {
      return await reading
    } catch (error) {
      if (!(error instanceof GitHubAway || error instanceof Unreadable)) throw error
      unreadable[name] = reasonOf(error)
      mayPass ||= error instanceof GitHubAway || error.mayPass
      return null
    }
  }
  const [run, check_runs, statuses, jobs, pulls, comparison] = await Promise.all([
    read(`/actions/runs/${run_id}`),
    part(
      'check_runs',
      pagesOf(read, `/commits/${commit}/check-runs?filter=latest`, ({ check_runs }) => check_runs),
    ),
    part(
      'statuses',
      pagesOf(read, `/commits/${commit}/status`, ({ statuses }) => statuses),
    ),
    part(
      'jobs',
      pagesOf(read, `/actions/runs/${run_id}/jobs?filter=latest`, ({ jobs }) => jobs),
    ),
    part(
      'pulls',
      read(`/commits/${commit}/pulls`).then((found) => (Array.isArray(found) ? found.filter(isObject) : [])),
    ),
    base === null || base === commit
      ? undefined
      : part('comparison', read(`/compare/${base}...${commit}?per_page=${PER_PAGE}`) as Promise<Sent>),
  ])
  return { parts: { run, check_runs, statuses, jobs, pulls, comparison } as Parts, unreadable, mayPass }
}
