/** Parts of a hook's page: its settings, what its dispatches contain, and how those of a pull hook are claimed. */
import type { ComponentChildren } from 'preact'
import { config } from '../../core/platform/config.ts'
import { durationText } from '../pages/components/measures.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import type { Hook } from './schema.ts'

/** What the template and the filter take of the page. */
const TEMPLATE_BYTES = 16_384
const FILTER_BYTES = 6_144

/** What makes a hook send a dispatch. */
export const TRIGGERS: Record<Hook['trigger_on'], string> = {
  gate_approved: 'a gate of the project is approved',
  workflow_done: 'a workflow of the project completes',
}

const signed = ({ signature, has_secret }: Hook): string =>
  signature === 'ed25519' ? 'with an ed25519 key' : has_secret ? 'yes' : 'no, it has no secret'

const names = (of: Record<string, string>) => {
  const all = Object.keys(of)
  return all.length === 0 ? null : <code>{all.join(', ')}</code>
}

/** Fields that the settings do not show: other parts of the page do, or they belong to another field. */
type Elsewhere =
  | ('id' | 'project_id' | 'name' | 'mode' | 'enabled' | 'disabled_reason' | 'paused')
  | ('body_template' | 'filter' | 'has_secret' | 'updated_at')

const SETTINGS: { [Field in Exclude<keyof Hook, Elsewhere>]: (hook: Hook) => [name: string, value: ComponentChildren] } = {
  url: ({ url }) => ['URL', url === null ? null : <code>{url}</code>],
  trigger_on: ({ mode, trigger_on }) => [mode === 'pull' ? 'Dispatches when' : 'Sends when', TRIGGERS[trigger_on]],
  environment: ({ environment }) => ['Environment', environment],
  signature: (hook) => ['Signed', signed(hook)],
  public_key: ({ public_key }) => ['Public key', public_key === null ? null : <code class="whole">{public_key}</code>],
  headers: ({ headers }) => ['Headers', names(headers)],
  template_secrets: ({ template_secrets }) => ['Template secrets', names(template_secrets)],
  max_age_seconds: ({ max_age_seconds: age }) => ['Not older than', age === null ? null : `${age.toLocaleString('en')} seconds`],
  report_within_seconds: ({ report_within_seconds: within }) => ['Reports within', within === null ? null : durationText(within)],
  supersede: ({ supersede }) => ['Supersedes', supersede ? 'a new dispatch cancels older pending ones' : null],
  created_at: ({ created_at }) => ['Created', <Time at={created_at} exact />],
}

/** The settings of a hook. */
export function Settings({ hook }: { hook: Hook }) {
  return (
    <Section title="Settings">
      <Facts of={Object.values(SETTINGS).map((shown) => shown(hook))} />
    </Section>
  )
}

/** The filter and the template of a hook, as they are stored, with a link to what they make of an event. */
export function Contents({ hook: { id, filter, body_template, mode } }: { hook: Hook }) {
  const whole = `GET /api/v1/deployment-hooks/${id}`
  return (
    <Section
      title={mode === 'pull' ? 'What is claimed' : 'What is sent'}
      aside={
        <div class="buttons">
          <a href={`/app/deployment-hooks/${id}/preview`}>Preview</a>
          <a href={`/app/deployment-hooks/${id}/verify`}>Diagnose a rejected request</a>
        </div>
      }
    >
      <h3>Filter</h3>
      {filter === null ? (
        <p class="hint">None: every event that triggers the hook makes a dispatch.</p>
      ) : (
        <Verbatim label="Filter" excerpt={excerptOf(JSON.stringify(filter, null, 2), FILTER_BYTES)} whole={whole} />
      )}
      <h3>Body template</h3>
      {body_template === null ? (
        <p class="hint">None: the body is the event with its organization, workspace and project.</p>
      ) : (
        <Verbatim
          label="Body template"
          excerpt={excerptOf(JSON.stringify(body_template, null, 2), TEMPLATE_BYTES)}
          whole={whole}
        />
      )}
    </Section>
  )
}

/** How the dispatches of a pull hook are claimed. */
export function Claiming({ hook: { id }, isAdmin }: { hook: Hook; isAdmin: boolean }) {
  const commands = [
    'export SIGNALBOX_TOKEN=sbx_pull_…',
    `npx signalbox agent --hook ${id} \\`,
    `  --url ${config.PUBLIC_URL} -- ./deploy.sh`,
  ].join('\n')
  return (
    <Section title="How it is claimed">
      <p>
        Dispatches wait until a CI system claims them. A claim leases a dispatch for 30 seconds to an hour; no one else gets it
        until it is acknowledged or the lease has run out. Each claim is an attempt. An agent behind your firewall runs a command
        for each dispatch:
      </p>
      <Verbatim label="How to start an agent" excerpt={excerptOf(commands, 1_024)} whole="" />
      <p class="hint">
        The token is shown once by <code>POST /api/v1/deployment-hooks/{id}/pull-token</code>
        {isAdmin ? ' and by New pull token on this page, which replace the one before' : ', which an admin calls'}. More about{' '}
        <a href="/docs/receivers/pull">pull hooks</a>.
      </p>
    </Section>
  )
}
