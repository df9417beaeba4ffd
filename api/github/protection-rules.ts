/** Requests of workflow runs: `deployment_protection_rule` opens one, or joins one that is open. */
import { MAX_ENVIRONMENT } from '../../core/github/environments.ts'
import { wakeInstallations } from '../../core/github/requests.ts'
import {
  commitOf,
  distinctPeople,
  idOf,
  objectIn,
  personOf,
  type Repository,
  repositoryOf,
  textOf,
} from '../../core/github/sent.ts'
import { refuseRuns } from '../../core/jobs/tasks.ts'
import type { Json, Tx } from '../../sql/index.ts'
import type { Delivery } from './deliveries.ts'

interface Asked {
  repository: Repository
  run_id: number
  environment: string
  commit: string
  ref: string
  deployment_id: number | null
}

/** The run is what the callback URL names, which is never called. */
const RUN = /\/actions\/runs\/([1-9]\d{0,15})\/deployment_protection_rule$/

const MAX_REF = 255

/** What a delivery asks for; null if it is none of a run. */
export function askedBy({ payload }: Pick<Delivery, 'payload'>): Asked | null {
  const deployment = objectIn(payload.deployment)
  const [, run = ''] = RUN.exec(String(payload.deployment_callback_url)) ?? []
  const [run_id, repository] = [idOf(Number(run)), repositoryOf(payload)]
  const environment = payload.environment ?? deployment.environment
  const commit = commitOf(deployment.sha) ?? commitOf(payload.sha)
  if (run_id === null || !repository || !commit || typeof environment !== 'string' || environment === '') return null
  const ref = textOf(deployment.ref ?? payload.ref, MAX_REF) ?? commit
  return { repository, run_id, environment, commit, ref, deployment_id: idOf(deployment.id) }
}

/** Has a run rejected about which no project decides. */
export async function refuse(
  tx: Tx,
  { guid, installation_id }: Delivery,
  { repository, run_id, environment }: Asked,
): Promise<void> {
  const run = { installation_id, repository_id: repository.id, full_name: repository.full_name, run_id, environment, attempts: 0 }
  await refuseRuns(tx, [{ run, key: guid }])
}

interface Link {
  project_id: string
  workspace_id: string
  lane_id: string
}

/** The project that is linked to the repository by the installation of a delivery. Notes what the repository is called now. */
export async function findLink(
  tx: Tx,
  organization_id: string,
  { installation_id }: Delivery,
  { id, full_name, is_private }: Repository,
): Promise<Link | undefined> {
  const [link] = await tx<(Link & { is_known: boolean })[]>`
    select
      link.project_id, link.workspace_id, link.lane_id,
      (link.full_name, link.is_private) = (${full_name}::text, ${is_private}::boolean) as is_known
    from github_repositories as link
    join github_installations as installation
      on installation.id = link.lane_id and installation.organization_id = ${organization_id}
    where link.repository_id = ${id}
      and link.organization_id = ${organization_id}
      and installation.installation_id = ${installation_id}
  `
  if (link && !link.is_known) {
    await tx`
      update github_repositories
      set full_name = ${full_name}, is_private = ${is_private}
      where repository_id = ${id} and organization_id = ${organization_id}
    `
  }
  return link
}

/** Opens a request, or joins the one that is open. */
export async function askFor(tx: Tx, organization_id: string, delivery: Delivery, asked: Asked): Promise<void> {
  const { repository, run_id, environment, commit, ref, deployment_id } = asked
  const link = await findLink(tx, organization_id, delivery, repository)
  if (!link || [...environment].length > MAX_ENVIRONMENT) return refuse(tx, delivery, asked)
  const { project_id, workspace_id, lane_id } = link
  const asked_by = tx.json(distinctPeople([personOf(delivery.payload.sender)]) as unknown as Json)
  const deployment_ids = deployment_id === null ? [] : [deployment_id]
  const run_url = `${delivery.url}/${repository.full_name}/actions/runs/${run_id}`
  await tx`
    insert into github_requests as request (
      organization_id, workspace_id, project_id, lane_id, repository_id, full_name, is_private, run_id, environment, commit, ref,
      run_url, asked_by, deployment_ids
    )
    values (
      ${organization_id}, ${workspace_id}, ${project_id}, ${lane_id}, ${repository.id}, ${repository.full_name},
      ${repository.is_private}, ${run_id}, ${environment}, ${commit}, ${ref}, ${run_url}, ${asked_by},
      ${deployment_ids}::bigint[]
    )
    on conflict (organization_id, repository_id, run_id, environment) where state in ('open', 'held') do update
    set jobs           = request.jobs + 1,
        deployment_ids = request.deployment_ids || excluded.deployment_ids,
        asked_by       = case
          when request.asked_by @> excluded.asked_by then request.asked_by
          else request.asked_by || excluded.asked_by
        end,
        full_name      = excluded.full_name,
        is_private     = excluded.is_private,
        revision       = request.revision + 1,
        due_at         = now()
  `
  await wakeInstallations(tx, organization_id, [lane_id])
}
