/** Checks whether the audit log of an organization is whole and unchanged. */
import { sql } from '../../core/platform/database.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { type Verification, VerifyQuery } from './schema.ts'
import { verify } from './verify.ts'

/** What was found, in a sentence. */
function Outcome({ of: { valid, broken_at, next_seq } }: { of: Verification }) {
  if (!valid) {
    const where = broken_at === null ? '' : ` It is broken at entry ${broken_at.seq}.`
    return <Notice tone="bad">The chain does not hold: an entry was changed, removed or added.{where}</Notice>
  }
  return (
    <Notice tone="good">
      {next_seq === undefined
        ? 'Every entry is as it was when it was sealed.'
        : `Every entry up to ${next_seq} is as it was when it was sealed.`}
    </Notice>
  )
}

const verifyPage = page(
  '/app/organizations/:org_id/audit-log/verify',
  { organization: 'admin' },
  async ({ organization, url, query }) => {
    const log = `/app/organizations/${organization.id}/audit-log`
    const found = await verify(sql, organization.id, query)
    const { sealed, unsealed, head, broken_at, next_seq } = found
    return {
      title: 'Verify the audit log',
      crumbs: [{ href: log, text: 'Audit log' }],
      main: (
        <>
          <OrganizationTabs of={organization} path={log} />
          <Outcome of={found} />
          <Section title="The chain">
            <Facts
              of={[
                ['Sealed entries', sealed.toLocaleString('en')],
                ['Not sealed yet', unsealed.toLocaleString('en')],
                ['Its last number', head?.seq.toLocaleString('en')],
                ['Its last hash', head && <code class="whole">{head.hash}</code>],
                ['Broken entry', broken_at?.entry_id && <code>{broken_at.entry_id}</code>],
              ]}
            />
            <p class="hint">
              Keep the last number and hash elsewhere: with them an <a href="/docs/verify">export</a> proves later that nothing
              was cut off.
            </p>
          </Section>
          {next_seq !== undefined && (
            <p class="more">
              <a href={`${url.pathname}?after_seq=${next_seq}`}>Verify the entries after that</a>
            </p>
          )}
        </>
      ),
    }
  },
  VerifyQuery,
)

export const auditVerificationPages = pageRoutes('audit-verification-pages', verifyPage)
