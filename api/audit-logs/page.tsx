/** The audit log of an organization, filtered and paged; its export; and whether it is whole and unchanged. */

import { sql } from '../../core/platform/database.ts'
import type { AuditRecord } from '../../core/security/audit-chain.ts'
import { hasPage, pagePath } from '../../core/tenants/links.ts'
import { distinctNames } from '../members/namesakes.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Form, Select, Submit } from '../pages/components/forms.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { Facts, Pager, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { pathWith } from '../pages/urls.ts'
import { invalidField } from '../problems.ts'
import { listEntries, type SealedEntry } from './audit-logs.ts'
import { exportEntries } from './export.ts'
import { actionsOf, readFilter } from './people.ts'
import { EntryExport, type EntryFilter, EntryQuery, type Verification, VerifyQuery } from './schema.ts'
import { verify } from './verify.ts'

/** The page of what an entry is about; null if it has none, or was deleted. */
function entryPath({ action, resource_type, resource_id, organization_id, workspace_id }: AuditRecord): string | null {
  if (hasPage(resource_type)) return action.endsWith('.deleted') ? null : pagePath(resource_type, resource_id)
  switch (resource_type) {
    case 'organization_member':
    case 'invitation':
      return pagePath('organization', organization_id)
    case 'workspace_member':
    case 'subscription':
      return pagePath('workspace', workspace_id)
    case 'runtime':
      return `/app/organizations/${organization_id}/runtimes`
    default:
      return null
  }
}

/** A link that adds a filter to those of the page. */
function Narrow({ url, name, value, children }: { url: URL; name: string; value: string; children: string }) {
  return <a href={pathWith(url, { page: null, [name]: value })}>{children}</a>
}

/** A filter with its action in words, as people type it. */
const ofWords = <Filter extends EntryFilter & { action?: string | undefined }>({ action, ...filter }: Filter) => ({
  ...filter,
  ...(action !== undefined && { action: actionsOf(action) }),
})

/** The name at the time of an entry; with the address that the present name needs. */
const withAddress = (then: string, now: string | undefined): string => (now?.startsWith(`${then} (`) ? now : then)

const SHORT_HASH = 12

function Who({ of, url, names }: { of: SealedEntry; url: URL; names: Map<string, string> }) {
  const { actor_id, actor_name, actor_type, ip_address, via } = of
  return (
    <>
      {actor_id === null ? (
        actor_name
      ) : (
        <Narrow url={url} name="actor_id" value={actor_id}>
          {withAddress(actor_name, names.get(actor_id))}
        </Narrow>
      )}
      {actor_type === 'token' && ' (by token)'}
      {actor_type === 'service_account' && ' (service account)'}
      {via === 'mcp' && ' (by a tool of an agent)'}
      {via === 'sso' && ' (by single sign-on)'}
      {ip_address !== null && <span class="number"> · {ip_address}</span>}
    </>
  )
}

/** @param distinct names of the people who acted; others have the name of their entry */
const rowFor =
  (url: URL, names: Map<string, string>) =>
  (entry: SealedEntry): RowParts => {
    const { action, detail, workspace_id, workspace_name, created_at, seq, hash } = entry
    return {
      href: entryPath(entry),
      what: detail,
      below: (
        <>
          <Narrow url={url} name="action" value={action}>
            {action.replaceAll(/[._]/g, ' ')}
          </Narrow>
          {' · '}
          <Who of={entry} url={url} names={names} />
          {workspace_id !== null && (
            <>
              {' '}
              ·{' '}
              <Narrow url={url} name="workspace_id" value={workspace_id}>
                {workspace_name ?? 'A deleted workspace'}
              </Narrow>
            </>
          )}
          {seq === null || hash === null ? (
            ' · not sealed yet'
          ) : (
            <>
              {' '}
              · seal {seq} <code title={hash}>{hash.slice(0, SHORT_HASH)}</code>
            </>
          )}
        </>
      ),
      end: <Time at={created_at} exact="seconds" />,
    }
  }

/** Exports what the page shows. A POST, since the export itself is recorded. */
function ExportForm({ path, filter, total }: { path: string; filter: Record<string, string | undefined>; total: number }) {
  return (
    <Section title="Export">
      <Form card action={`${path}/export`}>
        {Object.entries(filter).map(([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />)}
        <Select
          name="format"
          label="Format"
          required
          options={Object.entries({ csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, one object per line' })}
          hint={`All ${total.toLocaleString('en')} entries that match, newest first. The export is recorded in this log.`}
        />
        <Submit kind="quiet">Export</Submit>
      </Form>
    </Section>
  )
}

const auditLogPage = page(
  '/app/organizations/:org_id/audit-log',
  { organization: 'admin' },
  async ({ organization, url, query }) => {
    const path = `/app/organizations/${organization.id}/audit-log`
    const { page: number, page_size, ...typed } = query
    const { ids, shown } = await readFilter(organization.id, typed)
    // The end is the midnight after the last day.
    if (typed.start_date && typed.start_date === typed.end_date)
      throw invalidField('/start_date', 'inverted', 'must not be after the last day')
    const filter = { action: typed.action, start_date: typed.start_date, end_date: typed.end_date, ...ids }
    const { items, total } = await listEntries(sql, organization.id, { ...ofWords(filter), page: number, page_size })
    const names = await distinctNames(
      sql,
      organization.id,
      items.map(({ actor_id }) => actor_id),
    )
    return {
      title: 'Audit log',
      main: (
        <>
          <OrganizationTabs of={organization} path={path} />
          <Filters
            url={url}
            fields={[
              { name: 'action', label: 'Action', hint: 'The first words, such as member added.' },
              { name: 'start_date', label: 'From (UTC)', type: 'date' },
              { name: 'end_date', label: 'To (UTC)', type: 'date' },
              { name: 'actor_id', label: 'Person', hint: 'A name or an address.', shown: shown.actor_id },
              { name: 'workspace_id', label: 'Workspace', hint: 'The whole name.', shown: shown.workspace_id },
            ]}
          />
          <Section title="Entries" count={total} aside={<a href={`${path}/verify`}>Verify the chain</a>}>
            <Rows label="Entries of the audit log" of={items} row={rowFor(url, names)}>
              No entry matches. Remove a filter, or go back to the first page.
            </Rows>
            <Pager url={url} page={number} page_size={page_size} total={total} />
          </Section>
          <ExportForm path={path} filter={filter} total={total} />
        </>
      ),
    }
  },
  EntryQuery,
)

const exportLog = actionOn(
  auditLogPage,
  '/export',
  { organization: 'admin' },
  EntryExport,
  ({ request, caller, organization }, body) => exportEntries(request, caller, organization, ofWords(body)),
)

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

export const auditLogPages = pageRoutes('audit-log-pages', auditLogPage, exportLog, verifyPage)
