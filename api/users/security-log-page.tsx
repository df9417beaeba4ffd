/** What happened to the account of a user. */
import { sql } from '../../core/platform/database.ts'
import { deviceName } from '../auth/device-name.ts'
import { type Column, Empty, Pager, Section, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { type SecurityLogEntry, SecurityLogQuery } from './schema.ts'
import { listSecurityLog } from './security-log.ts'
import { AccountTabs } from './tabs.tsx'

const columns: Column<SecurityLogEntry>[] = [
  { head: 'What happened', main: true, cell: ({ detail }) => detail },
  {
    head: 'Device',
    cell: ({ device }) => (device === null ? <span class="hint">–</span> : <span title={device}>{deviceName(device)}</span>),
  },
  { head: 'Address', cell: ({ ip_address }) => ip_address ?? <span class="hint">–</span> },
  { head: 'When', cell: ({ created_at }) => <Time at={created_at} exact="seconds" /> },
]

const securityLogPage = page(
  '/app/account/security-log',
  { signedIn: true },
  async ({ caller, url, query }) => {
    const { items, ...paged } = await listSecurityLog(sql, caller.id, query)
    return {
      title: 'Security log',
      main: (
        <>
          <AccountTabs path="/app/account/security-log" />
          <p>
            Sign-ins, and changes of what protects your account. If you do not know one of them, change your password and end the
            other sessions.
          </p>
          <Section title="Entries" count={paged.total}>
            {items.length === 0 ? (
              <Empty>No entries on this page.</Empty>
            ) : (
              <Table label="Security log" columns={columns} rows={items} />
            )}
            <Pager url={url} {...paged} />
          </Section>
        </>
      ),
    }
  },
  SecurityLogQuery,
)

export const securityLogPages = pageRoutes('security-log-pages', securityLogPage)
