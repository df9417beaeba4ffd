import { Elysia } from 'elysia'
import { CHANNELS } from '../../core/notification-channels/types.ts'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { preferWait } from '../plugins/waiting.ts'
import { createChannel, deleteChannel, getChannel, listChannels, testChannel, updateChannel } from './channels.ts'
import { endOfMessage, listLog } from './logs.ts'
import { Channel, ChannelInput, ChannelUpdate, LogEntry, LogQuery, Subscription, SubscriptionInput } from './schema.ts'
import { createSubscription, deleteSubscription, listSubscriptions } from './subscriptions.ts'

const FORMATS = Object.entries(CHANNELS)
  .map(([type, { format }]) => `- \`${type}\`: ${format}`)
  .join('\n')

const SECRETS = [...new Set(Object.values(CHANNELS).flatMap(({ secrets }): string[] => [...secrets]))]
  .map((field) => `\`${field}\``)
  .join(', ')

const pathOf = ({ id, workspace_id }: Channel): string => `/api/v1/workspaces/${workspace_id}/notification-channels/${id}`

export const notificationChannels = new Elysia({
  name: 'notification-channels',
  prefix: '/api/v1',
  tags: ['Notification channels'],
})
  .use(access)
  .get(
    '/workspaces/:workspace_id/notification-channels',
    ({ request, workspace, query }) => listed(request, query, NEWEST_FIRST, (slice) => listChannels(sql, workspace, slice)),
    operation('workspace', 'member', {
      id: 'listNotificationChannels',
      summary: 'List the notification channels of a workspace',
      query: Shape(LIST),
      responses: { 200: Type.Array(Channel) },
    }),
  )
  .post(
    '/workspaces/:workspace_id/notification-channels',
    ({ caller, workspace, change, body }) => change(201, (tx) => createChannel(tx, caller, workspace, body), pathOf),
    operation('workspace', 'admin', {
      id: 'createNotificationChannel',
      summary: 'Create a notification channel',
      description: `A channel receives the events that it subscribes to, in the format of its type:

${FORMATS}

A Slack channel with a \`bot_token\` posts one thread per execution and keeps its root up to date; see [Slack](/docs/slack). Its log also contains updates caused by events that it does not subscribe to.

Secrets (${SECRETS}) are write-only; of an object, the values are. Outgoing requests, including those to \`smtp_host\`, follow the same rules as for deployment hooks. With \`smtp_user\`, mail is sent only over TLS, except to addresses that the operator allowed. All \`to_addresses\` are recipients of one message.

A message is attempted up to 6 times, with delays of 5 s, 30 s, 2 min, 10 min and 1 h. A longer \`Retry-After\` is respected and delays all pending messages of the channel. Permanent rejections are not retried. A channel is disabled when all attempts failed for a day (at least 20), or at once when the receiver responds with 410.`,
      body: ChannelInput,
      responses: { 201: Channel },
      errors: ['channel_limit_reached'],
    }),
  )
  .get(
    '/workspaces/:workspace_id/notification-channels/:channel_id',
    ({ channel }) => getChannel(sql, channel),
    operation('channel', 'member', {
      id: 'getNotificationChannel',
      summary: 'Get a notification channel',
      responses: { 200: Channel },
    }),
  )
  .put(
    '/workspaces/:workspace_id/notification-channels/:channel_id',
    ({ request, caller, channel, change, body }) => change(200, (tx) => updateChannel(tx, caller, channel, body, request)),
    operation('channel', 'admin', {
      id: 'updateNotificationChannel',
      summary: 'Update a notification channel',
      description:
        '`config` is merged field by field. Disabling the channel cancels its pending messages; otherwise they are sent to the updated channel. Enabling it again, or changing its config, resets its count of failures.',
      body: ChannelUpdate,
      responses: { 200: Channel },
      errors: ['secrets_must_be_resent'],
    }),
  )
  .delete(
    '/workspaces/:workspace_id/notification-channels/:channel_id',
    ({ request, caller, channel, change }) => change(204, (tx) => deleteChannel(tx, caller, channel, request)),
    operation('channel', 'admin', {
      id: 'deleteNotificationChannel',
      summary: 'Delete a notification channel, its subscriptions and its log',
      responses: { 204: null },
    }),
  )
  .post(
    '/workspaces/:workspace_id/notification-channels/:channel_id/test',
    async ({ request, caller, channel, change }) => {
      const pending = await change(202, (tx) => testChannel(tx, caller, channel))
      // The id comes from the response, since a replayed request does not run the change.
      const { id } = (await pending.clone().json()) as { id: string }
      return preferWait(request, pending, endOfMessage(channel.organization_id, id))
    },
    operation('channel', 'admin', {
      id: 'testNotificationChannel',
      summary: 'Send a test event to a notification channel',
      description:
        'Sends a `test.ping` with a single attempt, also if the channel is disabled. The state of the channel does not change. With `Prefer: wait=10` the response contains the outcome. Teams only confirms that it accepted a message; check that it appears there.',
      body: Nothing,
      responses: { 200: LogEntry, 202: LogEntry },
    }),
  )
  .get(
    '/notification-channels/:channel_id/subscriptions',
    ({ request, channel, query }) => listed(request, query, NEWEST_FIRST, (slice) => listSubscriptions(sql, channel, slice)),
    operation('channel', 'member', {
      id: 'listSubscriptions',
      summary: 'List the subscriptions of a notification channel',
      query: Shape(LIST),
      responses: { 200: Type.Array(Subscription) },
    }),
  )
  .post(
    '/notification-channels/:channel_id/subscriptions',
    ({ caller, channel, change, body }) =>
      change(
        201,
        (tx) => createSubscription(tx, caller, channel, body),
        `/api/v1/workspaces/${channel.workspace_id}/subscriptions`,
      ),
    operation('channel', 'admin', {
      id: 'createSubscription',
      summary: 'Subscribe a notification channel to events',
      description:
        'An event that matches several subscriptions of a channel is sent once. Events of the organization as a whole (budget, members, runtimes) match only subscriptions without `filter_project_id`.',
      body: SubscriptionInput,
      responses: { 201: Subscription },
      errors: ['already_exists', 'subscription_limit_reached'],
    }),
  )
  .delete(
    '/workspaces/:workspace_id/subscriptions/:subscription_id',
    ({ request, caller, subscription, change }) => change(204, (tx) => deleteSubscription(tx, caller, subscription, request)),
    operation('subscription', 'admin', {
      id: 'deleteSubscription',
      summary: 'Delete a subscription',
      description: 'Pending messages that match no other subscription of the channel become `cancelled`.',
      responses: { 204: null },
    }),
  )
  .get(
    '/notification-channels/:channel_id/logs',
    ({ request, channel, query }) => listed(request, query, NEWEST_FIRST, (slice) => listLog(sql, channel, slice)),
    operation('channel', 'member', {
      id: 'listNotificationLog',
      summary: 'List the log of a notification channel',
      query: LogQuery,
      responses: { 200: Type.Array(LogEntry) },
    }),
  )
