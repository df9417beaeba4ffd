/** The keys of a service account on its page. */
import { inDays, lifetimes } from '../pages/clock.ts'
import { shownOnce } from '../pages/components/copyable.tsx'
import { Button, Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { NewServiceAccountKey, ServiceAccount, ServiceAccountKey } from './schema.ts'

export function LastUse({ of }: { of: Pick<ServiceAccount, 'last_used_at' | 'last_used_address'> }) {
  if (of.last_used_at === null) return <>never</>
  return (
    <>
      <Time at={of.last_used_at} />
      <p class="hint number">from {of.last_used_address}</p>
    </>
  )
}

const keyColumns = (account: ServiceAccount): Column<ServiceAccountKey>[] => [
  { head: 'Key', main: true, cell: ({ name }) => <strong>{name}</strong> },
  { head: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
  { head: 'Last used', cell: (key) => <LastUse of={key} /> },
  {
    head: 'Actions',
    cell: ({ id, name }) => (
      <Button
        action={`/app/service-accounts/${account.id}/keys/${id}/revoke`}
        kind="danger"
        confirm={`Revoke the key ${name}? Whatever uses it stops working at once.`}
      >
        Revoke<span class="unseen">: {name}</span>
      </Button>
    ),
  },
]

export function Keys({ of, keys }: { of: ServiceAccount; keys: ServiceAccountKey[] }) {
  return (
    <Section title="Keys" count={keys.length}>
      <Table label="Keys" columns={keyColumns(of)} rows={keys}>
        No keys. A build whose platform vouches for it needs none; others send a key as their bearer token.
      </Table>
      <Form card action={`/app/service-accounts/${of.id}/keys`}>
        <Field
          name="name"
          label="Name of the key"
          required
          maxLength={120}
          hint="Where it is kept, such as Jenkins credentials."
        />
        <Select name="expires_at" label="Expires" required value={inDays(90)} options={lifetimes()} />
        <Submit>Make a key</Submit>
      </Form>
    </Section>
  )
}

export const shownKey = ({ name, key, service_account_id }: NewServiceAccountKey) => {
  const href = `/app/service-accounts/${service_account_id}`
  return shownOnce('key', name, key, { href, text: 'Service account', back: 'the service account' })
}
