/** The page of an organization: its workspaces, members and invitations; and that of the second factors of its members. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text, Type } from '../../core/values/schema.ts'
import { requestFactorReset } from '../auth/second-factor-resets.ts'
import { listInvitations } from '../members/invitations.ts'
import { listMemberFactors, listMembers, type MemberFactor } from '../members/members.ts'
import { Invitations, InviteForm, MemberFilter, MemberTable, personColumn } from '../members/tables.tsx'
import { Button, Form, Submit } from '../pages/components/forms.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { type Column, Facts, Section, Table } from '../pages/components/structure.tsx'
import { MoneyOf, Prose, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { BY_JOINING, Cursor, NEWEST_FIRST } from '../plugins/lists.ts'
import { hasAtLeast } from '../roles.ts'
import { Workspaces } from '../workspaces/tabs.tsx'
import { listWorkspaces } from '../workspaces/workspaces.ts'
import { getOrganization, updateOrganization } from './organizations.ts'
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
      listWorkspaces(sql, organization.id, partAfter(url, query, 'workspaces_after', NEWEST_FIRST)),
      listMembers(sql, organization.id, query.query ?? null, partAfter(url, query, 'members_after', BY_JOINING)),
      isAdmin ? listInvitations(sql, organization.id, partAfter(url, query, 'invitations_after', NEWEST_FIRST)) : [],
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
                <MemberFilter url={url} />
                <MemberTable organization={organization} reader={caller} rows={shownOf(members)} />
                <Parts of="members" url={url} name="members_after" rows={members} order={BY_JOINING} />
              </Section>
              {isAdmin && (
                <Section title="Invitations">
                  <Invitations organization={organization} rows={shownOf(invitations)} />
                  <Parts of="invitations" url={url} name="invitations_after" rows={invitations} order={NEWEST_FIRST} />
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

const MAX_ROWS = 100

function Requirement({ of, path, isOwner }: { of: Organization; path: string; isOwner: boolean }) {
  const isOn = of.require_second_factor
  return (
    <Section title="Requirement">
      <p>
        {isOn ? <State of="required" tone="good" /> : <State of="not required" />} Members without a second factor{' '}
        {isOn ? 'have no access to this organization' : 'have access to this organization'}: signed in, with tokens, by mailed
        links and in Slack.
      </p>
      {isOwner && (
        <Form card action={path}>
          <input type="hidden" name="require_second_factor" value={String(!isOn)} />
          <Submit
            kind={isOn ? 'danger' : 'primary'}
            confirm={isOn ? undefined : 'Members without a second factor lose access until they set one up. Go on?'}
          >
            {isOn ? 'Require it no more' : 'Require a second factor'}
          </Submit>
        </Form>
      )}
      {!isOwner && <p class="hint">The owner can change this.</p>}
    </Section>
  )
}

const columnsFor = (path: string, reader_id: string, isOwner: boolean): Column<MemberFactor>[] => [
  personColumn(reader_id),
  {
    head: 'Second factor',
    cell: ({ has_second_factor }) => (has_second_factor ? <State of="yes" tone="good" /> : <State of="none" tone="warn" />),
  },
  {
    head: 'Actions',
    cell: ({ user_id, user_name, has_second_factor }) =>
      isOwner &&
      has_second_factor &&
      user_id !== reader_id && (
        <Button
          action={`${path}/${user_id}/reset`}
          kind="danger"
          confirm={`Mail ${user_name} a link that removes their second factors? Do so only if they asked you for it because they lost them.`}
        >
          Reset<span class="unseen"> the second factors of {user_name}</span>
        </Button>
      ),
  },
]

const securityPage = page('/app/organizations/:org_id/security', { organization: 'admin' }, async ({ caller, organization }) => {
  const [shown, members] = await Promise.all([
    getOrganization(sql, organization.id),
    listMemberFactors(sql, organization.id, MAX_ROWS + 1),
  ])
  const path = `/app/organizations/${organization.id}/security`
  const isOwner = organization.role === 'owner'
  return {
    title: `Second factors in ${shown.name}`,
    main: (
      <>
        <OrganizationTabs of={organization} path={path} />
        <Requirement of={shown} path={path} isOwner={isOwner} />
        <Section title="Members" count={shown.member_count}>
          <Table
            label="Second factors of members"
            columns={columnsFor(path, caller.id, isOwner)}
            rows={members.slice(0, MAX_ROWS)}
          />
          {members.length > MAX_ROWS && <p class="hint">The first {MAX_ROWS}, those without a second factor first.</p>}
        </Section>
      </>
    ),
  }
})

const change = actionOn(
  securityPage,
  '',
  { organization: 'owner' },
  Shape({ require_second_factor: Type.Boolean() }),
  async ({ request, caller, organization, change }, body) => {
    await change((tx) => updateOrganization(tx, caller, organization, body, request))
    return {
      notice: body.require_second_factor ? 'A second factor is required now.' : 'A second factor is not required any more.',
    }
  },
)

const reset = actionOn(
  securityPage,
  '/:member_user_id/reset',
  { organization: 'owner' },
  Nothing,
  async ({ caller, organization, params, change }) => {
    await change((tx) => requestFactorReset(tx, caller, organization, (params.member_user_id ?? '').toLowerCase()))
    return { notice: 'A link that removes their second factors is on its way to the member.' }
  },
)

export const organizationSecurityPages = pageRoutes('organization-security-pages', securityPage, change, reset)
