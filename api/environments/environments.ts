/** What runs in the environments of a project. */
import { instant, sql } from '../../core/platform/database.ts'
import { type ReportedDigest, reportedDigest } from '../../core/rollouts/rollouts.ts'
import { nfc } from '../../core/values/plain-text.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import type { Key, PageQuery } from '../plugins/lists.ts'
import { following, latestFirst, listed, pageLimit, readPage } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { candidateOf, type NextGate, nextGateOf } from './candidates.ts'
import { byChain, joinPlaces, type Places, placeColumns, placesOf, readBefore } from './chains.ts'
import type { Environment, EnvironmentRollout } from './schema.ts'

/** The columns of `rollout` as a history shows it. */
const itemColumns = sql`
  dispatch.id as dispatch_id, hook.id as hook_id, rollout.event, rollout.version, rollout.url, rollout.state, rollout.at,
  ${reportedDigest} as digests
`

/** A rollout outlives its dispatch and its hook. */
const itemJoins = (organization_id: string): Fragment => sql`
  left join dispatches as dispatch on dispatch.id = rollout.id and dispatch.organization_id = ${organization_id}
  left join deployment_hooks as hook on hook.id = rollout.hook_id and hook.organization_id = ${organization_id}
`

/** SQL: a rollout of an environment as JSON; null if there is none. */
export const itemOf = (rollout_id: Fragment, organization_id: string) => sql`
  (
    select jsonb_build_object(
      'dispatch_id', dispatch.id, 'hook_id', hook.id, 'event', rollout.event, 'version', rollout.version, 'url', rollout.url,
      'state', rollout.state, 'at', ${instant(sql`rollout.at`)}
    ) || ${reportedDigest}
    from rollouts as rollout
    ${itemJoins(organization_id)}
    where rollout.id = ${rollout_id} and rollout.organization_id = ${organization_id}
  )
`

/** A rollout that is reported comes first again. */
export const BY_REPORT = latestFirst(({ at, id }: { at: string; id: string }) => [at, id])

/** The environments to read: a part of them, or one. */
type Wanted = { limit: number; after?: Key | null; name?: string; places?: Places }

/** An environment on a page, which also shows rollouts without a report. */
export interface ShownEnvironment extends Environment {
  /** The last in its history, in whatever state. */
  newest: EnvironmentRollout | null
  /** Whether the digest of what runs is known. */
  has_digest: boolean
  /** Who decides about what comes next: of one environment, if it promotes from another one. */
  next_gate: NextGate | null
  /** Why the gate for the candidate cannot be opened; null if nothing forbids it. */
  obstacle: string | null
  /** Where each environment of the project promotes from, by its name; null if none does. */
  before: Record<string, string> | null
}

/** SQL: the last rollout in the history of `name.environment`. */
const newestOf = ({ id, organization_id }: ResourceKey<'project'>) =>
  itemOf(
    sql`(
      select id
      from rollouts
      where project_id = ${id}
        and environment = name.environment
        and organization_id = ${organization_id}
      order by at desc, id desc
      limit 1
    )`,
    organization_id,
  )

/** The environments of a project, by chain and name, as its pages show them. */
export function findShownEnvironments(db: Queryable, project: ResourceKey<'project'>, wanted: Wanted) {
  const ofPolicies = (isWanted: Fragment) => sql`
    union
    select environment
    from environment_policies
    where project_id = ${project.id} and organization_id = ${project.organization_id}
      ${isWanted}
  `
  const obstacle = sql`
    (
      select obstacle
      from promotions
      where project_id = ${project.id}
        and environment = name.environment
        and organization_id = ${project.organization_id}
    )
  `
  const before = sql`
    (
      select jsonb_object_agg(environment, promotes_from)
      from environment_policies
      where project_id = ${project.id}
        and organization_id = ${project.organization_id}
        and promotes_from is not null
    )
  `
  const nextGate = wanted.name === undefined ? sql`null` : nextGateOf(project, sql`name.environment`)
  const further = sql`
    ${newestOf(project)} as newest, known.current_digest is not null as has_digest, ${nextGate} as next_gate,
    ${obstacle} as obstacle, ${before} as before,
  `
  return findEnvironments<ShownEnvironment>(db, project, wanted, further, ofPolicies)
}

/**
 * The environments of a project by chain and name, with what runs there: those that its hooks name, and those of its rollouts. One
 * statement.
 * @param further columns, each with a comma
 * @param others names of further environments: part of a union
 */
function findEnvironments<Row extends Environment>(
  db: Queryable,
  project: ResourceKey<'project'>,
  { limit, after, name, places = new Map() }: Wanted,
  further: Fragment = sql``,
  others: (isWanted: Fragment) => Fragment = () => sql``,
): Promise<Row[]> {
  const { id, organization_id } = project
  const isWanted = name === undefined ? sql`` : sql`and environment = ${name}`
  const [first = '', position = '0', last = ''] = after ?? []
  const place = placeColumns(sql`named.environment`)
  const isAfter = after ? sql`where (${place}) > (${first}, ${position}::bigint, ${last})` : sql``
  return db<Row[]>`
    select
      ${further}
      name.environment,
      ${itemOf(sql`known.current_id`, organization_id)} as current,
      ${itemOf(sql`known.previous_id`, organization_id)} as previous,
      ${itemOf(sql`known.latest_id`, organization_id)} as latest,
      figures.frequency_30d, figures.change_failure_rate_30d,
      figures.lead_time_median_seconds_30d, figures.restore_time_median_seconds_30d,
      rule.promotes_from, coalesce(rule.soak_seconds, 0) as soak_seconds,
      case when rule.promotes_from is not null
        then ${candidateOf(project, sql`name.environment`, sql`known.current_digest`)}
      end as candidate
    from (
      select named.environment, row_number() over (order by ${place}) as turn
      from (
      select environment
      from deployment_hooks
      where project_id = ${id}
        and organization_id = ${organization_id}
        and report_within_seconds is not null
        ${isWanted}
      union
      select environment
      from environments
      where project_id = ${id}
        and organization_id = ${organization_id}
        and rollout_count > 0
        ${isWanted}
      ${others(isWanted)}
      ) as named
      ${joinPlaces(places, sql`named.environment`)}
      ${isAfter}
      order by turn
      limit ${limit}
    ) as name
    left join environment_policies as rule
      on rule.project_id = ${id}
      and rule.environment = name.environment
      and rule.organization_id = ${organization_id}
    left join environments as known
      on known.project_id = ${id}
      and known.environment = name.environment
      and known.organization_id = ${organization_id}
    cross join lateral (
      select
        known.frequency_30d, known.change_failure_rate_30d,
        known.lead_time_median_seconds_30d, known.restore_time_median_seconds_30d
      where known.figures_until is null
        or known.figures_until > now()
      union all
      -- The worker has not updated them yet.
      select
        figures.frequency_30d, figures.change_failure_rate_30d,
        figures.lead_time_median_seconds_30d, figures.restore_time_median_seconds_30d
      from environment_figures(${id}, known.environment, ${organization_id}) as figures
      where known.figures_until <= now()
    ) as figures
    order by name.turn
  `
}

/** A part of the environments of a project by chain and name, with what runs there. @throws what `listed` throws */
export async function listEnvironments(
  db: Queryable,
  request: Request,
  project: ResourceKey<'project'>,
  query: { limit: number; after?: string },
): Promise<Environment[]> {
  const places = placesOf(await readBefore(db, project))
  return listed(request, query, byChain(places), (slice) => findEnvironments<Environment>(db, project, { ...slice, places }))
}

/** A rollout on a page, which names its hook. */
export type ShownRollout = EnvironmentRollout & { hook_name: string | null }

/** A page of the rollouts of an environment with the names of their hooks, newest first. */
export const listShownRollouts = (db: Queryable, project: ResourceKey<'project'>, name: string, query: PageQuery) =>
  listRollouts<ShownRollout>(db, project, name, query, sql`, hook.name as hook_name`)

/** A page of the rollouts of an environment, newest first. An unknown environment has none. */
export async function listRollouts<Item extends EnvironmentRollout = EnvironmentRollout>(
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  name: string,
  query: PageQuery,
  further: Fragment = sql``,
) {
  // As names are stored; U+0000 occurs in none, and PostgreSQL rejects it.
  const environment = nfc(name).replaceAll('\0', '\ufffd')
  const { items, ...page } = await readPage<Item & { id: string; digests: ReportedDigest }>(
    db,
    query,
    sql`
      select coalesce(sum(rollout_count), 0)
      from environments
      where project_id = ${id}
        and environment = ${environment}
        and organization_id = ${organization_id}
    `,
    sql`
      select rollout.id, ${itemColumns}${further}
      from (
        select id, organization_id, hook_id, event, version, url, state, at, digest, approved_digest
        from rollouts
        where project_id = ${id}
          and environment = ${environment}
          and organization_id = ${organization_id}
          ${following(sql`at, id`, query.after)}
        order by at desc, id desc
        ${pageLimit(query)}
      ) as rollout
      ${itemJoins(organization_id)}
      order by rollout.at desc, rollout.id desc
    `,
  )
  const rows = items.map(({ digests, ...item }) => ({ ...item, ...digests }))
  return { ...page, items: Object.assign(rows, { isCut: items.isCut }) }
}

/** Names that a form suggests. */
const MAX_NAMES = 100

/** The environments that hooks and policies of a project name. */
export async function listEnvironmentNames(db: Queryable, { id, organization_id }: ResourceKey<'project'>): Promise<string[]> {
  const rows = await db<{ environment: string }[]>`
    select environment
    from deployment_hooks
    where project_id = ${id} and organization_id = ${organization_id}
    union
    select environment
    from environment_policies
    where project_id = ${id} and organization_id = ${organization_id}
    order by environment
    limit ${MAX_NAMES}
  `
  return rows.map(({ environment }) => environment)
}

/** The page of an environment's policy. @param environment its name; without it, a form adds it */
export const policyPath = (project_id: string, environment?: string): string => {
  const path = `/app/projects/${project_id}/environment/policy`
  return environment === undefined ? path : `${path}?${new URLSearchParams({ name: environment })}`
}

/** The page of an environment. Its name is a parameter: in a path, names such as `..` would have another meaning. */
export const environmentPath = (project_id: string, environment: string): string =>
  `/app/projects/${project_id}/environment?${new URLSearchParams({ name: environment })}`
