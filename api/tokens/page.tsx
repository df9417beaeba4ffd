/** The personal tokens of a user, and those that are restricted to an organization, for its admins. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Uuid } from '../../core/values/schema.ts'
import type { TokenScope } from '../credentials/scopes.ts'
import { personColumn } from '../members/tables.tsx'
import { listOrganizations } from '../organizations/organizations.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { inDays, lifetimes } from '../pages/clock.ts'
import { shownOnce } from '../pages/components/copyable.tsx'
import { Button, Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { databaseNow, isPast } from '../plugins/clock.ts'
import { BY_ID, Cursor } from '../plugins/lists.ts'
import { AccountTabs } from '../users/tabs.tsx'
import { type NewToken, type OrganizationToken, type Token, TokenInput } from './schema.ts'
import { createToken, listOrganizationTokens, listTokens, revokeOrganizationToken, revokeToken } from './tokens.ts'

const ALLOWS: Record<TokenScope, string> = {
  read: 'reading',
  write: 'reading and writing',
  decide: 'reading, writing and deciding gates',
}

interface Choice {
  id: string
  name: string
}

const CHOICES = { limit: 100, after: null }

const TokenState = ({ of: { expires_at }, now }: { of: Pick<Token, 'expires_at'>; now: string }) =>
  isPast(expires_at, now) ? <State of="expired" /> : <State of="valid" tone="good" />

const times: Column<Token>[] = [
  { head: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} />) },
  { head: 'Last used', cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} />) },
]

const columnsFor = (organizations: Choice[], now: string): Column<Token>[] => [
  { head: 'Token', main: true, cell: ({ name }) => <strong>{name}</strong> },
  { head: 'State', cell: (token) => <TokenState of={token} now={now} /> },
  { head: 'Allows', cell: ({ scope }) => ALLOWS[scope] },
  {
    head: 'Organization',
    cell: ({ organization_id }) =>
      organization_id === null
        ? 'all of yours'
        : (organizations.find(({ id }) => id === organization_id)?.name ?? 'one of yours'),
  },
  ...times,
  {
    head: 'Actions',
    cell: ({ id, name }) => (
      <Button
        action={`/app/account/tokens/${id}/revoke`}
        kind="danger"
        confirm={`Revoke the token ${name}? Whatever uses it stops working at once.`}
      >
        Revoke<span class="unseen">: {name}</span>
      </Button>
    ),
  },
]

function NewTokenForm({ organizations }: { organizations: Choice[] }) {
  return (
    <Form card action="/app/account/tokens">
      {/* Sending the form again makes no second token. */}
      <input type="hidden" name="id" value={Bun.randomUUIDv7()} />
      <Field
        name="name"
        label="Name"
        required
        maxLength={120}
        hint="What the token is for, such as My laptop. Builds and agents sign in as service accounts."
      />
      <Select
        name="scope"
        label="Allows"
        required
        options={Object.entries({
          read: 'Reading',
          write: 'Reading and writing: all that you can do, save deciding gates',
          decide: 'Reading, writing and deciding gates',
        })}
        hint="A token that decides gates approves and rejects in your name for anyone who has it. Builds and agents should have none."
      />
      <Select name="expires_at" label="Expires" required value={inDays(90)} options={[...lifetimes(), ['', 'Never']]} />
      <Select
        name="organization_id"
        label="Organization"
        required
        options={[['', 'All of yours'], ...organizations.map(({ id, name }): [string, string] => [id, name])]}
        hint="Admins of the organization can see and revoke a token that is restricted to it."
      />
      <Submit>Make a token</Submit>
    </Form>
  )
}

const tokensPage = page(
  '/app/account/tokens',
  { signedIn: true },
  async ({ caller, url, query }) => {
    const [tokens, organizations, now] = await Promise.all([
      listTokens(sql, caller.id, partAfter(url, query, 'after', BY_ID)),
      listOrganizations(sql, caller, CHOICES),
      databaseNow(sql),
    ])
    return {
      title: 'Personal tokens',
      main: (
        <>
          <AccountTabs path="/app/account/tokens" />
          <Section title="Tokens">
            <Table label="Personal tokens" columns={columnsFor(organizations, now)} rows={shownOf(tokens)}>
              No tokens yet. Make one for a script of your own: it acts as you.
            </Table>
            <Parts of="tokens" url={url} name="after" rows={tokens} order={BY_ID} />
          </Section>
          <Section title="New token">
            <NewTokenForm organizations={organizations} />
          </Section>
        </>
      ),
    }
  },
  Shape({ after: Cursor }),
)

const made = ({ name, token }: NewToken) =>
  shownOnce('token', name, token, { href: '/app/account/tokens', text: 'Personal tokens', back: 'your tokens' })

const make = actionOn(
  tokensPage,
  '',
  { signedIn: true },
  Shape({ ...TokenInput.properties, id: Maybe(Uuid) }),
  async ({ caller, change }, { id, ...input }) => made(await change((tx) => createToken(tx, caller, input, id))),
)

const revoke = actionOn(
  tokensPage,
  '/:token_id/revoke',
  { signedIn: true },
  Nothing,
  async ({ request, caller, params, change }) => {
    await change((tx) => revokeToken(tx, caller, params.token_id ?? '', request))
    return { notice: 'The token was revoked. It does not work any more.' }
  },
)

const organizationColumns = (path: string, reader_id: string, now: string): Column<OrganizationToken>[] => [
  { head: 'Token', main: true, cell: ({ name }) => <strong>{name}</strong> },
  { ...personColumn(reader_id), main: false },
  { head: 'State', cell: (token) => <TokenState of={token} now={now} /> },
  { head: 'Allows', cell: ({ scope }) => ALLOWS[scope] },
  ...times,
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

const organizationPage = page(
  '/app/organizations/:org_id/tokens',
  { organization: 'admin' },
  async ({ caller, organization, url, query }) => {
    const path = `/app/organizations/${organization.id}/tokens`
    const [tokens, now] = await Promise.all([
      listOrganizationTokens(sql, organization.id, partAfter(url, query, 'after', BY_ID)),
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
          <Table label="Personal tokens of members" columns={organizationColumns(path, caller.id, now)} rows={shownOf(tokens)}>
            No member has a token for this organization alone.
          </Table>
          <Parts of="tokens" url={url} name="after" rows={tokens} order={BY_ID} />
        </>
      ),
    }
  },
  Shape({ after: Cursor }),
)

const revokeAsAdmin = actionOn(
  organizationPage,
  '/:token_id/revoke',
  { organization: 'admin' },
  Nothing,
  async ({ request, caller, organization, params, change }) => {
    await change((tx) => revokeOrganizationToken(tx, caller, organization, params.token_id ?? '', request))
    return { notice: 'The token was revoked. It does not work any more.' }
  },
)

export const tokenPages = pageRoutes('token-pages', tokensPage, make, revoke, organizationPage, revokeAsAdmin)
