/** The pages of an organization: its workspaces; its members and invitations; and their second factors. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text, Type } from '../../core/values/schema.ts'
import { requestFactorReset } from '../auth/second-factor-resets.ts'
import { listInvitations } from '../members/invitations.ts'
import { Invitations, InviteForm, MemberFilter, MemberList, personRow } from '../members/lists.tsx'
import { listMemberFactors, listMembers, type MemberFactor } from '../members/members.ts'
import { Button, Form, Submit } from '../pages/components/forms.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Facts, Rows, Section } from '../pages/components/structure.tsx'
import { MoneyOf, Prose, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { BY_JOINING, Cursor, NEWEST_FIRST } from '../plugins/lists.ts'
import { hasAtLeast } from '../roles.ts'
import { Workspaces } from '../workspaces/tabs.tsx'
import { listWorkspaces } from '../workspaces/workspaces.ts'
import { getOrganization, updateOrganization } from './organizations.ts'
import type { Organization } from './schema.ts'
import { OrganizationTabs } from './tabs.tsx'

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
  async ({ organization, url, query }) => {
    const [shown, workspaces] = await Promise.all([
      getOrganization(sql, organization.id),
      listWorkspaces(sql, organization.id, partAfter(url, query, 'workspaces_after', NEWEST_FIRST)),
    ])
    return {
      title: shown.name,
      main: (
        <div class="columns">
          <Workspaces url={url} rows={workspaces} organization_id={organization.id} />
          <About of={shown} />
        </div>
      ),
    }
  },
  Shape({ workspaces_after: Cursor }),
)

export const peoplePage = page(
  '/app/organizations/:org_id/people',
  { organization: 'member' },
  async ({ caller, organization, url, query }) => {
    const isAdmin = hasAtLeast(organization.role, 'admin')
    const [{ member_count }, members, invitations] = await Promise.all([
      getOrganization(sql, organization.id),
      listMembers(sql, organization.id, query.query ?? null, partAfter(url, query, 'members_after', BY_JOINING)),
      isAdmin ? listInvitations(sql, organization.id, partAfter(url, query, 'invitations_after', NEWEST_FIRST)) : [],
    ])
    return {
      title: 'People',
      main: (
        <>
          <OrganizationTabs of={organization} path={`/app/organizations/${organization.id}/people`} />
          <div class={isAdmin ? 'columns' : undefined}>
            <div>
              <Section title="Members" count={member_count}>
                <MemberFilter url={url} />
                <MemberList organization={organization} reader={caller} rows={shownOf(members)} />
                <Parts of="members" url={url} name="members_after" rows={members} order={BY_JOINING} />
              </Section>
              {isAdmin && (
                <Section title="Invitations">
                  <Invitations organization={organization} rows={shownOf(invitations)} />
                  <Parts of="invitations" url={url} name="invitations_after" rows={invitations} order={NEWEST_FIRST} />
                </Section>
              )}
            </div>
            {isAdmin && (
              <Section title="Invite">
                <InviteForm organization={organization} />
              </Section>
            )}
          </div>
        </>
      ),
    }
  },
  Shape({ members_after: Cursor, invitations_after: Cursor, query: Maybe(Text(254)) }),
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

const factorRow = (path: string, reader_id: string, isOwner: boolean) => (member: MemberFactor) => ({
  ...personRow(member, reader_id),
  state: member.has_second_factor ? <State of="second factor" tone="good" /> : <State of="none" tone="wait" />,
  actions: isOwner && member.has_second_factor && member.user_id !== reader_id && (
    <Button
      action={`${path}/${member.user_id}/reset`}
      kind="danger"
      confirm={`Mail ${member.user_name} a link that removes their second factors? Do so only if they asked you for it because they lost them.`}
    >
      Reset<span class="unseen"> the second factors of {member.user_name}</span>
    </Button>
  ),
})

const securityPage = page('/app/organizations/:org_id/security', { organization: 'admin' }, async ({ caller, organization }) => {
  const [shown, members] = await Promise.all([
    getOrganization(sql, organization.id),
    listMemberFactors(sql, organization.id, MAX_ROWS + 1),
  ])
  const path = `/app/organizations/${organization.id}/security`
  const isOwner = organization.role === 'owner'
  return {
    title: 'Second factors',
    main: (
      <>
        <OrganizationTabs of={organization} path={path} />
        <Requirement of={shown} path={path} isOwner={isOwner} />
        <Section title="Members" count={shown.member_count}>
          <Rows label="Second factors of members" of={members.slice(0, MAX_ROWS)} row={factorRow(path, caller.id, isOwner)} />
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
