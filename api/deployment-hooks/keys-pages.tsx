/** Replaces the keys of a hook from its page. What is made is shown once, as the answer to the form. */
import type { ComponentChildren } from 'preact'
import { config } from '../../core/platform/config.ts'
import { Nothing } from '../../core/values/schema.ts'
import { Copyable } from '../pages/components/copyable.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { action, pageRoutes } from '../pages/page.tsx'
import { hookPage } from './page.tsx'
import { replacePullToken } from './pull-tokens.ts'
import { type RotatedHook, Rotation } from './schema.ts'
import { rotateSecret } from './secrets.ts'

/** A page with a value to copy. */
export function copied(
  title: string,
  hook_id: string,
  { value, notice, children }: { value: string; notice: ComponentChildren; children: ComponentChildren },
) {
  return {
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
  }
}

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

const rotate = action(
  '/app/deployment-hooks/:hook_id/rotate-secret',
  { hook: 'admin' },
  { on: hookPage, body: Rotation },
  async ({ caller, hook, change }, body) => rotated(await change((tx) => rotateSecret(tx, caller, hook, body))),
)

/** Without the token, which is above to copy by itself. */
const agentLines = (hook_id: string): string =>
  `read -rs SIGNALBOX_TOKEN && export SIGNALBOX_TOKEN\nnpx signalbox agent --hook ${hook_id} --url ${config.PUBLIC_URL} -- ./deploy.sh`

const pullToken = action(
  '/app/deployment-hooks/:hook_id/pull-token',
  { hook: 'admin' },
  { on: hookPage, body: Nothing },
  async ({ caller, hook, change }) => {
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
  },
)

export const hookKeyPages = pageRoutes('hook-key-pages', rotate, pullToken)
