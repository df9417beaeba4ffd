/** The page of an organization: its workspaces, members and invitations. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Shape, Text } from '../../core/values/schema.ts'
import { listInvitations } from '../members/invitations.ts'
import { listMembers } from '../members/members.ts'
import { Invitations, InviteForm, MemberTable } from '../members/tables.tsx'
import { Cursor, Filters, Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { MoneyOf, Prose, Time } from '../pages/components/text.tsx'
import { page } from '../pages/page.tsx'
import { hasAtLeast } from '../roles.ts'
import { Workspaces } from '../workspaces/table.tsx'
import { listWorkspaces } from '../workspaces/workspaces.ts'
import { getOrganization } from './organizations.ts'
import type { Organization } from './schema.ts'
import { OrganizationTabs } from './tabs.tsx'

const OrganizationQuery = Shape({
  workspaces_after: Cursor,
  members_after: Cursor,
  invitations_after: Cursor,
  query: Maybe(Text(254)),
})

const countOf = (count: number, maximum: number | null) => (maximum === null ? count : `${count} of at most ${maximum}`)

function About({ of }: { of: Organization }) {
  return (
    <Section title="About">
      {of.description !== null && <Prose>{of.description}</Prose>}
      <Facts
        of={[
          ['Key', of.org_key],
          ['Members', countOf(of.member_count, of.max_members)],
          ['Workspaces', countOf(of.workspace_count, of.max_workspaces)],
          ['Joining', of.registration_mode === 'open' ? 'open to everyone with an account' : 'by invitation'],
          ['This month', <MoneyOf usd={of.budget_used_usd} limit={of.budget_monthly_limit_usd} />],
          ['Created', <Time at={of.created_at} />],
        ]}
      />
    </Section>
  )
}

export const organizationPage = page(
  '/app/organizations/:org_id',
  { organization: 'member' },
  async ({ caller, organization, url, query }) => {
    const isAdmin = hasAtLeast(organization.role, 'admin')
    const [shown, workspaces, members, invitations] = await Promise.all([
      getOrganization(sql, organization.id),
      listWorkspaces(sql, organization.id, partAfter(query.workspaces_after)),
      listMembers(sql, organization.id, query.query ?? null, partAfter(query.members_after)),
      isAdmin ? listInvitations(sql, organization.id, partAfter(query.invitations_after)) : [],
    ])
    return {
      title: shown.name,
      main: (
        <>
          <OrganizationTabs of={organization} path={`/app/organizations/${organization.id}`} />
          <div class="columns">
            <div>
              <Workspaces url={url} rows={workspaces} organization_id={organization.id} />
              <Section title="Members" count={shown.member_count}>
                <Filters
                  url={url}
                  fields={[{ name: 'query', label: 'Name or e-mail address', type: 'search' }]}
                  button="Search"
                />
                <MemberTable organization={organization} reader={caller} rows={shownOf(members)} />
                <Parts of="members" url={url} name="members_after" rows={members} idOf={({ user_id }) => user_id} />
              </Section>
              {isAdmin && (
                <Section title="Invitations">
                  <Invitations organization={organization} rows={shownOf(invitations)} />
                  <Parts of="invitations" url={url} name="invitations_after" rows={invitations} idOf={({ id }) => id} />
                </Section>
              )}
            </div>
            <div>
              <About of={shown} />
              {isAdmin && (
                <Section title="Invite">
                  <InviteForm organization={organization} />
                </Section>
              )}
            </div>
          </div>
        </>
      ),
    }
  },
  OrganizationQuery,
)
