/** Commits, comparisons and pull requests as the API shows them. */
import { nodeId, repositoryJson, userJson } from './accounts-json.ts'
import { blobShaOf, type Comparison, compare } from './commits.ts'
import type { Schemas } from './shapes.ts'
import { type ChangedFile, type Commit, fullNameOf, iso, type PullRequest, type Repository, type World } from './world.ts'

export const apiOf = (world: World, repository: Repository): string => `${world.api}/repos/${fullNameOf(repository)}`
export const pageOf = (world: World, repository: Repository): string => `${world.origin}/${fullNameOf(repository)}`

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

export function commitJson(world: World, repository: Repository, commit: Commit) {
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
      verification: { verified: false, reason: 'unsigned' as const, signature: null, payload: null, verified_at: null },
    },
    author: userJson(world, author),
    committer: userJson(world, author),
    parents: parents.map((parent) => ({
      sha: parent.sha,
      url: `${api}/commits/${parent.sha}`,
      html_url: `${page}/commit/${parent.sha}`,
    })),
  } satisfies Schemas['commit']
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

export function pullRequestJson(world: World, pull: PullRequest, repository: Repository) {
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
    author_association: 'CONTRIBUTOR' as const,
    auto_merge: null,
    draft: false,
  } satisfies Schemas['pull-request-simple']
}

/** A pull request as it is shown alone. */
export function wholePullRequestJson(world: World, pull: PullRequest, repository: Repository): Schemas['pull-request'] {
  const [base, head] = [repository.network.get(pull.baseSha), repository.network.get(pull.headSha)]
  const comparison = base && head ? compare(base, head) : undefined
  const files = comparison?.files ?? []
  const total = (count: (file: ChangedFile) => number) => files.reduce((sum, file) => sum + count(file), 0)
  return {
    ...pullRequestJson(world, pull, repository),
    merged: pull.mergedAt !== null,
    mergeable: pull.state === 'open' ? true : null,
    mergeable_state: pull.state === 'open' ? 'clean' : 'unknown',
    merged_by: null,
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: comparison?.ahead.length ?? 0,
    additions: total(({ additions }) => additions),
    deletions: total(({ deletions }) => deletions),
    changed_files: files.length,
  }
}

export function minimalPullRequestJson(world: World, pull: PullRequest, repository: Repository) {
  const repo = (of: Repository) => ({ id: of.id, url: apiOf(world, of), name: of.name })
  return {
    id: pull.id,
    number: pull.number,
    url: `${apiOf(world, repository)}/pulls/${pull.number}`,
    head: { ref: pull.headBranch, sha: pull.headSha, repo: repo(pull.headRepository) },
    base: { ref: pull.baseBranch, sha: pull.baseSha, repo: repo(repository) },
  } satisfies Schemas['pull-request-minimal']
}
