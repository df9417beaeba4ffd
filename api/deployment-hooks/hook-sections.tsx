/** Parts of a hook's page: its settings, what its dispatches contain, and how those of a pull hook are claimed. */
import type { ComponentChildren } from 'preact'
import { config } from '../../core/platform/config.ts'
import { Maybe, OneOf, Shape, type Static, Text } from '../../core/values/schema.ts'
import { RecoverInput } from '../dispatches/schema.ts'
import { Button, Field, Form, Select, Submit, SubmitTo, TextArea } from '../pages/components/forms.tsx'
import { durationText } from '../pages/components/measures.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { bodyInput } from '../plugins/validation.ts'
import type { Hook } from './schema.ts'

/** What the template and the filter take of the page. */
const TEMPLATE_BYTES = 16_384
const FILTER_BYTES = 6_144

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
  temporary: ({ temporary }) => ['Temporary', temporary ? 'removed when no agent has claimed from it for 24 hours' : null],
  created_at: ({ created_at }) => ['Created', <Time at={created_at} exact />],
}

export const Settings = ({ hook }: { hook: Hook }) => (
  <Section title="Settings">
    <Facts of={Object.values(SETTINGS).map((shown) => shown(hook))} />
  </Section>
)

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

export function Claiming({ hook: { id }, isAdmin }: { hook: Hook; isAdmin: boolean }) {
  const agent = `npx --yes ${config.PUBLIC_URL}/cli.tgz agent --hook ${id} \\\n  --url ${config.PUBLIC_URL} -- ./deploy.sh`
  const commands = `export SIGNALBOX_TOKEN=sbx_pull_…\n${agent}`
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

export const KeysSection = ({ hook }: { hook: Hook }) => (
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

/** @param mayOverride whether the reader is an owner or admin of the organization */
export const OverrideSection = ({ hook, mayOverride }: { hook: Hook; mayOverride: boolean }) => (
  <Section title="Trigger without an approval">
    <div class="card">
      <p>
        <bdi>{hook.environment}</bdi> requires an approved gate.
        {!mayOverride && ' Only owners and admins of the organization can trigger the hook without one.'}
      </p>
      {mayOverride && (
        <Form action={`/app/deployment-hooks/${hook.id}/trigger`}>
          <TextArea name="override/reason" label="Reason" maxLength={2000} required hint="It is shown, and audited." />
          <Submit kind="danger" confirm={`Trigger ${hook.name} without an approval?`}>
            Trigger
          </Submit>
        </Form>
      )}
    </div>
  </Section>
)

const HOUR_MS = 3_600_000

/** The periods that can be chosen, and their lengths in hours. */
const PERIODS = {
  hour: ['the last hour', 1],
  day: ['the last 24 hours', 24],
  week: ['the last 7 days', 7 * 24],
  month: ['the last 30 days', 30 * 24],
} as const satisfies Record<string, [text: string, hours: number]>

type Period = keyof typeof PERIODS

const periods = Object.keys(PERIODS) as Period[]

const Typed = Maybe(Text(40))

export const RecoverForm = Shape({ period: OneOf(periods), since: Typed, until: Typed, dry_run: RecoverInput.properties.dry_run })
type RecoverForm = Static<typeof RecoverForm>

/** A time as a browser sends it, without an offset; other text is left for the schema to refuse. */
function instantOf(typed = ''): string | undefined {
  const at = new Date(`${typed}Z`)
  return typed === '' ? undefined : Number.isNaN(at.getTime()) ? typed : at.toISOString()
}

/** What the API gets from the form: the chosen period, unless other times were entered. @throws Problem `validation_failed` */
export const recoveryOf = ({ period, since, until, dry_run }: RecoverForm): RecoverInput =>
  bodyInput(RecoverInput)['~standard'].validate({
    since: instantOf(since) ?? new Date(Date.now() - PERIODS[period][1] * HOUR_MS).toISOString(),
    until: instantOf(until),
    dry_run,
  }).value

export const RecoverSection = ({ hook: { id, mode } }: { hook: Hook }) => (
  <Section title="Send again what failed">
    <Form action={`/app/deployment-hooks/${id}/recover`}>
      <Select
        name="period"
        label="Created in"
        required
        value="day"
        options={periods.map((period) => [period, PERIODS[period][0]])}
        hint={`Failed and cancelled dispatches are ${mode === 'pull' ? 'offered' : 'sent'} again, each payload once. What has succeeded since is left out.`}
      />
      <Field name="since" label="Or from, in UTC" type="datetime-local" />
      <Field name="until" label="Until, in UTC" type="datetime-local" />
      <div class="buttons">
        <Submit kind="quiet" confirm="Send all of them again?">
          Recover
        </Submit>
        <SubmitTo action={`/app/deployment-hooks/${id}/recover`} name="dry_run" value="true">
          Count them
        </SubmitTo>
      </div>
    </Form>
  </Section>
)
