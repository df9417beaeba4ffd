/** The page that each event leads to, written by hand from the interface, and independent of the code. */
import { ALL_EVENTS } from '../../core/events/catalogue.ts'
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

/** By the noun of events, and of those that lead elsewhere by their name. */
const PAGES: Record<string, Path> = {
  execution,
  gate,
  deployment: dispatch,
  rollout: dispatch,
  member: organization,
  dual_track: comparison,
  deliverable,
  budget: place,
  runtime: organization,
  hook,
  environment: project,
  channel: ({ channel }) => `/app/notification-channels/${channel.id}`,
  'workflow.completed': project,
  'deployment.rollback': project,
  'test.ping': (data, envelope) => (data.hook ? hook(data, envelope) : `/app/notification-channels/${data.channel.id}`),
  'manual.trigger': hook,
}

export const EVENT_PAGES: Record<string, Path> = Object.fromEntries(
  Object.keys(ALL_EVENTS).flatMap((name) => {
    const page = PAGES[name] ?? PAGES[name.replace(/\..*/, '')]
    return page ? [[name, page]] : []
  }),
)

/** The paths of pages about one thing. */
export const PAGE_PATH =
  /^\/app\/(organizations|workspaces|projects|requirements|executions|gates|deployment-hooks|dispatches|notification-channels|deliverables|dual-track)\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
