/** Accounts and repositories, as people make and change them. */
import { organizationJson, userJson } from './accounts-json.ts'
import { push } from './commits.ts'
import { Events } from './events.ts'
import { createApp } from './registration.ts'
import { Webhooks } from './webhooks.ts'
import { type Account, type App, fullNameOf, type Organization, type Person, type Repository, World } from './world.ts'

export class Accounts {
  readonly world: World
  readonly webhooks: Webhooks
  readonly events: Events
  /** GitHub Actions, the app that runs workflows. */
  readonly actions: App

  protected constructor(origin: string, api: string, isEnterprise: boolean) {
    this.world = new World(origin, api, isEnterprise)
    this.webhooks = new Webhooks(this.world, isEnterprise ? 30_000 : 10_000)
    this.events = new Events(this.world, this.webhooks)
    const company = this.createOrganization('github')
    this.actions = createApp(this.world, company, { name: 'GitHub Actions', url: 'https://github.com/features/actions' })
    this.clock.onAdvance(() => {
      for (const { runs } of this.world.repositories) for (const run of runs) run.expire()
    })
  }

  get clock() {
    return this.world.clock
  }

  createPerson(login: string, { name = login, email = `${login}@example.com` }: { name?: string; email?: string } = {}): Person {
    const person: Person = {
      kind: 'User',
      id: this.world.nextId(),
      login,
      name,
      email,
      isBot: false,
      createdAt: this.clock.now(),
    }
    this.world.accounts.push(person)
    return person
  }

  createOrganization(login: string, { owners = [], members = [] }: { owners?: Person[]; members?: Person[] } = {}): Organization {
    const roles = new Map([
      ...members.map((each) => [each, 'member'] as const),
      ...owners.map((each) => [each, 'admin'] as const),
    ])
    const made = { id: this.world.nextId(), login, name: login, members: roles, createdAt: this.clock.now() }
    const organization: Organization = { kind: 'Organization', ...made }
    this.world.accounts.push(organization)
    return organization
  }

  /** An account gets another login. */
  renameAccount(account: Account, login: string, by = this.someoneOf(account)): void {
    const before = account.login
    for (const repository of this.world.repositories)
      if (repository.owner === account) this.world.formerNames.set(fullNameOf(repository).toLowerCase(), repository)
    account.login = login
    for (const installation of this.world.installations)
      if (installation.account === account) this.events.targetRenamed(installation, before, by)
  }

  /** A person who may act for an account. */
  protected someoneOf(account: Account): Person {
    if (account.kind === 'User') return account
    const [owner] = [...account.members].find(([, role]) => role === 'admin') ?? [...account.members][0] ?? []
    return owner ?? this.actions.bot
  }

  /** A repository with one commit on its default branch. @param parent makes it a fork of this one */
  createRepository(
    owner: Account,
    name: string,
    {
      isPrivate = false,
      defaultBranch = 'main',
      parent = null,
    }: { isPrivate?: boolean; defaultBranch?: string; parent?: Repository | null } = {},
  ): Repository {
    const at = this.clock.now()
    const repository: Repository = {
      ...{ id: this.world.nextId(), owner, name, isPrivate, isArchived: false, parent, defaultBranch },
      network: parent?.network ?? new Map(),
      branches: new Map(parent?.branches),
      collaborators: new Set(),
      ...{ environments: [], checkSuites: [], statuses: [], deployments: [], runs: [], pulls: [] },
      ...{ createdAt: at, updatedAt: at },
    }
    // A name that is taken again no longer redirects.
    this.world.formerNames.delete(fullNameOf(repository).toLowerCase())
    this.world.repositories.push(repository)
    const author = this.someoneOf(owner)
    if (!parent) push(repository, { author, message: 'Initial commit', at })
    this.events.repository(repository, 'created', author)
    return repository
  }

  renameRepository(repository: Repository, name: string, by = this.someoneOf(repository.owner)): void {
    const before = repository.name
    this.world.formerNames.set(fullNameOf(repository).toLowerCase(), repository)
    repository.name = name
    this.events.repository(repository, 'renamed', by, { repository: { name: { from: before } } })
  }

  /** A repository gets another owner: installations of the former lose it, one of the latter may reach it. */
  transferRepository(repository: Repository, to: Account, by = this.someoneOf(to)): void {
    const from = repository.owner
    const lost = this.world.installations.filter((each) => this.world.repositoriesOf(each).includes(repository))
    this.world.formerNames.set(fullNameOf(repository).toLowerCase(), repository)
    repository.owner = to
    for (const installation of lost) {
      installation.selected?.delete(repository)
      this.events.installationRepositories(installation, by, [], [repository])
    }
    const shown =
      from.kind === 'User' ? { user: userJson(this.world, from) } : { organization: organizationJson(this.world, from) }
    // Only apps of the new owner learn of it.
    this.events.repository(repository, 'transferred', by, { owner: { from: shown } })
  }

  setVisibility(repository: Repository, isPrivate: boolean, by = this.someoneOf(repository.owner)): void {
    repository.isPrivate = isPrivate
    this.events.repository(repository, isPrivate ? 'privatized' : 'publicized', by)
  }

  deleteRepository(repository: Repository, by = this.someoneOf(repository.owner)): void {
    this.events.repository(repository, 'deleted', by)
    this.world.repositories.splice(this.world.repositories.indexOf(repository), 1)
    for (const { selected } of this.world.installations) selected?.delete(repository)
  }
}
