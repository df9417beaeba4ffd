/** The runtimes of an organization. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import type { Runtime } from '../../core/records/runtimes.ts'
import { Nothing, Shape } from '../../core/values/schema.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Button } from '../pages/components/forms.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { type RowParts, Rows } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { Cursor, NEWEST_FIRST } from '../plugins/lists.ts'
import { hasAtLeast } from '../roles.ts'
import { listRuntimes, removeRuntime } from './runtimes.ts'

const RECENTLY = `last heartbeat within ${config.RUNTIME_OFFLINE_SECONDS} s`

const rowFor =
  (path: string, isAdmin: boolean) =>
  ({ id, name, hostname, status, agents, owner_name, last_heartbeat }: Runtime): RowParts => ({
    state: <State of={status} />,
    what: name,
    beside: hostname,
    below: `${agents.join(', ') || 'no agents'} · ${owner_name}`,
    // The time of the last heartbeat would be out of date with each: those that change nothing else do not refresh pages.
    end: status === 'online' ? RECENTLY : <Time at={last_heartbeat} />,
    actions: isAdmin && (
      <Button
        action={`${path}/${id}/delete`}
        kind="danger"
        confirm={`Remove the runtime ${name}? If it still runs, it has to register again.`}
      >
        Remove<span class="unseen">: {name}</span>
      </Button>
    ),
  })

const runtimesPage = page(
  '/app/organizations/:org_id/runtimes',
  { organization: 'member' },
  async ({ organization, url, query }) => {
    const path = `/app/organizations/${organization.id}/runtimes`
    const rows = await listRuntimes(sql, organization.id, partAfter(url, query, 'after', NEWEST_FIRST))
    return {
      title: 'Runtimes',
      main: (
        <>
          <OrganizationTabs of={organization} path={path} />
          <Rows label="Runtimes" of={shownOf(rows)} row={rowFor(path, hasAtLeast(organization.role, 'admin'))}>
            No runtimes yet. A runtime is a daemon that runs agents; it registers itself through the <a href="/docs">API</a>.
          </Rows>
          <Parts of="runtimes" url={url} name="after" rows={rows} order={NEWEST_FIRST} />
        </>
      ),
    }
  },
  Shape({ after: Cursor }),
)

const remove = actionOn(
  runtimesPage,
  '/:runtime_id/delete',
  { organization: 'admin' },
  Nothing,
  async ({ request, caller, organization, params, change }) => {
    const runtime = { ...organization, kind: 'runtime' as const, id: params.runtime_id ?? '' }
    await change((tx) => removeRuntime(tx, caller, runtime, request))
    return { notice: 'The runtime was removed. Its executions are kept.' }
  },
)

export const runtimePages = pageRoutes('runtime-pages', runtimesPage, remove)
