/** The versions to which a project can be rolled back. */

import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** Environments and versions of each that are offered. */
const MAX_ENVIRONMENTS = 10
const MAX_VERSIONS = 5
/** The newest successful rollouts of an environment in which versions are looked for. */
const MAX_ROLLOUTS = 200

/** A version that was deployed to an environment. */
export interface RanVersion {
  environment: string
  version: string
  /** When it was deployed last. */
  at: string
  is_current: boolean
}

/** The versions that ran in the environments of a project, or in one of them: by environment, the newest first. */
export const findVersions = (db: Queryable, { id, organization_id }: ResourceKey<'project'>, environment?: string) => db<
  RanVersion[]
>`
  select known.environment, ran.version, ran.at, ran.is_current
  from (
    select environment, organization_id, current_id
    from environments
    where project_id = ${id}
      and organization_id = ${organization_id}
      and current_id is not null
      ${environment === undefined ? sql`` : sql`and environment = ${environment}`}
    order by environment
    limit ${MAX_ENVIRONMENTS}
  ) as known
  cross join lateral (
    select rollout.version, max(rollout.reported_at) as at, bool_or(rollout.id = known.current_id) as is_current
    from (
      select id, version, reported_at
      from rollouts
      where project_id = ${id}
        and environment = known.environment
        and organization_id = ${organization_id}
        and state = 'succeeded'
      order by reported_at desc
      limit ${MAX_ROLLOUTS}
    ) as rollout
    where rollout.version is not null
    group by rollout.version
    order by max(rollout.reported_at) desc
    limit ${MAX_VERSIONS}
  ) as ran
  order by known.environment, ran.at desc
`
