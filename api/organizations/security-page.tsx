/** The second factors of the members of an organization, and whether one is required. */

import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Type } from '../../core/values/schema.ts'
import { requestFactorReset } from '../auth/second-factor-resets.ts'
import { listMemberFactors, type MemberFactor } from '../members/member-factors.ts'
import { Person } from '../members/tables.tsx'
import { Button, Form, Submit } from '../pages/components/forms.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { State } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { getOrganization, updateOrganization } from './organizations.ts'
import type { Organization } from './schema.ts'
import { OrganizationTabs } from './tabs.tsx'

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
        <div class="card">
          <Form action={path}>
            <input type="hidden" name="require_second_factor" value={String(!isOn)} />
            <Submit
              kind={isOn ? 'danger' : 'primary'}
              confirm={isOn ? undefined : 'Members without a second factor lose access until they set one up. Go on?'}
            >
              {isOn ? 'Require it no more' : 'Require a second factor'}
            </Submit>
          </Form>
        </div>
      )}
      {!isOwner && <p class="hint">The owner can change this.</p>}
    </Section>
  )
}

const columnsFor = (path: string, reader_id: string, isOwner: boolean): Column<MemberFactor>[] => [
  {
    head: 'Member',
    main: true,
    cell: ({ user_id, user_name, user_email }) => <Person name={user_name} email={user_email} isReader={user_id === reader_id} />,
  },
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
          confirm={`Mail ${user_name} a link that removes their second factors? Do so only if they told you that they lost them.`}
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

const change = action(
  '/app/organizations/:org_id/security',
  { organization: 'owner' },
  { on: securityPage, body: Shape({ require_second_factor: Type.Boolean() }) },
  async ({ request, caller, organization, change }, body) => {
    await change((tx) => updateOrganization(tx, caller, organization, body, request))
    return {
      notice: body.require_second_factor ? 'A second factor is required now.' : 'A second factor is not required any more.',
    }
  },
)

const reset = action(
  '/app/organizations/:org_id/security/:member_user_id/reset',
  { organization: 'owner' },
  { on: securityPage, body: Nothing },
  async ({ caller, organization, params, change }) => {
    await change((tx) => requestFactorReset(tx, caller, organization, (params.member_user_id ?? '').toLowerCase()))
    return { notice: 'A link that removes their second factors is on its way to the member.' }
  },
)

export const organizationSecurityPages = pageRoutes('organization-security-pages', securityPage, change, reset)
