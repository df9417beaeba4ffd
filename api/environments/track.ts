/** What runs in the environments of a project, in their order, and what stands before each. */
import { type Freeze, type FreezesRow, freezeColumns, heldUntil, heldUntilOf } from '../../core/freezes/held-until.ts'
import { instant, sql } from '../../core/platform/database.ts'
import type { RolloutState } from '../../core/rollouts/rollouts.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Delivered } from '../dispatches/outcome.tsx'
import { given, isOpen, needed, waitsFor } from '../gates/listed-gates.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { itemOf } from './environments.ts'
import type { EnvironmentRollout } from './schema.ts'

/** Environments that the track has room for. */
const MAX_STOPS = 30

interface WaitingGate {
  id: string
  name: string
  approvals: number
  required_approvals: number
  waits_for_reader: boolean
  /** Pending gates in this place. */
  count: number
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
  current: EnvironmentRollout | null
  newest: NewestRollout | null
  gate: WaitingGate | null
}

export interface TrackPlace extends Pick<Row, 'has_page' | 'current' | 'newest'> {
  environment: string
  /** The oldest gate that is pending for the environment. */
  gate: WaitingGate | null
  frozen: { until: string; names: string[] } | null
}

export interface Track {
  /** The oldest pending gate without an environment. */
  gate: WaitingGate | null
  places: TrackPlace[]
  hasMore: boolean
}

function frozenBy({ freezes, now, ...row }: Row): TrackPlace['frozen'] {
  const until = heldUntilOf({ freezes, now, ...row })
  if (until === null) return null
  const holding = (freezes ?? []).filter((freeze: Freeze) => heldUntil([freeze], new Date(now)) !== null)
  return { until, names: holding.map(({ name }) => name) }
}

/** The track of a project for a reader: its environments by name, production last. One statement. */
export async function readTrack(
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  reader: SignedIn,
): Promise<Track> {
  const rows = await db<Row[]>`
    select
      name.environment, name.has_page, ${itemOf(sql`known.current_id`, organization_id)} as current,
      case when newest.id is distinct from known.current_id then jsonb_build_object(
        'dispatch_id', newest.dispatch_id, 'version', newest.version, 'state', newest.state, 'status', newest.status,
        'at', ${instant(sql`newest.at`)}
      ) end as newest,
      waiting.gate, ${freezeColumns}
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
        jsonb_build_object(
          'id', gate.id, 'name', gate.name, 'approvals', ${given}, 'required_approvals', ${needed},
          'waits_for_reader', ${waitsFor(reader.id)}, 'count', gate.count
        ) as gate
      from (
        select gate.*, count(*) over () as count
        from gates as gate
        where gate.project_id = ${id}
          and gate.organization_id = ${organization_id}
          and gate.environment is not distinct from name.environment
          and ${isOpen}
        order by gate.created_at, gate.id
        limit 1
      ) as gate
    ) as waiting on true
    order by name.environment is not null, name.environment ilike 'prod%', name.environment
  `
  const places = rows.flatMap(({ environment, has_page, current, newest, gate, ...freezes }) =>
    environment === null
      ? []
      : [
          {
            environment,
            has_page,
            current,
            newest,
            gate,
            frozen: frozenBy({ environment, has_page, current, newest, gate, ...freezes }),
          },
        ],
  )
  const general = rows.find(({ environment }) => environment === null)
  return { gate: general?.gate ?? null, places: places.slice(0, MAX_STOPS), hasMore: places.length > MAX_STOPS }
}
