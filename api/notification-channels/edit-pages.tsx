/** Making, changing and deleting notification channels. */
import { CHANNEL_TYPES, CHANNELS, type ChannelType, isChannelType } from '../../core/notification-channels/types.ts'
import { sql } from '../../core/platform/database.ts'
import { Maybe, Name, Nothing, OneOf, Shape, Text, Type } from '../../core/values/schema.ts'
import { Checkbox } from '../pages/components/checkboxes.tsx'
import { Button, Field, Form, Submit } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { createChannel, deleteChannel, getChannel, updateChannel } from './channels.ts'
import { ConfigFields, configFrom } from './config-fields.tsx'
import type { Channel } from './schema.ts'

const fields = {
  name: Name(120),
  enabled: Maybe(Type.Boolean()),
  config: Maybe(Type.Record(Type.String(), Text(65_536))),
}

const NewChannel = Shape({ ...fields, channel_type: OneOf(CHANNEL_TYPES) })
const ChangedChannel = Shape({ ...fields, removed: Maybe(Type.Array(Text(64), { maxItems: 20 })) })

const newPath = ({ id }: { id: string }): string => `/app/workspaces/${id}/channels/new`

function ChannelFields({ type, of }: { type: ChannelType; of: Channel | null }) {
  return (
    <>
      <Field name="name" label="Name" required maxLength={120} value={of?.name} hint="Such as the room that it posts to." />
      <ConfigFields type={type} stored={of?.config ?? null} />
      <Checkbox name="enabled" label="Send events" checked={of?.enabled ?? true} />
    </>
  )
}

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
          <nav class="tabs" aria-label="Types of channels">
            {CHANNEL_TYPES.map((each) => (
              <a href={`${path}?type=${each}`} aria-current={each === type ? 'page' : undefined}>
                {CHANNELS[each].title}
              </a>
            ))}
          </nav>
          {type === null ? (
            <p>A channel tells a team what happens in this workspace. Choose where to.</p>
          ) : (
            <div class="card">
              <Form action={path}>
                <input type="hidden" name="channel_type" value={type} />
                <ChannelFields type={type} of={null} />
                <Submit>Create the channel</Submit>
              </Form>
            </div>
          )}
        </>
      ),
    }
  },
  Shape({ type: Maybe(Text(20)) }),
)

const create = action(
  '/app/workspaces/:workspace_id/channels/new',
  { workspace: 'admin' },
  { on: newPage, body: NewChannel },
  async ({ caller, workspace, change }, { config = {}, ...input }) => {
    const given = { ...input, config: configFrom(input.channel_type, config, [], true) }
    const { id } = await change((tx) => createChannel(tx, caller, workspace, given))
    return {
      to: `/app/notification-channels/${id}/subscriptions`,
      notice: 'The channel was created. Choose the events that it sends.',
    }
  },
)

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
          <div class="card">
            <Form action={path} updated_at={shown.updated_at}>
              <ChannelFields type={type} of={shown} />
              <Submit>Save</Submit>
            </Form>
          </div>
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

const save = action(
  '/app/notification-channels/:channel_id/edit',
  { channel: 'admin' },
  { on: editPage, body: ChangedChannel },
  async ({ request, caller, channel, change }, { config = {}, removed = [], ...input }) => {
    const { channel_type } = await getChannel(sql, channel)
    const given = { ...input, config: configFrom(channel_type, config, removed, false) }
    await change((tx) => updateChannel(tx, caller, channel, given, request))
    return { to: `/app/notification-channels/${channel.id}`, notice: 'The channel was saved.' }
  },
)

const remove = action(
  '/app/notification-channels/:channel_id/edit/delete',
  { channel: 'admin' },
  { on: editPage, body: Nothing },
  async ({ request, caller, channel, change }) => {
    const { name } = await change(async (tx) => {
      const shown = await getChannel(tx, channel)
      await deleteChannel(tx, caller, channel, request)
      return shown
    })
    return { to: `/app/workspaces/${channel.workspace_id}`, notice: `The channel ${name} was deleted.` }
  },
)

export const channelEditPages = pageRoutes('channel-edit-pages', newPage, create, editPage, save, remove)
