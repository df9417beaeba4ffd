/** Who the admins of a workspace are, for whoever tells them something. */
import { sql } from '../../core/platform/database.ts'

/**
 * The admins of a `place`, a row beside which this stands with its `organization_id` and `workspace_id`: those with that
 * role in the workspace, and owner and admins of the organization; without a workspace the latter alone.
 */
export const workspaceAdmins = sql`
  select member.user_id
  from organization_members as member
  where member.organization_id = place.organization_id
    and member.role in ('owner', 'admin')
  union
  select member.user_id
  from workspace_members as member
  where member.workspace_id = place.workspace_id
    and member.organization_id = place.organization_id
    and member.role = 'admin'
`
