import {
  ActorShape,
  Instant,
  InstantInput,
  Maybe,
  Name,
  Nullable,
  OneOf,
  Shape,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../core/values/schema.ts'
import { PAGED_LIST } from '../plugins/lists.ts'

export const REQUIREMENT_KINDS = ['feature', 'change', 'deprecation', 'removal', 'fix', 'security', 'docs', 'chore'] as const

const Kind = OneOf([...REQUIREMENT_KINDS], { description: 'The first six are the sections of Keep a Changelog.' })
export const REQUIREMENT_STATUSES = ['open', 'in_progress', 'done', 'cancelled'] as const
export type RequirementStatus = (typeof REQUIREMENT_STATUSES)[number]

export const RequirementStatus = OneOf([...REQUIREMENT_STATUSES], {
  description: 'Set by updates alone: executions do not change it.',
})
const MAX_CRITERIA_LENGTH = 200_000

const Criteria = Type.Refine(
  Type.Array(Text(10_000), { maxItems: 50, description: `At most ${MAX_CRITERIA_LENGTH} characters together.` }),
  (criteria) => criteria.reduce((length, { length: more }) => length + more, 0) <= MAX_CRITERIA_LENGTH,
  () => `must not have more than ${MAX_CRITERIA_LENGTH} characters together`,
)

export const RequirementInput = Shape({
  title: Name(200, { examples: ['Pay by invoice'] }),
  description: Maybe(Nullable(Text(10_000))),
  kind: Maybe(Kind),
  acceptance_criteria: Maybe(Criteria),
})
export type RequirementInput = Static<typeof RequirementInput>

export const RequirementUpdate = Shape({
  ...RequirementInput.properties,
  title: Maybe(Name(200)),
  status: Maybe(RequirementStatus),
})
export type RequirementUpdate = Static<typeof RequirementUpdate>

export const RequirementQuery = Shape({
  ...PAGED_LIST,
  status: Maybe(RequirementStatus),
  kind: Maybe(Kind),
  created_after: Maybe(InstantInput),
  created_before: Maybe(InstantInput),
})
export type RequirementQuery = Static<typeof RequirementQuery>

export const Requirement = Shape('Requirement', {
  id: Uuid,
  organization_id: Uuid,
  workspace_id: Uuid,
  project_id: Uuid,
  number: Type.Integer({ description: 'Sequential number in the project.' }),
  title: Type.String(),
  description: Nullable(Type.String()),
  kind: Kind,
  acceptance_criteria: Type.Array(Type.String()),
  status: RequirementStatus,
  completed_at: Nullable(Instant),
  created_by: Uuid,
  actor: ActorShape,
  created_at: Instant,
  updated_at: Instant,
})
export type Requirement = Static<typeof Requirement>
