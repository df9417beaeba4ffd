/** What happened in a project, in words: from the audit log and from the rollouts that have ended. */
import { sql } from '../../core/platform/database.ts'
import { absolute, hasPage, pagePath } from '../../core/tenants/links.ts'
import { ActorShape, Instant, Nullable, OneOf, Shape, type ShownActor, type Static, Type } from '../../core/values/schema.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { environmentPath } from '../environments/environments.ts'
import { distinctName } from '../members/namesakes.ts'
import { following, type Key, latestFirst, type PageQuery, pageLimit, readPage, type Slice } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { type About, type ActivityKind, KINDS, kindOf, textOf } from './activity-texts.ts'

export const Activity = Shape('Activity', {
  at: Instant,
  kind: OneOf(KINDS, {
    description:
      'What happened: an event, or an action of the audit log. `requirement.completed` is an update to `done`, `gate.overridden` an approval by override. Of rollouts only the outcome is listed: `rollout.not_delivered` is one whose dispatch was given up, cancelled, or too old. Releases may add kinds.',
    examples: ['gate.approved'],
  }),
  text: Type.String({
    description: 'A sentence for people, without a full stop.',
    examples: ['Grace Hopper approved the gate “Release 1.4.13” for production'],
  }),
  url: Type.String({
    description: 'The page of what it is about; of the project, if that was deleted.',
    examples: ['https://signalbox.example.com/app/gates/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'],
  }),
  actor: Nullable(
    Type.Unsafe<ShownActor>({ ...ActorShape, description: 'Null for the outcome of a rollout that no user reported.' }),
  ),
})
export type Activity = Static<typeof Activity>

interface Row {
  at: string
  id: string
  kind: ActivityKind
  resource_type: string
  resource_id: string
  environment: string | null
  detail: string
  /** Null if what it is about was deleted. */
  about: About | null
  /** Null for a rollout that no user reported. */
  who: string | null
  actor: ShownActor | null
}

/** A rollout that is reported after it became `unknown` or `not_delivered` comes first again. */
export const BY_TIME = latestFirst(({ at, id }: { at: string; id: string }) => [at, id])

const entriesOf = ({ id, organization_id }: ResourceKey<'project'>) => sql`
  from audit_log_entries
  where organization_id = ${organization_id} and activity_project_id = ${id}
`

const rolloutsOf = ({ id, organization_id }: ResourceKey<'project'>) => sql`
  from rollouts
  where project_id = ${id}
    and organization_id = ${organization_id}
    and state in ('succeeded', 'failed', 'unknown', 'not_delivered')
`

/** SQL: what `item` is about, by its key; null if that was deleted. */
function aboutOf(organization_id: string) {
  const isNamed = sql`id = item.resource_id and organization_id = ${organization_id}`
  return sql`
    case item.resource_type
      when 'gate' then (
        select jsonb_build_object('name', name, 'environment', environment, 'via', decided_via) from gates where ${isNamed}
      )
      when 'requirement' then (
        select jsonb_build_object(
          'number', number, 'title', title,
          'status', (
            select to_status
            from requirement_changes
            where requirement_id = item.resource_id
              and changed_at = page.at
              and organization_id = ${organization_id}
            limit 1
          )
        )
        from requirements
        where ${isNamed}
      )
      when 'execution' then (
        select jsonb_build_object('agent', execution.agent) || (
          select jsonb_build_object('number', number, 'title', title)
          from requirements
          where id = execution.requirement_id and organization_id = ${organization_id}
        )
        from executions as execution
        where execution.id = item.resource_id and execution.organization_id = ${organization_id}
      )
      when 'deployment_hook' then (
        select jsonb_build_object('name', name, 'environment', environment) from deployment_hooks where ${isNamed}
      )
      when 'environment_policy' then (
        select jsonb_build_object('environment', environment) from environment_policies where ${isNamed}
      )
      when 'deliverable' then (
        select jsonb_build_object('title', title, 'version', version) from deliverables where ${isNamed}
      )
      when 'dual_track' then (
        select jsonb_build_object('agent', track_a_agent, 'other', track_b_agent, 'winner', winner)
        from dual_track_comparisons
        where ${isNamed}
      )
      when 'project' then '{}'
      else item.about
    end
  `
}

/** SQL: a part of the activity, newest first. @param part of the list, with its limit @param upTo as many rows as the part ends after */
function activityOf(project: ResourceKey<'project'>, after: Key | null | undefined, part: Fragment, upTo: number) {
  const { organization_id } = project
  return sql`
    select
      page.at, page.id, item.kind, item.resource_type, item.resource_id, item.environment, item.detail,
      ${aboutOf(organization_id)} as about,
      coalesce(${distinctName(organization_id, sql`item.actor_id`)}, item.actor_name) as who,
      case when item.actor_name is not null then actor_of(item.actor_id, ${organization_id}) end as actor
    from (
      -- Keys only, so that skipping to a deep page reads just the indexes.
      (
        select created_at as at, id, false as is_rollout
        ${entriesOf(project)}
          ${following(sql`created_at, id`, after)}
        order by created_at desc, id desc
        limit ${upTo}
      )
      union all
      (
        select at, id, true
        ${rolloutsOf(project)}
          ${following(sql`at, id`, after)}
        order by at desc, id desc
        limit ${upTo}
      )
      order by at desc, id desc
      ${part}
    ) as page
    cross join lateral (
      (
        select
          entry.action as kind, entry.resource_type, entry.resource_id, null as environment, entry.detail, null::jsonb as about,
          entry.actor_id, entry.actor_name
        from audit_log_entries as entry
        where entry.id = page.id
          and entry.organization_id = ${organization_id}
          and not page.is_rollout
        limit 1
      )
      union all
      (
        select
          'rollout.' || rollout.state, 'rollout',
          (
            select dispatch.id
            from dispatches as dispatch
            where dispatch.id = page.id and dispatch.organization_id = ${organization_id}
          ),
          rollout.environment, '',
          jsonb_build_object(
            'environment', rollout.environment, 'version', rollout.version, 'description', rollout.description,
            'event', rollout.event
          ),
          rollout.reported_by, case when rollout.reported_by is not null then '' end
        from rollouts as rollout
        where rollout.id = page.id
          and rollout.organization_id = ${organization_id}
          and page.is_rollout
        limit 1
      )
    ) as item
    order by page.at desc, page.id desc
  `
}

/** The page of a rollout is its dispatch's page; the rollout outlives the dispatch. */
function pathOf({ resource_type, resource_id, environment, about }: Row, project_id: string): string | null {
  if (environment !== null) return pagePath('dispatch', resource_id) ?? environmentPath(project_id, environment)
  const named = resource_type === 'environment_policy' ? about?.environment : null
  if (named != null) return environmentPath(project_id, named)
  return (about !== null && hasPage(resource_type) && pagePath(resource_type, resource_id)) || pagePath('project', project_id)
}

function shown(row: Row, project_id: string): Activity & { id: string } {
  const { at, id, actor } = row
  const kind = kindOf(row.kind, row.about)
  return { at, id, kind, text: textOf(kind, row), url: absolute(pathOf(row, project_id)) ?? '', actor }
}

/** What happened in a project, newest first; with ids, which tell items of one time apart. One statement. */
export async function listActivity(db: Queryable, project: ResourceKey<'project'>, { limit, after }: Slice) {
  const rows = await db<Row[]>`${activityOf(project, after, sql`limit ${limit}`, limit)}`
  return rows.map((row) => shown(row, project.id))
}

/** A page of `listActivity` with the total. One statement. */
export async function listActivityPage(db: Queryable, project: ResourceKey<'project'>, query: PageQuery) {
  const { items, ...page } = await readPage<Row>(
    db,
    query,
    sql`select (select count(*) ${entriesOf(project)}) + (select count(*) ${rolloutsOf(project)})`,
    activityOf(project, query.after, pageLimit(query), query.page * query.page_size + 1),
  )
  const rows = items.map((row) => shown(row, project.id))
  return { ...page, items: Object.assign(rows, { isCut: items.isCut }) }
}
