/**
 * Requests: workflow runs that wait at an environment until they are answered. Each is an item of the lane of its installation, which a worker
 * serves. Locks are taken in the order gates, lanes, requests.
 */
import type { Fragment, Tx } from '../../sql/index.ts'
import { lockLanes, markLanesChanged, wakeLanes } from '../delivery/lanes.ts'
import { type Gate, gateColumnsWithoutEvidence } from '../gates/gates.ts'
import { type RefusedRun, refuseRuns } from '../jobs/tasks.ts'
import { withdraw } from '../notifications/notify.ts'
import { sql } from '../platform/database.ts'
import { record } from '../security/audit.ts'
import { SYSTEM } from '../tenants/actors.ts'
import { announceChange, scopePath } from '../tenants/changes.ts'
import type { ProjectScope } from '../tenants/scopes.ts'

/** SQL: whether a row of `github_requests` is not answered yet. */
export const isOpen: Fragment = sql`request.state in ('open', 'held')`

/** Has workers look at what waits in lanes. They are locked, or it is one. */
export async function wakeInstallations(tx: Tx, organization_id: string, lane_ids: string[]): Promise<void> {
  if (lane_ids.length === 0) return
  await wakeLanes(tx, await markLanesChanged(tx, [organization_id], lane_ids))
}

/**
 * Makes open requests due, because the answer may have changed.
 * @param isConcerned SQL: which, of `request`
 */
export async function reconsiderRequests(tx: Tx, organization_id: string, isConcerned: Fragment): Promise<void> {
  const found = await tx<{ lane_id: string }[]>`
    select distinct request.lane_id
    from github_requests as request
    where request.organization_id = ${organization_id}
      and ${isOpen}
      and ${isConcerned}
  `
  if (found.length === 0) return
  const lanes = found.map(({ lane_id }) => lane_id)
  await lockLanes(tx, [organization_id], lanes)
  await tx`
    update github_requests as request
    set due_at   = now(),
        revision = request.revision + 1
    where request.organization_id = ${organization_id}
      and ${isOpen}
      and ${isConcerned}
  `
  await wakeInstallations(tx, organization_id, lanes)
}

/** Makes the requests of gates due. */
export const reconsiderGates = (tx: Tx, organization_id: string, gate_ids: string[]): Promise<void> =>
  gate_ids.length === 0
    ? Promise.resolve()
    : reconsiderRequests(tx, organization_id, sql`request.gate_id = any(${gate_ids}::uuid[])`)

/** Makes what waits for an environment of a project due: its policy has changed, or what runs where it promotes from. */
export const reconsiderEnvironment = (tx: Tx, { organization_id, project_id }: ProjectScope, environment: string) =>
  reconsiderRequests(
    tx,
    organization_id,
    sql`request.project_id = ${project_id} and request.gate_environment = ${environment} and request.state = 'held'`,
  )

interface Closed extends ProjectScope {
  id: string
  lane_id: string
  gate_id: string | null
  full_name: string
  environment: string
  run_url: string
}

/** Locks the gates of requests, so that they are not decided meanwhile. */
export const lockGates = (tx: Tx, organization_id: string, gate_ids: string[]) => tx`
  select from gates where id = any(${gate_ids}::uuid[]) and organization_id = ${organization_id} order by id for no key update
`

/**
 * Closes open requests: there is nothing to answer any more. Pending gates for which nothing else waits are cancelled.
 *
 * @param isConcerned SQL: which, of `request`
 * @param why what the audit log says of the gates, as a clause
 * @returns those that were closed
 */
export async function closeRequests(tx: Tx, organization_id: string, isConcerned: Fragment, why: string): Promise<Closed[]> {
  const found = await tx<Pick<Closed, 'id' | 'lane_id' | 'gate_id'>[]>`
    select request.id, request.lane_id, request.gate_id
    from github_requests as request
    where request.organization_id = ${organization_id}
      and ${isOpen}
      and ${isConcerned}
    order by request.id
  `
  if (found.length === 0) return []
  const gate_ids = [...new Set(found.flatMap(({ gate_id }) => gate_id ?? []))]
  const lane_ids = [...new Set(found.map(({ lane_id }) => lane_id))]
  await lockGates(tx, organization_id, gate_ids)
  await lockLanes(tx, [organization_id], lane_ids)
  const closed = await tx<Closed[]>`
    update github_requests as request
    set state      = 'closed',
        held_until = null,
        -- The commit status is still set.
        due_at     = now(),
        error      = null,
        revision   = request.revision + 1
    where request.id = any(${found.map(({ id }) => id)}::uuid[])
      and request.organization_id = ${organization_id}
      and ${isOpen}
    returning
      request.id, request.organization_id, request.workspace_id, request.project_id, request.lane_id, request.gate_id,
      request.full_name, request.environment, request.run_url
  `
  await endUnasked(tx, organization_id, gate_ids, why)
  await wakeInstallations(tx, organization_id, lane_ids)
  return closed
}

/** Cancels pending gates that workflows asked for, and for which none waits any more. They are locked. */
export async function endUnasked(tx: Tx, organization_id: string, gate_ids: string[], why: string): Promise<void> {
  if (gate_ids.length === 0) return
  const cancelled = await tx<Gate[]>`
    update gates
    set status = 'cancelled', decided_at = now()
    where gates.id = any(${gate_ids}::uuid[])
      and gates.organization_id = ${organization_id}
      and gates.status = 'pending'
      and gates.source is not null
      and not exists (
        select
        from github_requests as request
        where request.gate_id = gates.id
          and request.organization_id = ${organization_id}
          and ${isOpen}
      )
    returning ${gateColumnsWithoutEvidence}
  `
  for (const gate of cancelled) {
    const detail = `The gate ${gate.name} was cancelled: ${why}.`
    await record(tx, SYSTEM, gate, { action: 'gate.cancelled', resource_type: 'gate', resource_id: gate.id, detail })
    announceChange(tx, scopePath(gate))
  }
  await withdraw(
    tx,
    sql`notification.type = 'gate_pending' and notification.resource_id = any(${cancelled.map(({ id }) => id)}::uuid[])`,
  )
}

/** Has the runs rejected that wait for an organization, which is deleted: no worker serves its installations any more. */
export async function refuseWaiting(tx: Tx, organization_id: string): Promise<void> {
  const waiting = await tx<(Omit<RefusedRun, 'attempts'> & { id: string })[]>`
    select
      request.id, installation.installation_id, request.repository_id, request.full_name, request.run_id, request.environment
    from github_requests as request
    join github_installations as installation
      on installation.id = request.lane_id and installation.organization_id = ${organization_id}
    where request.organization_id = ${organization_id}
      and ${isOpen}
  `
  await refuseRuns(
    tx,
    waiting.map(({ id, ...run }) => ({ run: { ...run, attempts: 0 }, key: id })),
  )
}
