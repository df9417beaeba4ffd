import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { preferWait } from '../plugins/prefer-wait.ts'
import { createChannel, deleteChannel, getChannel, listChannels, testChannel, updateChannel } from './channels.ts'
import { finishedLogEntry, listLog } from './logs.ts'
import { Channel, ChannelInput, ChannelUpdate, LogEntry, LogQuery, Subscription, SubscriptionInput } from './schema.ts'
import { createSubscription, deleteSubscription, listSubscriptions } from './subscriptions.ts'

const tag = 'Notification channels'

const pathOf = ({ id, workspace_id }: Channel): string => `/api/v1/workspaces/${workspace_id}/notification-channels/${id}`

export const notificationChannels = new Elysia({ name: 'notification-channels', prefix: '/api/v1' })
  .use(access)
  .get(
    '/workspaces/:workspace_id/notification-channels',
    ({ request, workspace, query }) => listed(request, query, (slice) => listChannels(sql, workspace, slice)),
    {
      workspace: 'member',
      ...operation({
        tag,
        id: 'listNotificationChannels',
        summary: 'The notification channels of a workspace',
        query: Shape(LIST),
        responses: { 200: Type.Array(Channel) },
      }),
    },
  )
  .post(
    '/workspaces/:workspace_id/notification-channels',
    ({ caller, workspace, change, body }) => change(201, (tx) => createChannel(tx, caller, workspace, body), pathOf),
    {
      workspace: 'admin',
      ...operation({
        tag,
        id: 'createNotificationChannel',
        summary: 'Create a notification channel',
        description: `A channel is told of what it subscribes to, in the form of its tool: Block Kit for Slack, an Adaptive Card for Teams, an interactive card for Feishu, mail as HTML and text. A webhook channel gets the [envelope](/docs/events), signed as deployment hooks are, with \`webhook-id\` and \`X-Signalbox-Delivery\` the id of the log entry.

Secrets (\`webhook_url\`, \`secret\`, \`smtp_password\`, values of \`headers\`) are write-only. The rules of outgoing requests hold as for deployment hooks, for \`smtp_host\` too. Mail with \`smtp_user\` goes over TLS alone, save to addresses that the operator opened; all \`to_addresses\` stand in one message.

A message is tried up to 6 times: after 5 s, 30 s, 2 min, 10 min and 1 h, or when \`Retry-After\` asks for a later time, which then holds for all that waits for the channel. What the tool refuses for good is not tried again. A channel whose attempts all failed for a day, 20 at the least, is switched off, and one whose receiver answers 410 at once.`,
        body: ChannelInput,
        responses: { 201: Channel },
        errors: ['channel_limit_reached'],
      }),
    },
  )
  .get('/workspaces/:workspace_id/notification-channels/:channel_id', ({ channel }) => getChannel(sql, channel), {
    channel: 'member',
    ...operation({ tag, id: 'getNotificationChannel', summary: 'A notification channel', responses: { 200: Channel } }),
  })
  .put(
    '/workspaces/:workspace_id/notification-channels/:channel_id',
    ({ request, caller, channel, change, body }) => change(200, (tx) => updateChannel(tx, caller, channel, body, request)),
    {
      channel: 'admin',
      ...operation({
        tag,
        id: 'updateNotificationChannel',
        summary: 'Change a notification channel',
        description:
          '`config` is merged field by field. Switching it off cancels what waits; what waits otherwise goes to the channel as it is then. Switched on again, or with another config, it counts failures afresh.',
        body: ChannelUpdate,
        responses: { 200: Channel },
        errors: ['secrets_must_be_resent'],
      }),
    },
  )
  .delete(
    '/workspaces/:workspace_id/notification-channels/:channel_id',
    ({ request, caller, channel, change }) => change(204, (tx) => deleteChannel(tx, caller, channel, request)),
    {
      channel: 'admin',
      ...operation({
        tag,
        id: 'deleteNotificationChannel',
        summary: 'Delete a notification channel, its subscriptions and its log',
        responses: { 204: null },
      }),
    },
  )
  .post(
    '/workspaces/:workspace_id/notification-channels/:channel_id/test',
    async ({ request, caller, channel, change }) => {
      const pending = await change(202, (tx) => testChannel(tx, caller, channel))
      // From the answer, not from the work: a repeated request does none, and waits for the first one's message.
      const { id } = (await pending.clone().json()) as { id: string }
      return preferWait(request, pending, () => finishedLogEntry(sql, { id, organization_id: channel.organization_id }))
    },
    {
      channel: 'admin',
      ...operation({
        tag,
        id: 'testNotificationChannel',
        summary: 'Send a test.ping to a notification channel',
        description:
          'Made and sent as every message is, tried once, also to a channel that is switched off, and it changes nothing about the channel. With `Prefer: wait=10` the answer is the outcome. Teams says only that it took a message: look whether it is there.',
        body: Nothing,
        responses: { 200: LogEntry, 202: LogEntry },
      }),
    },
  )
  .get(
    '/notification-channels/:channel_id/subscriptions',
    ({ request, channel, query }) => listed(request, query, (slice) => listSubscriptions(sql, channel, slice)),
    {
      channel: 'member',
      ...operation({
        tag,
        id: 'listSubscriptions',
        summary: 'The subscriptions of a notification channel',
        query: Shape(LIST),
        responses: { 200: Type.Array(Subscription) },
      }),
    },
  )
  .post(
    '/notification-channels/:channel_id/subscriptions',
    ({ caller, channel, change, body }) =>
      change(
        201,
        (tx) => createSubscription(tx, caller, channel, body),
        ({ id }) => `/api/v1/workspaces/${channel.workspace_id}/subscriptions/${id}`,
      ),
    {
      channel: 'admin',
      ...operation({
        tag,
        id: 'createSubscription',
        summary: 'Subscribe a notification channel to events',
        description:
          'An event that several subscriptions of a channel fit is one message. What happens in the organization as a whole (its budget, members, runtimes) reaches subscriptions without a project.',
        body: SubscriptionInput,
        responses: { 201: Subscription },
        errors: ['already_exists', 'subscription_limit_reached'],
      }),
    },
  )
  .delete(
    '/workspaces/:workspace_id/subscriptions/:subscription_id',
    ({ request, caller, subscription, change }) => change(204, (tx) => deleteSubscription(tx, caller, subscription, request)),
    {
      subscription: 'admin',
      ...operation({
        tag,
        id: 'deleteSubscription',
        summary: 'Delete a subscription',
        description: 'What waits and is wanted by no other subscription of the channel becomes `cancelled`.',
        responses: { 204: null },
      }),
    },
  )
  .get(
    '/notification-channels/:channel_id/logs',
    ({ request, channel, query }) => listed(request, query, (slice) => listLog(sql, channel, slice)),
    {
      channel: 'member',
      ...operation({
        tag,
        id: 'listNotificationLog',
        summary: 'The log of a notification channel',
        query: LogQuery,
        responses: { 200: Type.Array(LogEntry) },
      }),
    },
  )
