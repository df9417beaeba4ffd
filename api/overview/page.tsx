/** The first page of the web app: what needs its reader, over all organizations. */
import { sql } from '../../core/platform/database.ts'
import { isUnavailable } from '../../core/platform/database-errors.ts'
import { line } from '../../core/values/plain-text.ts'
import { Nothing } from '../../core/values/schema.ts'
import { cluster } from '../../sql/cluster.ts'
import { isPartial } from '../../sql/reach.ts'
import { ciTemplates } from '../deployment-hooks/ci-templates.ts'
import { Outcome } from '../dispatches/outcome.tsx'
import { listReceivedInvitations } from '../members/received-invitations.ts'
import { ReceivedInvitations } from '../members/received-page.tsx'
import { NotificationList, ReadAllButton } from '../notifications/page.tsx'
import { showSetup } from '../organizations/organizations.ts'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Money, Notice, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import type { SignedIn } from '../plugins/request-context.ts'
import { Checklist, welcome } from './checklist.tsx'
import { liveStream } from './live.ts'
import type { DisabledDestination, ExceededBudget, OverriddenGate, WaitingGate } from './overview.ts'
import { listConcerns, listGates, MAX_ROWS } from './overview.ts'
import { FirstRunInput, readSetup, setUp } from './setup.ts'
import { type FailedDeployment, listFailedDeployments, readUnread } from './unread.ts'

/** Notifications that the page shows; the inbox has all. */
const MAX_NOTIFICATIONS = 10

const scope = (...names: (string | null)[]) => <span class="hint">{names.filter((name) => name !== null).join(' · ')}</span>

const projectColumn: Column<Pick<WaitingGate, 'project_name' | 'workspace_name' | 'organization_name'>> = {
  head: 'Project',
  cell: (gate) => (
    <>
      {gate.project_name} {scope(gate.workspace_name, gate.organization_name)}
    </>
  ),
}

const gateColumns: Column<WaitingGate>[] = [
  {
    head: 'Gate',
    main: true,
    cell: ({ id, name, requirement_title, can_approve }) => (
      <>
        <a href={`/app/gates/${id}`}>{name}</a>
        <p class="hint">{requirement_title}</p>
        {!can_approve && <p class="hint">Another person has to approve it; you can reject it.</p>}
      </>
    ),
  },
  projectColumn,
  {
    head: 'Opened',
    cell: ({ at, person }) => (
      <>
        <Time at={at} /> by {person}
      </>
    ),
  },
  {
    head: 'Expires',
    cell: ({ expires_at }) => (expires_at === null ? <span class="hint">never</span> : <Time at={expires_at} />),
  },
  { head: 'Approvals', numeric: true, cell: (gate) => `${gate.approvals} of ${gate.required_approvals}` },
]

const reviewColumns: Column<OverriddenGate>[] = [
  {
    head: 'Gate',
    main: true,
    cell: ({ id, name, comment }) => (
      <>
        <a href={`/app/gates/${id}`}>{name}</a>
        <p class="hint">{line(comment, 200)}</p>
      </>
    ),
  },
  projectColumn,
  {
    head: 'Overridden',
    cell: ({ at, person }) => (
      <>
        <Time at={at} /> by {person}
      </>
    ),
  },
]

const deploymentColumns: Column<FailedDeployment>[] = [
  {
    head: 'Deployment',
    main: true,
    cell: ({ id, environment, version, hook_name }) => (
      <>
        <a href={`/app/dispatches/${id}`}>
          {version !== null && (
            <>
              <bdi>{version}</bdi> to{' '}
            </>
          )}
          <bdi>{environment}</bdi>
        </a>
        <p class="hint">{hook_name}</p>
      </>
    ),
  },
  { head: 'Outcome', cell: (deployment) => <Outcome of={deployment} /> },
  projectColumn,
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
]

const destinationColumns: Column<DisabledDestination>[] = [
  {
    head: 'Name',
    main: true,
    cell: ({ kind, id, name }) => (
      <a href={kind === 'hook' ? `/app/deployment-hooks/${id}` : `/app/notification-channels/${id}`}>{name}</a>
    ),
  },
  { head: 'Kind', cell: ({ kind }) => (kind === 'hook' ? 'Deployment hook' : 'Notification channel') },
  { head: 'State', cell: () => <State of="disabled" /> },
  { head: 'Reason', cell: ({ disabled_reason }) => disabled_reason },
  { head: 'Where', cell: (row) => scope(row.workspace_name, row.organization_name) },
]

const budgetColumns: Column<ExceededBudget>[] = [
  {
    head: 'Budget of',
    main: true,
    cell: ({ kind, id, name, organization_name }) => (
      <>
        <a href={`/app/${kind}s/${id}`}>{name}</a> {kind === 'workspace' && scope(organization_name)}
      </>
    ),
  },
  {
    head: 'State',
    cell: ({ limit_usd, used_usd }) =>
      used_usd >= limit_usd ? <State of="exhausted" /> : <State of="nearly used" tone="warn" />,
  },
  { head: 'Used this month', numeric: true, cell: ({ used_usd }) => <Money usd={used_usd} /> },
  { head: 'Limit', numeric: true, cell: ({ limit_usd }) => <Money usd={limit_usd} /> },
]

function Rows<Row>({ title, live, columns, rows }: { title: string; live: string; columns: Column<Row>[]; rows: Row[] }) {
  if (rows.length === 0) return null
  return (
    <Section title={title} count={Math.min(rows.length, MAX_ROWS)} live={live}>
      <Table label={title} columns={columns} rows={rows.slice(0, MAX_ROWS)} />
      {rows.length > MAX_ROWS && <p class="hint">There are more; they are shown when these are done.</p>}
    </Section>
  )
}

/** What is read of some organizations; null while a node of the cluster that has one of them is away. */
const ifReachable = <Read,>(read: PromiseLike<Read>): Promise<Read | null> =>
  Promise.resolve(read).catch((error) => {
    if (cluster() && isUnavailable(error)) return null
    throw error
  })

/** The unread notifications, and the failed deployments of which they tell. */
async function readUnreadAndFailed(caller: SignedIn, closed: Set<string>) {
  const unread = await readUnread(sql, caller.id, closed, { items: MAX_NOTIFICATIONS, failed: MAX_ROWS + 1 })
  return [unread, await ifReachable(listFailedDeployments(sql, caller, unread.failed))] as const
}

const overview = page(
  '/app',
  { signedIn: true },
  async ({ caller, header }) => {
    const { organizations = [] } = (await header()) ?? {}
    if (organizations.length === 0) {
      const [invitations, templates] = await Promise.all([
        listReceivedInvitations(sql, caller.id, { limit: MAX_ROWS }),
        ciTemplates(),
      ])
      return welcome(invitations, templates)
    }
    const made = organizations.filter(({ shows_setup }) => shows_setup).map(({ id }) => id)
    // The newest of them has the greatest id.
    const newest = made.toSorted().at(-1)
    const closed = caller.has_second_factor ? [] : organizations.filter(({ requires_factor }) => requires_factor)
    const [setup, gates, invitations, concerns, [{ items, unread_count }, deployments]] = await Promise.all([
      newest === undefined ? null : ifReachable(readSetup(sql, caller, newest)),
      listGates(sql, caller),
      listReceivedInvitations(sql, caller.id, { limit: MAX_ROWS }),
      listConcerns(sql, caller),
      readUnreadAndFailed(caller, new Set(closed.map(({ id }) => id))),
    ])
    const isMissing = deployments === null || [gates, invitations, concerns].some(isPartial)
    const waiting = gates.filter((gate) => gate.needs === 'decision')
    const overridden = gates.filter((gate) => gate.needs === 'review')
    const destinations = concerns.filter((concern) => concern.limit_usd === null)
    const budgets = concerns.filter((concern) => concern.limit_usd !== null)
    return {
      title: 'Needs you',
      main: (
        <>
          {isMissing && (
            <Notice tone="warn">
              Some of your organizations cannot be reached at the moment. What needs you there is missing here.
            </Notice>
          )}
          {setup && <Checklist of={setup} />}
          {waiting.length > 0 ? (
            <Rows title="Gates to decide" live="gates" columns={gateColumns} rows={waiting} />
          ) : (
            <Section title="Gates to decide" live="gates">
              <Empty>No gate waits for you. A gate of your workspaces appears here when you can decide it.</Empty>
            </Section>
          )}
          <Rows title="Overrides to review" live="reviews" columns={reviewColumns} rows={overridden} />
          <ReceivedInvitations invitations={invitations} />
          <Rows title="Deployments that failed" live="deployments" columns={deploymentColumns} rows={deployments ?? []} />
          <Rows title="Switched off by Signalbox" live="destinations" columns={destinationColumns} rows={destinations} />
          <Rows title="Budgets over their threshold" live="budgets" columns={budgetColumns} rows={budgets} />
          <Section
            title="Unread notifications"
            count={unread_count}
            live="notifications"
            aside={<ReadAllButton items={items} from="app" />}
          >
            {items.length === 0 ? (
              <Empty>
                You have read everything. The <a href="/app/notifications">inbox</a> keeps what you have read.
              </Empty>
            ) : (
              <NotificationList items={items} />
            )}
            {unread_count > items.length && (
              <p class="more">
                <a href="/app/notifications">All notifications</a>
              </p>
            )}
          </Section>
        </>
      ),
    }
  },
  undefined,
  'overview',
)

const begin = actionOn(overview, '/setup', { signedIn: true }, FirstRunInput, async ({ caller, change }, input) => {
  const { organization_name, project_id, invited } = await change((tx) => setUp(tx, caller, input))
  const people = invited === 0 ? '' : ` ${invited === 1 ? '1 person was' : `${invited} people were`} added or invited.`
  return {
    to: input.ci ? `/app/projects/${project_id}/deployment-hooks/new?template=${encodeURIComponent(input.ci)}` : '/app',
    notice: `${organization_name} was created. You are its owner.${people}`,
  }
})

const dismiss = actionOn(
  overview,
  '/organizations/:org_id/setup/dismiss',
  { organization: 'member' },
  Nothing,
  async ({ caller, organization, change }) => {
    await change((tx) => showSetup(tx, caller, organization.id, false))
    return {}
  },
)

export const overviewPages = pageRoutes('overview-pages', overview, begin, dismiss, liveStream)
