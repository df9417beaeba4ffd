/** Check runs, check suites and commit statuses as the API shows them. */
import { appJson, nodeId, repositoryJson, userJson } from './accounts-json.ts'
import { apiOf, minimalPullRequestJson, pageOf, simpleCommitJson } from './commits-json.ts'
import type { Schemas } from './shapes.ts'
import { type CheckRun, type CheckSuite, type CommitStatus, iso, type Repository, type World } from './world.ts'

/** GitHub lists here only pull requests from branches of the same repository. */
const pullsAt = (world: World, repository: Repository, sha: string) =>
  repository.pulls
    .filter((pull) => pull.state === 'open' && pull.headRepository === repository && pull.headSha === sha)
    .map((pull) => minimalPullRequestJson(world, pull, repository))

export function checkRunJson(world: World, repository: Repository, run: CheckRun) {
  const { id, suite, name, status, conclusion, detailsUrl, summary, startedAt, completedAt } = run
  const url = `${apiOf(world, repository)}/check-runs/${id}`
  return {
    id,
    name,
    node_id: nodeId('CheckRun', id),
    head_sha: suite.headSha,
    external_id: `${id}`,
    url,
    html_url: `${pageOf(world, repository)}/runs/${id}`,
    details_url: detailsUrl,
    status,
    // The reference leaves `stale` out of the answer, though GitHub sets it after 14 days.
    conclusion: conclusion as Schemas['check-run']['conclusion'],
    started_at: iso(startedAt),
    completed_at: completedAt === null ? null : iso(completedAt),
    output: { title: null, summary, text: null, annotations_count: 0, annotations_url: `${url}/annotations` },
    check_suite: { id: suite.id },
    app: appJson(world, suite.app),
    pull_requests: pullsAt(world, repository, suite.headSha),
  } satisfies Schemas['check-run']
}

/** The status of a suite is that of its runs. */
export function suiteState({ runs }: CheckSuite): Pick<CheckRun, 'status' | 'conclusion'> {
  const latest = latestRuns(runs)
  if (latest.length === 0) return { status: 'queued', conclusion: null }
  if (latest.some(({ status }) => status !== 'completed')) {
    const isStarted = latest.some(({ status }) => status === 'in_progress' || status === 'completed')
    return { status: isStarted ? 'in_progress' : 'queued', conclusion: null }
  }
  const order = ['action_required', 'failure', 'timed_out', 'cancelled', 'stale', 'success', 'neutral', 'skipped'] as const
  return { status: 'completed', conclusion: order.find((each) => latest.some(({ conclusion }) => conclusion === each)) ?? null }
}

/** Of each name, the run that came last. */
export const latestRuns = (runs: CheckRun[]): CheckRun[] => [...new Map(runs.map((run) => [run.name, run])).values()]

export function checkSuiteJson(world: World, repository: Repository, suite: CheckSuite): Schemas['check-suite'] {
  const { id, app, headSha, headBranch, runs, createdAt, updatedAt } = suite
  const url = `${apiOf(world, repository)}/check-suites/${id}`
  const commit = repository.network.get(headSha)
  if (!commit) throw new Error(`No commit ${headSha}`)
  const { status, conclusion } = suiteState(suite)
  return {
    id,
    node_id: nodeId('CheckSuite', id),
    head_branch: headBranch,
    head_sha: headSha,
    status: status === 'waiting' ? 'waiting' : status,
    conclusion: conclusion as Schemas['check-suite']['conclusion'],
    url,
    before: commit.parents[0]?.sha ?? '0'.repeat(40),
    after: headSha,
    pull_requests: pullsAt(world, repository, headSha),
    app: appJson(world, app),
    repository: repositoryJson(world, repository),
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    head_commit: simpleCommitJson(commit),
    latest_check_runs_count: latestRuns(runs).length,
    check_runs_url: `${url}/check-runs`,
  }
}

export function simpleStatusJson(world: World, repository: Repository, status: CommitStatus): Schemas['simple-commit-status'] {
  const { id, sha, state, description, targetUrl, context, creator, at } = status
  return {
    url: `${apiOf(world, repository)}/statuses/${sha}`,
    avatar_url: userJson(world, creator).avatar_url,
    id,
    node_id: nodeId('StatusContext', id),
    state,
    description,
    target_url: targetUrl,
    context,
    created_at: iso(at),
    updated_at: iso(at),
  }
}

export const statusJson = (world: World, repository: Repository, status: CommitStatus): Schemas['status'] => ({
  ...simpleStatusJson(world, repository, status),
  creator: userJson(world, status.creator),
})
