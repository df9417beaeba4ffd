/** The linked identities of a user, as a part of a page. */
import { Button } from '../pages/components/forms.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { Identity } from './identity-schema.ts'

const columns: Column<Identity>[] = [
  { head: 'Slack user', main: true, cell: ({ external_id }) => <code>{external_id}</code> },
  { head: 'Slack workspace', cell: ({ team_id }) => <code>{team_id}</code> },
  { head: 'Linked', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    head: 'Action',
    cell: ({ id, external_id }) => (
      <Button action={`/app/account/identities/${id}/unlink`} confirm={`Unlink the Slack account ${external_id}?`}>
        Unlink<span class="unseen"> {external_id}</span>
      </Button>
    ),
  },
]

/** The identities with a button to unlink each, whose action is in `identities-page.tsx`. */
export function Identities({ items }: { items: Identity[] }) {
  return (
    <Section title="Linked Slack accounts" count={items.length}>
      {items.length === 0 ? (
        <Empty>None. Click a button of a gate in Slack, and open the link that you are shown there.</Empty>
      ) : (
        <Table label="Linked Slack accounts" columns={columns} rows={items} keyOf={({ id }) => id} />
      )}
    </Section>
  )
}
