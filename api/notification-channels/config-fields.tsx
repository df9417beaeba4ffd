/** The `config` of a channel in a form. The fields of each type come from its declaration. */
import { CHANNELS, type ChannelType, type ConfigOf } from '../../core/notification-channels/types.ts'
import { Checkboxes } from '../pages/components/checkboxes.tsx'
import { Field, TextArea } from '../pages/components/forms.tsx'
import { pairsIn } from '../pages/components/pairs.tsx'
import { headerLines } from '../pages/components/verbatim.tsx'
import { invalidField } from '../problems.ts'

/** How a field is filled in: on one line, as a number, or on several lines, of texts or of names with values. */
type Kind = 'text' | 'number' | 'lines' | 'pairs'

interface ConfigField {
  name: string
  label: string
  kind: Kind
  isSecret: boolean
  isRequired: boolean
  hint: string
}

interface FieldSchema {
  type?: string
  description?: string
  default?: unknown
  examples?: unknown[]
}

const KINDS: Record<string, Kind> = { integer: 'number', array: 'lines', object: 'pairs' }

const EXPLAINED: Record<Kind, string> = {
  text: '',
  number: '',
  lines: 'One on each line.',
  pairs: 'One on each line, such as: X-Api-Key: k-123.',
}

/** The fields of a type, in the order of its schema. */
function fieldsOf(type: ChannelType): ConfigField[] {
  const { config, fields, labels } = CHANNELS[type] as {
    config: { properties: object; required?: string[] }
    fields: Record<string, string>
    labels: Record<string, string>
  }
  return Object.entries(config.properties as Record<string, FieldSchema>).map(([name, schema]) => {
    const kind = KINDS[schema.type ?? ''] ?? 'text'
    const example = kind === 'text' && schema.examples?.[0] !== undefined ? `Such as ${schema.examples[0]}.` : ''
    return {
      name,
      label: labels[name] ?? name,
      kind,
      isSecret: fields[name] === 'secret',
      isRequired: config.required?.includes(name) === true && schema.default === undefined,
      hint: [schema.description?.replaceAll('`', ''), EXPLAINED[kind], example].filter(Boolean).join(' '),
    }
  })
}

/** What a field shows. A secret text is never shown, not even its mask. */
function shownIn({ kind, isSecret }: ConfigField, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (kind === 'lines') return (value as string[]).join('\n')
  if (kind === 'pairs') return headerLines(value as Record<string, string>)
  return isSecret ? '' : String(value)
}

const KEPT = 'Leave it empty to keep the stored one.'

/** @param stored the config as the API shows it; null for a new channel */
export function ConfigFields({ type, stored }: { type: ChannelType; stored: ConfigOf | null }) {
  const values = { ...stored } as Record<string, unknown>
  const fields = fieldsOf(type)
  const removable = fields.filter(
    ({ name, kind, isSecret, isRequired }) => kind === 'text' && isSecret && !isRequired && values[name],
  )
  return (
    <>
      {fields.map((field) => {
        const isKept = field.kind === 'text' && field.isSecret && values[field.name] !== undefined
        const props = {
          key: field.name,
          name: `config/${field.name}`,
          label: field.label,
          hint: isKept ? `${field.hint} ${KEPT}` : field.hint,
          required: field.isRequired && !isKept,
          value: shownIn(field, values[field.name]),
        }
        if (field.kind === 'lines' || field.kind === 'pairs') return <TextArea {...props} />
        // As a password, what was typed is not in the page that shows the form again.
        const type = field.kind === 'number' ? 'number' : field.isSecret ? 'password' : 'text'
        return <Field {...props} type={type} autocomplete={field.isSecret ? 'off' : undefined} />
      })}
      {removable.length > 0 && (
        <Checkboxes
          name="removed"
          label="Remove what is stored"
          options={removable.map(({ name, label }) => [name, label])}
          checked={[]}
        />
      )}
    </>
  )
}

function parsed({ name, kind }: ConfigField, text: string): unknown {
  if (kind === 'lines')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (kind === 'pairs') return pairsIn(`/config/${name}`, text)
  if (kind !== 'number') return text.trim()
  if (!/^\d+$/.test(text.trim())) throw invalidField(`/config/${name}`, 'type', 'must be a number')
  return Number(text)
}

/**
 * Makes the `config` of the API from the texts of a form.
 *
 * @param removed secrets that are to be cleared
 * @param isNew whether there is no stored config; otherwise empty fields are cleared, and empty secrets kept
 * @throws Problem 422 at a field
 */
export function configFrom(
  type: ChannelType,
  texts: Record<string, string>,
  removed: readonly string[],
  isNew: boolean,
): Record<string, unknown> {
  const config: Record<string, unknown> = {}
  for (const field of fieldsOf(type)) {
    const text = texts[field.name] ?? ''
    if (text.trim() !== '') config[field.name] = parsed(field, text)
    else if (removed.includes(field.name)) config[field.name] = null
    else if (!isNew && !(field.isSecret && field.kind === 'text')) config[field.name] = null
  }
  return config
}
