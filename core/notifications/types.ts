/** The types of notifications: what can be told to a user, and when. Docs, checks and preferences come from it. */

export const NOTIFICATION_TYPES = {
  gate_pending: 'A gate awaits review. Told to the admins of its workspace.',
  execution_completed: 'An execution ended well. Told to who started it and to the author of its requirement.',
  execution_failed: 'An execution failed. Told to who started it and to the author of its requirement.',
  budget_alert:
    'A budget is nearly, or wholly, used up. Told to owner and admins of the organization; of a workspace, to its admins.',
  invitation_received: 'You are invited into an organization.',
  member_added: 'Somebody became a member. Told to that member and, unless they did it themselves, to the owner.',
} as const satisfies Record<string, string>

export type NotificationType = keyof typeof NOTIFICATION_TYPES

/** All of them, in the order in which answers show them. */
export const notificationTypes = Object.keys(NOTIFICATION_TYPES) as NotificationType[]
