import { Name, Shape, type Static, Type, Usd, UsdOutput } from '../../core/values/schema.ts'

export const AgentLimitsInput = Type.Array(
  Shape({
    agent: Name(120, { description: 'The name of an agent, as executions have it.', examples: ['claude-code'] }),
    max_cost_usd: Usd,
  }),
  { maxItems: 200 },
)
export type AgentLimitsInput = Static<typeof AgentLimitsInput>

export const AgentLimit = Shape(
  { agent: Type.String({ examples: ['claude-code'] }), max_cost_usd: UsdOutput },
  { title: 'AgentLimit' },
)
export type AgentLimit = Static<typeof AgentLimit>
