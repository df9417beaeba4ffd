/** The runtimes of an organization. */
import { sql } from '../../core/platform/database.ts'
import type { Runtime } from '../../core/runtimes.ts'
import { Shape } from '../../core/values/schema.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Cursor, Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { type Column, Empty, Table } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { listRuntimes } from './runtimes.ts'

const columns: Column<Runtime>[] = [
  {
    head: 'Runtime',
    main: true,
    cell: ({ name, hostname }) => (
      <>
        <strong>{name}</strong>
        <p class="hint">{hostname}</p>
      </>
    ),
  },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Agents', cell: ({ agents }) => agents.join(', ') || <span class="hint">none</span> },
  { head: 'Owner', cell: ({ owner_name }) => owner_name },
  { head: 'Last heartbeat', cell: ({ last_heartbeat }) => <Time at={last_heartbeat} /> },
]

const runtimesPage = page(
  '/app/organizations/:org_id/runtimes',
  { organization: 'member' },
  async ({ organization, url, query }) => {
    const rows = await listRuntimes(sql, organization.id, partAfter(query.after))
    return {
      title: 'Runtimes',
      main: (
        <>
          <OrganizationTabs of={organization} path={`/app/organizations/${organization.id}/runtimes`} />
          {rows.length === 0 ? (
            <Empty>
              No runtimes yet. A runtime is a daemon that runs agents; it registers itself through the <a href="/docs">API</a>.
            </Empty>
          ) : (
            <Table label="Runtimes" columns={columns} rows={shownOf(rows)} keyOf={({ id }) => id} />
          )}
          <Parts of="runtimes" url={url} name="after" rows={rows} idOf={({ id }) => id} />
        </>
      ),
    }
  },
  Shape({ after: Cursor }),
)

export const runtimePages = pageRoutes('runtime-pages', runtimesPage)
