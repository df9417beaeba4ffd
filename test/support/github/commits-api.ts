/** Commits, comparisons, pull requests of a commit, checks and commit statuses. */
import { repositoryJson } from './accounts-json.ts'
import { checkRunJson, checkSuiteJson, latestRuns, simpleStatusJson, statusJson } from './checks-json.ts'
import { compare, historyOf, resolve } from './commits.ts'
import { commitJson, comparisonJson, pullRequestJson, wholeCommitJson } from './commits-json.ts'
import { noCommit, notFound, Refusal, validationFailed } from './problems.ts'
import { type Api, paged } from './routing.ts'
import type { CheckSuite, Commit, CommitStatus, Repository } from './world.ts'

/** @throws Refusal 422 */
function commitOf(repository: Repository, ref: string | undefined): Commit {
  const found = resolve(repository, ref ?? '')
  if (!found) throw noCommit(ref ?? '')
  return found
}

const allSuitesOf = ({ checkSuites, runs }: Repository): CheckSuite[] => [...checkSuites, ...runs.map(({ suite }) => suite)]

const suitesOf = (repository: Repository, sha: string): CheckSuite[] =>
  allSuitesOf(repository).filter(({ headSha }) => headSha === sha)

/** The latest of each context, which is not case sensitive, the newest first. */
function latestStatuses({ statuses }: Repository, sha: string): CommitStatus[] {
  const latest = new Map(statuses.filter((each) => each.sha === sha).map((each) => [each.context.toLowerCase(), each]))
  return [...latest.values()].toReversed()
}

function combinedState(statuses: CommitStatus[]): string {
  if (statuses.some(({ state }) => state === 'error' || state === 'failure')) return 'failure'
  return statuses.length === 0 || statuses.some(({ state }) => state === 'pending') ? 'pending' : 'success'
}

/** One commit and context takes so many statuses. */
const MOST_STATUSES = 1000
/** Without paging, a comparison lists so many commits. */
const MOST_COMMITS = 250

export const commitsApi = {
  '/repos/{owner}/{repo}/commits': {
    get: {
      by: 'repository',
      needs: { contents: 'read' },
      answer: ({ world, repository, ...call }) => {
        const ref = call.query.get('sha') ?? repository.defaultBranch
        const commit = resolve(repository, ref)
        if (!commit) throw notFound()
        const { items, headers } = paged(call, [...historyOf(commit)])
        return { status: 200, body: items.map((each) => commitJson(world, repository, each)), headers }
      },
    },
  },
  '/repos/{owner}/{repo}/commits/{ref}': {
    get: {
      by: 'repository',
      needs: { contents: 'read' },
      answer: ({ world, repository, parameters }) => {
        const commit = commitOf(repository, parameters.ref)
        return { status: 200, body: wholeCommitJson(world, repository, commit) }
      },
    },
  },
  '/repos/{owner}/{repo}/compare/{basehead}': {
    get: {
      by: 'repository',
      needs: { contents: 'read' },
      answer: ({ world, repository, parameters: { basehead = '' }, ...call }) => {
        const [from, to] = basehead.split('...')
        const [base, head] = [resolve(repository, from ?? ''), resolve(repository, to ?? '')]
        if (!base || !head) throw notFound()
        const comparison = compare(base, head)
        if (!comparison) throw new Refusal(404, `No common ancestor between ${from} and ${to}.`)
        const isPaged = call.query.has('page') || call.query.has('per_page')
        const { items, page, headers } = isPaged
          ? paged(call, comparison.ahead)
          : { items: comparison.ahead.slice(-MOST_COMMITS), page: 1, headers: {} }
        const body = comparisonJson(world, repository, [base, head], basehead, comparison, items, page === 1)
        return { status: 200, body, headers }
      },
    },
  },
  '/repos/{owner}/{repo}/commits/{commit_sha}/pulls': {
    get: {
      by: 'repository',
      needs: { pull_requests: 'read' },
      answer: ({ world, repository, parameters, ...call }) => {
        const commit = commitOf(repository, parameters.commit_sha)
        const all = repository.pulls.filter(({ headSha, mergeSha }) => headSha === commit.sha || mergeSha === commit.sha)
        const { items, headers } = paged(call, all)
        return { status: 200, body: items.map((pull) => pullRequestJson(world, pull, repository)), headers }
      },
    },
  },
  '/repos/{owner}/{repo}/commits/{ref}/check-runs': {
    get: {
      by: 'repository',
      needs: { checks: 'read' },
      answer: ({ world, repository, parameters, ...call }) => {
        const { sha } = commitOf(repository, parameters.ref)
        const { query } = call
        const is = (name: string, value: string) => !query.has(name) || query.get(name) === value
        const suites = suitesOf(repository, sha).filter(({ app }) => is('app_id', String(app.id)))
        // Of the same name, those of another suite stay.
        const runs = suites.flatMap((suite) => (query.get('filter') === 'all' ? suite.runs : latestRuns(suite.runs)))
        const all = runs.filter(({ name, status }) => is('check_name', name) && is('status', status)).toReversed()
        const { items, headers } = paged(call, all)
        return {
          status: 200,
          body: { total_count: all.length, check_runs: items.map((run) => checkRunJson(world, repository, run)) },
          headers,
        }
      },
    },
  },
  '/repos/{owner}/{repo}/commits/{ref}/check-suites': {
    get: {
      by: 'repository',
      needs: { checks: 'read' },
      answer: ({ world, repository, parameters, ...call }) => {
        const { sha } = commitOf(repository, parameters.ref)
        const wanted = call.query.get('app_id')
        const all = suitesOf(repository, sha).filter(({ app }) => wanted === null || String(app.id) === wanted)
        const { items, headers } = paged(call, all)
        const suites = items.map((suite) => checkSuiteJson(world, repository, suite))
        return { status: 200, body: { total_count: all.length, check_suites: suites }, headers }
      },
    },
  },
  '/repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs': {
    get: {
      by: 'repository',
      needs: { checks: 'read' },
      answer: ({ world, repository, parameters, ...call }) => {
        const suite = allSuitesOf(repository).find(({ id }) => String(id) === parameters.check_suite_id)
        if (!suite) throw notFound()
        const all = call.query.get('filter') === 'all' ? suite.runs : latestRuns(suite.runs)
        const { items, headers } = paged(call, all)
        const runs = items.map((run) => checkRunJson(world, repository, run))
        return { status: 200, body: { total_count: all.length, check_runs: runs }, headers }
      },
    },
  },
  '/repos/{owner}/{repo}/check-runs/{check_run_id}': {
    get: {
      by: 'repository',
      needs: { checks: 'read' },
      answer: ({ world, repository, parameters }) => {
        const found = allSuitesOf(repository)
          .flatMap(({ runs }) => runs)
          .find(({ id }) => String(id) === parameters.check_run_id)
        if (!found) throw notFound()
        return { status: 200, body: checkRunJson(world, repository, found) }
      },
    },
  },
  '/repos/{owner}/{repo}/commits/{ref}/status': {
    get: {
      by: 'repository',
      needs: { statuses: 'read' },
      answer: ({ world, repository, parameters, ...call }) => {
        const { sha } = commitOf(repository, parameters.ref)
        const all = latestStatuses(repository, sha)
        const { items, headers } = paged(call, all)
        const shown = repositoryJson(world, repository)
        const body = {
          state: combinedState(all),
          statuses: items.map((status) => simpleStatusJson(world, repository, status)),
          sha,
          total_count: all.length,
          repository: shown,
          commit_url: `${shown.url}/commits/${sha}`,
          url: `${shown.url}/commits/${sha}/status`,
        }
        return { status: 200, body, headers }
      },
    },
  },
  '/repos/{owner}/{repo}/commits/{ref}/statuses': {
    get: {
      by: 'repository',
      needs: { statuses: 'read' },
      answer: ({ world, repository, parameters, ...call }) => {
        const { sha } = commitOf(repository, parameters.ref)
        const all = repository.statuses.filter((each) => each.sha === sha).toReversed()
        const { items, headers } = paged(call, all)
        return { status: 200, body: items.map((status) => statusJson(world, repository, status)), headers }
      },
    },
  },
  '/repos/{owner}/{repo}/statuses/{sha}': {
    post: {
      by: 'repository',
      needs: { statuses: 'write' },
      takes: {
        state: { type: 'string', enum: ['error', 'failure', 'pending', 'success'], required: true },
        target_url: { type: 'string', nullable: true, required: false },
        description: { type: 'string', nullable: true, required: false },
        context: { type: 'string', required: false },
      },
      answer: ({ world, events, repository, parameters: { sha = '' }, body, caller }) => {
        const commit = /^[0-9a-f]{40}$/.test(sha) ? repository.network.get(sha) : undefined
        if (!commit) throw noCommit(sha)
        const { state, context = 'default', description = null, target_url: targetUrl = null } = body
        const problem = { resource: 'Status', code: 'custom' } as const
        if ([...(description ?? '')].length > 140)
          throw validationFailed({
            ...problem,
            field: 'description',
            message: 'description is too long (maximum is 140 characters)',
          })
        if ([...context].length > 255)
          throw validationFailed({ ...problem, field: 'context', message: 'context is too long (maximum is 255 characters)' })
        if (targetUrl !== null && targetUrl !== '' && !/^https?:\/\//.test(targetUrl))
          throw validationFailed({ ...problem, field: 'target_url', message: 'target_url must use http(s) scheme' })
        const same = repository.statuses.filter(
          (each) => each.sha === sha && each.context.toLowerCase() === context.toLowerCase(),
        )
        if (same.length >= MOST_STATUSES)
          throw validationFailed({
            ...problem,
            field: 'base',
            message: 'This SHA and context has reached the maximum number of statuses.',
          })
        const creator =
          caller.kind === 'user' ? caller.person : caller.kind === 'installation' ? caller.installation.app.bot : null
        if (!creator) throw notFound()
        const status: CommitStatus = {
          id: world.nextId(),
          sha,
          state,
          context,
          description,
          targetUrl,
          creator,
          at: world.clock.now(),
        }
        repository.statuses.push(status)
        events.status(repository, status, commit)
        const shown = statusJson(world, repository, status)
        return { status: 201, body: shown, headers: { Location: shown.url } }
      },
    },
  },
} satisfies Api
