/** The sessions of a user, on the page of the account. */
import { Button } from '../pages/components/forms.tsx'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { BY_ID } from '../plugins/lists.ts'
import { deviceName } from './device-name.ts'
import type { LiveSession } from './schema.ts'

const columns: Column<LiveSession>[] = [
  { head: 'Device', main: true, cell: ({ device }) => <span title={device}>{deviceName(device)}</span> },
  { head: 'Address', cell: ({ ip_address }) => ip_address },
  { head: 'Signed in', cell: ({ created_at }) => <Time at={created_at} /> },
  { head: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
  {
    head: 'Actions',
    cell: ({ id, device, current }) =>
      current ? (
        <State of="this session" tone="run" />
      ) : (
        <Button action={`/app/account/sessions/${id}/end`} kind="danger">
          End<span class="unseen"> the session of {deviceName(device)}</span>
        </Button>
      ),
  },
]

export function Sessions({ url, rows }: { url: URL; rows: LiveSession[] }) {
  return (
    <Section title="Sessions">
      <Table label="Sessions" columns={columns} rows={shownOf(rows)} />
      <Parts of="sessions" url={url} name="sessions_after" rows={rows} order={BY_ID} />
    </Section>
  )
}
