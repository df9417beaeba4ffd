import {
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
  UsdAnswer,
  Uuid,
} from '../../core/schema.ts'

export const OrganizationInput = Shape({
  name: Name(120, { examples: ['Acme Robotics'] }),
  description: Maybe(Nullable(Text(2000))),
})
export type OrganizationInput = Static<typeof OrganizationInput>

const summary = {
  id: Uuid,
  name: Type.String(),
  org_key: Type.String({ description: 'Short, unique in the service; made from the name, and it stays.', examples: ['AR'] }),
  slug: Type.String({ description: 'Unique in the service; made from the name, and it stays.', examples: ['acme-robotics'] }),
  owner_id: Uuid,
  member_count: Count,
  workspace_count: Count,
  created_at: Instant,
}

export const OrganizationSummary = Shape(summary, { title: 'OrganizationSummary' })
export type OrganizationSummary = Static<typeof OrganizationSummary>

export const Organization = Shape(
  {
    ...summary,
    description: Nullable(Type.String()),
    logo_url: Nullable(Type.String()),
    settings: Type.Object({}, { description: 'Free-form JSON.' }),
    budget_monthly_limit_usd: Nullable(UsdAnswer),
    budget_used_usd: Type.Number({ description: 'Spent in this calendar month (UTC).' }),
    budget_alert_threshold: Type.Number({ description: 'Ratio of the limit at which an alert is raised.', examples: [0.8] }),
    registration_mode: OneOf(['open', 'invite-only']),
    max_workspaces: Nullable(Count),
    max_members: Nullable(Count),
    updated_at: Instant,
  },
  { title: 'Organization' },
)
export type Organization = Static<typeof Organization>

export const MyRole = Shape({ role: OneOf(['owner', 'admin', 'member']) }, { title: 'MyRole' })
