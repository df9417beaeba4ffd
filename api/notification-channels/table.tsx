import { CHANNELS, channelTitle } from '../../core/notification-channels/types.ts'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { State } from '../pages/components/text.tsx'
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

/** The notification channels of a workspace. */
export function Channels({ url, rows }: { url: URL; rows: Channel[] }) {
  return (
    <Section title="Notification channels">
      {rows.length === 0 ? (
        <Empty>
          No channels yet. An admin can add one through the <a href="/docs">API</a>: {TITLES}.
        </Empty>
      ) : (
        <Table label="Notification channels" columns={columns} rows={shownOf(rows)} keyOf={({ id }) => id} />
      )}
      <Parts of="channels" url={url} name="channels_after" rows={rows} idOf={({ id }) => id} />
    </Section>
  )
}
