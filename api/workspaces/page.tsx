/** The page of a workspace: its projects, channels, members and gate policy. */
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { approversOf, GatePolicyUpdate } from '../gates/policy.ts'
import { PolicyFacts, PolicyForm } from '../gates/policy-form.tsx'
import { WorkspaceMemberList } from '../members/lists.tsx'
import { listWorkspaceMembers } from '../members/workspace-members.ts'
import { listChannels } from '../notification-channels/channels.ts'
import { Channels } from '../notification-channels/list.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { MoneyOf, Prose, Time } from '../pages/components/text.tsx'
import { actionOn, page } from '../pages/page.tsx'
import { BY_JOINING, Cursor, NEWEST_FIRST } from '../plugins/lists.ts'
import { atOtherFields } from '../problems.ts'
import { Projects } from '../projects/lists.tsx'
import { listProjects } from '../projects/projects.ts'
import { WorkspaceTabs } from './tabs.tsx'
import { getWorkspace, updateWorkspace, type Workspace } from './workspaces.ts'

const WorkspaceQuery = Shape({ projects_after: Cursor, channels_after: Cursor, members_after: Cursor })

const About = ({ of }: { of: Workspace }) => (
  <Section title="About">
    {of.description !== null && <Prose>{of.description}</Prose>}
    <Facts
      of={[
        ['Key', of.workspace_key],
        ['This month', <MoneyOf usd={of.budget_used_usd} limit={of.budget_monthly_limit_usd} />],
        ['Created', <Time at={of.created_at} />],
      ]}
    />
  </Section>
)

export const workspacePage = page(
  '/app/workspaces/:workspace_id',
  { workspace: 'member' },
  async ({ caller, workspace, url, query, refused }) => {
    const isAdmin = workspace.role !== 'member'
    const path = `/app/workspaces/${workspace.id}`
    const [shown, projects, channels, members] = await Promise.all([
      getWorkspace<{ approvers: number }>(sql, workspace, sql`${approversOf(workspace)} as approvers,`),
      listProjects(sql, workspace, partAfter(url, query, 'projects_after', NEWEST_FIRST)),
      listChannels(sql, workspace, partAfter(url, query, 'channels_after', NEWEST_FIRST)),
      listWorkspaceMembers(sql, workspace, null, partAfter(url, query, 'members_after', BY_JOINING)),
    ])
    return {
      title: shown.name,
      main: (
        <>
          <WorkspaceTabs of={workspace} path={path} />
          <div class="columns">
            <div>
              <Projects url={url} rows={projects} workspace={workspace} />
              <Channels url={url} rows={channels} workspace={workspace} />
              <Section title="Members" aside={isAdmin && <a href={`${path}/members/add`}>Add a member</a>}>
                <WorkspaceMemberList workspace={workspace} reader={caller} rows={shownOf(members)} />
                <Parts of="members" url={url} name="members_after" rows={members} order={BY_JOINING} />
                <p class="hint">
                  The owner and the admins of the organization are admins of every workspace, listed here or not.
                </p>
              </Section>
            </div>
            <div>
              <About of={shown} />
              <Section title="Gate policy">
                <PolicyFacts of={shown.gate_policy} admins={shown.approvers} />
                {isAdmin && (
                  <details class="change" open={refused?.action === `${path}/gate-policy`}>
                    <summary>Change the policy</summary>
                    <PolicyForm action={`${path}/gate-policy`} of={shown.gate_policy} />
                  </details>
                )}
              </Section>
            </div>
          </div>
        </>
      ),
    }
  },
  WorkspaceQuery,
)

export const savePolicy = actionOn(
  workspacePage,
  '/gate-policy',
  { workspace: 'admin' },
  GatePolicyUpdate,
  async ({ request, caller, workspace, change }, gate_policy) => {
    await change((tx) => updateWorkspace(tx, caller, workspace, { gate_policy }, request)).catch((error: unknown) =>
      // The form has only the policy.
      atOtherFields(error, (each) => ({ ...each, pointer: each.pointer.replace('/gate_policy/', '/') })),
    )
    return { notice: 'The gate policy was saved. It applies to new gates.' }
  },
)
