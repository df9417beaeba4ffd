/** The part of a hook's page that replaces its keys: the secret or key pair, and the token of a pull hook. */
import { Button, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import type { Hook } from './schema.ts'

/** How long the old key also signs, in seconds. */
const OVERLAPS: [value: string, text: string][] = [
  ['86400', 'For a day'],
  ['604800', 'For 7 days'],
  ['3600', 'For an hour'],
  ['0', 'Not at all'],
]

function Rotate({ hook: { id, signature, has_secret } }: { hook: Hook }) {
  const action = `/app/deployment-hooks/${id}/rotate-secret`
  if (signature === 'hmac' && !has_secret) {
    return (
      <>
        <p class="hint">Requests of this hook are not signed.</p>
        <Button action={action} confirm="Make a secret? It is shown once, and requests are signed from now on.">
          Make a secret
        </Button>
      </>
    )
  }
  const what = signature === 'ed25519' ? 'key pair' : 'secret'
  return (
    <Form action={action}>
      <Select name="overlap_seconds" label={`The old ${what} also signs`} options={OVERLAPS} value="86400" required />
      <Submit kind="quiet" confirm={`Rotate the ${what}? Requests are signed with the new one from now on.`}>
        Rotate the {what}
      </Submit>
    </Form>
  )
}

/** The forms that replace the keys of a hook. */
export function KeysSection({ hook }: { hook: Hook }) {
  return (
    <Section title="Keys">
      <Rotate hook={hook} />
      {hook.mode === 'pull' && (
        <>
          <h3>Pull token</h3>
          <Button
            action={`/app/deployment-hooks/${hook.id}/pull-token`}
            confirm="Make a new pull token? The one before stops working at once."
          >
            New pull token
          </Button>
        </>
      )}
    </Section>
  )
}
