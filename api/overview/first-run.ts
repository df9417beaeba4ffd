/** What a newcomer sets up with one form: an organization with a workspace and a project, its people, and a Slack channel. */
import { Email, Maybe, Name, Shape, type Static, Text } from '../../core/values/schema.ts'
import type { Tx } from '../../sql/index.ts'
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
  if (addresses.length > MAX_INVITED) {
    throw invalidField('/invited', 'too_many', `must be at most ${MAX_INVITED}; invite the others later`)
  }
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
