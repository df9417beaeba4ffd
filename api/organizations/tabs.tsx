import { Tabs } from '../pages/components/lists.tsx'
import { hasAtLeast, type OrganizationRole } from '../roles.ts'

export function OrganizationTabs({ of, path }: { of: { id: string; role: OrganizationRole }; path: string }) {
  const home = `/app/organizations/${of.id}`
  const forAdmins: [string, string][] = [
    [`${home}/service-accounts`, 'Service accounts'],
    [`${home}/agents`, 'Agents'],
    [`${home}/tokens`, 'Tokens'],
    [`${home}/budget`, 'Budget'],
    [`${home}/security`, 'Second factors'],
    [`${home}/audit-log`, 'Audit log'],
    [`${home}/settings`, 'Settings'],
  ]
  return (
    <Tabs
      label="Organization"
      path={path}
      tabs={[
        [home, 'Overview'],
        [`${home}/groups`, 'Groups'],
        [`${home}/runtimes`, 'Runtimes'],
        [`${home}/workflow-template`, 'Workflow'],
        [`${home}/signing-keys`, 'Signing keys'],
        ...(hasAtLeast(of.role, 'admin') ? forAdmins : []),
      ]}
    />
  )
}
