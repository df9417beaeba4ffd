/** How statements name a requirement. */
import { sql } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'

/** `RequirementName` of a row, of which the statement names the id. */
export const requirementName = (id: Fragment, organization_id: string): Fragment => sql`
  (
    select jsonb_build_object('id', requirement.id, 'number', requirement.number, 'title', requirement.title)
    from requirements as requirement
    where requirement.id = ${id}
      and requirement.organization_id = ${organization_id}
  )
`
