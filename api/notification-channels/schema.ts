import { CHANNEL_TYPES, SLACK_API_URL } from '../../core/notification-channels.ts'
import {
  Email,
  Instant,
  Maybe,
  Name,
  Nullable,
  OneOf,
  Shape,
  type Static,
  Text,
  type TSchema,
  Type,
  Uuid,
} from '../../core/values/schema.ts'

const ChannelType = OneOf(CHANNEL_TYPES, { description: 'Cannot be changed later.' })

const HostName = Type.Refine(
  Text(253, { examples: ['mail.example.com'] }),
  (text) => /^\[?[\p{L}\p{N}_.:-]+\]?$/u.test(text),
  () => 'must be the host name or IP address of a mail server, without a port',
)

const BotToken = (options: Type.TSchemaOptions) =>
  Type.Refine(
    Text(256, options),
    (text) => /^xoxb-[A-Za-z0-9-]+$/.test(text),
    () => 'must be a bot token of Slack, which starts with xoxb-',
  )

const SlackChannel = (options: Type.TSchemaOptions) =>
  Type.Refine(
    Text(32, options),
    (text) => /^[CG][A-Z0-9]+$/.test(text),
    () => 'must be the id of a Slack channel, such as C0123456789',
  )

const WebhookUrl = (example: string, description: string) => Text(2048, { description, examples: [example] })

/** The configuration for each type of channel. */
export const CONFIGS = {
  slack: Shape(
    {
      webhook_url: Maybe(
        WebhookUrl(
          'https://hooks.slack.com/services/T000/B000/XXXX',
          'An incoming webhook of Slack, on `hooks.slack.com` or `hooks.slack-gov.com`. Write-only. Either this, or `bot_token` and `slack_channel`.',
        ),
      ),
      bot_token: Maybe(
        BotToken({
          description:
            'A bot token of the Slack app, with the scope `chat:write`. Posts one thread per execution, with buttons for gates. Requires `slack_channel`. Write-only.',
          examples: ['xoxb-123456789012-abcdefghijkl'],
        }),
      ),
      slack_channel: Maybe(
        SlackChannel({
          description: 'The id of the Slack channel to post to, not its name. Requires `bot_token`.',
          examples: ['C0123456789'],
        }),
      ),
      api_url: Maybe(
        Text(2048, {
          description: `Base URL of Slack's API, default \`${SLACK_API_URL}\`; https, or http to an address in \`OUTBOUND_ALLOW\`. If it changes, \`bot_token\` must be sent again.`,
          examples: [SLACK_API_URL],
        }),
      ),
    },
    { title: 'SlackConfig' },
  ),
  teams: Shape(
    {
      webhook_url: WebhookUrl(
        'https://prod-00.westeurope.logic.azure.com/workflows/1/triggers/manual/paths/invoke?api-version=1&sig=XXXX',
        'The URL of a Teams Workflow that posts the messages it receives. Write-only.',
      ),
    },
    { title: 'TeamsConfig' },
  ),
  feishu: Shape(
    {
      webhook_url: WebhookUrl(
        'https://open.feishu.cn/open-apis/bot/v2/hook/00000000-0000-0000-0000-000000000000',
        'A custom bot of Feishu or Lark, on `open.feishu.cn` or `open.larksuite.com`. Write-only.',
      ),
      secret: Maybe(Text(256, { minLength: 1, description: "The bot's signing secret, if it requires signatures. Write-only." })),
    },
    { title: 'FeishuConfig' },
  ),
  webhook: Shape(
    {
      url: Text(2048, { description: 'http or https, without credentials.', examples: ['https://example.com/signalbox'] }),
      secret: Maybe(
        Text(256, {
          minLength: 1,
          description:
            'Signs every message, like the secret of a deployment hook. After the prefix `whsec_` the key is decoded from base64, otherwise the key is the text itself. Write-only.',
        }),
      ),
      headers: Maybe(
        Type.Record(Type.String(), Text(4096), {
          maxProperties: 32,
          description: 'Sent with every message. Values are write-only; a PUT replaces all headers.',
          examples: [{ 'X-Api-Key': 'k-123' }],
        }),
      ),
    },
    { title: 'WebhookConfig' },
  ),
  email: Shape(
    {
      smtp_host: HostName,
      smtp_port: Maybe(
        Type.Integer({
          minimum: 1,
          maximum: 65_535,
          default: 587,
          description: '465: implicit TLS. Other ports: STARTTLS if the server supports it.',
        }),
      ),
      smtp_user: Maybe(Text(256, { minLength: 1, description: 'Requires `smtp_password`.', examples: ['signalbox'] })),
      smtp_password: Maybe(Text(1024, { minLength: 1, description: 'Write-only.' })),
      from_address: Email,
      to_addresses: Type.Array(Email, {
        minItems: 1,
        maxItems: 50,
        description:
          'Each recipient gets one copy. Recipients that the server rejects temporarily are retried without the others. If the server rejects a recipient permanently, the message counts as failed. An address with non-ASCII characters before the @ requires a server with SMTPUTF8.',
      }),
    },
    { title: 'EmailConfig' },
  ),
} as const satisfies Record<(typeof CHANNEL_TYPES)[number], TSchema>

const anyConfig = Type.Union([CONFIGS.slack, CONFIGS.teams, CONFIGS.feishu, CONFIGS.webhook, CONFIGS.email])

/** The schema depends on `channel_type`, so `rules.ts` validates it. The docs show all variants. */
const ConfigInput = Type.Record(Type.String(), Type.Unknown(), {
  'x-shown': {
    ...anyConfig,
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

export const Channel = Shape(
  {
    id: Uuid,
    workspace_id: Uuid,
    name: Type.String(),
    channel_type: ChannelType,
    config: Type.Union([CONFIGS.slack, CONFIGS.teams, CONFIGS.feishu, CONFIGS.webhook, CONFIGS.email], {
      description: 'As configured, with every secret replaced by `********`.',
      examples: [{ webhook_url: '********' }],
    }),
    enabled: Type.Boolean(),
    disabled_reason: Nullable(Type.String({ description: 'Why the service disabled the channel.' })),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'NotificationChannel' },
)
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

export const Subscription = Shape(
  {
    id: Uuid,
    channel_id: Uuid,
    event_pattern: Type.String({ examples: ['gate.*'] }),
    filter_project_id: Nullable(Uuid),
    created_at: Instant,
  },
  { title: 'Subscription' },
)
export type Subscription = Static<typeof Subscription>

export const LogEntry = Shape(
  {
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
  },
  { title: 'NotificationLogEntry' },
)
export type LogEntry = Static<typeof LogEntry>

export const LogQuery = Shape({
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'Maximum number of entries. If there are more, the `Link` header points to the next ones.',
  }),
  after: Maybe(Uuid),
})
