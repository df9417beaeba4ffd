/** Where GitHub leads people back to: after authorizing the app, and after installing it. */
import { hostOf } from '../../core/github/app.ts'
import { Nothing } from '../../core/values/schema.ts'
import { Form, Submit } from '../pages/components/forms.tsx'
import { Rows } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import type { View } from '../pages/layout.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { transactionWith } from '../plugins/confirm-access.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { hasAtLeast } from '../roles.ts'
import { linkGitHubAccount } from '../users/identities.ts'
import { accountPage } from '../users/page.tsx'
import { accountOf, authorizeUrl, choiceOf, completeAuthorization, type Owned, ownedBy, requireApp } from './authorizations.ts'
import { CALLBACK, INSTALLED } from './manifest.ts'
import { visitFrom } from './visits.ts'

function choiceView(by: SignedIn, organization_id: string, owned: Owned[], installUrl: string): View {
  const path = `/app/organizations/${organization_id}/github`
  return {
    title: 'Connect an installation',
    narrow: true,
    main: (
      <>
        <Rows
          label="Installations that you own"
          of={owned}
          row={(each) => ({
            what: each.login,
            beside: each.type === 'User' ? 'your account' : 'an organization',
            actions: (
              <Form action={`${path}/choose`} inline>
                <input type="hidden" name="choice" value={choiceOf(by, organization_id, each)} />
                <Submit>
                  Connect<span class="unseen">: {each.login}</span>
                </Submit>
              </Form>
            ),
          })}
        >
          You own no account at GitHub where the app is installed. An owner of the account has to{' '}
          <a href={installUrl}>install it</a>, and to connect it here.
        </Rows>
        <p>
          <a href={path}>Back to the organization</a>
        </p>
      </>
    ),
  }
}

const callbackPage = page(CALLBACK, { signedIn: true }, async ({ caller, request, url }) => {
  const authorized = await completeAuthorization(caller, visitFrom(request, url))
  const { purpose, about, app } = authorized
  if (purpose === 'connect')
    return choiceView(caller, about[0] ?? '', await ownedBy(authorized), `${app.html_url}/installations/new`)
  const { id, login } = await accountOf(authorized)
  await transactionWith({ caller, resource: null, required_role: null }, (tx) =>
    linkGitHubAccount(tx, caller, { team_id: hostOf(app), external_id: String(id), login }),
  )
  return { to: '/app/account', notice: `Your GitHub account ${login} is linked.` }
})

const installedPage = page(INSTALLED, { signedIn: true }, async ({ url, frame }): Promise<View> => {
  await requireApp()
  if (url.searchParams.get('setup_action') === 'request')
    return {
      title: 'An owner has to approve',
      narrow: true,
      main: (
        <Notice tone="warn">
          GitHub has asked the owners of the account. Once one of them has installed the app, they connect it in Signalbox.
        </Notice>
      ),
    }
  const { organizations = [] } = (await frame()) ?? {}
  return {
    title: 'Connect the installation',
    narrow: true,
    main: (
      <>
        <p>What is installed at GitHub counts once you connect it to an organization here.</p>
        <Rows
          label="Your organizations"
          of={organizations.filter(({ role }) => hasAtLeast(role, 'admin'))}
          row={({ id, name }) => ({ href: `/app/organizations/${id}/github`, what: name })}
        >
          You are an admin of no organization. Ask one of its admins to connect it.
        </Rows>
      </>
    ),
  }
})

const linkAccount = actionOn(accountPage, '/github', { signedIn: true }, Nothing, async ({ caller }) => ({
  to: await authorizeUrl(caller, 'account'),
}))

export const githubVisitPages = pageRoutes('github-visit-pages', callbackPage, installedPage, linkAccount)
