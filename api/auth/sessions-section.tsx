/** The sessions of a user, on the page of the account. */
import { Button } from '../pages/components/forms.tsx'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { BY_ID } from '../plugins/lists.ts'
import { deviceName } from './device-name.ts'
import type { LiveSession } from './schema.ts'

const rowOf = ({ id, device, ip_address, created_at, last_used_at, current }: LiveSession): RowParts => ({
  what: <span title={device}>{deviceName(device)}</span>,
  beside: ip_address,
  below: (
    <>
      Signed in <Time at={created_at} />, last used <Time at={last_used_at} />
    </>
  ),
  actions: current ? (
    <State of="this session" tone="run" />
  ) : (
    <Button action={`/app/account/sessions/${id}/end`} kind="danger">
      End<span class="unseen"> the session of {deviceName(device)}</span>
    </Button>
  ),
})

export function Sessions({ url, rows }: { url: URL; rows: LiveSession[] }) {
  return (
    <Section title="Sessions">
      <Rows label="Sessions" of={shownOf(rows)} row={rowOf} />
      <Parts of="sessions" url={url} name="sessions_after" rows={rows} order={BY_ID} />
    </Section>
  )
}
