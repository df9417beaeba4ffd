/** Links between projects and repositories at GitHub. */
import { keyOf, type StoredApp } from '../../core/github/app.ts'
import { callGitHub, GitHubAway, requestToken, TokenRefused, tokenFor } from '../../core/github/client.ts'
import { reconsiderRequests } from '../../core/github/requests.ts'
import { idOf, objectsIn, type Sent } from '../../core/github/sent.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { Form, Maybe, OneOf, Shape, type Static, Type } from '../../core/values/schema.ts'
import { type Queryable, type Tx, violatedConstraint } from '../../sql/index.ts'
import { savepoint } from '../../sql/transaction.ts'
import { confirmInOrganization } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch, withVersion } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import { requireApp } from './authorizations.ts'
import { askGitHub } from './calls.ts'
import { recordUnlinked } from './installations.ts'

const full_name = Form('^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}$', 'must be an owner and a name, such as acme/checkout', {
  examples: ['acme/checkout'],
})
const commit_statuses = Type.Boolean({
  description: 'Whether commits show the state of their gates, as the status `signalbox/{environment}`.',
  examples: [true],
})

export const LinkInput = Shape({ repository: full_name, commit_statuses: Maybe(commit_statuses) })
export type LinkInput = Static<typeof LinkInput>

export const RepositoryLink = Shape(
  'GitHubLink',
  {
    repository: Shape({
      id: Type.Integer({ examples: [74] }),
      full_name: Type.String({ description: 'As it is called now.', examples: ['acme/checkout'] }),
      private: Type.Boolean({ examples: [true] }),
    }),
    installation_id: Type.Integer({ description: 'The id of the installation at GitHub.', examples: [52830114] }),
    status: OneOf(['active', 'suspended', 'lost'], {
      description: '`suspended`: the installation is. `lost`: it does not reach the repository any more, or was removed.',
    }),
    commit_statuses,
  },
  { description: 'The repository at GitHub whose workflows wait for the gates of the project.' },
)
export type RepositoryLink = Static<typeof RepositoryLink>

interface Stored extends RepositoryLink {
  updated_at: string
}

const read = (db: Queryable, { id, organization_id }: ResourceKey<'project'>) => db<Stored[]>`
  select
    jsonb_build_object('id', link.repository_id, 'full_name', link.full_name, 'private', link.is_private) as repository,
    installation.installation_id, link.commit_statuses, link.updated_at,
    case
      when link.is_lost or installation.status = 'removed' then 'lost'
      when installation.status = 'suspended' then 'suspended'
      else 'active'
    end as status
  from github_repositories as link
  join github_installations as installation
    on installation.id = link.lane_id and installation.organization_id = ${organization_id}
  where link.project_id = ${id} and link.organization_id = ${organization_id}
`

const shown = ({ updated_at, ...link }: Stored): RepositoryLink => withVersion(link, updated_at)

/** The link of a project; null if it has none. */
export async function findRepositoryLink(db: Queryable, project: ResourceKey<'project'>): Promise<RepositoryLink | null> {
  const [link] = await read(db, project)
  return link ? shown(link) : null
}

/** @throws Problem `not_found` */
export async function getRepositoryLink(db: Queryable, project: ResourceKey<'project'>): Promise<RepositoryLink> {
  const link = await findRepositoryLink(db, project)
  if (!link) throw notFound('link')
  return link
}

interface Bound {
  id: string
  installation_id: number
  account_login: string
}

/** The installations of an organization that can reach repositories. */
const listBound = (organization_id: string) => sql<Bound[]>`
  select id, installation_id, account_login
  from github_installations
  where organization_id = ${organization_id}
    and unbound_at is null
    and status = 'active'
  order by id
`

/** A repository, and the installation that reaches it. */
interface Reached {
  lane_id: string
  id: number
  full_name: string
  is_private: boolean
}

const repositoriesIn = (lane_id: string, sent: unknown): Reached[] =>
  objectsIn(sent).flatMap(({ id, full_name: name, private: isPrivate }: Sent) => {
    const number = idOf(id)
    return number === null || typeof name !== 'string'
      ? []
      : { lane_id, id: number, full_name: name, is_private: isPrivate !== false }
  })

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** @returns null if the installation does not reach it: it gets no token for it then @throws Problem `github_unavailable` */
async function reachBy(app: StoredApp, { id, installation_id }: Bound, wanted: string): Promise<Reached | null> {
  const [, name = ''] = wanted.split('/')
  const installed = { url: app.url, app: await keyOf(app), installation_id }
  const answer = await askGitHub(requestToken(installed, { repositories: [name], permissions: { metadata: 'read' } }))
  const found = answer.status === 201 ? repositoriesIn(id, answer.body?.repositories) : []
  return found.find((each) => isSame(each.full_name, wanted)) ?? null
}

/** Asks GitHub which installation reaches a repository. @throws Problem `repository_not_accessible`, `github_unavailable` */
export async function reach({ organization_id }: ResourceKey<'project'>, wanted: string): Promise<Reached> {
  const app = await requireApp()
  const bound = await listBound(organization_id)
  const [owner = ''] = wanted.split('/')
  // What an account was called may be out of date.
  const likely = bound.filter(({ account_login }) => isSame(account_login, owner))
  for (const each of likely.length > 0 ? likely : bound) {
    const found = await reachBy(app, each, wanted)
    if (found) return found
  }
  throw new Problem(
    'repository_not_accessible',
    bound.length === 0
      ? 'The organization has connected no installation. An admin connects one first.'
      : `No connected installation reaches ${wanted}. An owner of the account at GitHub has to give the app access to it.`,
  )
}

/**
 * Links a project to a repository, or changes its link.
 * @param reached null: the repository stays
 * @throws Problem `repository_linked`, `repository_not_accessible`, `not_found`
 */
export async function linkRepository(
  tx: Tx,
  by: Caller,
  project: Resource<'project'>,
  { commit_statuses: shows }: Pick<LinkInput, 'commit_statuses'>,
  reached: Reached,
  request: Request,
): Promise<RepositoryLink> {
  const { id, organization_id, workspace_id } = project
  await confirmInOrganization(tx)
  await tx`select from projects where id = ${id} and organization_id = ${organization_id} for no key update`
  const [before] = await read(tx, project)
  requireMatch(request, before?.updated_at ?? null)
  const isOther = before?.repository.id !== reached.id
  const { lane_id, full_name: name, is_private } = reached
  const [installation] = await tx`
    select from github_installations
    where id = ${lane_id} and organization_id = ${organization_id} and unbound_at is null
    for key share
  `
  if (!installation) throw new Problem('repository_not_accessible', 'The installation was disconnected just now.')
  await savepoint(
    tx,
    (inner) => inner`
      insert into github_repositories as link (
        project_id, organization_id, workspace_id, lane_id, repository_id, full_name, linked_name, is_private, commit_statuses,
        created_by
      )
      values (
        ${id}, ${organization_id}, ${workspace_id}, ${lane_id}, ${reached.id}, ${name}, ${name}, ${is_private},
        ${shows ?? true}, ${by.id}
      )
      on conflict (project_id, organization_id) do update
      set lane_id         = excluded.lane_id,
          repository_id   = excluded.repository_id,
          full_name       = excluded.full_name,
          linked_name     = case when ${isOther} then excluded.linked_name else link.linked_name end,
          is_private      = excluded.is_private,
          is_lost         = false,
          commit_statuses = coalesce(${shows ?? null}, link.commit_statuses),
          created_by      = case when ${isOther} then excluded.created_by else link.created_by end
    `,
  ).catch((error: unknown) => {
    if (violatedConstraint(error) !== 'github_repositories_key') throw error
    throw new Problem('repository_linked', `${name} is linked to another project. Unlink it there first.`)
  })
  if (isOther) {
    const instead = before ? ` instead of ${before.repository.full_name}` : ''
    await record(tx, by, project, {
      action: 'github_repository.linked',
      resource_type: 'project',
      resource_id: id,
      detail: `${by.name} linked the repository ${name}${instead}.`,
    })
  }
  // Those of the repository before are not linked any more.
  if (before) await reconsiderRequests(tx, organization_id, sql`request.project_id = ${id}`)
  return getRepositoryLink(tx, project)
}

/** Unlinks the repository of a project: runs that wait are rejected. @throws Problem `not_found` */
export async function unlinkRepository(tx: Tx, by: Caller, project: Resource<'project'>, request: Request): Promise<null> {
  const { id, organization_id, workspace_id, project_id } = project
  await tx`select from projects where id = ${id} and organization_id = ${organization_id} for no key update`
  const [link] = await read(tx, project)
  if (!link) throw notFound('link')
  requireMatch(request, link.updated_at)
  await tx`delete from github_repositories where project_id = ${id} and organization_id = ${organization_id}`
  await recordUnlinked(tx, by, [{ organization_id, workspace_id, project_id, full_name: link.repository.full_name }])
  await reconsiderRequests(tx, organization_id, sql`request.project_id = ${id}`)
  return null
}

const PER_PAGE = 100
const MAX_PAGES = 10
const MAX_SHOWN = 50

/** Repositories that can be linked, of which a page shows some. */
export interface Offered {
  names: string[]
  /** Whether there may be more. */
  isCut: boolean
  /** Why GitHub did not list them; null if it did. */
  problem: string | null
}

async function namesOf(app: StoredApp, { id, installation_id }: Bound): Promise<{ names: string[]; isCut: boolean }> {
  const installed = { url: app.url, app: await keyOf(app), installation_id }
  const token = await tokenFor(installed, null, { metadata: 'read' })
  const names: string[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = `/installation/repositories?per_page=${PER_PAGE}&page=${page}`
    const { body } = await askGitHub(callGitHub(app.url, path, { token }))
    const some = repositoriesIn(id, body?.repositories)
    names.push(...some.map(({ full_name: name }) => name))
    if (some.length < PER_PAGE) return { names, isCut: false }
  }
  return { names, isCut: true }
}

/** The repositories that the installations of an organization reach and whose names contain a text. */
export async function offerRepositories({ organization_id }: ResourceKey<'project'>, text: string): Promise<Offered> {
  const app = await requireApp()
  try {
    const found = await Promise.all((await listBound(organization_id)).map((each) => namesOf(app, each)))
    const names = found.flatMap((each) => each.names).filter((name) => name.toLowerCase().includes(text.trim().toLowerCase()))
    const isCut = names.length > MAX_SHOWN || found.some((each) => each.isCut)
    return { names: names.sort((one, other) => one.localeCompare(other, 'en')).slice(0, MAX_SHOWN), isCut, problem: null }
  } catch (error) {
    const isAway = error instanceof GitHubAway || error instanceof TokenRefused
    if (!isAway && !(error instanceof Problem && error.code === 'github_unavailable')) throw error
    return { names: [], isCut: false, problem: error instanceof Problem ? error.detail : error.message }
  }
}
