/** The forms of the connection of an organization. */
import { Checkbox } from '../pages/components/checkboxes.tsx'
import { Choice, Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { ProofField } from '../pages/components/proof-fields.tsx'
import { Section } from '../pages/components/structure.tsx'
import { claimLines } from '../trusts/claim-lines.ts'
import { instance } from './connections.ts'
import type { SsoConnection } from './schema.ts'

interface NewProps {
  path: string
  isRecent: boolean
}

/** Connects a provider. */
export const NewConnection = ({ path, isRecent }: NewProps) => (
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
        <ProofField isRecent={isRecent} />
        <Submit>Connect</Submit>
      </Form>
    </Section>
    {instance && (
      <Section title="Or count the provider of this service">
        <Form card action={`${path}/instance`}>
          <p>Sign-ins with {instance.name} count as those of this organization. It has no domains of its own then.</p>
          <ProofField isRecent={isRecent} />
          <Submit kind="quiet">Use {instance.name}</Submit>
        </Form>
      </Section>
    )}
  </>
)

const REQUIRED: [SsoConnection['required'], string][] = [
  ['none', 'Nobody: it is an offer'],
  ['domains', 'Members with a linked account, or an address in one of the domains'],
  ['everyone', 'Everyone, owners too'],
]

/** Changes the connection. */
export const Settings = ({ of, path, isRecent }: NewProps & { of: SsoConnection }) => (
  <Section title="Settings">
    <Form card action={path} updated_at={of.updated_at}>
      <Choice name="required" label="Who must sign in with it" value={of.required} options={REQUIRED} />
      <Field
        name="session_hours"
        label="Hours that a sign-in lasts"
        type="number"
        required
        value={String(of.session_hours)}
        hint="1 to 168. Whoever leaves the company loses access when they are over."
      />
      <Checkbox name="provision" label="New people of a verified domain become members" checked={of.provision} />
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
      <ProofField isRecent={isRecent} />
      <Submit>Save</Submit>
    </Form>
  </Section>
)

/** One more mapping. @param targets what it can give: a value of the form, and its name */
export const NewMapping = ({ path, targets, isRecent }: NewProps & { targets: [string, string][] }) => (
  <Form card action={path}>
    <Field
      name="value"
      label="Value of the claim"
      maxLength={1000}
      required
      hint="The name or id of the group, as the provider sends it."
    />
    <Select name="gives" label="Gives" options={targets} />
    <ProofField isRecent={isRecent} />
    <Submit>Add the mapping</Submit>
  </Form>
)
