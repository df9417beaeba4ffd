/** The page of the account: profile and sessions. */
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape } from '../../core/values/schema.ts'
import type { LiveSession } from '../auth/schema.ts'
import { endSession, listSessions } from '../auth/sessions.ts'
import { Button, Field, Form, Submit } from '../pages/components/forms.tsx'
import { Cursor, Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { type Column, Facts, Section, Table } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { checkPasswords, updateUser } from './account.ts'
import { type User, UserUpdate } from './schema.ts'
import { AccountTabs } from './tabs.tsx'
import { getUser } from './users.ts'

const sessionColumns: Column<LiveSession>[] = [
  { head: 'Device', main: true, cell: ({ device }) => device },
  { head: 'Address', cell: ({ ip_address }) => ip_address },
  { head: 'Signed in', cell: ({ created_at }) => <Time at={created_at} /> },
  { head: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
  {
    head: 'Actions',
    cell: ({ id, device, current }) =>
      current ? (
        <State of="this session" tone="active" />
      ) : (
        <Button action={`/app/account/sessions/${id}/end`} kind="danger">
          End<span class="unseen"> the session of {device}</span>
        </Button>
      ),
  },
]

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
    const [user, sessions] = await Promise.all([
      getUser(sql, caller.id),
      listSessions(sql, caller, partAfter(query.sessions_after)),
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
          <Section title="Sessions">
            <Table label="Sessions" columns={sessionColumns} rows={shownOf(sessions)} keyOf={({ id }) => id} />
            <Parts of="sessions" url={url} name="sessions_after" rows={sessions} idOf={({ id }) => id} />
          </Section>
        </>
      ),
    }
  },
  Shape({ sessions_after: Cursor }),
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

export const profilePages = pageRoutes('profile-pages', accountPage, save, end)
