/** The admins of a workspace, for notifications and mails. */
import { sql } from '../../core/platform/database.ts'

/**
 * SQL: the admins of the workspace, and the owner and admins of the organization. A lateral subquery of a row `scope` with
 * `organization_id` and `workspace_id`; if the latter is null, only the owner and admins of the organization.
 */
export const workspaceAdmins = sql`
  select member.user_id
  from organization_members as member
  where member.organization_id = scope.organization_id
    and member.role in ('owner', 'admin')
  union
  select member.user_id
  from workspace_members as member
  where member.workspace_id = scope.workspace_id
    and member.organization_id = scope.organization_id
    and member.role = 'admin'
`
