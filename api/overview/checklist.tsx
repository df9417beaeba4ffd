import type { ciTemplates } from '../deployment-hooks/ci-templates.ts'
import type { listReceivedInvitations } from '../members/received-invitations.ts'
import { ReceivedInvitations } from '../members/received-page.tsx'
import { Button, Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { Rows, Section } from '../pages/components/structure.tsx'
import { State } from '../pages/components/text.tsx'
import type { View } from '../pages/layout.tsx'
import type { Setup } from './setup.ts'

interface Step {
  isDone: boolean
  text: string
  /** What it is good for; shown with the next step. */
  why: string
  /** Where it is done; null while an earlier step is missing. */
  href: string | null
}

function stepsOf({ id, workspace_id, project_id, ...has }: Setup): Step[] {
  const inWorkspace = (path: string) => workspace_id && `/app/workspaces/${workspace_id}/${path}`
  const inProject = (path: string) => project_id && `/app/projects/${project_id}${path}`
  return [
    {
      isDone: has.has_team,
      text: 'Invite your team',
      why: 'What an agent has made is decided by a person, better by another one than who asked for it.',
      href: `/app/organizations/${id}/people`,
    },
    {
      isDone: project_id !== null,
      text: 'Create a project',
      why: 'Requirements, the work of agents and deployments belong to a project.',
      href: inWorkspace('projects/new') ?? `/app/organizations/${id}/workspaces/new`,
    },
    {
      isDone: has.has_channel,
      text: 'Connect Slack, or another channel',
      why: 'People then read there that a gate waits for them.',
      href: inWorkspace('channels/new?type=slack'),
    },
    {
      isDone: has.has_hook,
      text: 'Connect your CI system',
      why: 'A deployment hook starts your pipeline when a gate is approved.',
      href: inProject('/deployment-hooks/new'),
    },
    {
      isDone: has.has_requirement,
      text: 'Write the first requirement',
      why: 'It says what an agent is to do, and when it is done.',
      href: inProject('/requirements/new'),
    },
    {
      isDone: has.has_started,
      text: 'An agent starts to work',
      why: 'Connect it with a key. This is done when its first execution starts.',
      href: inProject('/connect'),
    },
    {
      isDone: has.has_approved,
      text: 'The first gate is approved',
      why: 'The agent opens a gate before something is deployed. It appears on this page.',
      href: inProject(''),
    },
    {
      isDone: has.has_delivered,
      text: 'The first deployment is sent',
      why: 'Your CI system gets it as soon as the gate is approved.',
      href: inProject(''),
    },
    {
      isDone: has.has_reported,
      text: 'The first rollout is reported',
      why: 'Your pipeline says whether it succeeded, so that environments show what runs.',
      href: '/docs/receivers/ci-systems',
    },
  ]
}

/** What an organization has done already, and what comes next. Follows what happens by itself. */
export function Checklist({ of }: { of: Setup }) {
  const steps = stepsOf(of)
  const next = steps.find(({ isDone }) => !isDone)
  const count = steps.filter(({ isDone }) => isDone).length
  return (
    <Section
      title={`Set up ${of.name}`}
      live="setup"
      aside={
        <div class="buttons">
          <span class="hint">
            {count} of {steps.length} done
          </span>
          <Button action={`/app/organizations/${of.id}/setup/dismiss`}>{next ? 'Dismiss' : 'Close'}</Button>
        </div>
      }
    >
      <Rows
        label="Steps"
        of={steps}
        row={(step) => ({
          state: <State of={step.isDone ? 'done' : 'to_do'} />,
          href: step.isDone ? null : step.href,
          what: step.text,
          below: step === next && step.why,
        })}
      />
      {!next && <p class="hint">Everything is set up. This list is not needed any more.</p>}
    </Section>
  )
}

export const welcome = (
  invitations: Awaited<ReturnType<typeof listReceivedInvitations>>,
  templates: Awaited<ReturnType<typeof ciTemplates>>,
): View => ({
  title: 'Welcome to Signalbox',
  main: (
    <>
      <p>Agents do the work, people approve it, and your CI system deploys it. It all belongs to an organization.</p>
      <ReceivedInvitations invitations={invitations} />
      <Section title={invitations.length > 0 ? 'An organization of your own' : 'Your organization'}>
        <Form card action="/app/setup">
          <Field
            name="name"
            label="Name"
            required
            maxLength={120}
            hint="Such as the name of your company or team."
            autofocus={invitations.length === 0}
          />
          <TextArea
            name="invited"
            label="People to invite"
            maxLength={5_000}
            hint="E-mail addresses, one on each line. They become members; you can change their roles."
          />
          <Field
            name="project"
            label="First project"
            required
            maxLength={200}
            hint="Such as the name of a product or service that you deploy."
          />
          <Field
            name="slack_webhook_url"
            label="Slack webhook"
            // As a password, it is not in a page that shows the form again.
            type="password"
            autocomplete="off"
            maxLength={2_048}
            hint="The address of an incoming webhook of your Slack app. Gates and deployments are posted there."
          />
          <Select
            name="ci"
            label="CI system"
            required
            options={[['', 'Connect it later'], ...templates.map(({ name, title }): [string, string] => [name, title])]}
            hint="The next page has a hook for it, filled in."
          />
          <Submit>Create the organization</Submit>
        </Form>
      </Section>
    </>
  ),
})
