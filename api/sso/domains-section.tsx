/** The domains of an organization, on the page of its single sign-on: the record of each to copy, and its check. */
import { Copied } from '../pages/components/copyable.tsx'
import { Button, Field, Form, Submit } from '../pages/components/forms.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { MAX_DOMAINS } from './domains.ts'
import type { SsoDomain } from './schema.ts'

const TONES = { pending: 'wait', verified: 'good', lapsed: 'bad' } as const

const rowFor =
  (path: string, isOwner: boolean) =>
  ({ id, domain, status, record: { name, value }, checked_at }: SsoDomain): RowParts => ({
    what: domain,
    state: <State of={status} tone={TONES[status]} />,
    below: (
      <>
        TXT record <Copied value={name} id={`name-${id}`} what={`the name of the record of ${domain}`} /> with the value{' '}
        <Copied value={value} id={`value-${id}`} what={`the value of the record of ${domain}`} />
      </>
    ),
    end: checked_at === null ? 'not checked yet' : <Time at={checked_at} />,
    actions: isOwner && (
      <>
        {status !== 'verified' && (
          <Button action={`${path}/${id}/verify`}>
            Check the record<span class="unseen"> of {domain}</span>
          </Button>
        )}
        <Button action={`${path}/${id}/remove`} kind="danger" confirm={`Remove ${domain}?`}>
          Remove<span class="unseen">: {domain}</span>
        </Button>
      </>
    ),
  })

export const Domains = ({ of, path, isOwner }: { of: SsoDomain[]; path: string; isOwner: boolean }) => (
  <Section title="Domains" count={of.length}>
    <Rows label="Domains" of={of} row={rowFor(path, isOwner)}>
      No domains yet. The provider signs in only people whose address lies in a verified one.
    </Rows>
    {isOwner && of.length < MAX_DOMAINS && (
      <Form card action={path}>
        <Field name="domain" label="Domain" maxLength={253} required hint="Such as example.com. Subdomains count apart." />
        <Submit>Add the domain</Submit>
      </Form>
    )}
  </Section>
)
