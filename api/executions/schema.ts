import {
  ActorShape,
  Instant,
  InstantInput,
  Maybe,
  Name,
  Nullable,
  OneOf,
  pageQuery,
  Shape,
  type Static,
  Text,
  Type,
  Usd,
  UsdOutput,
  Uuid,
} from '../../core/values/schema.ts'
import { Artifact, Metrics } from './result-fields.ts'

const Status = OneOf(['queued', 'running', 'awaiting_gate', 'completed', 'failed', 'cancelled'])

export const ExecutionInput = Shape({
  agent: Name(120, { description: 'The name of the agent.', examples: ['claude-code'] }),
  runtime_id: Maybe(Nullable(Uuid)),
  graph_id: Maybe(
    Type.Unsafe<string>({
      ...Uuid,
      description: 'The run of a workflow graph that the execution belongs to. Default: a new one.',
    }),
  ),
  start: Maybe(
    Type.Boolean({ description: 'Start it at once, in the same transaction. Default: it stays queued.', examples: [true] }),
  ),
})
export type ExecutionInput = Static<typeof ExecutionInput>

export const Completion = Shape({
  summary: Maybe(Nullable(Text(10_000))),
  cost_usd: Maybe(Usd),
  metrics: Maybe(Metrics),
  artifacts: Maybe(Type.Array(Artifact, { maxItems: 100 })),
})
export type Completion = Static<typeof Completion>

export const Failure = Shape({ error: Maybe(Nullable(Text(10_000))), cost_usd: Maybe(Usd), metrics: Maybe(Metrics) })
export type Failure = Static<typeof Failure>

export const Usage = Shape({ cost_usd: Usd })

export const ExecutionQuery = Shape({
  ...pageQuery,
  status: Maybe(Status),
  agent: Maybe(Text(120)),
  created_after: Maybe(InstantInput),
  created_before: Maybe(InstantInput),
})
export type ExecutionQuery = Static<typeof ExecutionQuery>

export const Execution = Shape(
  {
    id: Uuid,
    organization_id: Uuid,
    workspace_id: Uuid,
    project_id: Uuid,
    requirement_id: Uuid,
    graph_id: Uuid,
    agent: Type.String(),
    runtime_id: Nullable(Uuid),
    status: Status,
    summary: Nullable(Type.String()),
    error: Nullable(Type.String()),
    cost_usd: Nullable(UsdOutput),
    metrics: Metrics,
    artifacts: Type.Array(Artifact),
    created_by: Uuid,
    actor: ActorShape,
    started_by: Nullable(Uuid),
    started_at: Nullable(Instant),
    finished_at: Nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Execution' },
)
export type Execution = Static<typeof Execution>
