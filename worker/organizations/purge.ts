/**
 * purge_organization: takes away all that lay in an organization that was deleted, a bounded batch a transaction, so
 * that nobody waits for it. A run that breaks off is taken up where it ended: what is gone is gone.
 */
import { sql } from '../../core/platform/database.ts'
import { isStopping } from '../process/heartbeat.ts'

const BATCH = 1_000

/** Deletes up to a batch of rows, and says how many there were. What somebody is just writing is left for the next look. */
type Step = (organization_id: string) => PromiseLike<{ count: number }>

/** Its projects, found by way of its workspaces: tables are indexed by what their rows lie in, not by their tenant. */
const projectsOf = (organization_id: string) => sql`
  select project.id
  from workspaces as workspace
  join projects as project
    on project.workspace_id = workspace.id
    and project.organization_id = workspace.organization_id
  where workspace.organization_id = ${organization_id}
`

/** Rows of a table that lie in a project, and what hangs on them. */
const inProjects =
  (table: string): Step =>
  (organization_id) =>
    sql`
    delete from ${sql(table)}
    where organization_id = ${organization_id}
      and id = any(array(
        select id
        from ${sql(table)}
        where project_id in (${projectsOf(organization_id)})
          and organization_id = ${organization_id}
        limit ${BATCH}
        for update skip locked
      ))
  `

/** Rows of a table that is indexed by the organization. */
const inOrganization =
  (table: string, batch = BATCH): Step =>
  (organization_id) =>
    sql`
    delete from ${sql(table)}
    where organization_id = ${organization_id}
      and id = any(array(
        select id from ${sql(table)} where organization_id = ${organization_id} limit ${batch} for update skip locked
      ))
  `

/** Rows of a table that begins its key with the organization and has no id. */
const ofOrganization =
  (table: string): Step =>
  (organization_id) =>
    sql`
    delete from ${sql(table)}
    where organization_id = ${organization_id}
      and ctid = any(array(
        select ctid from ${sql(table)} where organization_id = ${organization_id} limit ${BATCH} for update skip locked
      ))
  `

const waitingEvents: Step = (organization_id) => sql`
  delete from outbox
  where organization_id = ${organization_id}
    and id = any(array(
      select id from outbox where organization_id = ${organization_id} and drained_at is null limit ${BATCH} for update skip locked
    ))
`

const dispatches: Step = (organization_id) => sql`
  delete from dispatches
  where organization_id = ${organization_id}
    and id = any(array(
      select dispatch.id
      from deployment_hooks as hook
      join dispatches as dispatch
        on dispatch.hook_id = hook.id
        and dispatch.organization_id = hook.organization_id
      where hook.project_id in (${projectsOf(organization_id)})
        and hook.organization_id = ${organization_id}
      limit ${BATCH}
      for update of dispatch skip locked
    ))
`

/**
 * Children first, so that no batch sets off a cascade without bounds. A small table that is not named here goes with
 * what it hangs on.
 */
const STEPS: Step[] = [
  waitingEvents,
  // What was told of an event goes with it.
  inOrganization('channel_events', 100),
  dispatches,
  inProjects('deployment_hooks'),
  inProjects('deliverables'),
  inProjects('dual_track_comparisons'),
  inProjects('gates'),
  inProjects('executions'),
  inProjects('requirements'),
  (organization_id) => sql`
    delete from projects
    where organization_id = ${organization_id}
      and id = any(array(select id from (${projectsOf(organization_id)}) as project limit 50))
  `,
  inOrganization('workspaces', 50),
  // First what waits for a seal, so that none is made of what is about to go.
  ofOrganization('audit_log_unsealed'),
  inOrganization('audit_log_entries'),
  ofOrganization('audit_log_seals'),
  ofOrganization('audit_log_counts'),
  ofOrganization('agent_spend'),
  inOrganization('invitations'),
  inOrganization('notifications'),
]

/** Told events are indexed by nothing but their id: one walk over all of them, page by page. */
async function toldEvents(organization_id: string): Promise<void> {
  let after: string | null = '00000000-0000-0000-0000-000000000000'
  while (after !== null && !isStopping()) {
    const [page]: { last: string | null }[] = await sql<{ last: string | null }[]>`
      with page as (
        select id, organization_id from outbox where id > ${after} order by id limit ${10 * BATCH}
      ),
      gone as (
        delete from outbox
        where organization_id = ${organization_id}
          and id in (select id from page where organization_id = ${organization_id})
      )
      select max(id::text)::uuid as last from page
    `
    after = page?.last ?? null
  }
}

/**
 * Runs after the request that deleted the organization, and every night for those that are left.
 *
 * @throws Error where this process stops meanwhile: the job then runs again elsewhere
 */
export async function purgeOrganization(organization_id: string): Promise<void> {
  const [deleted] = await sql`select from organizations where id = ${organization_id} and deleted_at is not null`
  if (!deleted) return // gone already
  for (const step of STEPS) {
    while (!isStopping() && (await step(organization_id)).count > 0);
  }
  await toldEvents(organization_id)
  if (isStopping()) throw new Error('This worker stops; the rest of the organization is taken away by the next run')
  // What was being written is waited for here, and goes with the row.
  await sql`delete from organizations where id = ${organization_id} and deleted_at is not null`
}
