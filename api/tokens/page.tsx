/** The personal tokens of a user, and those that are restricted to an organization, for its admins. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Uuid } from '../../core/values/schema.ts'
import type { TokenScope } from '../credentials/scopes.ts'
import { listOrganizations } from '../organizations/organizations.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { inDays, lifetimes } from '../pages/clock.ts'
import { shownOnce } from '../pages/components/copyable.tsx'
import { Button, Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { databaseNow, isPast } from '../plugins/clock.ts'
import { BY_ID, Cursor } from '../plugins/lists.ts'
import { AccountTabs } from '../users/tabs.tsx'
import { type NewToken, type Token, TokenInput } from './schema.ts'
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

/** @param revoke where the form of its button leads to */
const tokenRow = (token: Token, now: string, revoke: string, of = '') => ({
  state: isPast(token.expires_at, now) ? <State of="expired" /> : <State of="valid" tone="good" />,
  what: token.name,
  end: (
    <>
      {token.last_used_at === null ? 'never used' : 'used '}
      {token.last_used_at !== null && <Time at={token.last_used_at} />} ·{' '}
      {token.expires_at === null ? 'does not expire' : 'expires '}
      {token.expires_at !== null && <Time at={token.expires_at} />}
    </>
  ),
  actions: (
    <Button
      action={`${revoke}/${token.id}/revoke`}
      kind="danger"
      confirm={`Revoke the token ${token.name}${of}? Whatever uses it stops working at once.`}
    >
      Revoke<span class="unseen">: {token.name}</span>
    </Button>
  ),
})

const placeOf = ({ organization_id }: Token, organizations: Choice[]): string =>
  organization_id === null
    ? 'all of your organizations'
    : (organizations.find(({ id }) => id === organization_id)?.name ?? 'one of your organizations')

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
            <Rows
              label="Personal tokens"
              of={shownOf(tokens)}
              row={(token) => ({
                ...tokenRow(token, now, '/app/account/tokens'),
                beside: `${ALLOWS[token.scope]} in ${placeOf(token, organizations)}`,
              })}
            >
              No tokens yet. Make one for a script of your own: it acts as you.
            </Rows>
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
          <Rows
            label="Personal tokens of members"
            of={shownOf(tokens)}
            row={(token) => ({
              ...tokenRow(token, now, path, ` of ${token.user_name}`),
              beside: ALLOWS[token.scope],
              below: `${token.user_name}${token.user_id === caller.id ? ' (you)' : ''}, ${token.user_email}`,
            })}
          >
            No member has a token for this organization alone.
          </Rows>
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
