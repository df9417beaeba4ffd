/** The tables of what a path can name by its id. */

/** The table, and its columns that say where a row is. Null where it has none. */
export interface ResourceTable {
  table: string
  organization_id: string
  workspace_id: string | null
  project_id: string | null
  owner_id: string | null
}

const inOrganization = (table: string): ResourceTable => ({
  table,
  organization_id: 'organization_id',
  workspace_id: null,
  project_id: null,
  owner_id: null,
})

const inWorkspace = (table: string): ResourceTable => ({ ...inOrganization(table), workspace_id: 'workspace_id' })

const inProject = (table: string): ResourceTable => ({ ...inWorkspace(table), project_id: 'project_id' })

export const RESOURCE_TABLES = {
  organization: { ...inOrganization('organizations'), organization_id: 'id' },
  runtime: { ...inOrganization('runtimes'), owner_id: 'owner_id' },
  group: inOrganization('groups'),
  service_account: inOrganization('service_accounts'),
  workspace: { ...inWorkspace('workspaces'), workspace_id: 'id' },
  project: { ...inProject('projects'), project_id: 'id' },
  requirement: inProject('requirements'),
  execution: inProject('executions'),
  gate: inProject('gates'),
  hook: inProject('deployment_hooks'),
  comparison: inProject('dual_track_comparisons'),
  deliverable: inProject('deliverables'),
  dispatch: inProject('dispatches'),
  channel: inWorkspace('notification_channels'),
  subscription: inWorkspace('subscriptions'),
} satisfies Record<string, ResourceTable>
