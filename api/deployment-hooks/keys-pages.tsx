/** Replaces the keys of a hook from its page. What is made is shown once, as the answer to the form. */
import type { ComponentChildren } from 'preact'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Text } from '../../core/values/schema.ts'
import { Copyable } from '../pages/components/copyable.tsx'
import { Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { type Column, Table } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { parseForm } from '../pages/forms.ts'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { pairsIn } from '../pages/typed-texts.ts'
import { contextOf } from '../plugins/request-context.ts'
import { bodyInput } from '../plugins/validation.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { replacePullToken } from '../pull-hooks/claims.ts'
import { getHook } from './hooks.ts'
import { hookPage } from './page.tsx'
import { type RotatedHook, Rotation } from './schema.ts'
import { rotateSecret, verifyRequest } from './secrets.ts'
import { CHECKS, type Verdict, Verification } from './signature-schema.ts'

export const copied = (
  title: string,
  hook_id: string,
  { value, notice, children }: { value: string; notice: ComponentChildren; children: ComponentChildren },
) => ({
  title,
  main: (
    <>
      {notice}
      <Copyable value={value} />
      {children}
      <p>
        <a href={`/app/deployment-hooks/${hook_id}`}>Back to the hook</a>
      </p>
    </>
  ),
})

export const once = (what: string, again: string) => (
  <Notice tone="warn">
    Copy the {what} now. It is shown only this once; reloading this page {again}.
  </Notice>
)

/** Until when the old key also signs. */
function Overlap({ what, until }: { what: string; until: string | null }) {
  if (until === null) return <p class="hint">No other {what} signs.</p>
  return (
    <p class="hint">
      The old {what} also signs until <Time at={until} exact />. Let the receiver accept the new one before that.
    </p>
  )
}

function rotated({ id, secret, public_key, previous_secret_until: until }: RotatedHook) {
  if (secret === undefined) {
    const notice = <Notice tone="good">The hook signs with a new key pair. Its receiver verifies with this public key.</Notice>
    const children = <Overlap what="private key" until={until} />
    return copied('New key pair', id, { value: public_key ?? '', notice, children })
  }
  const children = <Overlap what="secret" until={until} />
  return copied('New secret', id, { value: secret, notice: once('secret', 'rotates it again'), children })
}

const rotate = actionOn(hookPage, '/rotate-secret', { hook: 'admin' }, Rotation, async ({ caller, hook, change }, body) =>
  rotated(await change((tx) => rotateSecret(tx, caller, hook, body))),
)

/** Without the token, which is above to copy by itself. */
const agentLines = (hook_id: string): string =>
  `read -rs SIGNALBOX_TOKEN && export SIGNALBOX_TOKEN\nnpx --yes ${config.PUBLIC_URL}/cli.tgz agent --hook ${hook_id} --url ${config.PUBLIC_URL} -- ./deploy.sh`

const pullToken = actionOn(hookPage, '/pull-token', { hook: 'admin' }, Nothing, async ({ caller, hook, change }) => {
  const { token } = await change((tx) => replacePullToken(tx, caller, hook))
  return copied('New pull token', hook.id, {
    value: token,
    notice: once('pull token', 'replaces it'),
    children: (
      <>
        <p class="hint">The token before no longer works. Give this one to the agent where it runs:</p>
        <Verbatim
          label="Command line of the agent"
          excerpt={excerptOf(agentLines(hook.id), 4_096)}
          whole="/docs/receivers/pull"
        />
        <p class="hint">
          It claims one dispatch at a time and runs <code>./deploy.sh</code> with the payload on its standard input.{' '}
          <a href="/docs/receivers/pull">CI behind a firewall</a>
        </p>
      </>
    ),
  })
})

export const hookKeyPages = pageRoutes('hook-key-pages', rotate, pullToken)

/** What the form takes: the largest forms are a quarter of a MiB. */
const Received = Shape({ headers: Text(65_536), body: Text(131_072) })

const columns: Column<Verdict['checks'][number]>[] = [
  { head: 'Check', main: true, cell: ({ name }) => CHECKS[name].replaceAll('`', '') },
  { head: 'Outcome', cell: ({ ok }) => <State of={ok ? 'succeeded' : 'failed'} text={ok ? 'holds' : 'fails'} /> },
  { head: 'What was found', cell: ({ detail }) => detail },
]

const pathOf = ({ id }: { id: string }): string => `/app/deployment-hooks/${id}/verify`

const verifyPage = page('/app/deployment-hooks/:hook_id/verify', { hook: 'member' }, async ({ hook }) => {
  const { id, name } = await getHook(sql, hook)
  return {
    title: 'Diagnose a rejected request',
    crumbs: [tabCrumb(hook.project_id, 'deployment-hooks'), { href: `/app/deployment-hooks/${id}`, text: name }],
    main: (
      <Form card="wide" action={pathOf(hook)}>
        <TextArea
          class="code"
          name="headers"
          label="Headers"
          rows={6}
          required
          hint="All headers as the receiver got them, one per line, such as X-Signalbox-Delivery: 019a…"
        />
        <TextArea
          class="code"
          name="body"
          label="Body"
          rows={8}
          required
          hint="The raw body as it was received, before it is parsed."
        />
        <Submit>Find out</Submit>
        <p class="hint">Nothing is stored or sent, and no secret is shown.</p>
      </Form>
    ),
  }
})

const diagnose = actionOn(verifyPage, '', { hook: 'member' }, Received, async ({ request, hook, change }, { headers }) => {
  // As it was typed: normalized text would hide that the body was altered.
  const body = parseForm(contextOf(request).bytes).get('body')?.replaceAll('\r\n', '\n')
  const given = bodyInput(Verification)['~standard'].validate({ headers: pairsIn('/headers', headers), body }).value
  const { valid, checks } = await change((tx) => verifyRequest(tx, hook, given))
  return {
    title: 'Diagnosis of the request',
    crumbs: [tabCrumb(hook.project_id, 'deployment-hooks'), { href: pathOf(hook), text: 'Diagnose a rejected request' }],
    main: (
      <>
        <Notice tone={valid ? 'good' : 'bad'}>
          {valid ? 'The request is as it was sent: a receiver with the right secret accepts it.' : 'The request does not verify.'}
        </Notice>
        <Table label="Checks" columns={columns} rows={checks} />
      </>
    ),
  }
})

export const verifyPages = pageRoutes('verify-pages', verifyPage, diagnose)
