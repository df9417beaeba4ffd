/** The pages that mails, messages, notifications and envelopes link to. */
import type { Place } from './actors.ts'
import type { EventName } from './events/catalogue.ts'
import { config } from './platform/config.ts'

/** Resources with a page of their own, as `resource_type` names them, and the folder of their pages. */
const FOLDERS = {
  organization: 'organizations',
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

export type PageOf = keyof typeof FOLDERS

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The path of the page of a resource.
 *
 * @returns null if the id is not one
 */
export const pagePath = (kind: PageOf, id: unknown): string | null =>
  typeof id === 'string' && UUID.test(id) ? `/app/${FOLDERS[kind]}/${id}` : null

const absolute = (path: string | null): string | null => path && `${config.PUBLIC_URL}${path}`

/** The URL of the page of a resource; null if the id is not one. */
export const pageUrl = (kind: PageOf, id: unknown): string | null => absolute(pagePath(kind, id))

/** The page about the caller: what needs them, over all organizations. */
const HOME = '/app'

type Data = Record<string, unknown>
type Locate = (data: Data, place: Place) => string | null

/** The page of a resource in the data of an event. */
const about =
  (kind: PageOf, key: string): Locate =>
  (data) =>
    pagePath(kind, (data[key] as { id?: unknown } | undefined)?.id)

const project: Locate = (_, { project_id }) => pagePath('project', project_id)
const innermost: Locate = (_, { organization_id, workspace_id }) =>
  pagePath('workspace', workspace_id) ?? pagePath('organization', organization_id)

const [execution, gate, dispatch] = [about('execution', 'execution'), about('gate', 'gate'), about('dispatch', 'dispatch')]
const [hook, channel] = [about('deployment_hook', 'hook'), about('notification_channel', 'channel')]
const [deliverable, comparison] = [about('deliverable', 'deliverable'), about('dual_track', 'comparison')]

/** The page that each event leads to. */
const EVENT_PAGES: Record<EventName, Locate> = {
  'execution.started': execution,
  'execution.completed': execution,
  'execution.failed': execution,
  'execution.cancelled': execution,
  'workflow.completed': project,
  'gate.pending': gate,
  'gate.approval_added': gate,
  'gate.approved': gate,
  'gate.rejected': gate,
  'gate.expiring': gate,
  'gate.expired': gate,
  'deployment.succeeded': dispatch,
  'deployment.failed': dispatch,
  'rollout.started': dispatch,
  'rollout.succeeded': dispatch,
  'rollout.failed': dispatch,
  'rollout.unknown': dispatch,
  // One event for all hooks of the project, each of which has its own dispatch.
  'deployment.rollback': project,
  'member.added': innermost,
  'member.removed': innermost,
  'member.role_changed': innermost,
  'dual_track.compared': comparison,
  'dual_track.failed': comparison,
  'dual_track.decided': comparison,
  'dual_track.cancelled': comparison,
  'deliverable.generated': deliverable,
  'deliverable.failed': deliverable,
  'deliverable.published': deliverable,
  'deliverable.archived': deliverable,
  'budget.alert': innermost,
  'budget.exhausted': innermost,
  'runtime.online': innermost,
  'runtime.offline': innermost,
  'hook.disabled': hook,
  'channel.disabled': channel,
  'test.ping': (data, place) => hook(data, place) ?? channel(data, place),
  'manual.trigger': hook,
}

/** The path of the page that an event leads to; null if there is none. */
export const eventPath = (name: string, data: Data, place: Place): string | null =>
  // An event of a newer version may not be known here.
  ((EVENT_PAGES as Partial<Record<string, Locate>>)[name] ?? innermost)(data, place)

/** Where an event happened, as its envelope says. */
interface Scope {
  organization: { id: string }
  workspace: { id: string } | null
  project: { id: string } | null
}

/** The URL of the page that an event leads to, for its envelope; null if there is none. */
export const eventUrl = (
  { name, data }: { name: string; data: Data },
  { organization, workspace, project }: Scope,
): string | null =>
  absolute(
    eventPath(name, data, {
      organization_id: organization.id,
      workspace_id: workspace?.id ?? null,
      project_id: project?.id ?? null,
    }),
  )

interface LinkedNotification extends Place {
  resource_type: string
  resource_id: string
}

/** The path of the page that a notification leads to; null if there is none. */
export function notificationPath({ resource_type, resource_id, ...place }: LinkedNotification): string | null {
  if (resource_type === 'invitation') return HOME
  if (resource_type === 'organization_member') return pagePath('organization', place.organization_id)
  return Object.hasOwn(FOLDERS, resource_type) ? pagePath(resource_type as PageOf, resource_id) : innermost({}, place)
}

/** The URL of the page that a notification leads to; null if there is none. */
export const notificationUrl = (notification: LinkedNotification): string | null => absolute(notificationPath(notification))

/** The URL of the caller's account page: sessions, tokens and preferences. */
export const accountUrl = (): string => `${config.PUBLIC_URL}/app/account`
