import { NOTIFICATION_TYPES, notificationTypes } from '../../core/notifications/types.ts'
import {
  Count,
  Instant,
  InstantInput,
  Maybe,
  Nullable,
  OneOf,
  optional,
  Shape,
  type Static,
  Type,
  Uuid,
} from '../../core/values/schema.ts'
import { PAGED_LIST } from '../plugins/lists.ts'

const NotificationType = OneOf(notificationTypes, {
  description: Object.entries(NOTIFICATION_TYPES)
    .map(([type, when]) => `\`${type}\`: ${when}`)
    .join(' '),
})

export const Notification = Shape('Notification', {
  id: Uuid,
  type: NotificationType,
  title: Type.String({
    description: 'What happened, in one line.',
    examples: ['The gate “Release review” awaits your review: #12 Pay by invoice'],
  }),
  body: Type.String({
    description: 'Where it happened, and details. Plain text; paragraphs are separated by an empty line.',
    examples: ['Checkout · Platform · Acme Robotics'],
  }),
  organization_id: Uuid,
  workspace_id: Nullable(Uuid),
  project_id: Nullable(Uuid),
  resource_type: Type.String({
    description:
      'The kind of resource that it is about: `gate`, `execution`, `dispatch`, `organization`, `workspace`, `invitation` or `organization_member`.',
    examples: ['gate'],
  }),
  resource_id: Uuid,
  url: Nullable(
    Type.String({
      description: 'The page of what it is about; null if there is none.',
      examples: ['https://signalbox.example.com/app/gates/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'],
    }),
  ),
  data: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Names for the ids, the originating event (`event`, `event_id`), and data specific to the type.',
      examples: [{ event: 'gate.pending', project_name: 'Checkout', gate_name: 'Release review' }],
    },
  ),
  is_read: Type.Boolean(),
  read_at: Nullable(Instant),
  created_at: Instant,
})
export type Notification = Static<typeof Notification>

export const NotificationPage = Shape(
  'NotificationPage',
  {
    total: Type.Integer({ minimum: 0, description: 'The number of notifications or, with `unread_only`, of unread ones.' }),
    unread_count: Type.Integer({ minimum: 0, description: 'The number of all unread notifications.' }),
    page: Type.Integer({ minimum: 1 }),
    page_size: Type.Integer({ minimum: 1, maximum: 100 }),
    items: Type.Array(Notification),
  },
  { 'x-list': true },
)

export const NotificationQuery = Shape({
  ...PAGED_LIST,
  unread_only: Type.Boolean({ default: false, description: 'Only unread notifications.' }),
})
export type NotificationQuery = Static<typeof NotificationQuery>

export const ReadAllInput = Shape({ before: Maybe(InstantInput) })
export type ReadAllInput = Static<typeof ReadAllInput>

export const ReadAll = Shape({ updated: Count })

const preferences = {
  email_enabled: Type.Boolean({ description: 'Whether to send e-mail. Only verified addresses receive mail.' }),
  desktop_enabled: Type.Boolean({ description: 'Whether the events of the stream contain `desktop: true`.' }),
  types: Type.Array(NotificationType, {
    maxItems: 100,
    description: 'The types to deliver. Other types are not delivered in any form.',
    examples: [notificationTypes],
  }),
  email_types: Type.Array(NotificationType, {
    maxItems: 100,
    description: 'The types to send by e-mail as well. The unsubscribe link in each mail removes its type.',
    examples: [notificationTypes],
  }),
}

export const PreferencesInput = Shape(optional(preferences))
export type PreferencesInput = Static<typeof PreferencesInput>

export const Preferences = Shape('NotificationPreferences', { ...preferences, updated_at: Instant })
export type Preferences = Static<typeof Preferences>

export const UnsubscribeQuery = Shape({
  token: Type.String({ maxLength: 500, description: 'The token of the link in the mail.', examples: ['…'] }),
})

export { Nothing } from '../../core/values/schema.ts'

export const Unsubscribed = Shape({ type: NotificationType })
