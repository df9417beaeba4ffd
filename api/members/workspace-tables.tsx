/** The members of a workspace, as its page shows them. */

import { Button } from '../pages/components/forms.tsx'
import { Actions } from '../pages/components/lists.tsx'
import { type Column, Empty, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import type { WorkspaceMember } from './schema.ts'
import { Person, RoleButton } from './tables.tsx'

function MemberActions(of: { workspace: Resource<'workspace'>; reader: Caller; member: WorkspaceMember }) {
  const { workspace, reader, member } = of
  const path = `/app/workspaces/${workspace.id}/members/${member.user_id}`
  const name = member.user_name
  const isReader = member.user_id === reader.id
  if (workspace.role === 'member' && !isReader) return null
  return (
    <Actions>
      {workspace.role !== 'member' && <RoleButton action={`${path}/role`} name={name} role={member.role} />}
      <Button
        action={`${path}/remove`}
        kind="danger"
        confirm={isReader ? 'Leave this workspace? Only an admin can add you again.' : `Remove ${name} from this workspace?`}
      >
        {isReader ? (
          'Leave'
        ) : (
          <>
            Remove<span class="unseen">: {name}</span>
          </>
        )}
      </Button>
    </Actions>
  )
}

export function WorkspaceMemberTable(of: { workspace: Resource<'workspace'>; reader: Caller; rows: WorkspaceMember[] }) {
  const { workspace, reader, rows } = of
  const columns: Column<WorkspaceMember>[] = [
    {
      head: 'Member',
      main: true,
      cell: ({ user_id, user_name, user_email }) => (
        <Person name={user_name} email={user_email} isReader={user_id === reader.id} />
      ),
    },
    { head: 'Role', word: true, cell: ({ role }) => role },
    { head: 'Added', cell: ({ joined_at }) => <Time at={joined_at} /> },
    { head: 'Actions', cell: (member) => <MemberActions workspace={workspace} reader={reader} member={member} /> },
  ]
  if (rows.length === 0)
    return <Empty>No person has a role in this workspace alone. An admin can add members of the organization.</Empty>
  return <Table label="Members" columns={columns} rows={rows} />
}
