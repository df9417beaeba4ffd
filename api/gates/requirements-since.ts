/** What was completed since what runs now, for those who decide whether something else may run. */
import { instant, sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** Requirements that the page of a gate names. */
const MAX_NAMED = 20

interface CompletedRequirement {
  id: string
  number: number
  title: string
  kind: string
  completed_at: string
}

export interface RequirementsSince {
  /** Of what runs in the environment of the gate; null if it is not known. */
  version: string | null
  since: string
  count: number
  /** The last ones, the last first. */
  requirements: CompletedRequirement[]
}

/**
 * The requirements of a project that were completed since what runs in a gate's environment was deployed there: after a rollback, since
 * its version was first deployed. One statement.
 *
 * @returns null if the gate names no environment, or nothing is known to run there
 */
export async function requirementsSince(db: Queryable, { id, organization_id }: ResourceKey<'gate'>) {
  const [found] = await db<RequirementsSince[]>`
    select
      current.version, deployed.since::timestamptz(3) as since,
      (
        select count(*)
        from requirements
        where project_id = gate.project_id
          and organization_id = ${organization_id}
          and completed_at > deployed.since
      ) as count,
      (
        select coalesce(jsonb_agg(last order by last.completed_at desc, last.id desc), '[]')
        from (
          select id, number, title, kind, ${instant(sql`completed_at`)} as completed_at
          from requirements
          where project_id = gate.project_id
            and organization_id = ${organization_id}
            and completed_at > deployed.since
          order by requirements.completed_at desc, id desc
          limit ${MAX_NAMED}
        ) as last
      ) as requirements
    from gates as gate
    join environments as known
      on known.project_id = gate.project_id
      and known.environment = gate.environment
      and known.organization_id = ${organization_id}
    -- The limit makes PostgreSQL look it up by its key, and the offset read earlier rollouts once.
    cross join lateral (
      select version, event, at
      from rollouts
      where id = known.current_id and organization_id = ${organization_id}
      limit 1
    ) as current
    cross join lateral (
      select
        coalesce(
          case when current.event = 'deployment.rollback' then (
            select min(earlier.at)
            from rollouts as earlier
            where earlier.project_id = gate.project_id
              and earlier.environment = gate.environment
              and earlier.organization_id = ${organization_id}
              and earlier.version = current.version
              and earlier.state = 'succeeded'
          ) end,
          current.at
        ) as since
      offset 0
    ) as deployed
    where gate.id = ${id} and gate.organization_id = ${organization_id}
  `
  return found ?? null
}
