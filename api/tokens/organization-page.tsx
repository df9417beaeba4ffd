/** The personal tokens that are restricted to an organization, for its admins. */
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape } from '../../core/values/schema.ts'
import { Person } from '../members/tables.tsx'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { databaseNow } from '../pages/clock.ts'
import { Button } from '../pages/components/forms.tsx'
import { Cursor, Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { type Column, Empty, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { ALLOWS, TokenState } from './page.tsx'
import type { OrganizationToken } from './schema.ts'
import { listOrganizationTokens, revokeOrganizationToken } from './tokens.ts'

const columnsFor = (path: string, reader_id: string, now: string): Column<OrganizationToken>[] => [
  { head: 'Token', main: true, cell: ({ name }) => <strong>{name}</strong> },
  {
    head: 'Member',
    cell: ({ user_id, user_name, user_email }) => <Person name={user_name} email={user_email} isReader={user_id === reader_id} />,
  },
  { head: 'State', cell: (token) => <TokenState of={token} now={now} /> },
  { head: 'Allows', cell: ({ scope }) => ALLOWS[scope] },
  { head: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} />) },
  { head: 'Last used', cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} />) },
  {
    head: 'Actions',
    cell: ({ id, name, user_name }) => (
      <Button
        action={`${path}/${id}/revoke`}
        kind="danger"
        confirm={`Revoke the token ${name} of ${user_name}? Whatever uses it stops working at once.`}
      >
        Revoke<span class="unseen">: {name}</span>
      </Button>
    ),
  },
]

const pathOf = (org_id: string): string => `/app/organizations/${org_id}/tokens`

const tokensPage = page(
  '/app/organizations/:org_id/tokens',
  { organization: 'admin' },
  async ({ caller, organization, url, query }) => {
    const path = pathOf(organization.id)
    const [tokens, now] = await Promise.all([
      listOrganizationTokens(sql, organization.id, partAfter(query.after)),
      databaseNow(sql),
    ])
    return {
      title: 'Personal tokens of members',
      main: (
        <>
          <OrganizationTabs of={organization} path={path} />
          <p>
            Tokens that members have restricted to this organization. They act as their owner; builds better use a service
            account.
          </p>
          {tokens.length === 0 ? (
            <Empty>No member has a token for this organization alone.</Empty>
          ) : (
            <Table label="Personal tokens of members" columns={columnsFor(path, caller.id, now)} rows={shownOf(tokens)} />
          )}
          <Parts of="tokens" url={url} name="after" rows={tokens} idOf={({ id }) => id} />
        </>
      ),
    }
  },
  Shape({ after: Cursor }),
)

const revoke = action(
  '/app/organizations/:org_id/tokens/:token_id/revoke',
  { organization: 'admin' },
  { on: tokensPage, body: Nothing },
  async ({ request, caller, organization, params, change }) => {
    await change((tx) => revokeOrganizationToken(tx, caller, organization, params.token_id ?? '', request))
    return { to: pathOf(organization.id), notice: 'The token was revoked. It does not work any more.' }
  },
)

export const organizationTokenPages = pageRoutes('organization-token-pages', tokensPage, revoke)
