/** sync_github: asks GitHub about an installation and the repositories that are linked through it, whatever deliveries said and in whatever order. */
import { emitAll } from '../../core/events/outbox.ts'
import { appToken, keyOf, readApp } from '../../core/github/app.ts'
import { callGitHub, type Installed, messageOf, requestToken } from '../../core/github/client.ts'
import { closeRequests, reconsiderRequests } from '../../core/github/requests.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { recordAll } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { isObject } from '../../core/values/json.ts'
import { line } from '../../core/values/plain-text.ts'
import type { Json, Tx } from '../../sql/index.ts'

type Status = 'active' | 'suspended' | 'removed'

interface Key {
  organization_id: string
  lane_id: string
}

interface Stored {
  installation_id: number
  status: Status
}

/** What GitHub says about an installation. */
interface Seen {
  status: Status
  account_login: string | null
  permissions: Record<string, unknown>
}

interface Link extends ProjectScope {
  repository_id: number
  full_name: string
  is_lost: boolean
}

interface Repository {
  id: number
  full_name: string
  is_private: boolean
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? line(value, 255) || null : null)

/** @throws Error if GitHub does not say, so that the job is retried */
async function ask(installed: Installed): Promise<Seen> {
  const path = `/app/installations/${installed.installation_id}`
  const answer = await callGitHub(installed.url, path, { token: await appToken(installed.app) })
  if (answer.status === 404) return { status: 'removed', account_login: null, permissions: {} }
  if (answer.status !== 200 || !isObject(answer.body))
    throw new Error(`GitHub did not say what an installation is (${answer.status}): ${messageOf(answer)}`)
  const { suspended_at, account, permissions } = answer.body
  return {
    status: suspended_at ? 'suspended' : 'active',
    account_login: isObject(account) ? textOf(account.login) : null,
    permissions: isObject(permissions) ? permissions : {},
  }
}

/** A token takes as many repositories. */
const MAX_REPOSITORIES = 500

/** Which of the repositories an installation reaches. GitHub makes no token if it does not reach one of them. */
async function reached(installed: Installed, ids: number[]): Promise<Repository[]> {
  if (ids.length === 0) return []
  const some = ids.slice(0, MAX_REPOSITORIES)
  const answer = await requestToken(installed, { repository_ids: some, permissions: { metadata: 'read' } })
  if (answer.status === 201) {
    const found = Array.isArray(answer.body?.repositories) ? answer.body.repositories : []
    const repositories = found.flatMap((each: unknown): Repository[] => {
      const { id, full_name, private: is_private } = isObject(each) ? each : {}
      const name = textOf(full_name)
      return Number.isSafeInteger(id) && name !== null
        ? [{ id: id as number, full_name: name, is_private: is_private !== false }]
        : []
    })
    return [...repositories, ...(await reached(installed, ids.slice(MAX_REPOSITORIES)))]
  }
  if (![403, 404, 422].includes(answer.status))
    throw new Error(`GitHub did not say which repositories are reached (${answer.status}): ${messageOf(answer)}`)
  if (ids.length === 1) return []
  const middle = Math.ceil(ids.length / 2)
  return [...(await reached(installed, ids.slice(0, middle))), ...(await reached(installed, ids.slice(middle)))]
}

const findLinks = (db: typeof sql | Tx, { organization_id, lane_id }: Key) => db<Link[]>`
  select project_id, workspace_id, organization_id, repository_id, full_name, is_lost
  from github_repositories
  where lane_id = ${lane_id} and organization_id = ${organization_id}
  order by repository_id
`

const REASONS: Record<Exclude<Status, 'active'>, string> = {
  suspended: 'The installation was suspended at GitHub.',
  removed: 'The app was uninstalled at GitHub.',
}

const LOST = 'The installation does not reach the repository any more.'

/** Tells the projects that they are not connected to their repositories any more. */
async function tell(tx: Tx, links: Link[], reason: string): Promise<void> {
  if (links.length === 0) return
  await emitAll(
    tx,
    SYSTEM,
    links.map(({ repository_id: _, is_lost, full_name, ...scope }) => ({
      scope,
      name: 'github.disconnected' as const,
      data: { repository: full_name, reason },
    })),
  )
  await recordAll(
    tx,
    SYSTEM,
    links.map(({ repository_id: _, is_lost, full_name, ...scope }) => ({
      scope,
      entry: {
        action: 'github.disconnected',
        resource_type: 'project',
        resource_id: scope.project_id,
        detail: `The repository ${full_name} is not connected any more: ${reason}`,
      },
    })),
  )
}

/** What is lost, and what is reached again. */
async function storeLinks(tx: Tx, { organization_id, lane_id }: Key, links: Link[], repositories: Repository[]): Promise<Link[]> {
  const rows = links.map(({ project_id, repository_id, full_name }) => {
    const found = repositories.find(({ id }) => id === repository_id)
    return { project_id, full_name: found?.full_name ?? full_name, is_private: found?.is_private ?? null, is_lost: !found }
  })
  await tx`
    update github_repositories as link
    set full_name  = seen.full_name,
        is_private = coalesce(seen.is_private, link.is_private),
        is_lost    = seen.is_lost
    from jsonb_to_recordset(${tx.json(rows as Json)}) as seen (
      project_id uuid, full_name text, is_private boolean, is_lost boolean
    )
    where link.project_id = seen.project_id
      and link.organization_id = ${organization_id}
      and link.lane_id = ${lane_id}
      and (link.full_name, link.is_private, link.is_lost)
        is distinct from (seen.full_name, coalesce(seen.is_private, link.is_private), seen.is_lost)
  `
  return links.filter(({ project_id, is_lost }) => !is_lost && rows.some((row) => row.project_id === project_id && row.is_lost))
}

/** Records what GitHub says, and what follows from it. */
const store = (key: Key, seen: Seen, repositories: Repository[], asked: Link[]): Promise<void> =>
  transaction(async (tx) => {
    const { organization_id, lane_id } = key
    const [before] = await tx<Stored[]>`
      select installation_id, status
      from github_installations
      where id = ${lane_id} and organization_id = ${organization_id}
      for no key update
    `
    if (!before) return
    await tx`
      update github_installations
      set status        = ${seen.status},
          account_login = coalesce(${seen.account_login}, account_login),
          permissions   = ${seen.status === 'removed' ? tx`permissions` : tx.json(seen.permissions as Json)}
      where id = ${lane_id} and organization_id = ${organization_id}
    `
    const links = await findLinks(tx, key)
    if (seen.status !== 'active') {
      if (before.status !== seen.status)
        await tell(
          tx,
          links.filter(({ is_lost }) => !is_lost),
          REASONS[seen.status],
        )
      if (seen.status === 'removed')
        await closeRequests(tx, organization_id, sql`request.lane_id = ${lane_id}`, 'the app was uninstalled at GitHub')
      return
    }
    // One that was linked meanwhile was not asked about.
    const known = links.filter((link) => asked.some(({ repository_id }) => repository_id === link.repository_id))
    const lost = await storeLinks(tx, key, known, repositories)
    await tell(tx, lost, LOST)
    const ids = lost.map(({ repository_id }) => repository_id)
    if (ids.length > 0) {
      const isOfLost = sql`request.lane_id = ${lane_id} and request.repository_id = any(${ids}::bigint[])`
      await closeRequests(tx, organization_id, isOfLost, 'the repository is not reached any more')
    }
    if (before.status !== 'active') await reconsiderRequests(tx, organization_id, sql`request.lane_id = ${lane_id}`)
  })

export async function syncInstallation({ organization_id, lane_id }: Key): Promise<void> {
  const app = await readApp(sql)
  const [stored] = await sql<Stored[]>`
    select installation_id, status
    from github_installations
    where id = ${lane_id} and organization_id = ${organization_id} and status <> 'removed'
  `
  if (!app || !stored) return
  const installed = { url: app.url, app: await keyOf(app), installation_id: stored.installation_id }
  const key = { organization_id, lane_id }
  const seen = await ask(installed)
  const links = await findLinks(sql, key)
  const repositories =
    seen.status === 'active'
      ? await reached(
          installed,
          links.map(({ repository_id }) => repository_id),
        )
      : []
  await store(key, seen, repositories, links)
}
