/** Accounts, repositories, apps and installations as the API shows them. */
import type { Schemas } from './shapes.ts'
import {
  type Account,
  type App,
  fullNameOf,
  type Installation,
  iso,
  type Organization,
  type Person,
  type Repository,
  type World,
} from './world.ts'

/** A global id, as GraphQL knows a thing. */
export const nodeId = (type: string, id: number): string => Buffer.from(`${type}:${id}`).toString('base64')

const avatar = (world: World, id: number): string => `${world.origin}/avatars/u/${id}?v=4`

export function userJson(world: World, account: Account) {
  const { id, login, kind } = account
  // The page of a bot account, but the account itself under its login.
  const url = `${world.api}/users/${encodeURIComponent(login)}`
  const page = login.endsWith('[bot]') ? `${world.origin}/apps/${login.slice(0, -5)}` : `${world.origin}/${login}`
  return {
    login,
    id,
    node_id: nodeId(kind, id),
    avatar_url: avatar(world, id),
    gravatar_id: '',
    url,
    html_url: page,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: kind === 'User' && account.isBot ? ('Bot' as const) : kind,
    user_view_type: 'public',
    site_admin: false,
  } satisfies Schemas['simple-user']
}

export const signedInUserJson = (world: World, person: Person): Schemas['public-user'] => ({
  ...userJson(world, person),
  name: person.name,
  company: null,
  blog: '',
  location: null,
  // Shown to an app only if the person made it public.
  email: null,
  notification_email: null,
  hireable: null,
  bio: null,
  twitter_username: null,
  public_repos: world.repositories.filter(({ owner, isPrivate }) => owner === person && !isPrivate).length,
  public_gists: 0,
  followers: 0,
  following: 0,
  created_at: iso(person.createdAt),
  updated_at: iso(person.createdAt),
})

export function organizationJson(world: World, { id, login, name }: Organization): Schemas['organization-simple'] {
  const url = `${world.api}/orgs/${login}`
  return {
    login,
    id,
    node_id: nodeId('Organization', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: avatar(world, id),
    description: name,
  }
}

/** The addresses below a repository that every one of its shapes has. */
function repositoryUrls(url: string) {
  return {
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
  }
}

/** One object that has all that the API and the webhooks show of a repository. */
export function repositoryJson(world: World, repository: Repository) {
  const { id, name, owner, isPrivate, isArchived, parent, defaultBranch, createdAt, updatedAt } = repository
  const fullName = fullNameOf(repository)
  const url = `${world.api}/repos/${fullName}`
  const page = `${world.origin}/${fullName}`
  const { host } = new URL(world.origin)
  return {
    id,
    node_id: nodeId('Repository', id),
    name,
    full_name: fullName,
    private: isPrivate,
    visibility: isPrivate ? 'private' : 'public',
    owner: userJson(world, owner),
    html_url: page,
    description: null,
    fork: parent !== null,
    url,
    ...repositoryUrls(url),
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    pushed_at: iso(updatedAt),
    git_url: `git://${host}/${fullName}.git`,
    ssh_url: `git@${host}:${fullName}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    homepage: null,
    size: 108,
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    language: null,
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    forks: 0,
    network_count: 0,
    subscribers_count: 0,
    mirror_url: null,
    archived: isArchived,
    disabled: false,
    open_issues_count: 0,
    open_issues: 0,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    default_branch: defaultBranch,
  } satisfies Partial<Schemas['full-repository']>
}

/** What a webhook about installations shows of a repository. */
export const repositoryNameJson = (repository: Repository): Schemas['webhooks_repositories'][number] => ({
  id: repository.id,
  node_id: nodeId('Repository', repository.id),
  name: repository.name,
  full_name: fullNameOf(repository),
  private: repository.isPrivate,
})

/** The events that the description names; it knows fewer than there are. */
type EventName = NonNullable<
  NonNullable<Schemas['webhook-deployment-created']['deployment']['performed_via_github_app']>['events']
>[number]

export const appJson = (world: World, app: App) =>
  ({
    id: app.id,
    client_id: app.clientId,
    slug: app.slug,
    node_id: nodeId('Integration', app.id),
    owner: userJson(world, app.owner),
    name: app.name,
    description: app.description,
    external_url: app.homepage,
    html_url: `${world.origin}/${world.isEnterprise ? 'github-apps' : 'apps'}/${app.slug}`,
    created_at: iso(app.createdAt),
    updated_at: iso(app.updatedAt),
    permissions: { ...(app.permissions as Record<string, string>) },
    events: app.events as EventName[],
  }) satisfies NonNullable<Schemas['integration']>

export function installationJson(world: World, installation: Installation) {
  const { id, app, account, permissions, events, selected, suspendedBy, suspendedAt, createdAt, updatedAt } = installation
  const settings = account.kind === 'Organization' ? `organizations/${account.login}/settings` : 'settings'
  return {
    id,
    client_id: app.clientId,
    account: userJson(world, account),
    repository_selection: selected === null ? ('all' as const) : ('selected' as const),
    access_tokens_url: `${world.api}/app/installations/${id}/access_tokens`,
    repositories_url: `${world.api}/installation/repositories`,
    html_url: `${world.origin}/${settings}/installations/${id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.kind,
    permissions,
    events,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: suspendedBy === null ? null : userJson(world, suspendedBy),
    suspended_at: suspendedAt === null ? null : iso(suspendedAt),
  } satisfies Schemas['installation']
}
