/** What a new organization has already done, and still lacks. */
import { Email, Maybe, Name, Shape, type Static, Text } from '../../core/values/schema.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { addMember } from '../members/members.ts'
import { createChannel } from '../notification-channels/channels.ts'
import { createSubscription } from '../notification-channels/subscriptions.ts'
import { createOrganization, showSetup } from '../organizations/organizations.ts'
import type { Caller } from '../plugins/request-context.ts'
import { type Resource, resourceKey } from '../plugins/resources.ts'
import { bodyInput } from '../plugins/validation.ts'
import { invalidField, Problem } from '../problems.ts'
import { createProject } from '../projects/projects.ts'
import { createWorkspace } from '../workspaces/workspaces.ts'
import { isMember, type Person } from './overview.ts'

export interface Setup {
  id: string
  name: string
  /** Where the next steps are taken; null while there is none. */
  workspace_id: string | null
  project_id: string | null
  has_team: boolean
  has_channel: boolean
  has_hook: boolean
  has_requirement: boolean
  has_started: boolean
  has_approved: boolean
  has_delivered: boolean
  has_reported: boolean
}

/** Reads it from what really happened. @returns null if the organization is closed to the user */
export async function readSetup(db: Queryable, user: Person, organization_id: string): Promise<Setup | null> {
  const [setup] = await db<Setup[]>`
    select
      organization.id, organization.name, known.workspaces[1] as workspace_id, known.projects[1] as project_id,
      exists (
        select from invitations where organization_id = organization.id
        union all
        select from organization_members where organization_id = organization.id and role <> 'owner'
      ) as has_team,
      exists (
        select
        from notification_channels
        where workspace_id = any(known.workspaces) and organization_id = organization.id
      ) as has_channel,
      known.hooks <> '{}' as has_hook,
      exists (
        select from requirements where project_id = any(known.projects) and organization_id = organization.id
      ) as has_requirement,
      exists (
        select
        from executions
        where project_id = any(known.projects)
          and organization_id = organization.id
          and started_at is not null
      ) as has_started,
      exists (
        select
        from gates
        where project_id = any(known.projects)
          and organization_id = organization.id
          and status = 'approved'
      ) as has_approved,
      exists (
        select
        from dispatches
        where hook_id = any(known.hooks)
          and organization_id = organization.id
          and status = 'succeeded'
          and event <> 'test.ping'
      ) as has_delivered,
      exists (
        select
        from rollouts
        where project_id = any(known.projects)
          and organization_id = organization.id
          and reported_at is not null
      ) as has_reported
    from organizations as organization
    join organization_members as member on member.organization_id = organization.id and ${isMember(user)}
    cross join lateral (
      select
        array(select id from workspaces where organization_id = organization.id order by id) as workspaces,
        array(
          select project.id
          from workspaces as workspace
          join projects as project on project.workspace_id = workspace.id and project.organization_id = workspace.organization_id
          where workspace.organization_id = organization.id
          order by project.id
        ) as projects,
        array(
          select hook.id
          from workspaces as workspace
          join projects as project on project.workspace_id = workspace.id and project.organization_id = workspace.organization_id
          join deployment_hooks as hook on hook.project_id = project.id and hook.organization_id = project.organization_id
          where workspace.organization_id = organization.id
        ) as hooks
    ) as known
    where member.organization_id = ${organization_id} and organization.deleted_at is null
  `
  return setup ?? null
}

/** Further people are invited on the page of the organization. */
const MAX_INVITED = 20

/** The workspace that holds the first project. */
const FIRST_WORKSPACE = 'Main'

/** What a channel posts that people have not chosen events for. */
const FIRST_EVENTS = ['gate.*', 'deployment.*', 'rollout.*']

const Invited = Shape({ email: Email })

export const FirstRunInput = Shape({
  name: Name(120),
  project: Name(200),
  invited: Maybe(Text(5_000)),
  slack_webhook_url: Maybe(Text(2_048)),
  /** The name of a template for hooks. */
  ci: Maybe(Text(64)),
})

interface FirstRun {
  organization_name: string
  project_id: string
  /** How many people were added or invited. */
  invited: number
}

/** The addresses in a text, in one order, so that two people who invite each other do not wait for each other. @throws Problem 422 */
function addressesIn(text: string): Static<typeof Invited>[] {
  const addresses = [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))].toSorted()
  if (addresses.length > MAX_INVITED)
    throw invalidField('/invited', 'too_many', `must be at most ${MAX_INVITED}; invite the others later`)
  return addresses.map((email) => at('/invited', email, () => bodyInput(Invited)['~standard'].validate({ email }).value))
}

/** A problem with something that is not a field of the form, at the field that it came from. @param what the part of its text */
function moved(error: unknown, pointer: string, what?: string): unknown {
  const [first] = error instanceof Problem ? (error.errors ?? []) : []
  if (!(error instanceof Problem) || !first) return error
  const detail = what === undefined ? first.detail : `include ${what}, which ${first.detail}`
  return new Problem(error.code, error.detail, [{ ...first, pointer, detail }])
}

function at<Result>(pointer: string, what: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw moved(error, pointer, what)
  }
}

/** Creates all of it, or nothing. @throws Problem what its parts throw, at the fields of the form */
export async function setUp(tx: Tx, by: Caller, input: Static<typeof FirstRunInput>): Promise<FirstRun> {
  const addresses = addressesIn(input.invited ?? '')
  const { id: organization_id, name: organization_name } = await createOrganization(tx, by, { name: input.name })
  const organization = resourceKey('organization', organization_id, { organization_id })
  for (const address of addresses) {
    await addMember(tx, by, organization, address).catch((error: unknown) => {
      throw moved(error, '/invited', address.email)
    })
  }
  const { id: workspace_id } = await createWorkspace(tx, by, organization, { name: FIRST_WORKSPACE })
  const scope = { organization_id, workspace_id, project_id: null, role: 'admin' as const }
  const workspace: Resource<'workspace'> = { kind: 'workspace', id: workspace_id, ...scope }
  const { id: project_id } = await createProject(tx, by, workspace, { name: input.project })
  if (input.slack_webhook_url) await connectSlack(tx, by, workspace, input.slack_webhook_url)
  await showSetup(tx, by, organization_id, true)
  return { organization_name, project_id, invited: addresses.length }
}

async function connectSlack(tx: Tx, by: Caller, workspace: Resource<'workspace'>, webhook_url: string): Promise<void> {
  const input = { name: 'Slack', channel_type: 'slack' as const, config: { webhook_url } }
  const { id } = await createChannel(tx, by, workspace, input).catch((error: unknown) => {
    throw moved(error, '/slack_webhook_url')
  })
  const channel: Resource<'channel'> = { ...workspace, kind: 'channel', id }
  for (const event_pattern of FIRST_EVENTS) await createSubscription(tx, by, channel, { event_pattern })
}
