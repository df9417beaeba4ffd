/** What the activity of a project lists, from the audit log: what people ask about, and not each step of agents. */
export const LISTED_ACTIONS = [
  'project.created',
  'project.updated',
  'requirement.created',
  'requirement.updated',
  'requirement.deleted',
  'execution.started',
  'execution.completed',
  'execution.failed',
  'execution.cancelled',
  'gate.pending',
  'gate.approval_added',
  'gate.approved',
  'gate.rejected',
  'gate.changes_requested',
  'gate.expired',
  'gate.cancelled',
  'gate.reviewed',
  'gate.revoked',
  'environment_policy.created',
  'environment_policy.updated',
  'environment_policy.deleted',
  'deployment_hook.created',
  'deployment_hook.updated',
  'deployment_hook.deleted',
  'deployment_hook.triggered',
  'deployment.rollback',
  'hook.disabled',
  'deliverable.generated',
  'deliverable.failed',
  'deliverable.published',
  'deliverable.archived',
  'deliverable.deleted',
  'dual_track.compared',
  'dual_track.failed',
  'dual_track.decided',
  'dual_track.cancelled',
  'dual_track.deleted',
] as const

export type ListedAction = (typeof LISTED_ACTIONS)[number]

const listed: ReadonlySet<string> = new Set(LISTED_ACTIONS)

/** Whether the activity of a project lists what an audit entry of it tells. Older entries keep what they were given. */
export const isListed = (action: string): boolean => listed.has(action)
