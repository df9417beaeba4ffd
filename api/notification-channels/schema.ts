import { CHANNEL_TYPES } from '../../core/notification-channels.ts'
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

const Kind = OneOf(CHANNEL_TYPES, { description: 'It cannot be changed afterwards.' })

const HostName = Type.Refine(
  Text(253, { examples: ['mail.example.com'] }),
  (text) => /^\[?[\p{L}\p{N}_.:-]+\]?$/u.test(text),
  () => 'must be the name or the address of a mail server, without a port',
)

const WebhookUrl = (example: string, description: string) => Text(2048, { description, examples: [example] })

/** What a channel of each type is set up with. */
export const CONFIGS = {
  slack: Shape(
    {
      webhook_url: WebhookUrl(
        'https://hooks.slack.com/services/T000/B000/XXXX',
        'An incoming webhook of Slack, on `hooks.slack.com` or `hooks.slack-gov.com`. Write-only.',
      ),
    },
    { title: 'SlackConfig' },
  ),
  teams: Shape(
    {
      webhook_url: WebhookUrl(
        'https://prod-00.westeurope.logic.azure.com/workflows/1/triggers/manual/paths/invoke?api-version=1&sig=XXXX',
        'The URL of a Workflow of Teams that posts what it receives. Write-only.',
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
      secret: Maybe(
        Text(256, { minLength: 1, description: "The bot's own signing secret, where it asks for signatures. Write-only." }),
      ),
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
            'Signs every message as the secret of a deployment hook does. With `whsec_` before base64 the key is the decoded bytes, else the text itself. Write-only.',
        }),
      ),
      headers: Maybe(
        Type.Record(Type.String(), Text(4096), {
          maxProperties: 32,
          description: 'Sent along. The values are write-only; a PUT replaces all of them.',
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
          description: '465: TLS from the first byte. Any other: STARTTLS where the server offers it.',
        }),
      ),
      smtp_user: Maybe(Text(256, { minLength: 1, description: 'With `smtp_password`, or neither.', examples: ['signalbox'] })),
      smtp_password: Maybe(Text(1024, { minLength: 1, description: 'Write-only.' })),
      from_address: Email,
      to_addresses: Type.Array(Email, {
        minItems: 1,
        maxItems: 50,
        description:
          'Each mailbox gets one copy. One that the server refuses for now is tried again, without the others. One that it refuses for good is not, and the message counts as failed; an address with other letters than ASCII before the @ needs a server with SMTPUTF8.',
      }),
    },
    { title: 'EmailConfig' },
  ),
} as const satisfies Record<(typeof CHANNEL_TYPES)[number], TSchema>

const anyConfig = Type.Union([CONFIGS.slack, CONFIGS.teams, CONFIGS.feishu, CONFIGS.webhook, CONFIGS.email])

/** Which of the shapes it must have, the type says; it is checked once that is known. The docs show all of them. */
const ConfigInput = Type.Record(Type.String(), Type.Unknown(), {
  'x-shown': {
    ...anyConfig,
    description:
      'By `channel_type`. A PUT changes the fields it is given; `null` clears one, and `"********"` keeps the secret that is stored. Where another scheme, host or port is named, stored secrets must be sent anew or cleared.',
  },
})

export const ChannelInput = Shape({
  name: Name(120, { examples: ['Release room'] }),
  channel_type: Kind,
  config: ConfigInput,
  enabled: Maybe(Type.Boolean({ default: true })),
})
export type ChannelInput = Static<typeof ChannelInput>

export const ChannelUpdate = Shape({
  name: Maybe(Name(120, { examples: ['Release room'] })),
  channel_type: Maybe(OneOf(CHANNEL_TYPES, { description: 'May be repeated, and cannot be changed.' })),
  config: Maybe(ConfigInput),
  enabled: Maybe(Type.Boolean({ description: '`false` cancels what waits.' })),
})
export type ChannelUpdate = Static<typeof ChannelUpdate>

export const Channel = Shape(
  {
    id: Uuid,
    workspace_id: Uuid,
    name: Type.String(),
    channel_type: Kind,
    config: Type.Union([CONFIGS.slack, CONFIGS.teams, CONFIGS.feishu, CONFIGS.webhook, CONFIGS.email], {
      description: 'As it was given, with `********` in the place of every secret.',
      examples: [{ webhook_url: '********' }],
    }),
    enabled: Type.Boolean(),
    disabled_reason: Nullable(Type.String({ description: 'Why the service switched it off.' })),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'NotificationChannel' },
)
export type Channel = Static<typeof Channel>

export const SubscriptionInput = Shape({
  event_pattern: Text(100, {
    minLength: 1,
    description: 'The name of an [event](/docs/events), its family as `gate.*`, or `*` for all.',
    examples: ['gate.*'],
  }),
  filter_project_id: Maybe(
    Nullable(
      Type.Unsafe<string>({ ...Uuid, description: 'Only what happens in this project; it must lie in the same workspace.' }),
    ),
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
    response_status: Nullable(Type.Integer({ description: 'What the receiver answered: of HTTP, or of SMTP.' })),
    error: Nullable(Shape({ code: Type.String({ examples: ['timeout'] }), detail: Type.String() })),
    duration_ms: Nullable(Type.Integer({ description: 'Of the last attempt.' })),
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
    description: 'How many at the most; where more follow, `Link` says so.',
  }),
  after: Maybe(Uuid),
})
