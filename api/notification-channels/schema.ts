import { CHANNEL_TYPES, CHANNELS, type ConfigOf } from '../../core/notification-channels/types.ts'
import { Instant, Maybe, Name, Nullable, OneOf, Shape, type Static, Text, Type, Uuid } from '../../core/values/schema.ts'
import { Cursor } from '../plugins/lists.ts'

const ChannelType = OneOf(CHANNEL_TYPES, { description: 'Cannot be changed later.' })

const CONFIGS = CHANNEL_TYPES.map((type) => CHANNELS[type].config)

/** The schema depends on `channel_type`, so `rules.ts` validates it. The docs show all variants. */
const ConfigInput = Type.Record(Type.String(), Type.Unknown(), {
  'x-shown': {
    ...Type.Union(CONFIGS),
    description:
      'Depends on `channel_type`. A PUT changes only the given fields; `null` clears a field, and `"********"` keeps the stored secret. If the scheme, host or port changes, stored secrets must be sent again or cleared. For `bot_token`, the whole `api_url` counts.',
  },
})

export const ChannelInput = Shape({
  name: Name(120, { examples: ['Release room'] }),
  channel_type: ChannelType,
  config: ConfigInput,
  enabled: Maybe(Type.Boolean({ default: true })),
})
export type ChannelInput = Static<typeof ChannelInput>

export const ChannelUpdate = Shape({
  name: Maybe(Name(120, { examples: ['Release room'] })),
  channel_type: Maybe(OneOf(CHANNEL_TYPES, { description: 'May be sent, but cannot be changed.' })),
  config: Maybe(ConfigInput),
  enabled: Maybe(Type.Boolean({ description: '`false` cancels pending messages.' })),
})
export type ChannelUpdate = Static<typeof ChannelUpdate>

export const Channel = Shape('NotificationChannel', {
  id: Uuid,
  workspace_id: Uuid,
  name: Type.String(),
  channel_type: ChannelType,
  config: Type.Unsafe<ConfigOf>(
    Type.Union(CONFIGS, {
      description: 'As configured, with every secret replaced by `********`.',
      examples: [{ webhook_url: '********' }],
    }),
  ),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(Type.String({ description: 'Why the service disabled the channel.' })),
  created_at: Instant,
  updated_at: Instant,
})
export type Channel = Static<typeof Channel>

export const SubscriptionInput = Shape({
  event_pattern: Text(100, {
    minLength: 1,
    description: 'The name of an [event](/docs/events), a family such as `gate.*`, or `*` for all events.',
    examples: ['gate.*'],
  }),
  filter_project_id: Maybe(
    Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Only events of this project, which must be in the same workspace.' })),
  ),
})
export type SubscriptionInput = Static<typeof SubscriptionInput>

export const Subscription = Shape('Subscription', {
  id: Uuid,
  channel_id: Uuid,
  event_pattern: Type.String({ examples: ['gate.*'] }),
  filter_project_id: Nullable(Uuid),
  created_at: Instant,
})
export type Subscription = Static<typeof Subscription>

export const LogEntry = Shape('NotificationLogEntry', {
  id: Uuid,
  channel_id: Uuid,
  event: Type.String({ examples: ['gate.pending'] }),
  event_id: Uuid,
  status: OneOf(['pending', 'succeeded', 'failed', 'cancelled']),
  attempt_count: Type.Integer(),
  response_status: Nullable(Type.Integer({ description: 'The HTTP or SMTP status of the receiver.' })),
  error: Nullable(Shape({ code: Type.String({ examples: ['timeout'] }), detail: Type.String() })),
  duration_ms: Nullable(Type.Integer({ description: 'Duration of the last attempt.' })),
  created_at: Instant,
  completed_at: Nullable(Instant),
})
export type LogEntry = Static<typeof LogEntry>

export const LogQuery = Shape({
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'Maximum number of entries. If there are more, the `Link` header points to the next ones.',
  }),
  after: Cursor,
})
