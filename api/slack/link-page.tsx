/** The page that links a Slack account to a user, by the link that Slack showed. */
import { sql } from '../../core/platform/database.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import { Maybe, Shape, Text } from '../../core/values/schema.ts'
import { Form, Submit } from '../pages/components/forms.tsx'
import { CurrentPassword } from '../pages/components/proof-fields.tsx'
import { Facts } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { isVisit } from '../pages/visits.ts'
import { Problem } from '../problems.ts'
import { confirmPerson } from '../users/account.ts'
import { findSlackLink, linkSlackAccount, requireSameAddress, requireUnclaimed, type SlackLink } from '../users/identities.ts'
import { CALLBACK, completeInstall, completeSignIn, isSignInConfigured, signInUrl } from './exchange.ts'

const DONE = { to: '/app/account', notice: 'Your Slack account is linked. Go back to Slack and click again.' }

const hashIn = (url: URL): Buffer => tokenHash(url.searchParams.get('token') ?? '')

function People({ link, caller }: { link: SlackLink; caller: { name: string; email: string } }) {
  const { user_name, email, team_name, external_id, team_id } = link
  return (
    <Facts
      of={[
        ['In Slack', <strong>{user_name ?? 'A person whom Slack did not name'}</strong>],
        ['Address in Slack', email],
        ['Slack workspace', team_name],
        ['Slack’s ids', `${external_id} in ${team_id}`],
        ['In Signalbox', <strong>{`${caller.name} (${caller.email})`}</strong>],
      ]}
    />
  )
}

const linkPage = page('/link/slack', { signedIn: true }, async ({ caller, url }) => {
  const link_hash = hashIn(url)
  const link = await findSlackLink(sql, link_hash)
  const hasSignIn = isSignInConfigured()
  if (!hasSignIn) requireSameAddress(link, caller)
  return {
    title: 'Link your Slack account',
    narrow: true,
    main: (
      <>
        <People link={link} caller={caller} />
        <p>
          Once it is linked, anyone who uses this Slack account <strong>approves and rejects gates in your name</strong>, in all
          of your organizations, until you unlink it.
        </p>
        <Notice tone="warn">
          Go on only if this is your own Slack account and you clicked in Slack yourself a moment ago. If someone sent you this
          link, close this page.
        </Notice>
        {hasSignIn ? (
          <p>
            <a class="button" href={signInUrl(caller, link_hash, link)}>
              Continue with Slack
            </a>
          </p>
        ) : (
          <Form action={url.pathname + url.search} here>
            <CurrentPassword label="Your password in Signalbox" />
            <Submit>Link this account</Submit>
          </Form>
        )}
      </>
    ),
  }
})

const Confirmation = Shape({ current_password: Maybe(Text(256)) })

const link = actionOn(linkPage, '', { signedIn: true }, Confirmation, async ({ caller, url, change }, { current_password }) => {
  const link_hash = hashIn(url)
  const found = await findSlackLink(sql, link_hash)
  if (isSignInConfigured())
    throw new Problem('identity_mismatch', 'Continue with Slack, which proves that this Slack account is yours.')
  requireSameAddress(found, caller)
  await requireUnclaimed(sql, found, caller)
  await confirmPerson(sql, caller, current_password || undefined)
  await change((tx) => linkSlackAccount(tx, caller, link_hash))
  return DONE
})

/** What Slack says to a person whom it leads back. @throws Problem with this code if they come another way, or have cancelled */
function slackAnswer(request: Request, { searchParams }: URL, code: 'slack_not_linked' | 'slack_not_added', cancelled: string) {
  if (!isVisit(request)) throw new Problem(code, 'Open this link in a browser.')
  if (searchParams.has('error')) throw new Problem(code, cancelled)
  return { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
}

const callback = page(CALLBACK, { signedIn: true }, async ({ request, caller, url }) => {
  const cancelled = 'The sign-in was cancelled in Slack. Open the link that Slack showed you again.'
  await completeSignIn(caller, slackAnswer(request, url, 'slack_not_linked', cancelled))
  return DONE
})

export const slackLinkPages = pageRoutes('slack-link-pages', linkPage, link, callback)

const oauth = page('/slack/oauth', { signedIn: true }, async ({ request, caller, url }) => {
  const cancelled = 'The authorization was cancelled in Slack. Start again from the page of the channel.'
  const { id } = await completeInstall(caller, slackAnswer(request, url, 'slack_not_added', cancelled))
  return {
    to: `/app/notification-channels/${id}`,
    notice: 'Slack was added. The channel posts as a bot once its slack_channel is set, and its webhook_url cleared.',
  }
})

export const installPages = pageRoutes('slack-install-pages', oauth)
