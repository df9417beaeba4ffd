import { Elysia } from 'elysia'
import { sql, transaction } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { isNumber, listedPage, type Order } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { listNotifications, readAllNotifications, readNotification } from './notifications.ts'
import { getPreferences, unsubscribe, updatePreferences } from './preferences.ts'
import {
  Notification,
  NotificationPage,
  NotificationQuery,
  Preferences,
  PreferencesInput,
  ReadAll,
  ReadAllInput,
  Unsubscribed,
  UnsubscribeQuery,
} from './schema.ts'
import { openStream } from './stream.ts'

const BY_SEQUENCE: Order<{ sequence: number }> = { keyOf: ({ sequence }) => [String(sequence)], parts: [isNumber] }

/** The description of the stream for the API docs. A test runs its example program. */
const STREAM = await Bun.file(`${import.meta.dir}/stream.md`).text()

export const notifications = new Elysia({ name: 'notifications', prefix: '/api/v1', tags: ['Notifications'] })
  .use(access)
  .get(
    '/notifications',
    async ({ request, caller, query }) => {
      const { items, ...page } = await listedPage(request, query, BY_SEQUENCE, (asked) => listNotifications(sql, caller, asked))
      return { ...page, items: items.map(({ sequence: _, ...item }) => item) }
    },
    operation('signedIn', true, {
      id: 'listNotifications',
      summary: "List the caller's notifications",
      description:
        'Newest first, from all organizations. If one requires a second factor or a sign-on which the caller lacks, `title`, `body` and `data` of its notifications are withheld.',
      query: NotificationQuery,
      responses: { 200: NotificationPage },
    }),
  )
  .post(
    '/notifications/read-all',
    ({ caller, change, body }) => change(200, (tx) => readAllNotifications(tx, caller, body)),
    operation('signedIn', true, {
      id: 'markAllNotificationsRead',
      summary: 'Mark all notifications as read',
      description:
        'With `before`, only notifications created up to and including that time: send the `created_at` of the newest one shown to the user, so that notifications arriving meanwhile stay unread.',
      body: ReadAllInput,
      responses: { 200: ReadAll },
    }),
  )
  .post(
    '/notifications/:notification_id/read',
    ({ caller, change, params }) => change(200, (tx) => readNotification(tx, caller, params.notification_id)),
    operation('signedIn', true, {
      id: 'markNotificationRead',
      summary: 'Mark a notification as read',
      description: 'Idempotent: `read_at` does not change when repeated.',
      body: Nothing,
      responses: { 200: Notification },
      errors: ['not_found'],
    }),
  )
  .get(
    '/notifications/preferences',
    ({ caller }) => getPreferences(sql, caller.id),
    operation('signedIn', true, {
      id: 'getNotificationPreferences',
      summary: 'Get notification preferences',
      description: 'By default, e-mail is on, desktop is off, and both lists contain every type.',
      responses: { 200: Preferences },
    }),
  )
  .put(
    '/notifications/preferences',
    ({ request, caller, change, body }) => change(200, (tx) => updatePreferences(tx, caller, body, request)),
    operation('signedIn', true, {
      id: 'updateNotificationPreferences',
      summary: 'Update notification preferences',
      description: 'Applies to new notifications and to mails that were not sent yet.',
      body: PreferencesInput,
      responses: { 200: Preferences },
    }),
  )
  .get(
    '/notifications/stream',
    ({ request, caller, server }) => openStream(request, server, caller),
    operation('signedIn', true, {
      id: 'streamNotifications',
      summary: 'Stream notifications',
      description: STREAM,
      responses: { 200: null },
      produces: ['text/event-stream'],
      errors: ['shutting_down'],
    }),
  )

/** One-click unsubscribing by mail clients (RFC 8058). */
export const unsubscribing = new Elysia({ name: 'unsubscribing', tags: ['Notifications'] })
  .use(access)
  // `GET` on the same path is a page for people.
  .post(
    '/unsubscribe',
    ({ query }) => transaction((tx) => unsubscribe(tx, query.token)),
    operation('mailedLink', 'requests', {
      id: 'unsubscribe',
      summary: 'Unsubscribe from one type of mail',
      description:
        'The target of the `List-Unsubscribe` header, for one-click unsubscribing (RFC 8058). The body is ignored. Removes the type of that mail from `email_types`. Idempotent.',
      query: UnsubscribeQuery,
      responses: { 200: Unsubscribed },
    }),
  )
