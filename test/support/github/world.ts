/** What a GitHub holds: accounts, repositories, apps, installations, tokens. Plain data; the other files act on it. */
import type { KeyObject } from 'node:crypto'
import type { Deployment } from './deployments.ts'
import type { WorkflowRun } from './runs.ts'
import type { Permissions } from './shapes.ts'

export interface Person {
  kind: 'User'
  id: number
  login: string
  name: string
  email: string
  /** `[bot]` accounts of apps. */
  isBot: boolean
  createdAt: number
}

export interface Organization {
  kind: 'Organization'
  id: number
  login: string
  name: string
  members: Map<Person, 'admin' | 'member'>
  createdAt: number
}

export type Account = Person | Organization

export interface ChangedFile {
  filename: string
  status: 'added' | 'modified' | 'removed' | 'renamed'
  additions: number
  deletions: number
  previous_filename?: string
}

export interface Commit {
  sha: string
  message: string
  author: Person
  parents: Commit[]
  files: ChangedFile[]
  at: number
}

/** The commits that a repository and its forks share: each can read those of the others by SHA. */
export type Network = Map<string, Commit>

export interface CheckRun {
  id: number
  suite: CheckSuite
  name: string
  status: 'queued' | 'in_progress' | 'completed' | 'waiting'
  conclusion: 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required' | 'stale' | null
  detailsUrl: string
  summary: string | null
  startedAt: number
  completedAt: number | null
}

export interface CheckSuite {
  id: number
  app: App
  headSha: string
  headBranch: string | null
  runs: CheckRun[]
  createdAt: number
  updatedAt: number
}

export interface CommitStatus {
  id: number
  sha: string
  state: 'error' | 'failure' | 'pending' | 'success'
  context: string
  description: string | null
  targetUrl: string | null
  creator: Person
  at: number
}

export interface PullRequest {
  id: number
  number: number
  title: string
  author: Person
  state: 'open' | 'closed'
  headRepository: Repository
  headBranch: string
  headSha: string
  baseBranch: string
  baseSha: string
  mergeSha: string | null
  createdAt: number
  mergedAt: number | null
}

export interface Environment {
  id: number
  name: string
  /** The custom deployment protection rules. */
  rules: { id: number; app: App }[]
  /** People who must review in GitHub, which is another rule than those of apps. */
  reviewers: Person[]
  createdAt: number
}

export interface Repository {
  id: number
  owner: Account
  name: string
  isPrivate: boolean
  isArchived: boolean
  parent: Repository | null
  defaultBranch: string
  network: Network
  /** The commit of each branch. */
  branches: Map<string, string>
  collaborators: Set<Person>
  environments: Environment[]
  checkSuites: CheckSuite[]
  statuses: CommitStatus[]
  deployments: Deployment[]
  runs: WorkflowRun[]
  pulls: PullRequest[]
  createdAt: number
  updatedAt: number
}

export interface App {
  id: number
  slug: string
  name: string
  owner: Account
  /** The account that acts for it, `slug[bot]`. */
  bot: Person
  clientId: string
  clientSecrets: string[]
  webhookSecret: string | null
  /** The public halves of its private keys, each of which may sign. */
  keys: KeyObject[]
  permissions: Permissions
  events: string[]
  hook: { id: number; url: string; isActive: boolean } | null
  homepage: string
  description: string | null
  callbackUrls: string[]
  setupUrl: string | null
  setupOnUpdate: boolean
  requestsOAuthOnInstall: boolean
  isPublic: boolean
  /** The people who authorized it. */
  authorizedBy: Set<Person>
  createdAt: number
  updatedAt: number
}

export interface Installation {
  id: number
  app: App
  account: Account
  permissions: Permissions
  events: string[]
  /** `null`: all repositories of the account. */
  selected: Set<Repository> | null
  suspendedBy: Person | null
  suspendedAt: number | null
  createdAt: number
  updatedAt: number
}

export interface InstallationToken {
  kind: 'installation'
  value: string
  installation: Installation
  permissions: Permissions
  /** `null`: all that the installation reaches. */
  repositories: Repository[] | null
  expiresAt: number
}

export interface UserToken {
  kind: 'user'
  value: string
  app: App
  person: Person
  expiresAt: number
  refreshToken: string
  refreshExpiresAt: number
}

export type Token = InstallationToken | UserToken

/** A clock that tests move. It never stands still. */
export class Clock {
  #ahead = 0
  #drift = 0
  readonly #listeners = new Set<() => void>()

  now(): number {
    return Date.now() + this.#ahead
  }

  /** Lets time pass, and what it brings: tokens expire, waiting runs end after 30 days. */
  advance(time: { days?: number; hours?: number; minutes?: number; seconds?: number }): void {
    const { days = 0, hours = 0, minutes = 0, seconds = 0 } = time
    this.#ahead += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
    for (const listener of this.#listeners) listener()
  }

  /** Sets GitHub's clock apart from that of the app that signs JSON web tokens, which is the real one. */
  drift(seconds: number): void {
    this.#drift = seconds * 1000
  }

  /** The time by which JSON web tokens are checked: `advance` leaves it alone. */
  forWebTokens(): number {
    return Date.now() + this.#drift
  }

  onAdvance(listener: () => void): void {
    this.#listeners.add(listener)
  }
}

/** All that one GitHub holds. */
export class World {
  readonly clock = new Clock()
  readonly accounts: Account[] = []
  readonly repositories: Repository[] = []
  /** Former names of repositories, in lower case, which redirect. */
  readonly formerNames = new Map<string, Repository>()
  readonly apps: App[] = []
  readonly installations: Installation[] = []
  readonly tokens = new Map<string, Token>()
  /** Called after each change that a test may wait for. */
  onChange: () => void = () => {}
  /** How many private keys were generated. */
  keys = 0
  #ids = 1_000

  constructor(
    /** The origin of the website. */
    readonly origin: string,
    /** The base of the API. */
    readonly api: string,
    readonly isEnterprise: boolean,
  ) {}

  /** An id that nothing else has. */
  nextId(): number {
    this.#ids += 1 + Math.floor(Math.random() * 9)
    return this.#ids
  }

  accountOf(login: string): Account | undefined {
    return this.accounts.find((account) => account.login.toLowerCase() === login.toLowerCase())
  }

  person(login: string): Person | undefined {
    const account = this.accountOf(login)
    return account?.kind === 'User' ? account : undefined
  }

  repositoryOf(owner: string, name: string): Repository | undefined {
    const wanted = `${owner}/${name}`.toLowerCase()
    return this.repositories.find((repository) => fullNameOf(repository).toLowerCase() === wanted)
  }

  installationOf(app: App, repository: Repository): Installation | undefined {
    return this.installations.find((each) => each.app === app && reaches(each, repository))
  }

  repositoriesOf(installation: Installation): Repository[] {
    return this.repositories.filter((repository) => reaches(installation, repository))
  }
}

export const fullNameOf = ({ owner, name }: Repository): string => `${owner.login}/${name}`

/** Whether an installation, suspended or not, was given a repository. */
export const reaches = ({ account, selected }: Installation, repository: Repository): boolean =>
  repository.owner === account && (selected === null || selected.has(repository))

/** What a person may do in a repository: members of an organization read, unless the repository is another's. */
export function roleIn(repository: Repository, person: Person): 'admin' | 'write' | 'read' | null {
  const { owner } = repository
  if (owner === person) return 'admin'
  const membership = owner.kind === 'Organization' ? owner.members.get(person) : undefined
  if (membership === 'admin') return 'admin'
  if (repository.collaborators.has(person)) return 'write'
  return membership || !repository.isPrivate ? 'read' : null
}

/** GitHub shows times in whole seconds. */
export const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
