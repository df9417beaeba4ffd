import {
  ActorShape,
  Count,
  Described,
  Instant,
  InstantInput,
  Maybe,
  Name,
  Nullable,
  OneOf,
  Shape,
  type Static,
  Text,
  type TSchema,
  Type,
  Usd,
  UsdOutput,
  Uuid,
} from '../../core/values/schema.ts'
import { PAGED_LIST } from '../plugins/lists.ts'
import { Artifact, Metrics } from './result-fields.ts'

const Status = OneOf(['queued', 'running', 'awaiting_gate', 'completed', 'failed', 'cancelled'])

const costOptions = {
  cost_from: Maybe(
    OneOf(['reports', 'telemetry'], {
      description:
        'What adds to `cost_usd`. `reports` (the default): the amounts that are reported. `telemetry`: the usage of models, received by OTLP or reported with a `model`; other reported amounts are kept in `reported_cost_usd`.',
    }),
  ),
  max_cost_usd: Maybe(
    Nullable(Described(Usd, '`execution.over_budget` is emitted once `cost_usd` exceeds it. The execution continues.')),
  ),
}

export const ExecutionInput = Shape({
  agent: Name(120, { description: 'The name of the agent.', examples: ['claude-code'] }),
  runtime_id: Maybe(Nullable(Uuid)),
  graph_id: Maybe(Described(Uuid, 'The run of a workflow graph that the execution belongs to. Default: a new one.')),
  start: Maybe(
    Type.Boolean({ description: 'Start it at once, in the same transaction. Default: it stays queued.', examples: [true] }),
  ),
  ...costOptions,
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

export const StartInput = Shape(costOptions)
export type StartInput = Static<typeof StartInput>

/** The counts of tokens, as parts of a report or of a response. */
const tokens = <Schema extends TSchema>(sum: (description: string) => Schema) => ({
  input_tokens: sum('Includes the tokens that were read from or written to a cache.'),
  cached_input_tokens: sum('Of the input tokens, those that were read from a cache.'),
  cache_write_tokens: sum('Of the input tokens, those that were written to a cache.'),
  output_tokens: sum('Includes the tokens of reasoning.'),
  reasoning_tokens: sum('Of the output tokens, those of reasoning.'),
})

export const Usage = Shape({
  cost_usd: Maybe(Usd),
  model: Maybe(Name(200, { description: 'The model that was used.', examples: ['claude-opus-4-8'] })),
  ...tokens((description) => Maybe(Type.Unsafe<number>({ ...Count, description, examples: [1200] }))),
  dedupe_key: Maybe(
    Name(200, {
      description:
        'Identifies this usage within the execution. A report with a key that was used before changes nothing, for ever.',
      examples: ['msg_01XFDUDYJgAACzvnptvVoYEL'],
    }),
  ),
})
export type Usage = Static<typeof Usage>

const ModelUsage = Shape('ModelUsage', {
  model: Type.String({ examples: ['claude-opus-4-8'] }),
  ...tokens((description) => Type.Integer({ minimum: 0, description, examples: [1200] })),
  cost_usd: Nullable(Type.Number({ description: 'USD; of the usage that has a price. Null if none has.', examples: [0.42] })),
  source: OneOf(['reports', 'telemetry'], { description: 'Whether it was reported with the execution, or received by OTLP.' }),
})

export const ExecutionQuery = Shape({
  ...PAGED_LIST,
  status: Maybe(Status),
  agent: Maybe(Text(120)),
  created_after: Maybe(InstantInput),
  created_before: Maybe(InstantInput),
})
export type ExecutionQuery = Static<typeof ExecutionQuery>

export const Execution = Shape('Execution', {
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
  cost_usd: Nullable(
    Type.Number({
      description: 'USD; the sum of what `cost_from` says and has a price. Null until there is some.',
      examples: [0.42],
    }),
  ),
  cost_from: OneOf(['reports', 'telemetry']),
  reported_cost_usd: Nullable(
    Type.Number({
      description: 'USD; with `telemetry`, the reported amounts that do not add to `cost_usd`.',
      examples: [0.42],
    }),
  ),
  max_cost_usd: Nullable(UsdOutput),
  usage: Type.Array(ModelUsage, {
    description: 'By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too.',
  }),
  unpriced: Type.Integer({
    minimum: 0,
    description: 'How many uses of models have no cost, because none was reported and no price was known.',
    examples: [0],
  }),
  metrics: Metrics,
  artifacts: Type.Array(Artifact),
  created_by: Uuid,
  actor: ActorShape,
  started_by: Nullable(Uuid),
  started_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
})
