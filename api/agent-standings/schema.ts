import { Count, Described, Month, monthsQuery, Nullable, Shape, type Static, Type } from '../../core/values/schema.ts'

export const StandingsQuery = Shape(monthsQuery)
export type StandingsQuery = Static<typeof StandingsQuery>

const rank = Nullable(
  Type.Integer({
    minimum: 1,
    description: 'Its place among the listed agents, 1 for the best. Null below 20 cases.',
    examples: [1],
  }),
)

const Part = (description: string, examples: number[]) => Nullable(Type.Number({ minimum: 0, maximum: 1, description, examples }))

const Rate = Shape('AgentRate', {
  count: Count,
  of: Type.Integer({ minimum: 0, description: 'The cases that the rate stands on.', examples: [40] }),
  rate: Part('`count` divided by `of`. Null without cases.', [0.85]),
  low: Part('The lower end of the 95% Wilson interval.', [0.7093]),
  high: Part('Its upper end.', [0.9294]),
  rank,
})
export type Rate = Static<typeof Rate>

const Mean = Shape('AgentMean', {
  mean: Nullable(Type.Number({ description: 'Null without cases.', examples: [3.25] })),
  of: Type.Integer({ minimum: 0, description: 'The requirements that it is the mean of.', examples: [24] }),
  rank,
})
export type Mean = Static<typeof Mean>

const AgentStanding = Shape('AgentStanding', {
  agent: Type.String({ examples: ['claude-code'] }),
  executions: Type.Integer({ minimum: 0, examples: [48] }),
  completed: Described(Rate, 'Completed executions, of those that completed or failed.'),
  gates_approved: Described(
    Rate,
    'Gates approved without changes, of those that people decided. A gate that was opened again after changes were requested is one case.',
  ),
  comparisons_won: Described(Rate, 'Comparisons won against another agent, of those that one of the two won.'),
  rollouts_failed: Described(
    Rate,
    'Rollouts that failed or were rolled back, of those whose outcome was reported. Fewer are better.',
  ),
  cost_usd_per_done: Described(
    Mean,
    'USD that its executions cost per requirement that is done, where the cost of all of them is known.',
  ),
  seconds_per_done: Described(Mean, 'Seconds from start to end of its executions per requirement that is done.'),
})
export type AgentStanding = Static<typeof AgentStanding>

export const AgentStandings = Shape('AgentStandings', {
  from: Month,
  to: Month,
  total: Type.Integer({ minimum: 0, description: 'How many agents there are. At most 100 are listed.', examples: [2] }),
  agents: Type.Array(AgentStanding, { description: 'Those with the most executions first.' }),
  caveats: Type.Array(Type.String(), { description: 'What these figures cannot tell.' }),
})
export type AgentStandings = Static<typeof AgentStandings>
