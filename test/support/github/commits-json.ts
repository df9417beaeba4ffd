/** Commits, comparisons, pull requests, checks and commit statuses as the API shows them. */
import { appJson, nodeId, repositoryJson, userJson } from './accounts-json.ts'
import { blobShaOf, type Comparison } from './commits.ts'
import type { Schemas } from './shapes.ts'
import {
  type ChangedFile,
  type CheckRun,
  type CheckSuite,
  type Commit,
  type CommitStatus,
  fullNameOf,
  iso,
  type PullRequest,
  type Repository,
  type World,
} from './world.ts'

const apiOf = (world: World, repository: Repository): string => `${world.api}/repos/${fullNameOf(repository)}`
const pageOf = (world: World, repository: Repository): string => `${world.origin}/${fullNameOf(repository)}`

/** A commit has no id of its own; its node has one. */
const commitNode = (sha: string): string => nodeId('Commit', Number.parseInt(sha.slice(0, 8), 16))

const fileJson = (world: World, repository: Repository, sha: string, file: ChangedFile): Schemas['diff-entry'] => ({
  sha: blobShaOf(file.filename),
  filename: file.filename,
  status: file.status,
  additions: file.additions,
  deletions: file.deletions,
  changes: file.additions + file.deletions,
  blob_url: `${pageOf(world, repository)}/blob/${sha}/${file.filename}`,
  raw_url: `${pageOf(world, repository)}/raw/${sha}/${file.filename}`,
  contents_url: `${apiOf(world, repository)}/contents/${file.filename}?ref=${sha}`,
  ...(file.previous_filename === undefined ? {} : { previous_filename: file.previous_filename }),
})

export function commitJson(world: World, repository: Repository, commit: Commit): Schemas['commit'] {
  const { sha, message, author, parents, at } = commit
  const [api, page] = [apiOf(world, repository), pageOf(world, repository)]
  const signature = { name: author.name, email: author.email, date: iso(at) }
  const tree = blobShaOf(`tree ${sha}`)
  return {
    url: `${api}/commits/${sha}`,
    sha,
    node_id: commitNode(sha),
    html_url: `${page}/commit/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    commit: {
      url: `${api}/git/commits/${sha}`,
      author: signature,
      committer: signature,
      message,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    author: userJson(world, author),
    committer: userJson(world, author),
    parents: parents.map((parent) => ({
      sha: parent.sha,
      url: `${api}/commits/${parent.sha}`,
      html_url: `${page}/commit/${parent.sha}`,
    })),
  }
}

/** A single commit, with its files. */
export function wholeCommitJson(world: World, repository: Repository, commit: Commit): Schemas['commit'] {
  const { files } = commit
  const sum = (count: (file: ChangedFile) => number) => files.reduce((total, file) => total + count(file), 0)
  const [additions, deletions] = [sum((file) => file.additions), sum((file) => file.deletions)]
  return {
    ...commitJson(world, repository, commit),
    stats: { additions, deletions, total: additions + deletions },
    files: files.slice(0, MOST_FILES).map((file) => fileJson(world, repository, commit.sha, file)),
  }
}

export const simpleCommitJson = ({ sha, message, author, at }: Commit): Schemas['simple-commit'] => ({
  id: sha,
  tree_id: blobShaOf(`tree ${sha}`),
  message,
  timestamp: iso(at),
  author: { name: author.name, email: author.email },
  committer: { name: author.name, email: author.email },
})

/** A comparison lists at most 300 files, on its first page. */
const MOST_FILES = 300

export function comparisonJson(
  world: World,
  repository: Repository,
  [base, head]: [Commit, Commit],
  basehead: string,
  comparison: Comparison,
  commits: Commit[],
  withFiles: boolean,
): Schemas['commit-comparison'] {
  const { status, mergeBase, ahead, behindBy, files } = comparison
  const page = `${pageOf(world, repository)}/compare`
  const owner = repository.owner.login
  return {
    url: `${apiOf(world, repository)}/compare/${basehead}`,
    html_url: `${page}/${basehead}`,
    permalink_url: `${page}/${owner}:${base.sha.slice(0, 7)}...${owner}:${head.sha.slice(0, 7)}`,
    diff_url: `${page}/${basehead}.diff`,
    patch_url: `${page}/${basehead}.patch`,
    base_commit: commitJson(world, repository, base),
    merge_base_commit: commitJson(world, repository, mergeBase),
    status,
    ahead_by: ahead.length,
    behind_by: behindBy,
    total_commits: ahead.length,
    commits: commits.map((commit) => commitJson(world, repository, commit)),
    ...(withFiles ? { files: files.slice(0, MOST_FILES).map((file) => fileJson(world, repository, head.sha, file)) } : {}),
  }
}

export function pullRequestJson(world: World, pull: PullRequest, repository: Repository): Schemas['pull-request-simple'] {
  const { id, number, title, author, state, headRepository, headBranch, headSha, baseBranch, baseSha, createdAt, mergedAt } = pull
  const url = `${apiOf(world, repository)}/pulls/${number}`
  const page = `${pageOf(world, repository)}/pull/${number}`
  const issue = `${apiOf(world, repository)}/issues/${number}`
  const statuses = `${apiOf(world, repository)}/statuses/${headSha}`
  const end = (of: Repository, ref: string, sha: string) => ({
    label: `${of.owner.login}:${ref}`,
    ref,
    sha,
    user: userJson(world, of.owner),
    repo: repositoryJson(world, of),
  })
  return {
    url,
    id,
    node_id: nodeId('PullRequest', id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${apiOf(world, repository)}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    number,
    state,
    locked: false,
    title,
    user: userJson(world, author),
    body: null,
    labels: [],
    milestone: null,
    created_at: iso(createdAt),
    updated_at: iso(mergedAt ?? createdAt),
    closed_at: mergedAt === null ? null : iso(mergedAt),
    merged_at: mergedAt === null ? null : iso(mergedAt),
    merge_commit_sha: pull.mergeSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    head: end(headRepository, headBranch, headSha),
    base: end(repository, baseBranch, baseSha),
    _links: {
      self: { href: url },
      html: { href: page },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${apiOf(world, repository)}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
    author_association: 'CONTRIBUTOR',
    auto_merge: null,
    draft: false,
  }
}

export function minimalPullRequestJson(world: World, pull: PullRequest, repository: Repository): Schemas['pull-request-minimal'] {
  const repo = (of: Repository) => ({ id: of.id, url: apiOf(world, of), name: of.name })
  return {
    id: pull.id,
    number: pull.number,
    url: `${apiOf(world, repository)}/pulls/${pull.number}`,
    head: { ref: pull.headBranch, sha: pull.headSha, repo: repo(pull.headRepository) },
    base: { ref: pull.baseBranch, sha: pull.baseSha, repo: repo(repository) },
  }
}

/** GitHub lists here only pull requests from branches of the same repository. */
const pullsAt = (world: World, repository: Repository, sha: string) =>
  repository.pulls
    .filter((pull) => pull.state === 'open' && pull.headRepository === repository && pull.headSha === sha)
    .map((pull) => minimalPullRequestJson(world, pull, repository))

export function checkRunJson(world: World, repository: Repository, run: CheckRun): Schemas['check-run'] {
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
  }
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
