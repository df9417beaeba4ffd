/** The pages of an organization: what the side bar links to, and the tabs behind each link. */
import { hasAtLeast, type OrganizationRole } from '../roles.ts'

type Tab = [path: string, text: string, forAdmins?: 'admin']

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
    ],
  ],
]

/** What the members of a role see, with the addresses of its pages. */
export const organizationPages = ({ id, role }: { id: string; role: OrganizationRole }) =>
  PAGES.flatMap(([text, all]) => {
    const tabs = all.flatMap(([path, name, forAdmins]): [href: string, text: string][] =>
      forAdmins && !hasAtLeast(role, 'admin') ? [] : [[`/app/organizations/${id}${path}`, name]],
    )
    return tabs.length === 0 ? [] : [{ text, tabs }]
  })
