/** Where a person allows an OAuth client to act for them (RFC 6749, section 4.1). */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nullable, OneOf, Shape, Text } from '../../core/values/schema.ts'
import { isUuid } from '../../core/values/uuids.ts'
import { listOrganizations } from '../organizations/organizations.ts'
import { Form, type Options, Select, Submit } from '../pages/components/forms.tsx'
import { Facts } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import type { View } from '../pages/layout.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import type { SignedIn } from '../plugins/request-context.ts'
import { invalidField } from '../problems.ts'
import { createCode } from './authorization-codes.ts'
import { type AuthorizationRequest, answerTo, type ReadRequest, readRequest } from './authorization-requests.ts'
import { isLoopback, redirectTarget } from './client-documents.ts'

const CHOICES = { limit: 100, after: null }

const ALL = 'all'

/** What the person can choose. Nothing is chosen for people with several organizations. */
function choicesOf(organizations: { id: string; name: string }[]): Options {
  const named = organizations.map(({ id, name }): [string, string] => [id, name])
  return [...(named.length > 1 ? [['', 'Choose…'] as [string, string]] : []), ...named, [ALL, 'All of yours, also later ones']]
}

const SCOPES: Options = [
  ['write', 'Read and change'],
  ['read', 'Only read'],
]

/** A request that is refused. @param answer that the client can be given; null if it cannot be trusted with one */
const refusedView = (problem: string, answer: string | null): View => ({
  title: 'This client cannot be allowed',
  narrow: true,
  status: 400,
  main: (
    <>
      <p>A program has sent you here to sign in to it. {problem}</p>
      <p>Nothing was allowed. If you did not start this, close the page.</p>
      {answer !== null && (
        <p>
          <a href={answer}>Go back to the program</a>
        </p>
      )}
    </>
  ),
})

function ConsentForm({ request, path, choices }: { request: AuthorizationRequest; path: string; choices: Options }) {
  return (
    <Form action={path}>
      <Select
        name="organization_id"
        label="Organization"
        required
        options={choices}
        hint="The client gets nothing from your other organizations. Admins of the organization can see and revoke its access."
      />
      <Select
        name="scope"
        label="May"
        required
        options={SCOPES.filter(([scope]) => scope === 'read' || request.scope === 'write')}
        hint="What you can, save deciding gates: that it can never do."
      />
      <div class="buttons">
        <Submit name="decision" value="allow">
          Allow
        </Submit>
        <Submit kind="danger" name="decision" value="deny" bare>
          Deny
        </Submit>
      </div>
    </Form>
  )
}

/** What the client asks for. Its name is what it calls itself; its host is not its choice. */
function consentView({ name, email }: SignedIn, request: AuthorizationRequest, path: string, choices: Options): View {
  const { client, redirect_uri, tools_only } = request
  const target = redirectTarget(redirect_uri) ?? ''
  return {
    title: 'Allow this client?',
    narrow: true,
    formTarget: target,
    main: (
      <>
        <Notice tone="warn">
          Allow only what you have started yourself, just now, in a program whose address you know.
          {isLoopback(redirect_uri) && ' Any program on this computer can pretend to be this client.'}
        </Notice>
        <Facts
          of={[
            ['Client', client.name],
            ['Its address', <code>{client.host}</code>],
            ['Leads back to', <code>{isLoopback(redirect_uri) ? `${new URL(target).host} (this computer)` : target}</code>],
            ['Acts as', `${name} (${email})`],
            ['At', new URL(config.PUBLIC_URL).host],
            ['Uses', tools_only ? 'the tools of agents' : 'the whole API'],
          ]}
        />
        <ConsentForm request={request} path={path} choices={choices} />
      </>
    ),
  }
}

/**
 * What answers a request that the person is not asked about. After signing in it is a page with a link: browsers do not follow a redirect
 * from that form to another origin, which its page does not allow because a stranger could choose it.
 */
function refusalOf({ problem, answer }: Exclude<ReadRequest, { request: unknown }>, { headers }: Request): View | { to: string } {
  const isFromOwnPage = headers.get('sec-fetch-site') === 'same-origin'
  return answer === null || isFromOwnPage ? refusedView(problem, answer) : { to: answer }
}

const authorizePage = page('/oauth/authorize', { signedIn: true }, async ({ caller, url, request }) => {
  const read = await readRequest(url.search, caller.id)
  if (!('request' in read)) return refusalOf(read, request)
  const choices = choicesOf(await listOrganizations(sql, caller, CHOICES))
  return consentView(caller, read.request, url.pathname + url.search, choices)
})

const Decision = Shape({
  organization_id: Maybe(Nullable(Text(36))),
  scope: OneOf(['read', 'write']),
  decision: OneOf(['allow', 'deny']),
})

/** @throws Problem 422 */
function chosenOrganization(given: string | null | undefined): string | null {
  if (given === ALL) return null
  if (isUuid(given)) return given
  throw invalidField('/organization_id', 'required', 'is required')
}

const decide = actionOn(
  authorizePage,
  '',
  { signedIn: true },
  Decision,
  async ({ caller, url, change, request: sent }, { organization_id, scope, decision }) => {
    // The form was sent with the request in its URL, which is read again.
    const read = await readRequest(url.search, caller.id)
    if (!('request' in read)) return refusalOf(read, sent)
    const { request } = read
    if (decision === 'deny')
      return { to: answerTo(request, { error: 'access_denied', error_description: 'The person has denied the request.' }) }
    if (scope === 'write' && request.scope === 'read') throw invalidField('/scope', 'unknown', 'is more than the client asks for')
    const consent = { organization_id: chosenOrganization(organization_id), scope }
    const code = await change((tx) => createCode(tx, caller, request, consent))
    return { to: answerTo(request, { code }) }
  },
)

export const authorizePages = pageRoutes('authorize-pages', authorizePage, decide)
