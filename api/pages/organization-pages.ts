/** The pages of an organization: what the side bar links to, and the tabs behind each link. */
import { isAppKnown } from '../../core/github/app.ts'
import { hasAtLeast, type OrganizationRole } from '../roles.ts'

type Tab = [path: string, text: string, forAdmins?: 'admin']

/** Shown only where the service has an app. */
const GITHUB = '/github'

const PAGES: [text: string, tabs: Tab[]][] = [
  [
    'People',
    [
      ['/people', 'Members'],
      ['/groups', 'Groups'],
      ['/security', 'Second factors', 'admin'],
      ['/sso', 'Single sign-on', 'admin'],
    ],
  ],
  [
    'Agents and machines',
    [
      ['/agents', 'Agents', 'admin'],
      ['/runtimes', 'Runtimes'],
      ['/service-accounts', 'Service accounts', 'admin'],
      ['/tokens', 'Tokens', 'admin'],
    ],
  ],
  ['Budget', [['/budget', 'Budget', 'admin']]],
  ['Audit log', [['/audit-log', 'Audit log', 'admin']]],
  [
    'Settings',
    [
      ['/settings', 'General', 'admin'],
      ['/workflow-template', 'Workflow'],
      ['/signing-keys', 'Signing keys'],
      [GITHUB, 'GitHub', 'admin'],
    ],
  ],
]

/** What the members of a role see, with the addresses of its pages. */
export const organizationPages = ({ id, role }: { id: string; role: OrganizationRole }) =>
  PAGES.flatMap(([text, all]) => {
    const tabs = all.flatMap(([path, name, forAdmins]): [href: string, text: string][] =>
      (forAdmins && !hasAtLeast(role, 'admin')) || (path === GITHUB && !isAppKnown())
        ? []
        : [[`/app/organizations/${id}${path}`, name]],
    )
    return tabs.length === 0 ? [] : [{ text, tabs }]
  })
