/** The page that adds a member to a workspace, and the actions on its members. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text } from '../../core/values/schema.ts'
import { Choice, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Cursor, Filters, Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Empty, Section } from '../pages/components/structure.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { savePolicy, workspacePage } from '../workspaces/page.tsx'
import { listMembers } from './members.ts'
import { RoleInput, WorkspaceMemberInput } from './schema.ts'
import { addWorkspaceMember, listWorkspaceMembers, removeWorkspaceMember, updateWorkspaceMember } from './workspace-members.ts'

/** Members of the workspace that the form leaves out. Adding a person twice is refused with a message. */
const KNOWN = { limit: 1000, after: null }

const addPage = page(
  '/app/workspaces/:workspace_id/members/add',
  { workspace: 'admin' },
  async ({ workspace, url, query }) => {
    const [candidates, members] = await Promise.all([
      listMembers(sql, workspace.organization_id, query.query ?? null, partAfter(query.after)),
      listWorkspaceMembers(sql, workspace, null, KNOWN),
    ])
    const known = new Set(members.map(({ user_id }) => user_id))
    const offered = shownOf(candidates).filter(({ user_id }) => !known.has(user_id))
    return {
      title: 'Add a member',
      main: (
        <>
          <p>
            Members of the organization can be added to this workspace. Other people have to be invited to the{' '}
            <a href={`/app/organizations/${workspace.organization_id}`}>organization</a> first.
          </p>
          <Filters url={url} fields={[{ name: 'query', label: 'Name or e-mail address', type: 'search' }]} button="Search" />
          <Section title="Who">
            {offered.length === 0 ? (
              <Empty>Everyone found is already a member of this workspace. Search for another name.</Empty>
            ) : (
              <div class="card">
                <Form action={`/app/workspaces/${workspace.id}/members/add`}>
                  <Choice
                    name="user_id"
                    label="Member of the organization"
                    required
                    options={offered.map(({ user_id, user_name, user_email }) => [user_id, `${user_name}, ${user_email}`])}
                  />
                  <Select
                    name="role"
                    label="Role"
                    required
                    options={[
                      ['member', 'Member'],
                      ['admin', 'Admin: decides gates, manages members and settings'],
                    ]}
                  />
                  <Submit>Add</Submit>
                </Form>
              </div>
            )}
            <Parts of="members" url={url} name="after" rows={candidates} idOf={({ user_id }) => user_id} />
          </Section>
        </>
      ),
    }
  },
  Shape({ after: Cursor, query: Maybe(Text(254)) }),
)

const add = action(
  '/app/workspaces/:workspace_id/members/add',
  { workspace: 'admin' },
  { on: addPage, body: WorkspaceMemberInput },
  async ({ caller, workspace, change }, body) => {
    const { user_name } = await change((tx) => addWorkspaceMember(tx, caller, workspace, body))
    return { notice: `${user_name} was added to the workspace.`, to: `/app/workspaces/${workspace.id}` }
  },
)

const changeRole = action(
  '/app/workspaces/:workspace_id/members/:user_id/role',
  { workspace: 'admin' },
  { on: workspacePage, body: RoleInput },
  async ({ request, caller, workspace, params, change }, body) => {
    const user_id = (params.user_id ?? '').toLowerCase()
    const { user_name, role } = await change((tx) => updateWorkspaceMember(tx, caller, workspace, user_id, body, request))
    return { notice: `${user_name} is ${role === 'admin' ? 'an admin' : 'a member'} of the workspace now.` }
  },
)

const remove = action(
  '/app/workspaces/:workspace_id/members/:user_id/remove',
  { workspace: 'member' },
  { on: workspacePage, body: Nothing },
  async ({ request, caller, workspace, params, change }) => {
    const user_id = (params.user_id ?? '').toLowerCase()
    await change((tx) => removeWorkspaceMember(tx, caller, workspace, user_id, request))
    if (user_id !== caller.id) return { notice: 'The member was removed from the workspace.' }
    return { notice: 'You left the workspace.', to: `/app/organizations/${workspace.organization_id}` }
  },
)

export const workspacePages = pageRoutes('workspace-pages', workspacePage, savePolicy, addPage, add, changeRole, remove)
