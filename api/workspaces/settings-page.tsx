/** Making, changing and deleting workspaces. */
import { sql } from '../../core/platform/database.ts'
import { BudgetFields } from '../budgets/components.tsx'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Confirmation, ConfirmedForm, requireConfirmed } from '../pages/components/folded.tsx'
import { Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { WorkspaceTabs } from './tabs.tsx'
import type { Workspace } from './workspaces.ts'
import { createWorkspace, deleteWorkspace, getWorkspace, updateWorkspace, WorkspaceInput, WorkspaceUpdate } from './workspaces.ts'

/** The fields of a workspace. @param of null for a new one */
const WorkspaceFields = ({ of }: { of: Workspace | null }) => (
  <>
    <Field name="name" label="Name" required maxLength={120} value={of?.name} hint="Such as the name of a team." />
    <TextArea name="description" label="Description" maxLength={10_000} value={of?.description ?? ''} />
    <BudgetFields of={of} />
  </>
)

const newPath = ({ id }: { id: string }): string => `/app/organizations/${id}/workspaces/new`

const newPage = page('/app/organizations/:org_id/workspaces/new', { organization: 'member' }, ({ organization }) => ({
  title: 'New workspace',
  main: (
    <>
      <OrganizationTabs of={organization} path={newPath(organization)} />
      <Form card action={newPath(organization)}>
        <WorkspaceFields of={null} />
        <Submit>Create the workspace</Submit>
      </Form>
    </>
  ),
}))

const admin = { workspace: 'admin' } as const

const member = { organization: 'member' } as const

const create = actionOn(newPage, '', member, WorkspaceInput, async ({ caller, organization, change }, input) => {
  const { id, name } = await change((tx) => createWorkspace(tx, caller, organization, input))
  return { to: `/app/workspaces/${id}`, notice: `The workspace ${name} was created. You are its admin.` }
})

const settingsPath = ({ id }: { id: string }): string => `/app/workspaces/${id}/settings`

const settingsPage = page('/app/workspaces/:workspace_id/settings', { workspace: 'admin' }, async ({ workspace }) => {
  const shown = await getWorkspace(sql, workspace)
  const path = settingsPath(workspace)
  return {
    title: 'Settings',
    main: (
      <>
        <WorkspaceTabs of={workspace} path={path} />
        <Form card action={path} updated_at={shown.updated_at}>
          <WorkspaceFields of={shown} />
          <Submit>Save</Submit>
        </Form>
        <Section title="Delete">
          <ConfirmedForm action={`${path}/delete`} name={shown.name} button="Delete the workspace" updated_at={shown.updated_at}>
            <p>All its projects, hooks, channels and records are deleted at once. This cannot be undone.</p>
          </ConfirmedForm>
        </Section>
      </>
    ),
  }
})

const save = actionOn(settingsPage, '', admin, WorkspaceUpdate, async ({ request, caller, workspace, change }, input) => {
  await change((tx) => updateWorkspace(tx, caller, workspace, input, request))
  return { notice: 'The settings were saved.' }
})

const remove = actionOn(
  settingsPage,
  '/delete',
  admin,
  Confirmation,
  async ({ request, caller, workspace, change }, confirmed) => {
    const { name } = await getWorkspace(sql, workspace)
    requireConfirmed(confirmed, name)
    await change((tx) => deleteWorkspace(tx, caller, workspace, request))
    return {
      to: `/app/organizations/${workspace.organization_id}`,
      notice: `The workspace ${name} and everything in it were deleted.`,
    }
  },
)

export const workspaceSettingsPages = pageRoutes('workspace-settings-pages', newPage, create, settingsPage, save, remove)
