import { Name, Shape, type Static, Type, Usd, UsdOutput } from '../../core/values/schema.ts'

export const AgentLimitInput = Shape({
  agent: Name(120, { description: 'The name of an agent, as executions have it.', examples: ['claude-code'] }),
  max_cost_usd: Usd,
})

export const MAX_LIMITS = 200

export const AgentLimitsInput = Type.Array(AgentLimitInput, { maxItems: MAX_LIMITS })
export type AgentLimitsInput = Static<typeof AgentLimitsInput>

export const AgentLimit = Shape(
  { agent: Type.String({ examples: ['claude-code'] }), max_cost_usd: UsdOutput },
  { title: 'AgentLimit' },
)
export type AgentLimit = Static<typeof AgentLimit>

/** Which limit a form removes. */
export const AgentLimitKey = Shape({ agent: Type.String() })
