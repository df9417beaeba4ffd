/** Dual-track comparisons, shared by API and worker: columns, and the shape of results. */
import { sql } from '../platform/database.ts'
import { Nullable, OneOf, Shape, type Static, Type, UsdOutput } from '../values/schema.ts'

/** The better track. A judge recommends it, a user decides on it. */
export const Winner = OneOf(['a', 'b', 'tie'])
export type Winner = Static<typeof Winner>

const score = (about: string) => Nullable(Type.Number({ minimum: 0, maximum: 1, description: about }))

const Criterion = Shape('ComparisonCriterion', {
  name: Type.String({ examples: ['tests_pass_rate'] }),
  weight: Type.Number({ minimum: 0, maximum: 1, description: 'After rescaling; 0 if the criterion was dropped.' }),
  a: Nullable(Type.Number({ description: 'The value of track a; null if it has none.' })),
  b: Nullable(Type.Number({ description: 'The value of track b; null if it has none.' })),
  score_a: score('From 0 to 1, higher is better; null if the criterion was dropped.'),
  score_b: score('From 0 to 1, higher is better; null if the criterion was dropped.'),
  evidence: Type.String({ description: 'What the scores are based on.' }),
})
export type Criterion = Static<typeof Criterion>

const Judge = Shape('ComparisonJudge', {
  kind: OneOf(['metrics', 'model']),
  model: Nullable(Type.String({ description: 'Name of the model; null for the metrics judge.' })),
  prompt_version: Nullable(Type.String()),
  order_consistent: Nullable(
    Type.Boolean({ description: 'Whether the model gave the same recommendation in both orders; null for the metrics judge.' }),
  ),
  fallback_reason: Nullable(
    Type.String({ description: 'Why the metrics judge was used although a model is configured; null otherwise.' }),
  ),
})

export const ComparisonResult = Shape('ComparisonResult', {
  recommendation: Winner,
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  coverage: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The total weight of the criteria for which both tracks have values.',
  }),
  rationale: Type.String(),
  criteria: Type.Array(Criterion),
  judge: Judge,
  cost_usd: UsdOutput,
})
export type ComparisonResult = Static<typeof ComparisonResult>

export const comparisonColumns = sql`
  id, project_id, work_item_id, track_a_graph_id, track_b_graph_id, track_a_agent, track_b_agent, status, result, winner,
  decided_by, decided_at, error, created_by, actor_of(created_by, organization_id) as actor, created_at, updated_at
`
