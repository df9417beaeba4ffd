import type { ShownResource } from '../pages/access.ts'
import { Tabs } from '../pages/components/lists.tsx'
import { hasAtLeast } from '../roles.ts'

/** Links between the pages of a workspace. The audit log is that of the organization, for its admins. */
export function WorkspaceTabs({
  of: { id, organization_id, role, organization_role },
  path,
}: {
  of: ShownResource<'workspace'>
  path: string
}) {
  const home = `/app/workspaces/${id}`
  const tabs: [string, string][] = [
    [home, 'Overview'],
    [`${home}/workflow-template`, 'Workflow'],
  ]
  if (hasAtLeast(role, 'admin')) tabs.push([`${home}/budget`, 'Budget'], [`${home}/settings`, 'Settings'])
  if (hasAtLeast(organization_role, 'admin'))
    tabs.push([`/app/organizations/${organization_id}/audit-log?workspace_id=${id}`, 'Audit log'])
  return <Tabs label="Workspace" path={path} tabs={tabs} />
}
