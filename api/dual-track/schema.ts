import { ComparisonResult, Winner } from '../../core/dual-track.ts'
import {
  ActorShape,
  Instant,
  Name,
  Nullable,
  OneOf,
  pageQuery,
  Shape,
  type Static,
  Type,
  Uuid,
} from '../../core/values/schema.ts'

const graph = (track: string) =>
  Type.Unsafe<string>({ ...Uuid, description: `The \`graph_id\` of the executions that form track ${track}.` })
const agent = (track: string, example: string) =>
  Name(120, { description: `The agent of track ${track}; free text.`, examples: [example] })

export const ComparisonInput = Shape({
  work_item_id: Type.Unsafe<string>({ ...Uuid, description: 'The requirement of this project that both tracks implement.' }),
  track_a_graph_id: graph('a'),
  track_b_graph_id: graph('b'),
  track_a_agent: agent('a', 'claude-code'),
  track_b_agent: agent('b', 'codex'),
})
export type ComparisonInput = Static<typeof ComparisonInput>

export const Decision = Shape({ winner: Winner })
export type Decision = Static<typeof Decision>

export const ComparisonQuery = Shape(pageQuery)
export type ComparisonQuery = Static<typeof ComparisonQuery>

export const Comparison = Shape(
  {
    id: Uuid,
    project_id: Uuid,
    work_item_id: Uuid,
    track_a_graph_id: Uuid,
    track_b_graph_id: Uuid,
    track_a_agent: Type.String(),
    track_b_agent: Type.String(),
    status: OneOf(['created', 'comparing', 'compared', 'failed', 'decided', 'cancelled']),
    result: Nullable(ComparisonResult),
    winner: Nullable(Winner),
    decided_by: Nullable(Uuid),
    decided_at: Nullable(Instant),
    error: Nullable(Type.String({ description: 'Why the last comparison failed.' })),
    created_by: Uuid,
    actor: ActorShape,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Comparison' },
)
export type Comparison = Static<typeof Comparison>
