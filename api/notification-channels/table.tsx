import { CHANNELS, channelTitle } from '../../core/notification-channels/types.ts'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { State } from '../pages/components/text.tsx'
import { NEWEST_FIRST } from '../plugins/lists.ts'
import type { WorkspaceRole } from '../roles.ts'
import type { Channel } from './schema.ts'

const TITLES = Object.values(CHANNELS)
  .map(({ title }) => title)
  .join(', ')

const columns: Column<Channel>[] = [
  { head: 'Channel', main: true, cell: ({ id, name }) => <a href={`/app/notification-channels/${id}`}>{name}</a> },
  { head: 'Kind', cell: ({ channel_type }) => channelTitle(channel_type) },
  {
    head: 'State',
    cell: ({ enabled, disabled_reason }) => (
      <>
        <State of={enabled ? 'enabled' : 'disabled'} />
        {disabled_reason !== null && <p class="hint">{disabled_reason}</p>}
      </>
    ),
  },
]

type ChannelsProps = { url: URL; rows: Channel[]; workspace: { id: string; role: WorkspaceRole } }

export function Channels({ url, rows, workspace }: ChannelsProps) {
  const isAdmin = workspace.role === 'admin'
  return (
    <Section
      title="Notification channels"
      aside={isAdmin && <a href={`/app/workspaces/${workspace.id}/channels/new`}>New channel</a>}
    >
      <Table label="Notification channels" columns={columns} rows={shownOf(rows)}>
        No channels yet. {isAdmin ? 'Create one' : 'An admin can create one'} for {TITLES}.
      </Table>
      <Parts of="channels" url={url} name="channels_after" rows={rows} order={NEWEST_FIRST} />
    </Section>
  )
}
