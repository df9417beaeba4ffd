/** The form of a hook, and what the API gets from it. */
import { parseExactly } from '../../core/values/json.ts'
import { Maybe, Shape, type Static, Text, Type } from '../../core/values/schema.ts'
import { Checkbox } from '../pages/components/checkboxes.tsx'
import { Field, Select, TextArea } from '../pages/components/forms.tsx'
import { EnterSends } from '../pages/components/rows.tsx'
import { excerptOf, headerLines } from '../pages/components/verbatim.tsx'
import { pairsIn } from '../pages/typed-texts.ts'
import { bodyInput } from '../plugins/validation.ts'
import { invalidField } from '../problems.ts'
import { FilterRows, filterFrom } from './filter-rows.tsx'
import { TRIGGERS } from './hook-sections.tsx'
import { type Hook, HookInput, HookUpdate } from './schema.ts'

const Line = Maybe(Text(4096))
const Lines = Maybe(Text(131_072))

/** What the form has. What of it the API takes is checked by the schema of its route. */
export const HookForm = Shape({
  name: Line,
  mode: Line,
  url: Line,
  trigger_on: Line,
  environment: Line,
  signing: Line,
  secret: Line,
  headers: Lines,
  template_secrets: Lines,
  body_template: Lines,
  filter: Maybe(Type.Record(Type.String(), Text(4096))),
  report_within_seconds: Line,
  max_age_seconds: Line,
  supersede: Maybe(Type.Boolean()),
})
export type HookForm = Static<typeof HookForm>

const SIGNING: [value: string, text: string][] = [
  ['generated', 'With a secret that Signalbox makes'],
  ['own', 'With the secret below'],
  ['ed25519', 'With a private key that only Signalbox has'],
  ['none', 'Not at all'],
]

/** An empty number is none; other text is left for the schema to refuse. */
const numberIn = (text = ''): unknown => (text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : text)

function templateIn(text = ''): unknown {
  if (text.trim() === '') return null
  try {
    return parseExactly(text)
  } catch {
    throw invalidField('/body_template', 'malformed', 'must be JSON')
  }
}

/** Fields of a hook that have a button of their own, or differ between new and changed hooks. */
type Elsewhere = 'enabled' | 'paused' | 'secret' | 'signature'

/** The fields that new and changed hooks have in common. @param isPull whether its dispatches are claimed */
const common = (form: HookForm, isPull: boolean): Record<Exclude<keyof HookUpdate, Elsewhere>, unknown> => ({
  name: form.name,
  trigger_on: form.trigger_on,
  environment: form.environment,
  url: isPull ? undefined : form.url?.trim(),
  headers: isPull ? undefined : pairsIn('/headers', form.headers ?? ''),
  template_secrets: pairsIn('/template_secrets', form.template_secrets ?? ''),
  // A form leaves out a template that is too large for it.
  body_template: form.body_template === undefined ? undefined : templateIn(form.body_template),
  filter: filterFrom(form.filter ?? {}),
  report_within_seconds: numberIn(form.report_within_seconds),
  max_age_seconds: numberIn(form.max_age_seconds),
  supersede: form.supersede,
})

function signatureIn({ signing, secret }: HookForm): object {
  if (signing === 'own') return { secret: secret ?? '' }
  if (signing === 'none') return { secret: null }
  return signing === 'ed25519' ? { signature: 'ed25519' } : {}
}

/** Without the fields that the form lacks, as an API client leaves them out. */
const given = (fields: object): object => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** @throws Problem `validation_failed` */
export function newHookIn(form: HookForm): HookInput {
  const input = given({ mode: form.mode, ...common(form, form.mode === 'pull'), ...signatureIn(form) })
  return bodyInput(HookInput)['~standard'].validate(input).value as HookInput
}

/** @param mode of the stored hook @throws Problem `validation_failed` */
export function changedHookIn(form: HookForm, mode: Hook['mode']): HookUpdate {
  const secret = form.secret ? { secret: form.secret } : {}
  const input = given({ ...common(form, mode === 'pull'), ...secret })
  return bodyInput(HookUpdate)['~standard'].validate(input).value as HookUpdate
}

/** Bytes of the page that a template may take. */
const TEMPLATE_BYTES = 32_768

function TemplateField({ of }: { of: unknown }) {
  const { text, isCut } = excerptOf(of == null ? '' : JSON.stringify(of, null, 2), TEMPLATE_BYTES)
  if (isCut)
    return (
      <p class="hint">
        The body template is too large for this form, which leaves it as it is. <code>PUT /api/v1/deployment-hooks/…</code>{' '}
        changes it.
      </p>
    )
  return (
    <TextArea
      name="body_template"
      label="Body template"
      rows={12}
      class="code"
      value={text}
      hint={
        <>
          JSON in which {'"{{/environment}}"'} is a value of the event. Empty: the whole event is sent.{' '}
          <a href="/docs/receivers/ci-systems#templates">What templates can say</a>
        </>
      }
    />
  )
}

type Shown = Partial<Omit<Hook, 'body_template'>> & { body_template?: unknown }

/**
 * @param of the stored hook, or what the form begins with
 * @param isNew whether the hook is being made: then one chooses how it is called and signed
 */
export function HookFields({ of, isNew }: { of: Shown; isNew: boolean }) {
  const isPush = of.mode !== 'pull'
  return (
    <>
      <EnterSends />
      <Field name="name" label="Name" required maxLength={120} value={of.name} hint="Such as: Deploy to production." />
      {isNew && (
        <Select
          name="mode"
          label="How it is called"
          required
          value={of.mode ?? 'push'}
          options={Object.entries({
            push: 'Signalbox sends a request to its URL',
            pull: 'An agent behind your firewall asks for work',
          })}
        />
      )}
      {(isNew || isPush) && (
        <Field
          name="url"
          label="URL"
          type="url"
          maxLength={2048}
          value={of.url ?? ''}
          hint="http or https, of a public address. Empty for a hook that asks for work."
          required={!isNew}
        />
      )}
      <Select
        name="trigger_on"
        label="Called when"
        required
        value={of.trigger_on ?? 'gate_approved'}
        options={Object.entries(TRIGGERS)}
      />
      <Field
        name="environment"
        label="Environment"
        required
        maxLength={64}
        value={of.environment ?? 'production'}
        hint="Approvals for other environments do not call the hook. The policy of the environment says what may go there."
      />
      {isNew ? (
        <>
          <Select name="signing" label="How its requests are signed" required value="generated" options={SIGNING} />
          <Field
            name="secret"
            label="Secret"
            type="password"
            maxLength={256}
            autocomplete="off"
            hint="Only for a secret of your own."
          />
        </>
      ) : (
        of.signature !== 'ed25519' && (
          <Field
            name="secret"
            label="New secret"
            type="password"
            maxLength={256}
            autocomplete="off"
            hint="Leave it empty to keep the stored one. To keep the old one valid for some time, rotate it on the page of the hook."
          />
        )
      )}
      {(isNew || isPush) && (
        <TextArea
          name="headers"
          label="Headers"
          value={headerLines(of.headers ?? {})}
          hint="One on each line, such as: Authorization: Bearer … Values are stored encrypted and shown as ********, which keeps them."
        />
      )}
      <FilterRows of={(of.filter as Record<string, unknown> | null | undefined) ?? null} />
      <TemplateField of={of.body_template} />
      <TextArea
        name="template_secrets"
        label="Template secrets"
        value={headerLines(of.template_secrets ?? {})}
        hint="For {{secret:name}} in the template, one on each line: name: value."
      />
      <Field
        name="report_within_seconds"
        label="Seconds within which the outcome is reported"
        type="number"
        value={of.report_within_seconds?.toString()}
        hint="Empty: the hook expects no report."
      />
      <Field
        name="max_age_seconds"
        label="Seconds after which a dispatch is not sent any more"
        type="number"
        value={of.max_age_seconds?.toString()}
        hint="Empty: no limit."
      />
      <Checkbox name="supersede" label="A new dispatch cancels older ones that still wait" checked={of.supersede ?? false} />
    </>
  )
}
