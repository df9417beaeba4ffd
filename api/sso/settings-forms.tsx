/** The forms of the connection of an organization. */
import { Checkbox } from '../pages/components/checkboxes.tsx'
import { ConfirmedForm } from '../pages/components/folded.tsx'
import { Choice, Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import { claimLines } from '../trusts/claim-lines.ts'
import { instance } from './connections.ts'
import type { Effect, readEffects } from './preview.ts'
import type { SsoConnection } from './schema.ts'

interface Of {
  of: SsoConnection
  path: string
}

/** Connects a provider. */
export const NewConnection = ({ path }: Pick<Of, 'path'>) => (
  <>
    <Section title="Connect your provider">
      <p>
        Register Signalbox there as a web application first. Its redirect URI is shown here after this step; a provider that wants
        one at once takes any for now. <a href="/docs/sso">Single sign-on</a> has the steps for Keycloak, Authentik, Zitadel,
        Entra ID, Okta, Google and GitLab.
      </p>
      <Form card action={path}>
        <Field
          name="issuer"
          label="Issuer"
          type="url"
          maxLength={2048}
          required
          hint="Exactly as the discovery document of the provider names it, such as https://login.example.com/realms/acme."
        />
        <Field name="client_id" label="Client id" maxLength={2048} required />
        <Field name="client_secret" label="Client secret" type="password" maxLength={1024} required />
        <TextArea
          name="claims"
          label="Required claims"
          hint="One per line, such as hd: example.com. Google needs hd, gitlab.com groups_direct."
        />
        <Submit>Connect</Submit>
      </Form>
    </Section>
    {instance && (
      <Section title="Or count the provider of this service">
        <Form card action={`${path}/instance`}>
          <p>Sign-ins with {instance.name} count as those of this organization. It has no domains of its own then.</p>
          <Submit kind="quiet">Use {instance.name}</Submit>
        </Form>
      </Section>
    )}
  </>
)

/** Whom a requirement binds, and who could not get in. */
function effectOf({ bound, outside, names }: Effect): string {
  const members = `${bound} ${bound === 1 ? 'member' : 'members'}`
  if (outside === 0) return `${members}, all linked`
  const more = outside > names.length ? `, and ${outside - names.length} more` : ''
  return `${members}; no access until they connect their account: ${names.join(', ')}${more}`
}

type Effects = Awaited<ReturnType<typeof readEffects>>

/** Says what each choice would do, before it is saved. @param effects null where that is not shown */
export const Requirement = ({ of, path, effects }: Of & { effects: Effects | null }) => (
  <Section title="Who must sign in with it">
    <Form card="wide" action={path}>
      <Choice
        name="required"
        label="Members who must sign in with it"
        value={of.required}
        options={[
          ['none', 'None: it is offered.'],
          ['domains', `Linked members, and those with an address in a domain${effects ? `: ${effectOf(effects.domains)}` : ''}.`],
          ['everyone', `Everyone${effects ? `: ${effectOf(effects.everyone)}` : ''}.`],
        ]}
      />
      <Field
        name="session_hours"
        label="Hours that a sign-in lasts"
        type="number"
        required
        value={String(of.session_hours)}
        hint="1 to 168. A person who is locked at the provider loses access when they are over."
      />
      <p class="hint">
        It takes effect at once. Access by API sessions, and by tokens that were made without it, ends. You need a second factor:
        with it, you can change this if the provider is lost.
      </p>
      <Submit>Save</Submit>
    </Form>
  </Section>
)

export const Settings = ({ of, path }: Of) => (
  <Section title="Settings">
    <Form card="wide" action={path} updated_at={of.updated_at}>
      <Checkbox name="provision" label="New people become members" checked={of.provision} />
      {!of.use_instance && (
        <>
          <Checkbox
            name="trust_email"
            label="Addresses count as verified although the provider does not say so"
            checked={of.trust_email}
          />
          <Field name="client_id" label="Client id" maxLength={2048} required value={of.client_id ?? ''} />
          <Field name="client_secret" label="New client secret" type="password" maxLength={1024} hint="Empty: it stays." />
          <Field name="scopes" label="Scopes" maxLength={1000} required value={of.scopes} />
          <TextArea
            name="claims"
            label="Required claims"
            value={claimLines(of.claims)}
            hint="One per line, such as hd: example.com. Several lines with one name are alternatives."
          />
        </>
      )}
      <Field
        name="groups_claim"
        label="Claim with the groups"
        maxLength={200}
        required
        value={of.groups_claim}
        hint="A name, or a JSON Pointer such as /realm_access/roles."
      />
      <Submit>Save the settings</Submit>
    </Form>
  </Section>
)

export const hostOf = ({ issuer }: SsoConnection): string => new URL(issuer ?? instance?.issuer ?? 'https://instance').host

export const Deletion = ({ of, path }: Of) => (
  <Section title="Delete">
    <ConfirmedForm action={`${path}/delete`} name={hostOf(of)} label="Host of the provider" button="Delete the connection">
      <p>All people are unlinked, and sessions that it opened end. Members stay.</p>
    </ConfirmedForm>
  </Section>
)
