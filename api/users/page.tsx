/** The page of the account: profile, sessions and linked identities. */
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape } from '../../core/values/schema.ts'
import { endSession, listSessions } from '../auth/sessions.ts'
import { Sessions } from '../auth/sessions-section.tsx'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { Cursor, partAfter } from '../pages/components/lists.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { checkPasswords, updateUser } from './account.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
import { LinkedIdentities } from './identities-section.tsx'
import { type User, UserUpdate } from './schema.ts'
import { AccountTabs } from './tabs.tsx'
import { getUser } from './users.ts'

function Profile({ of }: { of: User }) {
  return (
    <Section title="Profile">
      <div class="card">
        <Form action="/app/account">
          <Field
            name="name"
            label="Name"
            value={of.name}
            required
            maxLength={120}
            autocomplete="name"
            hint="Everyone in your organizations can see it."
          />
          <Submit>Save</Submit>
        </Form>
      </div>
    </Section>
  )
}

function Address({ of }: { of: User }) {
  return (
    <Section title="E-mail address">
      <Facts
        of={[
          ['Address', of.email],
          ['State', of.email_verified ? <State of="verified" tone="good" /> : <State of="not verified" tone="warn" />],
          ['To be verified', of.pending_email],
          ['Account since', <Time at={of.created_at} />],
        ]}
      />
    </Section>
  )
}

const accountPage = page(
  '/app/account',
  { signedIn: true },
  async ({ caller, url, query }) => {
    const [user, sessions, identities] = await Promise.all([
      getUser(sql, caller.id),
      listSessions(sql, caller, partAfter(query.sessions_after)),
      listIdentities(sql, caller.id, partAfter(query.identities_after)),
    ])
    return {
      title: 'Account',
      main: (
        <>
          <AccountTabs path="/app/account" />
          <div class="columns">
            <div>
              <Profile of={user} />
            </div>
            <div>
              <Address of={user} />
            </div>
          </div>
          <Sessions url={url} rows={sessions} />
          <LinkedIdentities url={url} rows={identities} />
        </>
      ),
    }
  },
  Shape({ sessions_after: Cursor, identities_after: Cursor }),
)

const save = action(
  '/app/account',
  { signedIn: true },
  { on: accountPage, body: UserUpdate },
  async ({ request, caller, change }, body) => {
    const passwords = await checkPasswords(sql, caller, body)
    await change((tx) => updateUser(tx, caller, body, passwords, request))
    return { notice: 'Your profile was saved.' }
  },
)

const end = action(
  '/app/account/sessions/:session_id/end',
  { signedIn: true },
  { on: accountPage, body: Nothing },
  async ({ request, caller, params, change }) => {
    await change((tx) => endSession(tx, caller, params.session_id ?? '', request))
    return { notice: 'The session was ended.' }
  },
)

const unlink = action(
  '/app/account/identities/:identity_id/unlink',
  { signedIn: true },
  { on: accountPage, body: Nothing },
  async ({ request, caller, params, change }) => {
    await change((tx) => unlinkIdentity(tx, caller, params.identity_id ?? '', request))
    return { notice: 'The account was unlinked. Its clicks decide nothing any more.' }
  },
)

export const profilePages = pageRoutes('profile-pages', accountPage, save, end, unlink)
