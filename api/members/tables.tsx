/** Members and invitations of an organization, and members of a workspace, as their pages show them. */
import { Button, Choice, Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Actions, Filters } from '../pages/components/lists.tsx'
import { type Column, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { hasAtLeast } from '../roles.ts'
import type { Invitation, Member, WorkspaceMember } from './schema.ts'

const otherRole = (role: string): 'admin' | 'member' => (role === 'admin' ? 'member' : 'admin')

function RoleButton({ action, name, role }: { action: string; name: string; role: string }) {
  const other = otherRole(role)
  return (
    <Form action={action} inline>
      <input type="hidden" name="role" value={other} />
      <Submit kind="quiet">
        Make {other}
        <span class="unseen">: {name}</span>
      </Submit>
    </Form>
  )
}

const Person = ({ name, email, isReader }: { name: string; email: string; isReader: boolean }) => (
  <>
    <strong>{name}</strong>
    {isReader && <span class="hint"> (you)</span>}
    <p class="hint">{email}</p>
  </>
)

function MemberActions(of: { organization: Resource<'organization'>; reader: Caller; member: Member }) {
  const { organization, reader, member } = of
  const path = `/app/organizations/${organization.id}/members/${member.user_id}`
  const name = member.user_name
  if (member.role === 'owner') return null
  if (member.user_id === reader.id) {
    return (
      <Button action={`${path}/remove`} kind="danger" confirm="Leave this organization? Only an admin can add you again.">
        Leave
      </Button>
    )
  }
  if (organization.role !== 'owner' && (member.role === 'admin' || organization.role === 'member')) return null
  return (
    <Actions>
      {organization.role === 'owner' && <RoleButton action={`${path}/role`} name={name} role={member.role} />}
      <Button action={`${path}/remove`} kind="danger" confirm={`Remove ${name} from this organization and all its workspaces?`}>
        Remove<span class="unseen">: {name}</span>
      </Button>
    </Actions>
  )
}

interface PersonRow {
  user_id: string
  user_name: string
  user_email: string
}

/** The column that names a person. */
export const personColumn = <Row extends PersonRow>(reader_id: string): Column<Row> => ({
  head: 'Member',
  main: true,
  cell: ({ user_id, user_name, user_email }) => <Person name={user_name} email={user_email} isReader={user_id === reader_id} />,
})

/** A choice between members. */
export const MemberChoice = ({ of, ...field }: { of: PersonRow[]; name: string; label: string; required?: boolean }) => (
  <Choice {...field} options={of.map(({ user_id, user_name, user_email }) => [user_id, `${user_name}, ${user_email}`])} />
)

/** Searches members by name or address. */
export const MemberFilter = ({ url }: { url: URL }) => (
  <Filters url={url} fields={[{ name: 'query', label: 'Name or e-mail address', type: 'search' }]} button="Search" />
)

const columnsFor = <Row extends Member | WorkspaceMember>(
  reader: Caller,
  since: string,
  actions: Column<Row>['cell'],
): Column<Row>[] => [
  personColumn(reader.id),
  { head: 'Role', word: true, cell: ({ role }) => role },
  { head: since, cell: ({ joined_at }) => <Time at={joined_at} /> },
  { head: 'Actions', cell: actions },
]

export function MemberTable(of: { organization: Resource<'organization'>; reader: Caller; rows: Member[] }) {
  const { organization, reader, rows } = of
  const columns = columnsFor<Member>(reader, 'Joined', (member) => (
    <MemberActions organization={organization} reader={reader} member={member} />
  ))
  return (
    <Table label="Members" columns={columns} rows={rows}>
      No member has such a name or address. Search for a shorter part of it.
    </Table>
  )
}

export function Invitations({ organization, rows }: { organization: Resource<'organization'>; rows: Invitation[] }) {
  const columns: Column<Invitation>[] = [
    { head: 'Address', main: true, cell: ({ email }) => <strong>{email}</strong> },
    { head: 'Role', word: true, cell: ({ role }) => role },
    { head: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
    {
      head: 'Actions',
      cell: ({ id, email, role }) =>
        (role === 'member' || organization.role === 'owner') && (
          <Actions>
            <Button action={`/app/organizations/${organization.id}/invitations/${id}/resend`}>
              Send again<span class="unseen">: {email}</span>
            </Button>
            <Button
              action={`/app/organizations/${organization.id}/invitations/${id}/revoke`}
              kind="danger"
              confirm={`Revoke the invitation of ${email}? Its link stops working.`}
            >
              Revoke<span class="unseen">: {email}</span>
            </Button>
          </Actions>
        ),
    },
  ]
  return (
    <Table label="Invitations" columns={columns} rows={rows}>
      No invitation is open. Invite a person by e-mail address.
    </Table>
  )
}

export function InviteForm({ organization }: { organization: Resource<'organization'> }) {
  return (
    <Form card action={`/app/organizations/${organization.id}/members`}>
      <Field
        name="email"
        label="E-mail address"
        type="email"
        required
        maxLength={254}
        hint="A person with an account becomes a member at once. Others get a mail with a link, valid for 7 days."
      />
      {hasAtLeast(organization.role, 'owner') && (
        <Select
          name="role"
          label="Role"
          required
          options={Object.entries({ member: 'Member', admin: 'Admin: manages members and all workspaces' })}
        />
      )}
      <Submit>Invite</Submit>
    </Form>
  )
}

function WorkspaceMemberActions(of: { workspace: Resource<'workspace'>; reader: Caller; member: WorkspaceMember }) {
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
  const columns = columnsFor<WorkspaceMember>(reader, 'Added', (member) => (
    <WorkspaceMemberActions workspace={workspace} reader={reader} member={member} />
  ))
  return (
    <Table label="Members" columns={columns} rows={rows}>
      No person has a role in this workspace alone. An admin can add members of the organization.
    </Table>
  )
}
