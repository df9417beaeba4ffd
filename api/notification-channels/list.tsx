import { CHANNELS, channelTitle } from '../../core/notification-channels/types.ts'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { Rows, Section } from '../pages/components/structure.tsx'
import { State } from '../pages/components/text.tsx'
import { NEWEST_FIRST } from '../plugins/lists.ts'
import type { WorkspaceRole } from '../roles.ts'
import type { Channel } from './schema.ts'

const TITLES = Object.values(CHANNELS)
  .map(({ title }) => title)
  .join(', ')

type ChannelsProps = { url: URL; rows: Channel[]; workspace: { id: string; role: WorkspaceRole } }

export function Channels({ url, rows, workspace }: ChannelsProps) {
  const isAdmin = workspace.role === 'admin'
  return (
    <Section
      title="Notification channels"
      aside={isAdmin && <a href={`/app/workspaces/${workspace.id}/channels/new`}>New channel</a>}
    >
      <Rows
        label="Notification channels"
        of={shownOf(rows)}
        row={({ id, name, channel_type, enabled, disabled_reason }) => ({
          state: <State of={enabled ? 'enabled' : 'disabled'} />,
          href: `/app/notification-channels/${id}`,
          what: name,
          beside: channelTitle(channel_type),
          below: disabled_reason,
        })}
      >
        No channels yet. {isAdmin ? 'Create one' : 'An admin can create one'} for {TITLES}.
      </Rows>
      <Parts of="channels" url={url} name="channels_after" rows={rows} order={NEWEST_FIRST} />
    </Section>
  )
}
