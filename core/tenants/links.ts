/** The pages that mails, messages, notifications and envelopes link to. */
import { config } from '../platform/config.ts'
import { isUuid } from '../values/uuids.ts'
import type { Scope } from './scopes.ts'

/** Resources with a page of their own, as `resource_type` names them, and the folder of their pages. */
const FOLDERS = {
  organization: 'organizations',
  group: 'groups',
  service_account: 'service-accounts',
  workspace: 'workspaces',
  project: 'projects',
  requirement: 'requirements',
  execution: 'executions',
  gate: 'gates',
  deployment_hook: 'deployment-hooks',
  dispatch: 'dispatches',
  notification_channel: 'notification-channels',
  deliverable: 'deliverables',
  dual_track: 'dual-track',
} as const

type PageOf = keyof typeof FOLDERS

/** What a notification can be about, as its `resource_type` names it. */
export type NotifiedResource = PageOf | 'invitation' | 'organization_member'

export const hasPage = (resource_type: string): resource_type is PageOf => Object.hasOwn(FOLDERS, resource_type)

export const pagePath = (kind: PageOf, id: unknown): string | null => (isUuid(id) ? `/app/${FOLDERS[kind]}/${id}` : null)

export const absolute = (path: string | null): string | null => path && `${config.PUBLIC_URL}${path}`

export const pageUrl = (kind: PageOf, id: unknown): string | null => absolute(pagePath(kind, id))

/** The page about the caller: what needs them, over all organizations. */
const HOME = '/app'

/** The page of the workspace or, for the whole organization, the organization. */
export const innermostPath = ({ organization_id, workspace_id }: Scope): string | null =>
  pagePath('workspace', workspace_id) ?? pagePath('organization', organization_id)

interface LinkedNotification extends Scope {
  resource_type: string
  resource_id: string
}

/** The path of the page that a notification leads to; null if there is none. */
export function notificationPath({ resource_type, resource_id, ...scope }: LinkedNotification): string | null {
  if (resource_type === 'invitation') return HOME
  if (resource_type === 'organization_member') return pagePath('organization', scope.organization_id)
  return hasPage(resource_type) ? pagePath(resource_type, resource_id) : innermostPath(scope)
}

export const notificationUrl = (notification: LinkedNotification): string | null => absolute(notificationPath(notification))

export const accountUrl = (): string => `${config.PUBLIC_URL}/app/account`
