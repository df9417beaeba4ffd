/** The page that each event leads to, written by hand from the interface, and independent of the code. */
import type { Envelope } from '../../core/notification-channels/messages.ts'

// biome-ignore lint/suspicious/noExplicitAny: the data of an event; its shape depends on the event
type Data = any

type Path = (data: Data, envelope: Envelope) => string

const gate: Path = ({ gate }) => `/app/gates/${gate.id}`
const execution: Path = ({ execution }) => `/app/executions/${execution.id}`
const dispatch: Path = ({ dispatch }) => `/app/dispatches/${dispatch.id}`
const hook: Path = ({ hook }) => `/app/deployment-hooks/${hook.id}`
const deliverable: Path = ({ deliverable }) => `/app/deliverables/${deliverable.id}`
const comparison: Path = ({ comparison }) => `/app/dual-track/${comparison.id}`
const project: Path = (_, { project }) => `/app/projects/${project?.id}`
const organization: Path = (_, { organization }) => `/app/organizations/${organization.id}`
const place: Path = (_, { organization, workspace }) =>
  workspace ? `/app/workspaces/${workspace.id}` : `/app/organizations/${organization.id}`

export const EVENT_PAGES: Record<string, Path> = {
  'execution.started': execution,
  'execution.completed': execution,
  'execution.failed': execution,
  'execution.cancelled': execution,
  'execution.over_budget': execution,
  'workflow.completed': project,
  'gate.pending': gate,
  'gate.approval_added': gate,
  'gate.approved': gate,
  'gate.rejected': gate,
  'gate.expiring': gate,
  'gate.expired': gate,
  'gate.changes_requested': gate,
  'gate.overridden': gate,
  'gate.review_due': gate,
  'gate.revoked': gate,
  'deployment.succeeded': dispatch,
  'deployment.failed': dispatch,
  'rollout.started': dispatch,
  'rollout.succeeded': dispatch,
  'rollout.failed': dispatch,
  'rollout.mismatch': dispatch,
  'rollout.unknown': dispatch,
  'deployment.rollback': project,
  'member.added': organization,
  'member.removed': organization,
  'member.role_changed': organization,
  'dual_track.compared': comparison,
  'dual_track.failed': comparison,
  'dual_track.decided': comparison,
  'dual_track.cancelled': comparison,
  'deliverable.generated': deliverable,
  'deliverable.failed': deliverable,
  'deliverable.published': deliverable,
  'deliverable.archived': deliverable,
  'budget.alert': place,
  'budget.exhausted': place,
  'runtime.online': organization,
  'runtime.offline': organization,
  'hook.disabled': hook,
  'channel.disabled': ({ channel }) => `/app/notification-channels/${channel.id}`,
  'test.ping': (data, envelope) => (data.hook ? hook(data, envelope) : `/app/notification-channels/${data.channel.id}`),
  'manual.trigger': hook,
}

/** The paths of pages about one thing. */
export const PAGE_PATH =
  /^\/app\/(organizations|workspaces|projects|requirements|executions|gates|deployment-hooks|dispatches|notification-channels|deliverables|dual-track)\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
