/** The page where operators set up the GitHub App of the service, and where GitHub leads them back to. */
import { readApp } from '../../core/github/app.ts'
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, OneOf, Shape, Text } from '../../core/values/schema.ts'
import { Confirmation, ConfirmedForm, Folded, requireConfirmed } from '../pages/components/folded.tsx'
import { Button, Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import type { View } from '../pages/layout.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import type { SignedIn } from '../plugins/request-context.ts'
import {
  agreeOn,
  confirmWebhookSecret,
  type GitHubApp,
  GitHubAppInput,
  removeApp,
  sendWebhookSecret,
  shownApp,
  storeApp,
} from './app.ts'
import { CONVERSION, completeManifest, isReachable, manifestForm, type Wanted } from './manifest.ts'
import { visitFrom } from './visits.ts'

const OPERATOR = { operator: true } as const

const MANUAL = (
  <p>
    <a href="/docs/github">How it works</a>
  </p>
)

function setUpView(by: SignedIn, wanted: Wanted): View {
  const { action, manifest, origin } = manifestForm(by, wanted)
  return {
    title: 'GitHub',
    formTarget: origin,
    main: (
      <Section title="Set up">
        <p>
          This service gets a GitHub App of its own at <strong>{origin}</strong>
          {wanted.organization !== null && ` in the organization ${wanted.organization}`}. GitHub shows what it may do, makes it,
          and leads back here. {wanted.isPublic ? 'Any account can install it.' : 'Only its owner can install it.'}
        </p>
        {!isReachable() && (
          <Notice tone="warn">
            The address of this service is one of this computer. github.com refuses it: set PUBLIC_URL to one that GitHub reaches.
          </Notice>
        )}
        <form method="post" action={action}>
          <input type="hidden" name="manifest" value={manifest} />
          <Submit>Create the app at GitHub</Submit>
        </form>
        <p class="hint">
          For an app that belongs to an organization, that other accounts can install, or on GitHub Enterprise, open{' '}
          <code>/app/github?url=https://github.example.com&amp;organization=acme&amp;public=true</code>.
        </p>
        {MANUAL}
      </Section>
    ),
  }
}

function Stored({ of }: { of: GitHubApp }) {
  const { webhook_secret_at, webhook_secret_confirmed, previous_webhook_secret_until: until } = of
  return (
    <Section title="App">
      <Facts
        of={[
          ['At GitHub', <a href={of.html_url}>{of.slug}</a>],
          ['GitHub', of.url],
          ['App id', String(of.app_id)],
          ['Client id', <code>{of.client_id}</code>],
          [
            'Private key',
            <>
              stored <Time at={of.private_key_at} />
            </>,
          ],
          [
            'Client secret',
            <>
              stored <Time at={of.client_secret_at} />
            </>,
          ],
          [
            'Webhook secret',
            <>
              stored <Time at={webhook_secret_at} />
            </>,
          ],
          [
            'The one before',
            until === null ? null : (
              <>
                verifies until <Time at={until} />
              </>
            ),
          ],
          ['At GitHub', webhook_secret_confirmed ? null : <State of="not confirmed" tone="wait" />],
        ]}
      />
      {!webhook_secret_confirmed && (
        <Notice tone="warn">GitHub has not confirmed the new webhook secret. Both verify deliveries: rotate again.</Notice>
      )}
      <p class="buttons">
        <Button action="/app/github/rotate">Rotate the webhook secret</Button>
      </p>
      <Folded action="/app/github" title="Replace the key or a secret">
        <Form action="/app/github" updated_at={of.updated_at}>
          <TextArea
            name="private_key"
            label="Private key"
            secret
            maxLength={16_384}
            hint="In PEM, as GitHub makes them. Generate one at GitHub first."
          />
          <Field name="client_secret" label="Client secret" type="password" autocomplete="off" maxLength={255} />
          <Field name="webhook_secret" label="Webhook secret" type="password" autocomplete="off" maxLength={255} />
          <Submit>Save</Submit>
        </Form>
      </Folded>
      {MANUAL}
    </Section>
  )
}

const Removal = ({ of }: { of: GitHubApp }) => (
  <Section title="Remove">
    <ConfirmedForm action="/app/github/remove" name={of.slug} label="Name of the app" button="Remove the app">
      <p>
        This service forgets the app and its secrets, once no organization is connected to it. At GitHub it still exists:{' '}
        <a href={of.html_url}>delete it there</a>.
      </p>
    </ConfirmedForm>
  </Section>
)

const appPage = page(
  '/app/github',
  OPERATOR,
  async ({ caller, query }): Promise<View> => {
    const app = await readApp(sql)
    if (!app) {
      const { url = 'https://github.com', organization = null, public: isPublic = 'false' } = query
      return setUpView(caller, { url, organization, isPublic: isPublic === 'true' })
    }
    const of = shownApp(app)
    return {
      title: 'GitHub',
      main: (
        <>
          <Stored of={of} />
          <Removal of={of} />
        </>
      ),
    }
  },
  Shape({ url: Maybe(Text(2048)), organization: Maybe(Text(100)), public: Maybe(OneOf(['true', 'false'])) }),
)

/** Empty fields change nothing. */
const Replacement = Shape({
  private_key: GitHubAppInput.properties.private_key,
  client_secret: Maybe(Text(255)),
  webhook_secret: Maybe(Text(255)),
})

const replace = actionOn(appPage, '', OPERATOR, Replacement, async ({ caller, change, request }, body) => {
  const given = Object.fromEntries(Object.entries(body).filter(([, text]) => text !== ''))
  const agreed = await agreeOn(given)
  await change((tx) => storeApp(tx, caller, agreed, request))
  return { notice: 'GitHub agrees. It is saved.' }
})

const rotate = actionOn(appPage, '/rotate', OPERATOR, Nothing, async ({ caller, change }) => {
  await sendWebhookSecret(caller)
  await change(confirmWebhookSecret)
  return { notice: 'GitHub signs with a new secret now. The one before verifies deliveries for 24 hours more.' }
})

const remove = actionOn(appPage, '/remove', OPERATOR, Confirmation, async ({ caller, change, request }, body) => {
  const app = await readApp(sql)
  if (app) requireConfirmed(body, app.slug)
  await change((tx) => removeApp(tx, caller, request))
  return { notice: 'The app was removed.' }
})

const conversion = page(CONVERSION, OPERATOR, async ({ caller, request, url }) => {
  const { slug } = await completeManifest(caller, visitFrom(request, url))
  return {
    to: '/app/github',
    notice: `GitHub has made the app ${slug}. Now an owner installs it, and an admin connects it to an organization.`,
  }
})

export const githubAppPages = pageRoutes('github-app-pages', appPage, replace, rotate, remove, conversion)
