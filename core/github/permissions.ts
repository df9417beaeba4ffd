/** What the app may do: what it asks for, and what an installation has granted. */

type Level = 'read' | 'write'

export type Permissions = Record<string, Level>

/** What the app asks for when it is made. */
export const PERMISSIONS = {
  actions: 'read',
  checks: 'read',
  contents: 'read',
  members: 'read',
  metadata: 'read',
  pull_requests: 'read',
  deployments: 'write',
  statuses: 'write',
} as const satisfies Permissions

export type Permission = keyof typeof PERMISSIONS

const covers = (granted: unknown, wanted: Level): boolean => granted === 'write' || granted === 'admin' || granted === wanted

/** Which of the permissions are missing. The account of a person grants none for members. */
export const missingPermissions = (granted: Record<string, unknown>, account_type: string): Permission[] =>
  (Object.keys(PERMISSIONS) as Permission[]).filter(
    (name) => !covers(granted[name], PERMISSIONS[name]) && (name !== 'members' || account_type === 'Organization'),
  )

/** Of what a token is to be for, what the installation has granted: GitHub refuses to make one for more. */
export const grantedOf = (wanted: Permissions, granted: Record<string, unknown>): Permissions =>
  Object.fromEntries(Object.entries(wanted).filter(([name, level]) => covers(granted[name], level)))
