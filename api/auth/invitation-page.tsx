/** The page behind the link of a mailed invitation: the invited join with their account, or with a new one. */

import { sql } from '../../core/platform/database.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import { Maybe, OneOf, Shape, type Static, Text } from '../../core/values/schema.ts'
import { acceptInvitation, declineByLink, declineInvitation, previewInvitation } from '../members/received-invitations.ts'
import { Answers } from '../members/received-page.tsx'
import type { Redirect } from '../pages/answers.tsx'
import { Choice, Field, Form } from '../pages/components/forms.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import { actionOn, type PageChange, type PageContext, page, pageRoutes } from '../pages/page.tsx'
import { tokenOf } from '../pages/urls.ts'
import { identify } from '../plugins/authentication.ts'
import { byCookie, findCaller } from '../plugins/callers.ts'
import { contextOf, type SignedIn } from '../plugins/request-context.ts'
import { bodyInput } from '../plugins/validation.ts'
import { Problem } from '../problems.ts'
import { asRole } from '../roles.ts'
import { openCompleted } from '../sso/sign-in.ts'
import { register, type SignedInOrWaiting, signIn, verifyCredentials } from './accounts.ts'
import { hashPassword } from './passwords.ts'
import { Registration } from './schema.ts'
import { secondStepView } from './second-step-view.tsx'
import { openCookieSession } from './sessions.ts'

/** The fields of the form. A person who is signed in sends the answer alone, which is to accept unless it says otherwise. */
const JoinInput = Shape({
  answer: Maybe(OneOf(['accept', 'decline'])),
  account: Maybe(OneOf(['new', 'old'])),
  name: Maybe(Text(120)),
  password: Maybe(Text(256)),
})
type JoinInput = Static<typeof JoinInput>

type JoinContext = PageContext<{ open: 'signIns' }> & { change: PageChange }

function NewcomerFields({ email }: { email: string }) {
  return (
    <>
      <Choice
        name="account"
        label="Do you have an account?"
        value="new"
        options={Object.entries({ new: 'No, create one', old: 'Yes, sign in' })}
      />
      <div class="field">
        <label for="email">E-mail address</label>
        <input id="email" type="email" autocomplete="username" readOnly value={email} />
      </div>
      <Field class="newcomer" name="name" label="Your name" autocomplete="name" maxLength={120} hideable />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        hint={<span class="newcomer">At least 12 characters.</span>}
        maxLength={256}
        required
      />
    </>
  )
}

const invitationPage = page('/invitations', { open: 'requests' }, async ({ url, caller }) => {
  const title = 'Invitation'
  let invitation: Awaited<ReturnType<typeof previewInvitation>>
  try {
    invitation = await previewInvitation(sql, tokenOf(url))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const main = (
      <>
        <Notice tone="bad">This invitation was used or revoked, or is older than 7 days. Ask for a new one.</Notice>
        <p>
          <a href="/app">Go to what needs you</a>
        </p>
      </>
    )
    return { title, status: 410, narrow: true, main }
  }
  const { organization_name, invited_by_name, role, email, expires_at } = invitation
  const isOther = caller !== null && caller.email !== email
  return {
    title,
    narrow: true,
    main: (
      <>
        <p>
          {invited_by_name} invites you to <strong>{organization_name}</strong> as {asRole(role)}. The invitation is valid until{' '}
          <Time at={expires_at} exact />.
        </p>
        {isOther ? (
          <p>
            It is for {email}, and you are signed in as {caller.email}. <a href="/sign-out">Sign out</a>, then open the link
            again.
          </p>
        ) : (
          <Form action={url.pathname + url.search} here>
            {!caller && <NewcomerFields email={email} />}
            <Answers to={organization_name} />
          </Form>
        )}
      </>
    ),
  }
})

async function decline({ url, caller, visitor, change }: JoinContext): Promise<Redirect> {
  const token = tokenOf(url)
  const { organization_name } = await previewInvitation(sql, token)
  await change(async (tx) => {
    if (caller) await declineInvitation(tx, caller, { token })
    else await declineByLink(tx, visitor, token)
  })
  return { to: '/', notice: `You declined the invitation to ${organization_name}.` }
}

/** Signs the invited in, with a new account if they have none. */
async function enter(url: URL, input: JoinInput, visitor: Visitor, change: PageChange): Promise<SignedInOrWaiting<string>> {
  const { email } = await previewInvitation(sql, tokenOf(url))
  const { account, name = '', password = '' } = input
  if (account === 'old') {
    const verified = await verifyCredentials(sql, { email, password }, visitor)
    return change((tx) => signIn(tx, verified, visitor, openCompleted))
  }
  const registration = bodyInput(Registration)['~standard'].validate({ email, name, password }).value
  const hash = await hashPassword(password, visitor)
  return change(async (tx) => ({
    session: await openCookieSession(tx, await register(tx, registration, hash, visitor), visitor),
  }))
}

const joinAction = actionOn(invitationPage, '', { open: 'signIns' }, JoinInput, async (context, input) => {
  if (input.answer === 'decline') return decline(context)
  const { request, url, caller, visitor, change } = context
  const join = async (by: SignedIn) => {
    const { role, organization_id } = await change((tx) => acceptInvitation(tx, by, { token: tokenOf(url) }))
    return { to: `/app/organizations/${organization_id}`, notice: `You joined as ${asRole(role)}.` }
  }
  if (caller) return join(caller)
  const { session, waiting } = await enter(url, input, visitor, change)
  if (waiting) return secondStepView(waiting, url.pathname + url.search)
  const state = contextOf(request)
  const found = await findCaller(byCookie(session), null, null)
  if (!found) throw new Error('A new session was not found')
  await identify(state, request, null, async () => found)
  try {
    return { session, ...(await join(state.caller as SignedIn)) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // The person keeps the session, and can try again when, for example, the organization has room.
    return { session, to: url.pathname + url.search, notice: `You are signed in, but could not join. ${error.detail}` }
  }
})

export const invitationPages = pageRoutes('invitation-pages', invitationPage, joinAction)
