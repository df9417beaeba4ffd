/** The outcomes of the work of agents. */
import { approved } from '../../core/gates/gates.ts'
import type { Queryable } from '../../sql/index.ts'
import { invalidField } from '../problems.ts'
import type { AgentStanding, AgentStandings, Rate, StandingsQuery } from './schema.ts'

/** Agents are names that clients send, so there can be any number of them. */
const MAX_AGENTS = 100

/** With fewer cases, an agent has no rank: its rate is mostly chance. */
export const MIN_CASES = 20

const CAVEATS = [
  'Requirements differ in difficulty, and are not assigned at random: a low rate may only mean hard work.',
  'An agent is the name that its executions have. Who gives one name to several models or setups sees their average.',
  'People decide gates and comparisons. Whether they were right, or looked closely, is not known.',
  'Cancelled executions are in no rate, and may be those that went badly.',
  'A rollout counts for every agent whose work it deploys, and may fail for reasons of its environment. Only rollouts whose outcome was reported count.',
  'Time includes waiting for gates. Costs are those that were reported or have a price.',
  'Cases are not independent: retries, or several rollouts of one approval, make the intervals narrower than they should be.',
]

interface Counts {
  agent: string
  total: number
  executions: number
  completed: number
  ended: number
  approved: number
  decided: number
  won: number
  compared: number
  failed: number
  deployed: number
  priced: number
  mean_usd: number | null
  timed: number
  mean_seconds: number | null
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

function rateOf(count: number, of: number): Rate {
  if (of === 0) return { count, of, rate: null, low: null, high: null, rank: null }
  const { low, high } = wilsonInterval(count, of)
  return { count, of, rate: rounded(count / of), low: rounded(low), high: rounded(high), rank: null }
}

const standingOf = (counts: Counts): AgentStanding => ({
  agent: counts.agent,
  executions: counts.executions,
  completed: rateOf(counts.completed, counts.ended),
  gates_approved: rateOf(counts.approved, counts.decided),
  comparisons_won: rateOf(counts.won, counts.compared),
  rollouts_failed: rateOf(counts.failed, counts.deployed),
  cost_usd_per_done: { mean: counts.mean_usd, of: counts.priced, rank: null },
  seconds_per_done: { mean: counts.mean_seconds, of: counts.timed, rank: null },
})

type Measure = Exclude<keyof AgentStanding, 'agent' | 'executions'>

/** What agents are ranked by, the lowest first. Of an interval it is the worse end, so that few cases do not lead. */
const ORDER: Record<Measure, (of: AgentStanding) => number> = {
  completed: ({ completed }) => -(completed.low ?? 0),
  gates_approved: ({ gates_approved }) => -(gates_approved.low ?? 0),
  comparisons_won: ({ comparisons_won }) => -(comparisons_won.low ?? 0),
  rollouts_failed: ({ rollouts_failed }) => rollouts_failed.high ?? 1,
  cost_usd_per_done: ({ cost_usd_per_done }) => cost_usd_per_done.mean ?? 0,
  seconds_per_done: ({ seconds_per_done }) => seconds_per_done.mean ?? 0,
}

/** Ranks agents in each measure in which they have enough cases. Equal ones share a rank. */
function ranked(standings: AgentStanding[]): AgentStanding[] {
  const measures = Object.entries(ORDER) as [Measure, (of: AgentStanding) => number][]
  const sorted = measures.map(([measure, order]) => {
    const figures = standings.filter((each) => each[measure].of >= MIN_CASES).map(order)
    return figures.sort((one, other) => one - other)
  })
  return standings.map((each) => {
    const ranks = measures.map(([measure, order], index) => {
      const rank = each[measure].of < MIN_CASES ? null : (sorted[index]?.indexOf(order(each)) ?? 0) + 1
      return [measure, { ...each[measure], rank }]
    })
    return { ...each, ...Object.fromEntries(ranks) }
  })
}

/** The counts of the agents of an organization, those with the most executions first. One statement, for a consistent snapshot. */
const countOutcomes = (db: Queryable, organization_id: string, from: string, to: string) => {
  const begin = db`to_date(${from}, 'YYYY-MM')`
  const end = db`to_date(${to}, 'YYYY-MM') + interval '1 month'`
  return db<Counts[]>`
  with work as materialized (
    select id, project_id, requirement_id, graph_id, agent, status, cost_usd, unpriced, started_at, finished_at
    from executions
    where organization_id = ${organization_id} and created_at >= ${begin} and created_at < ${end}
  ),
  executed as (
    select
      agent, count(*) as executions, count(*) filter (where status = 'completed') as completed,
      count(*) filter (where status in ('completed', 'failed')) as ended
    from work
    group by agent
  ),
  judged as (
    -- The first decision on a question: gates with one name in one execution ask it again.
    select agent, count(*) as decided, count(*) filter (where is_approved) as approved
    from (
      select distinct on (gate.execution_id, gate.name)
        work.agent, ${approved()} as is_approved
      from work
      join gates as gate on gate.execution_id = work.id and gate.organization_id = ${organization_id}
      where gate.status in ('approved', 'rejected', 'changes_requested')
        and gate.decided_at >= ${begin}
        -- An override says nothing about the work.
        and (gate.decided_via is null or gate.decided_via <> 'override')
      order by gate.execution_id, gate.name, gate.decided_at, gate.id
    ) as question
    group by agent
  ),
  contested as (
    select track.agent, count(*) as compared, count(*) filter (where track.has_won) as won
    from dual_track_comparisons as comparison
    cross join lateral (
      values (comparison.track_a_agent, comparison.winner = 'a'), (comparison.track_b_agent, comparison.winner = 'b')
    ) as track (agent, has_won)
    where comparison.organization_id = ${organization_id}
      and comparison.created_at >= ${begin}
      and comparison.created_at < ${end}
      and comparison.winner in ('a', 'b')
      and comparison.track_a_agent <> comparison.track_b_agent
    group by track.agent
  ),
  ended_rollout as materialized (
    select id, project_id, environment, hook_id, at, state, gate_id, graph_id
    from rollouts
    where organization_id = ${organization_id}
      and state in ('succeeded', 'failed')
      and reported_at >= ${begin}
      and (gate_id is not null or graph_id is not null)
  ),
  deployed as (
    select
      deployment.agent, count(*) as deployed,
      count(*) filter (where rollout.state = 'failed' or next.event = 'deployment.rollback') as failed
    from (
      select work.agent, rollout.id
      from ended_rollout as rollout
      join gates as gate
        on gate.id = rollout.gate_id
        and gate.organization_id = ${organization_id}
        and gate.status = 'approved'
        and gate.decided_at >= ${begin}
      join work on work.id = gate.execution_id
      union
      select work.agent, rollout.id
      from ended_rollout as rollout
      join work on work.project_id = rollout.project_id and work.graph_id = rollout.graph_id
    ) as deployment
    join ended_rollout as rollout on rollout.id = deployment.id
    left join lateral (
      -- What its hook got next. It may have been a rollback.
      select event
      from rollouts as later
      where later.project_id = rollout.project_id
        and later.environment = rollout.environment
        and later.organization_id = ${organization_id}
        and later.hook_id = rollout.hook_id
        and later.state <> 'not_delivered'
        and (later.at, later.id) > (rollout.at, rollout.id)
      order by later.at, later.id
      limit 1
    ) as next on rollout.state = 'succeeded'
    group by deployment.agent
  ),
  delivered as (
    select
      agent, count(*) filter (where is_priced) as priced, round(avg(cost_usd) filter (where is_priced), 6) as mean_usd,
      count(*) as timed, round(avg(seconds), 3) as mean_seconds
    from (
      select
        agent, requirement_id, coalesce(sum(cost_usd), 0) as cost_usd,
        bool_and(started_at is null or (cost_usd is not null and unpriced = 0)) as is_priced,
        coalesce(sum(extract(epoch from finished_at - started_at)), 0) as seconds
      from work
      group by agent, requirement_id
      having bool_or(status = 'completed')
    ) as spent
    join requirements as requirement
      on requirement.id = spent.requirement_id
      and requirement.organization_id = ${organization_id}
      and requirement.status = 'done'
    group by agent
  )
  select
    agent, count(*) over () as total, coalesce(executions, 0) as executions, coalesce(completed, 0) as completed,
    coalesce(ended, 0) as ended, coalesce(approved, 0) as approved, coalesce(decided, 0) as decided, coalesce(won, 0) as won,
    coalesce(compared, 0) as compared, coalesce(failed, 0) as failed, coalesce(deployed, 0) as deployed,
    coalesce(priced, 0) as priced, mean_usd, coalesce(timed, 0) as timed, mean_seconds
  from executed
  full join judged using (agent)
  full join contested using (agent)
  full join deployed using (agent)
  full join delivered using (agent)
  order by coalesce(executions, 0) desc, agent collate "C"
  limit ${MAX_AGENTS}
`
}

async function monthsOf(db: Queryable, { from, to }: StandingsQuery): Promise<{ from: string; to: string }> {
  const [months] = await db<[{ from: string; to: string }]>`
    select
      coalesce(${from ?? null}, to_char(greatest(last - interval '11 months', date '1000-01-01'), 'YYYY-MM')) as from,
      to_char(last, 'YYYY-MM') as to
    from (select coalesce(to_date(${to ?? null}, 'YYYY-MM'), now()::date) as last) as query
  `
  return months
}

/**
 * The outcomes of the executions that were created in some months, by agent.
 * @throws Problem `validation_failed` if `from` is after `to`
 */
export async function listStandings(db: Queryable, organization_id: string, query: StandingsQuery): Promise<AgentStandings> {
  const { from, to } = await monthsOf(db, query)
  if (from > to) throw invalidField('/from', 'inverted', 'must not be after to')
  const counts = await countOutcomes(db, organization_id, from, to)
  return { from, to, total: counts[0]?.total ?? 0, agents: ranked(counts.map(standingOf)), caveats: CAVEATS }
}

/** The quantile of the normal distribution for 95%. */
const Z = 1.959963984540054

/** The 95% Wilson score interval of a share. @param of how many cases there were, at least 1 */
export function wilsonInterval(count: number, of: number): { low: number; high: number } {
  const share = count / of
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  const [middle, scale] = [share + Z ** 2 / (2 * of), 1 + Z ** 2 / of]
  // At 0 and at all, the bound is exact, and rounding must not move it.
  return { low: count === 0 ? 0 : (middle - spread) / scale, high: count === of ? 1 : (middle + spread) / scale }
}
