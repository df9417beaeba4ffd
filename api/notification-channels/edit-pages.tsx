/** Making, changing and deleting notification channels. */

import type { ChannelType, ConfigOf } from '../../core/notification-channels/types.ts'
import { CHANNEL_TYPES, CHANNELS, isChannelType } from '../../core/notification-channels/types.ts'
import { sql } from '../../core/platform/database.ts'
import { Maybe, Name, Nothing, OneOf, Shape, Text, Type } from '../../core/values/schema.ts'
import { Checkbox, Checkboxes } from '../pages/components/checkboxes.tsx'
import { Button, Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { Tabs } from '../pages/components/lists.tsx'
import { Section } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import { headerLines } from '../pages/components/verbatim.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { pairsIn } from '../pages/typed-texts.ts'
import { invalidField } from '../problems.ts'
import { createChannel, deleteChannel, getChannel, updateChannel } from './channels.ts'
import type { Channel } from './schema.ts'

const fields = { name: Name(120), enabled: Maybe(Type.Boolean()), config: Maybe(Type.Record(Type.String(), Text(65_536))) }

const NewChannel = Shape({ ...fields, channel_type: OneOf(CHANNEL_TYPES) })
const ChangedChannel = Shape({ ...fields, removed: Maybe(Type.Array(Text(64), { maxItems: 20 })) })

const newPath = ({ id }: { id: string }): string => `/app/workspaces/${id}/channels/new`

const ChannelFields = ({ type, of }: { type: ChannelType; of: Channel | null }) => (
  <>
    <Field name="name" label="Name" required maxLength={120} value={of?.name} hint="Such as the room that it posts to." />
    <ConfigFields type={type} stored={of?.config ?? null} />
    <Checkbox name="enabled" label="Send events" checked={of?.enabled ?? true} />
  </>
)

const newPage = page(
  '/app/workspaces/:workspace_id/channels/new',
  { workspace: 'admin' },
  ({ workspace, query, refused }) => {
    const path = newPath(workspace)
    const chosen = refused?.values.get('channel_type') ?? query.type ?? ''
    const type = isChannelType(chosen) ? chosen : null
    return {
      title: type === null ? 'New channel' : `New channel: ${CHANNELS[type].title}`,
      main: (
        <>
          <Tabs
            label="Types of channels"
            path={`${path}?type=${type}`}
            tabs={CHANNEL_TYPES.map((each) => [`${path}?type=${each}`, CHANNELS[each].title])}
          />
          {type === null ? (
            <p>A channel tells a team what happens in this workspace. Choose where to.</p>
          ) : (
            <Form card action={path}>
              <input type="hidden" name="channel_type" value={type} />
              <ChannelFields type={type} of={null} />
              <Submit>Create the channel</Submit>
            </Form>
          )}
        </>
      ),
    }
  },
  Shape({ type: Maybe(Text(20)) }),
)

const admin = { workspace: 'admin' } as const

const create = actionOn(newPage, '', admin, NewChannel, async ({ caller, workspace, change }, { config = {}, ...input }) => {
  const given = { ...input, config: configFrom(input.channel_type, config, [], true) }
  const { id } = await change((tx) => createChannel(tx, caller, workspace, given))
  return {
    to: `/app/notification-channels/${id}/subscriptions`,
    notice: 'The channel was created. Choose the events that it sends.',
  }
})

const editPath = ({ id }: { id: string }): string => `/app/notification-channels/${id}/edit`

const editPage = page('/app/notification-channels/:channel_id/edit', { channel: 'admin' }, async ({ channel }) => {
  const shown = await getChannel(sql, channel)
  const path = editPath(channel)
  const { channel_type: type } = shown
  return {
    title: 'Edit the channel',
    crumbs: [{ href: `/app/notification-channels/${shown.id}`, text: shown.name }],
    main: (
      <>
        {isChannelType(type) ? (
          <Form card action={path} updated_at={shown.updated_at}>
            <ChannelFields type={type} of={shown} />
            <Submit>Save</Submit>
          </Form>
        ) : (
          <Notice tone="warn">This version of Signalbox does not know the type of this channel.</Notice>
        )}
        <Section title="Delete">
          <Button
            action={`${path}/delete`}
            kind="danger"
            confirm={`Delete the channel ${shown.name}, its subscriptions and its log? This cannot be undone.`}
          >
            Delete the channel
          </Button>
        </Section>
      </>
    ),
  }
})

const save = actionOn(
  editPage,
  '',
  { channel: 'admin' },
  ChangedChannel,
  async ({ request, caller, channel, change }, { config = {}, removed = [], ...input }) => {
    const { channel_type } = await getChannel(sql, channel)
    const given = { ...input, config: configFrom(channel_type, config, removed, false) }
    await change((tx) => updateChannel(tx, caller, channel, given, request))
    return { to: `/app/notification-channels/${channel.id}`, notice: 'The channel was saved.' }
  },
)

const remove = actionOn(editPage, '/delete', { channel: 'admin' }, Nothing, async ({ request, caller, channel, change }) => {
  const { name } = await getChannel(sql, channel)
  await change((tx) => deleteChannel(tx, caller, channel, request))
  return { to: `/app/workspaces/${channel.workspace_id}`, notice: `The channel ${name} was deleted.` }
})

export const channelEditPages = pageRoutes('channel-edit-pages', newPage, create, editPage, save, remove)

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
function ConfigFields({ type, stored }: { type: ChannelType; stored: ConfigOf | null }) {
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
 * @param removed secrets that are to be cleared
 * @param isNew whether there is no stored config; otherwise empty fields are cleared, and empty secrets kept
 * @throws Problem 422 at a field
 */
function configFrom(
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
