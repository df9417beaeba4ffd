/** The address, the password and the end of an account, on its page. */
import { ConfirmedForm } from '../pages/components/confirmed.tsx'
import { Folded } from '../pages/components/folded.tsx'
import { Button, Field, Form, Submit } from '../pages/components/forms.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { IMAGE_TYPES } from './images.ts'
import type { User } from './schema.ts'

const CurrentPassword = () => (
  <Field
    name="current_password"
    label="Your current password"
    type="password"
    autocomplete="current-password"
    maxLength={256}
    required
  />
)

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
          hint="PNG, JPEG or WebP, at most 1 MiB and 4096 × 4096 pixels. Everyone can see it. The place and the camera of a photo are removed."
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
          ['State', of.email_verified ? <State of="verified" tone="good" /> : <State of="not verified" tone="warn" />],
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
          <CurrentPassword />
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
        <Field
          name="password"
          label="New password"
          type="password"
          autocomplete="new-password"
          minLength={12}
          maxLength={256}
          required
          hint="At least 12 characters. All other sessions end."
        />
        <CurrentPassword />
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
      <CurrentPassword />
    </ConfirmedForm>
  </Section>
)
