/** The installations of an organization: installing the app, connecting what a person owns at GitHub, and what is missing. */

import type { Permission } from '../../core/github/permissions.ts'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Text } from '../../core/values/schema.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Button, Form, Submit } from '../pages/components/forms.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import type { View } from '../pages/layout.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { authorizeUrl, chosenIn, requireApp } from './authorizations.ts'
import {
  bindInstallation,
  type Installation,
  listInstallations,
  MAX_INSTALLATIONS,
  removeInstallation,
  seeInstallation,
} from './installations.ts'

const ADMIN = { organization: 'admin' } as const

/** What is not possible without a permission. */
const WITHOUT: Record<Permission, string> = {
  actions: 'gates do not know the run and its jobs, and not whether it still waits',
  checks: 'gates show no check runs',
  contents: 'gates show no comparison with what runs',
  members: 'it is not known who owns the organization',
  metadata: 'nothing can be read',
  pull_requests: 'gates show no pull requests',
  deployments: 'workflow runs cannot be answered',
  statuses: 'commits do not show the state of their gates, and gates no commit statuses',
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

const Missing = ({ of }: { of: Installation }) =>
  of.missing_permissions.length === 0 ? null : (
    <>
      Missing: {LIST.format(of.missing_permissions.map((name) => `${name.replaceAll('_', ' ')} (${WITHOUT[name]})`))}. An owner of{' '}
      {of.account.login} accepts them at GitHub, in the settings of the installed app.
    </>
  )

const rowFor =
  (path: string) =>
  (of: Installation): RowParts => ({
    state: <State of={of.status} tone={of.status === 'active' ? 'good' : 'bad'} />,
    what: of.account.login,
    beside: of.account.type === 'User' ? 'a person' : 'an organization',
    below: of.missing_permissions.length > 0 && <Missing of={of} />,
    end: <Time at={of.created_at} />,
    actions: (
      <Button
        action={`${path}/${of.id}/remove`}
        kind="danger"
        confirm={`Disconnect ${of.account.login}? Its repositories are unlinked, and workflow runs that wait are rejected.`}
      >
        Disconnect<span class="unseen">: {of.account.login}</span>
      </Button>
    ),
  })

const organizationPage = page('/app/organizations/:org_id/github', ADMIN, async ({ organization }): Promise<View> => {
  const [app, installations] = await Promise.all([requireApp(), listInstallations(sql, organization.id)])
  const path = `/app/organizations/${organization.id}/github`
  return {
    title: 'GitHub',
    formTarget: app.url,
    main: (
      <>
        <OrganizationTabs of={organization} path={path} />
        <Section title="Installations" count={installations.length}>
          <Rows label="Installations" of={installations} row={rowFor(path)}>
            None is connected. With one, workflows at GitHub wait for gates of your projects.
          </Rows>
        </Section>
        <Section title="Connect">
          <ol>
            <li>
              An owner of the account at GitHub <a href={`${app.html_url}/installations/new`}>installs the app</a>, for all
              repositories or some.
            </li>
            <li>You connect it here. GitHub shows that you own the account.</li>
            <li>
              You link each project to its repository, on the page <em>GitHub</em> of the project.
            </li>
          </ol>
          {installations.length < MAX_INSTALLATIONS && (
            <Form action={`${path}/connect`}>
              <Submit>Connect an installation</Submit>
            </Form>
          )}
          <p class="hint">
            <a href="/docs/github">How it works</a>
          </p>
        </Section>
      </>
    ),
  }
})

const connect = actionOn(organizationPage, '/connect', ADMIN, Nothing, async ({ caller, organization }) => ({
  to: await authorizeUrl(caller, 'connect', [organization.id]),
}))

const choose = actionOn(
  organizationPage,
  '/choose',
  ADMIN,
  Shape({ choice: Text(1_000) }),
  async ({ caller, organization, change }, { choice }) => {
    // GitHub is asked before the transaction.
    const seen = await seeInstallation(chosenIn(caller, organization.id, choice))
    const { account } = await change((tx) => bindInstallation(tx, caller, organization, seen))
    return { notice: `The installation of ${account.login} is connected. Now link projects to its repositories.` }
  },
)

const remove = actionOn(
  organizationPage,
  '/:installation_id/remove',
  ADMIN,
  Nothing,
  async ({ caller, organization, params, change, request }) => {
    await change((tx) => removeInstallation(tx, caller, organization, params.installation_id ?? '', request))
    return { notice: 'The installation was disconnected.' }
  },
)

export const githubOrganizationPages = pageRoutes('github-organization-pages', organizationPage, connect, choose, remove)
