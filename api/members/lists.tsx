/** Members and invitations of an organization, and members of a workspace, as their pages show them. */
import { Button, Choice, Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Actions, Filters } from '../pages/components/lists.tsx'
import { type RowParts, Rows } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
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

function MemberActions(of: { organization: Resource<'organization'>; reader: Caller; member: Member }) {
  const { organization, reader, member } = of
  const path = `/app/organizations/${organization.id}/people/${member.user_id}`
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

/** A person in a list. */
export const personRow = ({ user_id, user_name, user_email }: PersonRow, reader_id: string) => ({
  what: user_name,
  beside: user_id === reader_id && '(you)',
  below: user_email,
})

/** A choice between members. */
export const MemberChoice = ({ of, ...field }: { of: PersonRow[]; name: string; label: string; required?: boolean }) => (
  <Choice {...field} options={of.map(({ user_id, user_name, user_email }) => [user_id, `${user_name}, ${user_email}`])} />
)

/** Searches members by name or address. */
export const MemberFilter = ({ url }: { url: URL }) => (
  <Filters url={url} fields={[{ name: 'query', label: 'Name or e-mail address', type: 'search' }]} button="Search" />
)

const memberRow = (member: Member | WorkspaceMember, reader: Caller, actions: RowParts['actions']): RowParts => ({
  ...personRow(member, reader.id),
  end: (
    <>
      <State of={member.role} tone={member.role === 'member' ? 'off' : 'run'} /> <Time at={member.joined_at} />
    </>
  ),
  actions,
})

export function MemberList(of: { organization: Resource<'organization'>; reader: Caller; rows: Member[] }) {
  const { organization, reader, rows } = of
  return (
    <Rows
      label="Members"
      of={rows}
      row={(member) => memberRow(member, reader, <MemberActions organization={organization} reader={reader} member={member} />)}
    >
      No member has such a name or address. Search for a shorter part of it.
    </Rows>
  )
}

export function Invitations({ organization, rows }: { organization: Resource<'organization'>; rows: Invitation[] }) {
  const path = `/app/organizations/${organization.id}/people/invitations`
  return (
    <Rows
      label="Invitations"
      of={rows}
      row={({ id, email, role, expires_at }) => ({
        what: email,
        end: (
          <>
            <State of={role} /> expires <Time at={expires_at} />
          </>
        ),
        actions: (role === 'member' || organization.role === 'owner') && (
          <Actions>
            <Button action={`${path}/${id}/resend`}>
              Send again<span class="unseen">: {email}</span>
            </Button>
            <Button
              action={`${path}/${id}/revoke`}
              kind="danger"
              confirm={`Revoke the invitation of ${email}? Its link stops working.`}
            >
              Revoke<span class="unseen">: {email}</span>
            </Button>
          </Actions>
        ),
      })}
    >
      No invitation is open. Invite a person by e-mail address.
    </Rows>
  )
}

export function InviteForm({ organization }: { organization: Resource<'organization'> }) {
  return (
    <Form card action={`/app/organizations/${organization.id}/people`}>
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

export function WorkspaceMemberList(of: { workspace: Resource<'workspace'>; reader: Caller; rows: WorkspaceMember[] }) {
  const { workspace, reader, rows } = of
  return (
    <Rows
      label="Members"
      of={rows}
      row={(member) =>
        memberRow(member, reader, <WorkspaceMemberActions workspace={workspace} reader={reader} member={member} />)
      }
    >
      No person has a role in this workspace alone. An admin can add members of the organization.
    </Rows>
  )
}
