/** The keys with which an organization signs attestations. */
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { getOrganization } from '../organizations/organizations.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Button } from '../pages/components/forms.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { listSigningKeys, rotateSigningKey, type SigningKey } from './signing-keys.ts'

const MAX_ROWS = 50
/** Bytes of a public key in the page. */
const MAX_KEY = 1_000

const rowOf = ({ key_id, created_at, retired_at }: SigningKey): RowParts => ({
  state: retired_at === null ? <State of="enabled" text="signs" /> : <State of="retired" />,
  what: <code class="address">{key_id}</code>,
  end: (
    <>
      <Time at={created_at} exact />
      {retired_at !== null && (
        <>
          {' '}
          to <Time at={retired_at} exact />
        </>
      )}
    </>
  ),
})

function Rotate({ path, hasKey }: { path: string; hasKey: boolean }) {
  if (!hasKey) return <Button action={`${path}/rotate`}>Make the first key</Button>
  return (
    <Button
      action={`${path}/rotate`}
      kind="danger"
      confirm="Rotate the key? Programs that check attestations offline need the new public key; what the old one signed stays valid."
    >
      Rotate the key
    </Button>
  )
}

const signingKeysPage = page('/app/organizations/:org_id/signing-keys', { organization: 'member' }, async ({ organization }) => {
  const [{ name }, keys] = await Promise.all([getOrganization(sql, organization.id), listSigningKeys(sql, organization.id)])
  const path = `/app/organizations/${organization.id}/signing-keys`
  const api = `GET /api/v1/organizations/${organization.id}/signing-keys`
  const current = keys.find(({ retired_at }) => retired_at === null)
  return {
    title: `Signing keys of ${name}`,
    main: (
      <>
        <OrganizationTabs of={organization} path={path} />
        <Section title="Keys" count={keys.length}>
          <p>
            Attestations of approved gates are signed with ECDSA P-256, and name their key by the SHA-256 of its public half.{' '}
            <a href="/docs/verify">How to verify them</a>
          </p>
          <Rows label="Signing keys" of={keys.slice(0, MAX_ROWS)} row={rowOf}>
            No key yet. The first attestation makes one.
          </Rows>
          {keys.length > MAX_ROWS && (
            <p class="hint">
              The newest {MAX_ROWS}. <code>{api}</code> returns all of them.
            </p>
          )}
        </Section>
        {current && (
          <Section title="Public key">
            <Verbatim label="Public key" excerpt={excerptOf(current.public_key_pem, MAX_KEY)} whole={api} />
          </Section>
        )}
        <Section title="Rotation">
          <p>
            A new key signs from then on. The private half of the old one is deleted. Rotate if the database and{' '}
            <code>SECRETS_KEY</code> may have leaked, or if the operator has lost the key that encrypts it.
          </p>
          {organization.role === 'owner' ? (
            <Rotate path={path} hasKey={current !== undefined} />
          ) : (
            <p class="hint">The owner can rotate the key.</p>
          )}
        </Section>
      </>
    ),
  }
})

const owner = { organization: 'owner' } as const

const rotate = actionOn(signingKeysPage, '/rotate', owner, Nothing, async ({ caller, organization, change }) => {
  const { key_id } = await change((tx) => rotateSigningKey(tx, caller, organization))
  return { notice: `The key ${key_id.slice(0, 12)}… signs now.` }
})

export const signingKeyPages = pageRoutes('signing-key-pages', signingKeysPage, rotate)
