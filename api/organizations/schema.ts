import {
  AlertThreshold,
  Count,
  Instant,
  Maybe,
  Name,
  Nullable,
  OneOf,
  Shape,
  type Static,
  Text,
  Type,
  Usd,
  UsdOutput,
  Uuid,
  WebUrl,
} from '../../core/values/schema.ts'

export const OrganizationInput = Shape({
  name: Name(120, { examples: ['Acme Robotics'] }),
  description: Maybe(Nullable(Text(2000))),
})
export type OrganizationInput = Static<typeof OrganizationInput>

const MAX_SETTINGS_BYTES = 65_536

const Settings = Type.Refine(
  Type.Object({}, { description: 'Free-form JSON, at most 64 KiB. Replaced as a whole.', examples: [{ theme: 'dark' }] }),
  (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_SETTINGS_BYTES,
  () => `must have at most ${MAX_SETTINGS_BYTES} bytes as JSON`,
)

const Limit = (of: string) =>
  Maybe(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: `Maximum number of ${of}. A value below the current count only prevents growth. Null: no limit.`,
        examples: [50],
      }),
    ),
  )

export const OrganizationUpdate = Shape({
  name: Maybe(Name(120, { description: '`slug` and `org_key` do not change.', examples: ['Acme Robotics'] })),
  description: Maybe(Nullable(Text(2000))),
  logo_url: Maybe(Nullable(WebUrl())),
  settings: Maybe(Settings),
  registration_mode: Maybe(OneOf(['open', 'invite-only'], { description: '`open`: every signed-in user can join.' })),
  require_second_factor: Maybe(
    Type.Boolean({
      description:
        'Members without a second factor get 403 `second_factor_required` in the organization, also with tokens, mailed links and Slack. What notifications and mails say is withheld from them.',
    }),
  ),
  max_workspaces: Limit('workspaces'),
  max_members: Limit('members'),
  budget_monthly_limit_usd: Maybe(Nullable(Usd)),
  budget_alert_threshold: Maybe(AlertThreshold),
})
export type OrganizationUpdate = Static<typeof OrganizationUpdate>

export const Transfer = Shape({ new_owner_id: Uuid })

const summary = {
  id: Uuid,
  name: Type.String(),
  org_key: Type.String({
    description: 'Short key, unique in the service. Derived from the name; never changes.',
    examples: ['AR'],
  }),
  slug: Type.String({ description: 'Unique in the service. Derived from the name; never changes.', examples: ['acme-robotics'] }),
  owner_id: Uuid,
  member_count: Count,
  workspace_count: Count,
  created_at: Instant,
}

export const OrganizationSummary = Shape('OrganizationSummary', summary)
export type OrganizationSummary = Static<typeof OrganizationSummary>

export const Organization = Shape('Organization', {
  ...summary,
  description: Nullable(Type.String()),
  logo_url: Nullable(Type.String()),
  settings: Type.Object({}, { description: 'Free-form JSON.' }),
  budget_monthly_limit_usd: Nullable(UsdOutput),
  budget_used_usd: Type.Number({ description: 'Spend in the current calendar month (UTC).' }),
  budget_alert_threshold: Type.Number({
    description: 'Fraction of the limit above which `budget.alert` is emitted.',
    examples: [0.8],
  }),
  registration_mode: OneOf(['open', 'invite-only']),
  require_second_factor: Type.Boolean({ description: 'Whether members without a second factor have no access.' }),
  max_workspaces: Nullable(Count),
  max_members: Nullable(Count),
  updated_at: Instant,
})
export type Organization = Static<typeof Organization>

export const MyRole = Shape('MyRole', { role: OneOf(['owner', 'admin', 'member']) })
