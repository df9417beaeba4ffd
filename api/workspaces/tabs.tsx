import type { ShownResource } from '../pages/access.ts'
import { Parts, shownOf, Tabs } from '../pages/components/lists.tsx'
import { Rows, Section } from '../pages/components/structure.tsx'
import { Money, Time } from '../pages/components/text.tsx'
import { NEWEST_FIRST } from '../plugins/lists.ts'
import { hasAtLeast } from '../roles.ts'
import type { WorkspaceSummary } from './workspaces.ts'

/** Links between the pages of a workspace. The audit log is the organization's, for its admins. */
export function WorkspaceTabs({ of, path }: { of: ShownResource<'workspace'>; path: string }) {
  const { id, organization_id, role, organization_role } = of
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

type WorkspacesProps = { url: URL; rows: WorkspaceSummary[]; organization_id: string }

export const Workspaces = ({ url, rows, organization_id }: WorkspacesProps) => (
  <Section title="Workspaces" aside={<a href={`/app/organizations/${organization_id}/workspaces/new`}>New workspace</a>}>
    <Rows
      label="Workspaces"
      of={shownOf(rows)}
      row={({ id, name, workspace_key, budget_monthly_limit_usd, created_at }) => ({
        href: `/app/workspaces/${id}`,
        what: name,
        beside: workspace_key,
        end: (
          <>
            {budget_monthly_limit_usd !== null && (
              <>
                <Money usd={budget_monthly_limit_usd} /> a month ·{' '}
              </>
            )}
            <Time at={created_at} />
          </>
        ),
      })}
    >
      No workspaces yet. A workspace holds the projects, channels and budget of a team.
    </Rows>
    <Parts of="workspaces" url={url} name="workspaces_after" rows={rows} order={NEWEST_FIRST} />
  </Section>
)
