/** The personal tokens of a user. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Uuid } from '../../core/values/schema.ts'
import type { TokenScope } from '../credentials/scopes.ts'
import { listOrganizations } from '../organizations/organizations.ts'
import { databaseNow, inDays, isPast, lifetimes } from '../pages/clock.ts'
import { shownOnce } from '../pages/components/copyable.tsx'
import { Button, Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Cursor, Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { AccountTabs } from '../users/tabs.tsx'
import { type NewToken, type Token, TokenInput } from './schema.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

export const ALLOWS: Record<TokenScope, string> = {
  read: 'reading',
  write: 'reading and writing',
  decide: 'reading, writing and deciding gates',
}

/** An organization that a token can be restricted to. */
interface Choice {
  id: string
  name: string
}

/** How many of them the form offers. */
const CHOICES = { limit: 100, after: null }

export const TokenState = ({ of: { expires_at }, now }: { of: Pick<Token, 'expires_at'>; now: string }) =>
  isPast(expires_at, now) ? <State of="expired" /> : <State of="valid" tone="good" />

const columnsFor = (organizations: Choice[], now: string): Column<Token>[] => [
  { head: 'Token', main: true, cell: ({ name }) => <strong>{name}</strong> },
  {
    head: 'State',
    cell: (token) => <TokenState of={token} now={now} />,
  },
  { head: 'Allows', cell: ({ scope }) => ALLOWS[scope] },
  {
    head: 'Organization',
    cell: ({ organization_id }) =>
      organization_id === null
        ? 'all of yours'
        : (organizations.find(({ id }) => id === organization_id)?.name ?? 'one of yours'),
  },
  { head: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} />) },
  { head: 'Last used', cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} />) },
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
    <div class="card">
      <Form action="/app/account/tokens">
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
          options={[
            ['read', 'Reading'],
            ['write', 'Reading and writing: all that you can do, save deciding gates'],
            ['decide', 'Reading, writing and deciding gates'],
          ]}
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
    </div>
  )
}

const tokensPage = page(
  '/app/account/tokens',
  { signedIn: true },
  async ({ caller, url, query }) => {
    const [tokens, organizations, now] = await Promise.all([
      listTokens(sql, caller.id, partAfter(query.after)),
      listOrganizations(sql, caller, CHOICES),
      databaseNow(sql),
    ])
    return {
      title: 'Personal tokens',
      main: (
        <>
          <AccountTabs path="/app/account/tokens" />
          <Section title="Tokens">
            {tokens.length === 0 ? (
              <Empty>No tokens yet. Make one for a script of your own: it acts as you.</Empty>
            ) : (
              <Table label="Personal tokens" columns={columnsFor(organizations, now)} rows={shownOf(tokens)} />
            )}
            <Parts of="tokens" url={url} name="after" rows={tokens} idOf={({ id }) => id} />
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

const make = action(
  '/app/account/tokens',
  { signedIn: true },
  { on: tokensPage, body: Shape({ ...TokenInput.properties, id: Maybe(Uuid) }) },
  async ({ caller, change }, { id, ...input }) => made(await change((tx) => createToken(tx, caller, input, id))),
)

const revoke = action(
  '/app/account/tokens/:token_id/revoke',
  { signedIn: true },
  { on: tokensPage, body: Nothing },
  async ({ request, caller, params, change }) => {
    await change((tx) => revokeToken(tx, caller, params.token_id ?? '', request))
    return { notice: 'The token was revoked. It does not work any more.' }
  },
)

export const tokenPages = pageRoutes('token-pages', tokensPage, make, revoke)
