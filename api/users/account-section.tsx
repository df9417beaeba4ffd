/** The address, the password and the end of an account, on its page. */
import { ConfirmedForm, Folded } from '../pages/components/folded.tsx'
import { Button, Field, Form, Submit } from '../pages/components/forms.tsx'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { CurrentPassword, NewPassword } from '../pages/components/proof-fields.tsx'
import { Facts, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { BY_ID } from '../plugins/lists.ts'
import { IMAGE_TYPES } from './avatars.ts'
import type { Identity, User } from './schema.ts'

const OldPassword = () => <CurrentPassword label="Your current password" />

export const Avatar = ({ of: { id, name } }: { of: User }) => (
  <Section title="Picture">
    <div class="line">
      <img class="avatar" src={`/api/v1/users/${id}/avatar`} width="64" height="64" alt={name} />
      <Button action="/app/account/avatar/remove">Use the pattern</Button>
    </div>
    <Folded action="/app/account/avatar" title="Upload a picture">
      <Form action="/app/account/avatar" upload>
        <Field
          name="avatar"
          label="Picture"
          type="file"
          accept={IMAGE_TYPES.join(',')}
          required
          hint="PNG, JPEG or WebP, at most 1 MiB and 4096 × 4096 pixels. Everyone can see it. It is made smaller, and the place and the camera of a photo are removed."
        />
        <Submit>Upload</Submit>
      </Form>
    </Folded>
  </Section>
)

export function Address({ of }: { of: User }) {
  return (
    <Section title="E-mail address">
      <Facts
        of={[
          ['Address', of.email],
          ['State', of.email_verified ? <State of="verified" tone="good" /> : <State of="not verified" tone="wait" />],
          ['To be verified', of.pending_email],
          ['Account since', <Time at={of.created_at} />],
        ]}
      />
      {(of.pending_email !== null || !of.email_verified) && (
        <p class="more">
          <Button action="/app/account/address/link">Mail the link again</Button>
        </p>
      )}
      <Folded action="/app/account/address" title="Change the address">
        <Form action="/app/account/address">
          <Field name="email" label="New address" type="email" autocomplete="email" maxLength={254} required />
          <OldPassword />
          <Submit>Change the address</Submit>
        </Form>
      </Folded>
    </Section>
  )
}

export const Password = () => (
  <Section title="Password">
    <Folded action="/app/account/password" title="Change the password">
      <Form action="/app/account/password">
        <NewPassword hint="At least 12 characters. All other sessions end." />
        <OldPassword />
        <Submit>Change the password</Submit>
      </Form>
    </Folded>
  </Section>
)

export const Deletion = ({ of: { email } }: { of: User }) => (
  <Section title="Delete">
    <ConfirmedForm action="/app/account/delete" name={email} label="Your e-mail address" button="Delete the account">
      <p>
        You leave all organizations, and all sessions and tokens end. What you did stays on record under your name. Transfer or
        delete the organizations that you own first. This cannot be undone.
      </p>
      <OldPassword />
    </ConfirmedForm>
  </Section>
)

const PROVIDERS: Record<Identity['provider'], (of: Identity) => string> = {
  slack: () => 'Slack',
  github: () => 'GitHub',
  oidc: ({ issuer }) => (issuer === null ? 'OpenID' : new URL(issuer).host),
}

/** What no longer counts. */
const UNLINKED: Record<Identity['provider'], string> = {
  slack: 'Its clicks no longer decide anything.',
  github: 'What it starts no longer counts as started by you.',
  oidc: 'It no longer signs you in.',
}

const rowOf = (identity: Identity): RowParts => {
  const { id, provider, external_id, team_id, created_at } = identity
  const name = PROVIDERS[provider](identity)
  return {
    what: `${name} ${external_id}`,
    beside: team_id,
    end: <Time at={created_at} />,
    actions: (
      <Button
        action={`/app/account/identities/${id}/unlink`}
        kind="danger"
        confirm={`Unlink ${name} ${external_id}? ${UNLINKED[provider]}`}
      >
        Unlink<span class="unseen">: {external_id}</span>
      </Button>
    ),
  }
}

/** @param hasGitHub whether a GitHub account can be linked */
export function LinkedIdentities({ url, rows, hasGitHub }: { url: URL; rows: Identity[]; hasGitHub: boolean }) {
  return (
    <Section title="Linked identities">
      <Rows label="Linked identities" of={shownOf(rows)} row={rowOf}>
        No account is linked. Press Approve or Reject in Slack once: you get a link that connects the two accounts.
      </Rows>
      <Parts of="identities" url={url} name="identities_after" rows={rows} order={BY_ID} />
      {hasGitHub && (
        <p class="more">
          <Button action="/app/account/github">Link a GitHub account</Button>
        </p>
      )}
    </Section>
  )
}
