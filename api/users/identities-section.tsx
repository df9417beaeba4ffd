/** The accounts elsewhere that act for a user, on the page of the account. */
import { Button } from '../pages/components/forms.tsx'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { Identity } from './identity-schema.ts'

const PROVIDERS: Record<Identity['provider'], string> = { slack: 'Slack' }

const columns: Column<Identity>[] = [
  {
    head: 'Account',
    main: true,
    cell: ({ provider, external_id }) => <strong>{`${PROVIDERS[provider]} ${external_id}`}</strong>,
  },
  { head: 'Team', cell: ({ team_id }) => team_id },
  { head: 'Linked', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    head: 'Actions',
    cell: ({ id, provider, external_id }) => (
      <Button
        action={`/app/account/identities/${id}/unlink`}
        kind="danger"
        confirm={`Unlink ${PROVIDERS[provider]} ${external_id}? Its clicks no longer decide anything.`}
      >
        Unlink<span class="unseen">: {external_id}</span>
      </Button>
    ),
  },
]

export function LinkedIdentities({ url, rows }: { url: URL; rows: Identity[] }) {
  return (
    <Section title="Linked identities">
      {rows.length === 0 ? (
        <Empty>No account is linked. Press Approve or Reject in Slack once: you get a link that connects the two accounts.</Empty>
      ) : (
        <Table label="Linked identities" columns={columns} rows={shownOf(rows)} />
      )}
      <Parts of="identities" url={url} name="identities_after" rows={rows} idOf={({ id }) => id} />
    </Section>
  )
}
