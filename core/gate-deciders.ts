/** Who may decide gates. */
import type { Fragment } from '../sql/index.ts'
import { sql } from './platform/database.ts'

/**
 * SQL: whether a user may approve the gate of a row of `gates`: a member of its groups who is at least a member of the workspace or,
 * if it names no groups, an admin of the workspace.
 *
 * @param gates the name of the row
 */
export const mayApprove = (user_id: Fragment, gates: Fragment = sql`gates`): Fragment => sql`
  exists (
    select 1
    from organization_members as member
    left join workspace_members as inside
      on inside.workspace_id = ${gates}.workspace_id
      and inside.organization_id = ${gates}.organization_id
      and inside.user_id = member.user_id
    where member.organization_id = ${gates}.organization_id
      and member.user_id = ${user_id}
      and (
        member.role in ('owner', 'admin')
        or inside.role = 'admin'
        or (${gates}.approvers <> '[]' and inside.user_id is not null)
      )
      and (
        ${gates}.approvers = '[]'
        or exists (
          select 1
          from group_members as grouped
          where grouped.organization_id = ${gates}.organization_id
            and grouped.user_id = member.user_id
            and ${gates}.approvers @> jsonb_build_array(jsonb_build_object('group_id', grouped.group_id))
        )
      )
  )
`

/** SQL: whether a user may decide the gate of a row of `gates`: they may approve it, or reject it as an admin of the workspace. */
export const mayDecide = (user_id: Fragment): Fragment => sql`
  (
    ${mayApprove(user_id)}
    or exists (
      select 1
      from organization_members as member
      left join workspace_members as inside
        on inside.workspace_id = gates.workspace_id
        and inside.organization_id = gates.organization_id
        and inside.user_id = member.user_id
      where member.organization_id = gates.organization_id
        and member.user_id = ${user_id}
        and (member.role in ('owner', 'admin') or inside.role = 'admin')
    )
  )
`
