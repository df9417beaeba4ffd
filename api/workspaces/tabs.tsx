import { Tabs } from '../pages/components/lists.tsx'
import type { WorkspaceResource } from '../plugins/request-context.ts'
import { hasAtLeast, type OrganizationRole } from '../roles.ts'

/** Links between the pages of a workspace. The audit log is that of the organization, for its admins. */
export function WorkspaceTabs({
  of: { id, organization_id, role, organization_role },
  path,
}: {
  of: WorkspaceResource & { organization_role: OrganizationRole }
  path: string
}) {
  const home = `/app/workspaces/${id}`
  const tabs: [string, string][] = [[home, 'Overview']]
  if (hasAtLeast(role, 'admin')) tabs.push([`${home}/budget`, 'Budget'])
  if (hasAtLeast(organization_role, 'admin'))
    tabs.push([`/app/organizations/${organization_id}/audit-log?workspace_id=${id}`, 'Audit log'])
  return <Tabs label="Workspace" path={path} tabs={tabs} />
}
