/** What runs in the environments of a project, in their order, and what stands before each. */
import { type Freeze, type FreezesRow, freezeColumns, heldUntil, heldUntilOf } from '../../core/freezes/held-until.ts'
import { instant, sql } from '../../core/platform/database.ts'
import type { RolloutState } from '../../core/rollouts/rollouts.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Delivered } from '../dispatches/outcome.tsx'
import { given, isOpen, needed, waitsFor } from '../gates/listed-gates.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { candidateOf } from './candidates.ts'
import { type Places, placesOf } from './chains.ts'
import { itemOf } from './environments.ts'
import type { Environment, EnvironmentRollout } from './schema.ts'

/** Environments that the track has room for. */
const MAX_STOPS = 30
/** Pending gates that it shows of each. */
const MAX_GATES = 5

interface WaitingGate {
  id: string
  name: string
  approvals: number
  required_approvals: number
  waits_for_reader: boolean
  created_at: string
}

/** The last rollout, where it is not what runs. */
interface NewestRollout {
  dispatch_id: string | null
  version: string | null
  state: RolloutState
  at: string
  /** Null if it was deleted. */
  status: Delivered['status'] | null
}

interface Row extends FreezesRow {
  environment: string | null
  has_page: boolean
  promotes_from: string | null
  current: EnvironmentRollout | null
  latest: EnvironmentRollout | null
  newest: NewestRollout | null
  candidate: Environment['candidate']
  gates: WaitingGate[]
  gates_count: number
  /** The end of the last soak that dispatches wait for. */
  soaks_until: string | null
}

export interface TrackPlace
  extends Pick<Row, 'has_page' | 'promotes_from' | 'current' | 'latest' | 'newest' | 'candidate' | 'gates' | 'gates_count'> {
  environment: string
  /** Until when something is held back: by a freeze, or what was approved by its soak. */
  held_until: string | null
  freeze: { until: string; names: string[] } | null
}

/** Pending gates, the oldest first. */
export type WaitingGates = Pick<Row, 'gates' | 'gates_count'>

export interface Track {
  /** Those without an environment. */
  general: WaitingGates
  places: TrackPlace[]
  hasMore: boolean
}

function freezeOf({ freezes, now, ...row }: Row): TrackPlace['freeze'] {
  const until = heldUntilOf({ freezes, now, ...row })
  if (until === null) return null
  const holding = (freezes ?? []).filter((freeze: Freeze) => heldUntil([freeze], new Date(now)) !== null)
  return { until, names: holding.map(({ name }) => name) }
}

function placeOf(row: Row & { environment: string }): TrackPlace {
  const { environment, has_page, promotes_from, current, latest, newest, candidate, gates, gates_count, soaks_until } = row
  const freeze = freezeOf(row)
  const held_until =
    [soaks_until, freeze?.until ?? null]
      .filter((each) => each !== null)
      .sort()
      .at(-1) ?? null
  return { environment, has_page, promotes_from, current, latest, newest, candidate, gates, gates_count, held_until, freeze }
}

/** By chain, then by name; chains that begin with production come last. */
function inOrder(rows: TrackPlace[]): TrackPlace[] {
  const before = rows.flatMap(({ environment, promotes_from }): [string, string][] =>
    promotes_from === null ? [] : [[environment, promotes_from]],
  )
  const places: Places = placesOf(new Map(before))
  const keyOf = ({ environment }: TrackPlace): [isProduction: number, first: string, position: number] => {
    const { first, position } = places.get(environment) ?? { first: environment, position: 0 }
    return [Number(/^prod/i.test(first)), first, position]
  }
  const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)
  return rows.sort((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    return (
      compare(one[0], other[0]) || compare(one[1], other[1]) || compare(one[2], other[2]) || compare(a.environment, b.environment)
    )
  })
}

/** The track of a project for a reader. One statement. */
export async function readTrack(db: Queryable, project: ResourceKey<'project'>, reader: Pick<SignedIn, 'id'>): Promise<Track> {
  const { id, organization_id } = project
  const rows = await db<Row[]>`
    select
      name.environment, name.has_page, rule.promotes_from,
      ${itemOf(sql`known.current_id`, organization_id)} as current, ${itemOf(sql`known.latest_id`, organization_id)} as latest,
      case when newest.id is distinct from known.current_id then jsonb_build_object(
        'dispatch_id', newest.dispatch_id, 'version', newest.version, 'state', newest.state, 'status', newest.status,
        'at', ${instant(sql`newest.at`)}
      ) end as newest,
      case when rule.promotes_from is not null
        then ${candidateOf(project, sql`name.environment`, sql`known.current_digest`)}
      end as candidate,
      coalesce(waiting.gates, '[]') as gates, coalesce(waiting.count, 0) as gates_count,
      case when rule.promotes_from is not null then (
        select max(dispatch.soak_until)
        from deployment_hooks as hook
        join deliveries as delivery on delivery.lane_id = hook.id and delivery.organization_id = ${organization_id}
        join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = ${organization_id}
        where hook.project_id = ${id}
          and hook.organization_id = ${organization_id}
          and dispatch.environment = name.environment
          and dispatch.soak_until > now()
      ) end as soaks_until,
      ${freezeColumns}
    from (
      select each.environment, bool_or(each.has_page) as has_page
      from (
        select environment, report_within_seconds is not null as has_page
        from deployment_hooks
        where project_id = ${id} and organization_id = ${organization_id}
        union
        select environment, true
        from environments
        where project_id = ${id} and organization_id = ${organization_id} and rollout_count > 0
        union
        select environment, true
        from environment_policies
        where project_id = ${id} and organization_id = ${organization_id}
        union
        select environment, false
        from gates
        where project_id = ${id} and organization_id = ${organization_id} and status = 'pending'
      ) as each
      group by each.environment
      order by each.environment is not null, each.environment ilike 'prod%', each.environment
      limit ${MAX_STOPS + 2}
    ) as name
    left join environments as known
      on known.project_id = ${id}
      and known.environment = name.environment
      and known.organization_id = ${organization_id}
    left join environment_policies as rule
      on rule.project_id = ${id}
      and rule.environment = name.environment
      and rule.organization_id = ${organization_id}
    left join environment_policies as policy
      on policy.project_id = ${id}
      and policy.environment = name.environment
      and policy.organization_id = ${organization_id}
      and policy.freezes <> '[]'
    left join lateral (
      select rollout.id, rollout.version, rollout.state, rollout.at, dispatch.id as dispatch_id, dispatch.status
      from rollouts as rollout
      left join dispatches as dispatch on dispatch.id = rollout.id and dispatch.organization_id = ${organization_id}
      where rollout.project_id = ${id}
        and rollout.environment = name.environment
        and rollout.organization_id = ${organization_id}
      order by rollout.at desc, rollout.id desc
      limit 1
    ) as newest on true
    left join lateral (
      select
        jsonb_agg(
          jsonb_build_object(
            'id', gate.id, 'name', gate.name, 'approvals', ${given}, 'required_approvals', ${needed},
            'waits_for_reader', ${waitsFor(reader.id)}, 'created_at', ${instant(sql`gate.created_at`)}
          )
          order by gate.created_at, gate.id
        ) as gates,
        max(gate.count) as count
      from (
        select gate.*, count(*) over () as count
        from gates as gate
        where gate.project_id = ${id}
          and gate.organization_id = ${organization_id}
          and gate.environment is not distinct from name.environment
          and ${isOpen}
        order by gate.created_at, gate.id
        limit ${MAX_GATES}
      ) as gate
    ) as waiting on true
  `
  const named = rows.filter((row): row is Row & { environment: string } => row.environment !== null)
  const { gates = [], gates_count = 0 } = rows.find(({ environment }) => environment === null) ?? {}
  const places = inOrder(named.map(placeOf))
  return { general: { gates, gates_count }, places: places.slice(0, MAX_STOPS), hasMore: places.length > MAX_STOPS }
}
