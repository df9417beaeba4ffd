/** Commits of a repository: pushing, resolving a ref, comparing. */
import { createHash } from 'node:crypto'
import type { ChangedFile, Commit, Person, Repository } from './world.ts'

export interface Push {
  branch?: string
  message?: string
  author: Person
  files?: (Partial<ChangedFile> & { filename: string })[]
  /** SHAs; by default the tip of the branch, or of the default branch. */
  parents?: string[]
  at: number
}

/** Adds a commit to a branch. */
export function push(repository: Repository, { branch, message = 'Change', author, files, parents, at }: Push): Commit {
  const { network, branches, defaultBranch } = repository
  const name = branch ?? defaultBranch
  const tip = branches.get(name) ?? branches.get(defaultBranch)
  const shas = parents ?? (tip === undefined ? [] : [tip])
  const changed = files ?? [{ filename: 'README.md' }]
  const commit: Commit = {
    sha: createHash('sha1').update(`${network.size} ${message} ${shas} ${crypto.randomUUID()}`).digest('hex'),
    message,
    author,
    parents: shas.map((sha) => {
      const parent = network.get(sha)
      if (!parent) throw new Error(`No commit ${sha}`)
      return parent
    }),
    files: changed.map((file) => ({ status: 'modified', additions: 1, deletions: 0, ...file })),
    at,
  }
  network.set(commit.sha, commit)
  branches.set(name, commit.sha)
  repository.updatedAt = at
  return commit
}

/** The commit of a SHA of at least seven digits, or of a branch. */
export function resolve({ network, branches }: Repository, ref: string): Commit | undefined {
  const tip = branches.get(ref.replace(/^(refs\/)?heads\//, ''))
  if (tip !== undefined) return network.get(tip)
  if (!/^[0-9a-f]{7,40}$/.test(ref)) return undefined
  return network.get(ref) ?? [...network.values()].find(({ sha }) => sha.startsWith(ref))
}

/** A commit and all that came before it. */
export function historyOf(commit: Commit): Set<Commit> {
  const found = new Set<Commit>()
  const open = [commit]
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...next.parents)
  }
  return found
}

export interface Comparison {
  status: 'ahead' | 'behind' | 'diverged' | 'identical'
  mergeBase: Commit
  /** What the head has and the base lacks, oldest first. */
  ahead: Commit[]
  behindBy: number
  files: ChangedFile[]
}

/** @returns `undefined` without a common ancestor */
export function compare(base: Commit, head: Commit): Comparison | undefined {
  const [before, after] = [historyOf(base), historyOf(head)]
  const common = [...after].filter((commit) => before.has(commit))
  const mergeBase = common.find((commit) => !common.some((other) => other !== commit && historyOf(other).has(commit)))
  if (!mergeBase) return undefined
  // Those pushed first come first, as their order in the network is.
  const ahead = [...after].filter((commit) => !before.has(commit)).reverse()
  const behindBy = before.size - common.length
  const status = ahead.length > 0 ? (behindBy > 0 ? 'diverged' : 'ahead') : behindBy > 0 ? 'behind' : 'identical'
  return { status, mergeBase, ahead, behindBy, files: mergeFiles(ahead) }
}

function mergeFiles(commits: Commit[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  for (const file of commits.flatMap((commit) => commit.files)) {
    const earlier = files.get(file.filename)
    if (!earlier) files.set(file.filename, { ...file })
    else if (earlier.status === 'added' && file.status === 'removed') files.delete(file.filename)
    else {
      const status = earlier.status === 'added' ? 'added' : file.status
      const [additions, deletions] = [earlier.additions + file.additions, earlier.deletions + file.deletions]
      files.set(file.filename, { ...earlier, ...file, status, additions, deletions })
    }
  }
  return [...files.values()].sort((one, other) => (one.filename < other.filename ? -1 : 1))
}

/** The SHA-1 that Git would give a file; here it only has to be stable. */
export const blobShaOf = (filename: string): string => createHash('sha1').update(filename).digest('hex')
