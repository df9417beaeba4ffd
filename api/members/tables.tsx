/** Members and invitations of an organization, as its page shows them. */
import { Button, Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Actions } from '../pages/components/lists.tsx'
import { type Column, Empty, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { hasAtLeast } from '../roles.ts'
import type { Invitation, Member } from './schema.ts'

const otherRole = (role: string): 'admin' | 'member' => (role === 'admin' ? 'member' : 'admin')

/** A button that gives a member the other role. */
export function RoleButton({ action, name, role }: { action: string; name: string; role: string }) {
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

/** A person: name and address. */
export const Person = ({ name, email, isReader }: { name: string; email: string; isReader: boolean }) => (
  <>
    <strong>{name}</strong>
    {isReader && <span class="hint"> (you)</span>}
    <p class="hint">{email}</p>
  </>
)

function MemberActions({
  organization,
  reader,
  member,
}: {
  organization: Resource<'organization'>
  reader: Caller
  member: Member
}) {
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

export function MemberTable({
  organization,
  reader,
  rows,
}: {
  organization: Resource<'organization'>
  reader: Caller
  rows: Member[]
}) {
  const columns: Column<Member>[] = [
    {
      head: 'Member',
      main: true,
      cell: ({ user_id, user_name, user_email }) => (
        <Person name={user_name} email={user_email} isReader={user_id === reader.id} />
      ),
    },
    { head: 'Role', word: true, cell: ({ role }) => role },
    { head: 'Joined', cell: ({ joined_at }) => <Time at={joined_at} /> },
    { head: 'Actions', cell: (member) => <MemberActions organization={organization} reader={reader} member={member} /> },
  ]
  if (rows.length === 0) return <Empty>No member has such a name or address. Search for a shorter part of it.</Empty>
  return <Table label="Members" columns={columns} rows={rows} />
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
  if (rows.length === 0) return <Empty>No invitation is open. Invite a person by e-mail address.</Empty>
  return <Table label="Invitations" columns={columns} rows={rows} />
}

export function InviteForm({ organization }: { organization: Resource<'organization'> }) {
  return (
    <div class="card">
      <Form action={`/app/organizations/${organization.id}/members`}>
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
            options={[
              ['member', 'Member'],
              ['admin', 'Admin: manages members and all workspaces'],
            ]}
          />
        )}
        <Submit>Invite</Submit>
      </Form>
    </div>
  )
}
