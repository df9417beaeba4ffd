/** Pages about Slack accounts that act for a user: linking one by the link that Slack showed, and unlinking. */
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { Form, Submit } from '../pages/components/forms.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { linkSlackAccount, listIdentities, previewSlackLink, unlinkIdentity } from './identities.ts'
import { Identities } from './identities-section.tsx'

/** Identities that the page shows. */
const MAX_IDENTITIES = 100

const IDENTITIES = '/app/account/identities'

const tokenOf = (url: URL): string => url.searchParams.get('token') ?? ''

const identitiesPage = page('/app/account/identities', { signedIn: true }, async ({ caller }) => ({
  title: 'Linked accounts',
  crumbs: [{ href: '/app/account', text: 'Account' }],
  main: (
    <>
      <p>A click in Slack decides a gate as the Signalbox user that the Slack account is linked to.</p>
      <Identities items={await listIdentities(sql, caller.id, { limit: MAX_IDENTITIES, after: null })} />
    </>
  ),
}))

const unlink = action(
  '/app/account/identities/:identity_id/unlink',
  { signedIn: true },
  { on: identitiesPage, body: Nothing },
  async ({ request, caller, params, change }) => {
    await change((tx) => unlinkIdentity(tx, caller, params.identity_id ?? '', request))
    return { notice: 'The Slack account is unlinked. Its clicks decide nothing any more.' }
  },
)

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
  return { to: IDENTITIES, notice: 'Your Slack account is linked. Go back to Slack and click again.' }
})

export const identityPages = pageRoutes('identity-pages', identitiesPage, unlink, linkPage, link)
