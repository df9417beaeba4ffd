/** The page of the account: profile, sessions and linked identities; and its security log. */
import { currentApp, isAppKnown } from '../../core/github/app.ts'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Text } from '../../core/values/schema.ts'
import { resendVerification } from '../auth/accounts.ts'
import { deviceName } from '../auth/device-name.ts'
import { endSession, listSessions } from '../auth/sessions.ts'
import { Sessions } from '../auth/sessions-section.tsx'
import { ConfirmationWith, requireConfirmed } from '../pages/components/folded.tsx'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { partAfter } from '../pages/components/lists.tsx'
import { Pager, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { MAX_BODY_BYTES } from '../plugins/body.ts'
import { BY_ID, Cursor } from '../plugins/lists.ts'
import { checkPasswords, confirmPerson, updateUser } from './account.ts'
import { Address, Avatar, Deletion as DeletionSection, LinkedIdentities, Password } from './account-section.tsx'
import { deleteAvatar, putAvatar, receiveImage, requireImage } from './avatars.ts'
import { deleteUser } from './deletion.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
import { Deletion, type SecurityLogEntry, SecurityLogQuery, type User, UserUpdate } from './schema.ts'
import { AccountTabs } from './tabs.tsx'
import { getUser, listSecurityLog } from './users.ts'

function Profile({ of }: { of: User }) {
  return (
    <Section title="Profile">
      <Form card action="/app/account" updated_at={of.updated_at}>
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
    </Section>
  )
}

export const accountPage = page(
  '/app/account',
  { signedIn: true },
  async ({ caller, url, query }) => {
    const [user, sessions, identities, app] = await Promise.all([
      getUser(sql, caller.id),
      listSessions(sql, caller, partAfter(url, query, 'sessions_after', BY_ID)),
      listIdentities(sql, caller.id, partAfter(url, query, 'identities_after', BY_ID)),
      isAppKnown() ? currentApp() : null,
    ])
    return {
      title: 'Account',
      // Linking a GitHub account leads there.
      ...(app ? { formTarget: app.url } : {}),
      main: (
        <>
          <AccountTabs path="/app/account" />
          <div class="columns">
            <div>
              <Profile of={user} />
              <Password />
            </div>
            <div>
              <Address of={user} />
              <Avatar of={user} />
            </div>
          </div>
          <Sessions url={url} rows={sessions} />
          <LinkedIdentities url={url} rows={identities} hasGitHub={app !== null} />
          <DeletionSection of={user} />
        </>
      ),
    }
  },
  Shape({ sessions_after: Cursor, identities_after: Cursor }),
)

const save = actionOn(accountPage, '', { signedIn: true }, UserUpdate, async ({ request, caller, change }, body) => {
  const passwords = await checkPasswords(sql, caller, body)
  await change((tx) => updateUser(tx, caller, body, passwords, request))
  return { notice: 'Your profile was saved.' }
})

const { email, password, current_password } = UserUpdate.properties

const changeAddress = actionOn(
  accountPage,
  '/address',
  { signedIn: true },
  Shape({ email, current_password }),
  async ({ request, caller, change }, body) => {
    const passwords = await checkPasswords(sql, caller, body)
    const { pending_email } = await change((tx) => updateUser(tx, caller, body, passwords, request))
    return { notice: pending_email === null ? 'Your address was saved.' : `A link to verify it was mailed to ${pending_email}.` }
  },
)

const resendLink = actionOn(accountPage, '/address/link', { signedIn: true }, Nothing, async ({ caller, change }) => {
  await change((tx) => resendVerification(tx, caller))
  return { notice: 'A new link is on its way. The one before does not work any more.' }
})

const changePassword = actionOn(
  accountPage,
  '/password',
  { signedIn: true },
  Shape({ password, current_password }),
  async ({ request, caller, change }, body) => {
    const passwords = await checkPasswords(sql, caller, body)
    await change((tx) => updateUser(tx, caller, body, passwords, request))
    return { notice: 'Your password was changed. All other sessions have ended.' }
  },
)

const upload = actionOn(
  accountPage,
  '/avatar',
  { signedIn: true },
  Shape({ avatar: Text(1_000) }),
  async ({ request, caller, change }) => {
    requireImage(request)
    const webp = await receiveImage(request, '/avatar')
    await change((tx) => putAvatar(tx, caller, webp, request))
    return { notice: 'The picture was saved. It may take some minutes until everyone sees it.' }
  },
  { name: 'avatar', maxBytes: MAX_BODY_BYTES },
)

const removeAvatar = actionOn(accountPage, '/avatar/remove', { signedIn: true }, Nothing, async ({ request, caller, change }) => {
  await change((tx) => deleteAvatar(tx, caller, request))
  return { notice: 'The pattern is shown instead of a picture. It may take some minutes until everyone sees it.' }
})

const remove = actionOn(
  accountPage,
  '/delete',
  { signedIn: true },
  ConfirmationWith(Deletion.properties),
  async ({ request, caller, change }, confirmed) => {
    requireConfirmed(confirmed, caller.email)
    const password_hash = await confirmPerson(sql, caller, confirmed.current_password || undefined)
    await change((tx) => deleteUser(tx, caller, password_hash, request))
    return { to: '/sign-in', session: null, notice: `The account ${caller.email} was deleted.` }
  },
)

const end = actionOn(
  accountPage,
  '/sessions/:session_id/end',
  { signedIn: true },
  Nothing,
  async ({ request, caller, params, change }) => {
    await change((tx) => endSession(tx, caller, params.session_id ?? '', request))
    return { notice: 'The session was ended.' }
  },
)

const unlink = actionOn(
  accountPage,
  '/identities/:identity_id/unlink',
  { signedIn: true },
  Nothing,
  async ({ request, caller, params, change }) => {
    await change((tx) => unlinkIdentity(tx, caller, params.identity_id ?? '', request))
    return { notice: 'The account was unlinked. Its clicks decide nothing any more.' }
  },
)

const logRow = ({ detail, device, ip_address, created_at }: SecurityLogEntry): RowParts => ({
  what: detail,
  below: (
    <>
      {device !== null && <span title={device}>{deviceName(device)}</span>}
      {device !== null && ip_address !== null && ' · '}
      {ip_address}
    </>
  ),
  end: <Time at={created_at} exact="seconds" />,
})

const securityLogPage = page(
  '/app/account/security-log',
  { signedIn: true },
  async ({ caller, url, query }) => {
    const { items, ...paged } = await listSecurityLog(sql, caller.id, { ...query, after: null })
    return {
      title: 'Security log',
      main: (
        <>
          <AccountTabs path="/app/account/security-log" />
          <p>
            Sign-ins, and changes of what protects your account. If you do not know one of them, change your password and end the
            other sessions.
          </p>
          <Section title="Entries" count={paged.total}>
            <Rows label="Security log" of={items} row={logRow}>
              No entries on this page.
            </Rows>
            <Pager url={url} {...paged} />
          </Section>
        </>
      ),
    }
  },
  SecurityLogQuery,
)

export const profilePages = pageRoutes(
  'profile-pages',
  accountPage,
  save,
  changeAddress,
  resendLink,
  changePassword,
  upload,
  removeAvatar,
  remove,
  end,
  unlink,
  securityLogPage,
)
