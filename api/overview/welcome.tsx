/** The first page of the app for people without an organization. */
import type { ciTemplates } from '../deployment-hooks/ci-templates.ts'
import type { listReceivedInvitations } from '../members/received-invitations.ts'
import { ReceivedInvitations } from '../members/received-page.tsx'
import { Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import type { View } from '../pages/layout.tsx'

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
        <div class="card">
          <Form action="/app/setup">
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
        </div>
      </Section>
    </>
  ),
})
