import { Elysia } from 'elysia'
import { sql, transaction } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { eventStream } from '../plugins/responses.ts'
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
import { openStream, STALLED_SECONDS } from './stream.ts'

const tag = 'Notifications'

/** What the docs say of the stream, with a program that reads it; a test runs that program. */
const STREAM = await Bun.file(`${import.meta.dir}/stream.md`).text()

export const notifications = new Elysia({ name: 'notifications', prefix: '/api/v1' })
  .use(access)
  .get('/notifications', ({ caller, query }) => listNotifications(sql, caller.id, query), {
    signedIn: true,
    ...operation({
      tag,
      id: 'listNotifications',
      summary: 'What the caller was told',
      description: 'Newest first, from every organization.',
      query: NotificationQuery,
      responses: { 200: NotificationPage },
    }),
  })
  .post('/notifications/read-all', ({ caller, change, body }) => change(200, (tx) => readAllNotifications(tx, caller, body)), {
    signedIn: true,
    ...operation({
      tag,
      id: 'markAllNotificationsRead',
      summary: 'Mark all notifications as read',
      description:
        'With `before`, those that came until then, that moment included: send the `created_at` of the newest one that was shown, and what arrives meanwhile stays unread.',
      body: ReadAllInput,
      responses: { 200: ReadAll },
    }),
  })
  .post(
    '/notifications/:notification_id/read',
    ({ caller, change, params }) => change(200, (tx) => readNotification(tx, caller, params.notification_id)),
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'markNotificationRead',
        summary: 'Mark a notification as read',
        description: 'Again is fine, and keeps `read_at`. The notification of somebody else is not found.',
        body: Nothing,
        responses: { 200: Notification },
        errors: ['not_found'],
      }),
    },
  )
  .get('/notifications/preferences', ({ caller }) => getPreferences(sql, caller.id), {
    signedIn: true,
    ...operation({
      tag,
      id: 'getNotificationPreferences',
      summary: 'How the caller wants to be told',
      description: 'By default e-mail is on, desktop is off, and every type is in both lists.',
      responses: { 200: Preferences },
    }),
  })
  .put(
    '/notifications/preferences',
    ({ request, caller, change, body }) => change(200, (tx) => updatePreferences(tx, caller, body, request)),
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'updateNotificationPreferences',
        summary: 'Change how the caller wants to be told',
        description: 'What is told after this goes by the new preferences; mails that were not sent yet do, too.',
        body: PreferencesInput,
        responses: { 200: Preferences },
      }),
    },
  )
  .get(
    '/notifications/stream',
    ({ request, caller, server }) => {
      const stream = openStream(request, caller)
      server?.timeout(request, STALLED_SECONDS)
      return eventStream(request, stream)
    },
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'streamNotifications',
        summary: 'Notifications as they come',
        description: STREAM,
        responses: { 200: null },
        produces: ['text/event-stream'],
        errors: ['shutting_down'],
      }),
    },
  )

/** What mail programs post to (RFC 8058). The page of the same path is for people. */
export const unsubscribing = new Elysia({ name: 'unsubscribing' })
  .use(access)
  .post('/unsubscribe', ({ query }) => transaction((tx) => unsubscribe(tx, query.token)), {
    mailedLink: 'requests',
    ...operation({
      tag,
      id: 'unsubscribe',
      summary: 'Stop the mails of one type',
      description:
        'The link in the `List-Unsubscribe` of a mail, for one-click unsubscribing (RFC 8058). The body is not read. Takes the type of that mail out of `email_types`, and does nothing else; again is fine.',
      query: UnsubscribeQuery,
      responses: { 200: Unsubscribed },
    }),
  })
