/** The page that links a Slack account to a user, by the link that Slack showed. */
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { Form, Submit } from '../pages/components/forms.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { linkSlackAccount, previewSlackLink } from './identities.ts'

const ACCOUNT = '/app/account'

const tokenOf = (url: URL): string => url.searchParams.get('token') ?? ''

const linkPage = page('/link/slack', { signedIn: true }, async ({ caller, url }) => {
  const { team_id, external_id } = await previewSlackLink(sql, tokenOf(url))
  return {
    title: 'Link your Slack account',
    narrow: true,
    main: (
      <Form action={url.pathname + url.search} here>
        <p>
          The Slack user <code>{external_id}</code> of the Slack workspace <code>{team_id}</code> will act as{' '}
          <strong>{caller.name}</strong> ({caller.email}): clicks of that user in Slack approve and reject gates in your name.
        </p>
        <p>Confirm only if you clicked in Slack yourself a moment ago.</p>
        <Submit>Link this account</Submit>
      </Form>
    ),
  }
})

const link = action('/link/slack', { signedIn: true }, { on: linkPage, body: Nothing }, async ({ caller, url, change }) => {
  await change((tx) => linkSlackAccount(tx, caller, tokenOf(url)))
  return { to: ACCOUNT, notice: 'Your Slack account is linked. Go back to Slack and click again.' }
})

export const slackLinkPages = pageRoutes('slack-link-pages', linkPage, link)
