/** What the data of an event names besides its subject: its requirement and its hook, so that a message needs no other source. */
import { sql } from '../platform/database.ts'

/** Ids whose names the statement that writes an event reads. */
export interface References {
  /** Becomes `data.requirement`. */
  requirement_id: string
  /** Becomes `data.requirement`, which is null without one. */
  optional_requirement_id: string | null
  /** Become `data.requirements`, by number. */
  requirement_ids: string[]
  /** Becomes `data.hook`, as `{ id, name }`. */
  hook_id: string
}

/** The subjects that are given by reference. */
export interface ReferenceIds {
  requirement: 'requirement_id'
  optional_requirement: 'optional_requirement_id'
  requirements: 'requirement_ids'
  named_hook: 'hook_id'
}

/** A requirement as events show it. */
const requirement = sql`
  jsonb_build_object('id', requirement.id, 'number', requirement.number, 'title', requirement.title)
`

/**
 * SQL: the data of the row `event` of `jsonb_to_recordset`, with what its references name. Scalar subqueries, because a join could
 * change the order of the rows.
 */
export const dataWithReferences = sql`
  event.data
  || coalesce(
    (
      select jsonb_build_object('requirement', ${requirement})
      from requirements as requirement
      where requirement.id = event.requirement_id
        and requirement.organization_id = event.organization_id
    ),
    '{}'
  )
  || case when event.requirement_ids is null then '{}' else (
    select jsonb_build_object('requirements', coalesce(jsonb_agg(${requirement} order by requirement.number), '[]'))
    from requirements as requirement
    where requirement.id = any(event.requirement_ids)
      and requirement.organization_id = event.organization_id
  ) end
  || coalesce(
    (
      select jsonb_build_object('hook', jsonb_build_object('id', hook.id, 'name', hook.name))
      from deployment_hooks as hook
      where hook.id = event.hook_id
        and hook.organization_id = event.organization_id
    ),
    '{}'
  )
`
