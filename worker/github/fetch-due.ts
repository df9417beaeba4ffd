/** Reads an installation and the requests that are due. */
import type { Lane } from '../../core/delivery/lanes.ts'
import { keyOf, readApp } from '../../core/github/app.ts'
import { databaseClock } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import type { Fetched, NextDue } from '../delivery/destination.ts'
import type { DueRequest, Installation } from './request.ts'

/** Requests of an installation that are served at the same time. Each is served by itself. */
const IN_FLIGHT = 5

interface InstallationRow extends Omit<Installation, 'url' | 'app' | 'isFailing' | 'clock'> {
  status: 'active' | 'suspended' | 'removed'
  is_failing: boolean
  /** Whether GitHub asked us to wait. */
  is_held: boolean
  version: number
  revision: number
  now: string
}

async function readInstallation({ id, organization_id }: Lane): Promise<InstallationRow | undefined> {
  const [installation] = await sql<InstallationRow[]>`
    select
      installation.installation_id, installation.status, installation.permissions, installation.account_type,
      lane.version, lane.revision, now() as now,
      coalesce(health.failures, 0) > 0 as is_failing,
      coalesce(health.held_until > now(), false) as is_held
    from lanes as lane
    join github_installations as installation on installation.id = lane.id and installation.organization_id = ${organization_id}
    left join lane_health as health on health.lane_id = lane.id and health.organization_id = ${organization_id}
    where lane.id = ${id}
      and lane.organization_id = ${organization_id}
      and ${isActiveOrganization(sql`${organization_id}`)}
  `
  return installation
}

const readDue = ({ id, organization_id }: Lane, inFlight: string[], limit: number) => sql<DueRequest[]>`
  select
    request.id, request.organization_id, request.workspace_id, request.project_id, request.repository_id, request.full_name,
    request.is_private, request.run_id, request.environment, request.gate_environment, request.commit, request.ref,
    request.run_url, request.asked_by, request.jobs, request.state, request.gate_id, request.refusal, request.answer,
    request.attempt_count, request.error, request.report_count, request.reported, request.commit_status,
    request.status_failures, extract(epoch from now() - request.opened_at) as open_seconds, request.revision, '' as body,
    case when link.project_id is not null then
      jsonb_build_object('linked_name', link.linked_name, 'commit_statuses', link.commit_statuses)
    end as link
  from (
    select *
    from github_requests
    where lane_id = ${id}
      and organization_id = ${organization_id}
      and due_at <= now()
      and id <> all(${inFlight}::uuid[])
    order by due_at, id
    limit ${limit}
  ) as request
  left join github_repositories as link
    on link.project_id = request.project_id
    and link.organization_id = ${organization_id}
    and link.lane_id = request.lane_id
    and link.repository_id = request.repository_id
  order by request.due_at, request.id
`

/** Nothing is due while the installation is suspended, or GitHub asked us to wait. */
export async function fetchDue(lane: Lane, inFlight: string[]): Promise<Fetched<Installation, DueRequest> | null> {
  // The version is read before the requests: new work in between raises it.
  const [row, app] = await Promise.all([readInstallation(lane), readApp(sql)])
  if (!row) return null
  const { status, is_failing, is_held, version, revision, now, ...installation } = row
  const isServed = app !== null && status === 'active' && !is_held
  const room = Math.max(0, IN_FLIGHT - inFlight.length)
  const due = isServed && room > 0 ? await readDue(lane, inFlight, room) : []
  const target = app && {
    ...installation,
    url: app.url,
    app: await keyOf(app),
    isFailing: is_failing,
    clock: databaseClock(now),
  }
  return {
    target: target as Installation,
    version,
    revision,
    due,
    hasMore: isServed && due.length === room,
    limit: IN_FLIGHT,
    isFailing: is_failing,
    staleAt: null,
  }
}

/** When each installation has something to do next; none that is suspended or removed. */
export async function nextDue(tx: Tx, lane_ids: string[], organization_ids: string[]): Promise<NextDue[]> {
  // Without an app, nothing is sent until there is one again.
  if ((await readApp(tx)) === null) return []
  return tx<NextDue[]>`
  select request.lane_id as id, min(greatest(request.due_at, health.held_until)) as at
  from github_requests as request
  join github_installations as installation
    on installation.id = request.lane_id
    and installation.organization_id = request.organization_id
    and installation.status = 'active'
  left join lane_health as health on health.lane_id = request.lane_id and health.organization_id = request.organization_id
  where request.lane_id = any(${lane_ids}::uuid[])
    and request.organization_id = any(${organization_ids}::uuid[])
    and request.due_at is not null
    and ${isActiveOrganization(sql`request.organization_id`)}
  group by request.lane_id
`
}
