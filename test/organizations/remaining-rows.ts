/** An organization with many rows, and the count of what is left of it. */
import type { Box, Site } from '../support/signalbox.ts'

/** Inserts thousands of rows into a project, as after years of use. */
export async function fill(box: Box, { organization, workspace, project }: Site, hook_id: string, each: number): Promise<void> {
  const place = box.sql`${organization.id}::uuid, ${workspace.id}::uuid, ${project.id}::uuid`
  await box.sql`
    with requirement as (
      insert into requirements (organization_id, workspace_id, project_id, number, title, created_by)
      select ${place}, 1000 + n, 'Old', ${organization.owner_id}::uuid from generate_series(1, ${each}) as n
      returning id
    ),
    change as (
      insert into requirement_changes (organization_id, requirement_id, project_id, to_status, changed_by)
      select ${organization.id}::uuid, id, ${project.id}::uuid, 'open', ${organization.owner_id}::uuid from requirement
    ),
    execution as (
      insert into executions (organization_id, workspace_id, project_id, requirement_id, agent, created_by)
      select ${place}, id, 'claude', ${organization.owner_id}::uuid from requirement
      returning id
    ),
    gate as (
      insert into gates (organization_id, workspace_id, project_id, execution_id, name, created_by)
      select ${place}, id, 'Old', ${organization.owner_id}::uuid from execution
    ),
    dispatch as (
      insert into dispatches (
        organization_id, workspace_id, project_id, hook_id, event_id, event, environment, status, max_attempts, completed_at,
        report_within_seconds
      )
      select ${place}, ${hook_id}::uuid, uuidv7(), 'gate.approved', 'production', 'succeeded', 1, now(), 600 from requirement
      returning id
    ),
    attempt as (
      insert into repeated_attempts (dispatch_id, organization_id, number, started_at, duration_ms)
      select id, ${organization.id}::uuid, 1, now(), 1 from dispatch
    ),
    entry as (
      insert into audit_log_entries (organization_id, actor_type, actor_name, action, resource_type, detail)
      select ${organization.id}::uuid, 'system', 'Signalbox', 'project.created', 'project', 'Old' from requirement
    )
    insert into outbox (organization_id, name, data)
    select ${organization.id}::uuid, 'gate.approved', '{}' from requirement
  `
}

/** The number of rows of an organization in each table that still has any. */
export async function remainingRows(box: Box, organization_id: string): Promise<Record<string, number>> {
  const tables = await box.sql<{ name: string; column: string }[]>`
    select table_name as name, 'organization_id' as column
    from information_schema.columns
    where table_schema = 'public' and column_name = 'organization_id'
    union all
    select 'organizations', 'id'
    order by 1
  `
  const remaining: Record<string, number> = {}
  for (const { name, column } of tables) {
    const [{ count }] = await box.sql<[{ count: number }]>`
      select count(*) as count from ${box.sql(name)} where ${box.sql(column)} = ${organization_id}
    `
    if (count > 0) remaining[name] = count
  }
  return remaining
}
