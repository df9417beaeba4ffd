/** What API and worker both know of dual-track comparisons: how one is read, and what a judge finds. */
import { sql } from './platform/database.ts'
import { Nullable, OneOf, Shape, type Static, Type, UsdAnswer } from './values/schema.ts'

/** Who is better: a judge recommends one, a person decides for one. */
export const Verdict = OneOf(['a', 'b', 'tie'])
export type Verdict = Static<typeof Verdict>

const score = (about: string) => Nullable(Type.Number({ minimum: 0, maximum: 1, description: about }))

const Criterion = Shape(
  {
    name: Type.String({ examples: ['tests_pass_rate'] }),
    weight: Type.Number({ minimum: 0, maximum: 1, description: 'As rescaled; 0 where it was dropped.' }),
    a: Nullable(Type.Number({ description: 'The raw figure of track a; null where there is none.' })),
    b: Nullable(Type.Number({ description: 'The raw figure of track b; null where there is none.' })),
    score_a: score('From 0 to 1, higher is better; null where the criterion was dropped.'),
    score_b: score('From 0 to 1, higher is better; null where the criterion was dropped.'),
    evidence: Type.String({ description: 'What the scores come from.' }),
  },
  { title: 'ComparisonCriterion' },
)
export type Criterion = Static<typeof Criterion>

const Judge = Shape(
  {
    kind: OneOf(['metrics', 'model']),
    model: Nullable(Type.String({ description: 'Name of the model; null of the metrics judge.' })),
    prompt_version: Nullable(Type.String()),
    order_consistent: Nullable(
      Type.Boolean({ description: 'Whether the model said the same in both orders; null of the metrics judge.' }),
    ),
    fallback_reason: Nullable(
      Type.String({ description: 'Why the metrics judge decided although there is a model; null where it was to decide.' }),
    ),
  },
  { title: 'ComparisonJudge' },
)

/** What a judge found. */
export const ComparisonResult = Shape(
  {
    recommendation: Verdict,
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    coverage: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The weight of the criteria that both tracks have figures for.',
    }),
    rationale: Type.String(),
    criteria: Type.Array(Criterion),
    judge: Judge,
    cost_usd: UsdAnswer,
  },
  { title: 'ComparisonResult' },
)
export type ComparisonResult = Static<typeof ComparisonResult>

/** The columns of a comparison as the API and events show one. */
export const comparisonColumns = sql`
  id, project_id, work_item_id, track_a_graph_id, track_b_graph_id, track_a_agent, track_b_agent, status, result, winner,
  decided_by, decided_at, error, created_by, created_at, updated_at
`
