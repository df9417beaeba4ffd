/** The keys of a service account on its page. */
import { inDays, lifetimes } from '../pages/clock.ts'
import { shownOnce } from '../pages/components/copyable.tsx'
import { Button, Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { NewServiceAccountKey, ServiceAccount, ServiceAccountKey } from './schema.ts'
import type { Refusal } from './service-accounts.ts'

export function LastUse({ of }: { of: Pick<ServiceAccount, 'last_used_at' | 'last_used_address'> }) {
  if (of.last_used_at === null) return <>never</>
  return (
    <>
      <Time at={of.last_used_at} /> <span class="number">from {of.last_used_address}</span>
    </>
  )
}

const rowFor =
  (account: ServiceAccount) =>
  (key: ServiceAccountKey): RowParts => ({
    what: key.name,
    below: (
      <>
        Expires <Time at={key.expires_at} />, last used: <LastUse of={key} />
      </>
    ),
    actions: (
      <Button
        action={`/app/service-accounts/${account.id}/keys/${key.id}/revoke`}
        kind="danger"
        confirm={`Revoke the key ${key.name}? Whatever uses it stops working at once.`}
      >
        Revoke<span class="unseen">: {key.name}</span>
      </Button>
    ),
  })

export const refusalRow = ({ detail, ip_address, created_at }: Refusal): RowParts => ({
  what: detail,
  beside: ip_address,
  end: <Time at={created_at} exact="seconds" />,
})

export function Keys({ of, keys }: { of: ServiceAccount; keys: ServiceAccountKey[] }) {
  return (
    <Section title="Keys" count={keys.length}>
      <Rows label="Keys" of={keys} row={rowFor(of)}>
        No keys. A build whose platform vouches for it needs none; others send a key as their bearer token.
      </Rows>
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
