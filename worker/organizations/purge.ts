/**
 * purge_organization: deletes all data of a deleted organization in batches, each in a separate transaction, so that other
 * transactions do not wait. If a run is interrupted, the next one continues.
 */
import { sql } from '../../core/platform/database.ts'
import { FIRST_ID } from '../../core/values/uuids.ts'
import type { Fragment } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { isStopping } from '../process/heartbeat.ts'

const BATCH = 1_000

/** Deletes up to one batch of rows, and returns how many. Locked rows are skipped. */
type PurgeStep = (organization_id: string) => PromiseLike<{ count: number }>

/** The organization's projects, found through its workspaces, because that is how the tables are indexed. */
const projectsOf = (organization_id: string) => sql`
  select project.id
  from workspaces as workspace
  join projects as project
    on project.workspace_id = workspace.id
    and project.organization_id = workspace.organization_id
  where workspace.organization_id = ${organization_id}
`

const rows =
  (table: string, key: Fragment, batch: number, condition: (organization_id: string) => Fragment): PurgeStep =>
  (organization_id) =>
    sql`
    delete from ${sql(table)}
    where organization_id = ${organization_id}
      and ${key} = any(array(
        select ${key}
        from ${sql(table)}
        where ${condition(organization_id)}
          and organization_id = ${organization_id}
        limit ${batch}
        for update skip locked
      ))
  `

const inProjects = (table: string) =>
  rows(table, sql`id`, BATCH, (organization_id) => sql`project_id in (${projectsOf(organization_id)})`)

const inOrganization = (table: string, batch = BATCH) => rows(table, sql`id`, batch, () => sql`true`)

/** For a table without an id, whose key starts with `organization_id`. */
const ofOrganization = (table: string) => rows(table, sql`ctid`, BATCH, () => sql`true`)

const dispatches: PurgeStep = (organization_id) => sql`
  delete from dispatches
  where organization_id = ${organization_id}
    and id = any(array(
      select dispatch.id
      from deployment_hooks as hook
      join dispatches as dispatch on dispatch.hook_id = hook.id and dispatch.organization_id = hook.organization_id
      where hook.project_id in (${projectsOf(organization_id)})
        and hook.organization_id = ${organization_id}
      limit ${BATCH}
      for update of dispatch skip locked
    ))
`

/** Children first, so that no delete cascades to an unlimited number of rows. Small tables are deleted by cascades. */
const STEPS: PurgeStep[] = [
  ofOrganization('waiting_events'),
  // Early: former members and those who were invited see them until then.
  inOrganization('notifications'),
  // Cascades to its messages.
  inOrganization('channel_events', 100),
  dispatches,
  inProjects('deployment_hooks'),
  inProjects('rollouts'),
  inOrganization('github_requests'),
  ofOrganization('github_deliveries'),
  inProjects('deliverables'),
  inProjects('dual_track_comparisons'),
  inProjects('gates'),
  ofOrganization('usage_records'),
  ofOrganization('execution_usage'),
  inProjects('executions'),
  inProjects('requirements'),
  (organization_id) => sql`
    delete from projects
    where organization_id = ${organization_id}
      and id = any(array(select id from (${projectsOf(organization_id)}) as project limit 50))
  `,
  inOrganization('workspaces', 50),
  // The unsealed entries first, so that no seal is created for entries that are being deleted.
  ofOrganization('audit_log_unsealed'),
  inOrganization('audit_log_entries'),
  ofOrganization('audit_log_seals'),
  ofOrganization('audit_log_counts'),
  ofOrganization('agent_spend'),
  ofOrganization('model_spend'),
  inOrganization('invitations'),
]

/** Deletes drained events. They are indexed only by id, so this walks over those of all organizations, page by page. */
async function purgeDrainedEvents(organization_id: string): Promise<void> {
  let after: string | null = FIRST_ID
  while (after !== null && !isStopping()) {
    const [page]: { last: string | null }[] = await acrossTenants(sql<{ last: string | null }[]>`
      with page as (
        select id, organization_id from outbox where id > ${after} order by id limit ${10 * BATCH}
      ),
      gone as (
        delete from outbox
        where organization_id = ${organization_id}
          and id in (select id from page where organization_id = ${organization_id})
      )
      select max(id::text)::uuid as last from page
    `)
    after = page?.last ?? null
  }
}

/** @throws Error if this process is stopping, so that the job is retried by another worker */
export async function purgeOrganization(organization_id: string): Promise<void> {
  const [deleted] = await sql`select from organizations where id = ${organization_id} and deleted_at is not null`
  if (!deleted) return // already purged
  for (const step of STEPS) {
    while (!isStopping() && (await step(organization_id)).count > 0);
  }
  await purgeDrainedEvents(organization_id)
  if (isStopping()) throw new Error('The worker is stopping; the purge will be continued by a retry')
  // Waits for transactions that are still writing; their rows are deleted by cascade.
  await sql`delete from organizations where id = ${organization_id} and deleted_at is not null`
}
