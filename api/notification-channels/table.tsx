import { Parts, shownOf } from '../pages/components/lists.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { State } from '../pages/components/text.tsx'
import type { Channel } from './schema.ts'

const columns: Column<Channel>[] = [
  { head: 'Channel', main: true, cell: ({ id, name }) => <a href={`/app/notification-channels/${id}`}>{name}</a> },
  { head: 'Kind', cell: ({ channel_type }) => channel_type },
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
          No channels yet. An admin can add Slack, Teams, Feishu, a webhook or mail through the <a href="/docs">API</a>.
        </Empty>
      ) : (
        <Table label="Notification channels" columns={columns} rows={shownOf(rows)} keyOf={({ id }) => id} />
      )}
      <Parts of="channels" url={url} name="channels_after" rows={rows} idOf={({ id }) => id} />
    </Section>
  )
}
