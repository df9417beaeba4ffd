/** The types of notifications, with descriptions for the documentation. */

export const NOTIFICATION_TYPES = {
  gate_pending: 'A gate awaits review. Sent to the admins of its workspace, and to the members of the groups that it names.',
  changes_requested:
    'Changes were requested at a gate. Sent to the user who started its execution; without an execution, to the one who opened it.',
  gate_overridden:
    'A gate was overridden, or that waits for a review for a day. The former is sent to everyone who could have approved the gate, the latter to the owner and admins of the organization.',
  execution_completed: 'An execution is completed. Sent to the user who started it and the author of its requirement.',
  execution_failed: 'An execution failed. Sent to the user who started it and the author of its requirement.',
  budget_alert:
    "A budget exceeds its alert threshold or its limit. For an organization's budget, sent to its owner and admins; for a workspace's, to its admins.",
  invitation_received: 'You are invited to an organization. The invitation has a mail of its own.',
  member_added:
    'A user became a member, or the owner. Sent to that user; of a new member, to the owner too, unless the owner added the user.',
  deployment_failed:
    'A dispatch was given up, or a rollout failed or was not reported in time. Sent to those who approved its gate, requested it or started its execution; if there are none, to the admins of the workspace. Of GitHub, to those: also if it does not take the answer of a gate.',
} as const satisfies Record<string, string>

export type NotificationType = keyof typeof NOTIFICATION_TYPES

/** The types that are mailed. An invitation is not: it was mailed to the invited address when it was made. */
export type MailedType = Exclude<NotificationType, 'invitation_received'>

export const isMailed = (type: NotificationType): type is MailedType => type !== 'invitation_received'

export const notificationTypes = Object.keys(NOTIFICATION_TYPES) as NotificationType[]
