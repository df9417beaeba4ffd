/** The first page of the web app: what needs its reader, over all organizations. */
import { sentText } from '../../core/dispatches/effects.ts'
import type { Lack } from '../../core/notifications/withheld.ts'
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
import { Empty, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Dot, MoneyOf, Notice, State, Time } from '../pages/components/text.tsx'
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

const scope = (...names: (string | null)[]): string => names.filter((name) => name !== null).join(' · ')

type Place = Pick<WaitingGate, 'project_name' | 'workspace_name' | 'organization_name'>

/** What speaks against a gate, then what it is about, who opened it and when. */
const Risk = ({ of: gate }: { of: WaitingGate }) => (
  <>
    {gate.failed_checks > 0 && (
      <>
        <State of="failed" text={`${gate.failed_checks} check${gate.failed_checks === 1 ? '' : 's'} failed`} />{' '}
      </>
    )}
    {gate.is_frozen && (
      <>
        <State of="frozen" tone="wait" />{' '}
      </>
    )}
    {gate.expires_at !== null && gate.expires_soon && (
      <>
        <State
          of="expiring"
          tone="wait"
          text={
            <>
              expires <Time at={gate.expires_at} />
            </>
          }
        />{' '}
      </>
    )}
    {gate.subject !== null && (
      <>
        <bdi>{sentText(gate)}</bdi> ·{' '}
      </>
    )}
    {gate.failed_checks === 0 && gate.passed_checks > 0 && (
      <>
        {gate.passed_checks} check{gate.passed_checks === 1 ? '' : 's'} passed ·{' '}
      </>
    )}
    {gate.requirement_title !== null && <>{gate.requirement_title} · </>}
    {gate.person}, <Time at={gate.at} />
    {!gate.can_approve && ' · Another person has to approve it; you can reject it.'}
  </>
)

/** @param organizations how many the reader is in: the name of the only one says nothing */
const rowsFor = (organizations: number) => {
  const surroundingsOf = ({ workspace_name, organization_name }: Place) =>
    scope(workspace_name, organizations > 1 ? organization_name : null)
  const placeOf = (place: Place) => scope(place.project_name, surroundingsOf(place))
  return {
    gate: (gate: WaitingGate): RowParts => ({
      state: (
        <Dot
          tone={gate.failed_checks > 0 ? 'bad' : gate.can_approve ? 'wait' : 'off'}
          text={gate.can_approve ? 'waits for you' : 'waits for another person'}
        />
      ),
      href: `/app/gates/${gate.id}`,
      what: gate.name,
      beside: (
        <>
          {gate.project_name}
          {gate.environment !== null && (
            <>
              {' '}
              → <bdi>{gate.environment}</bdi>
            </>
          )}
          {' · '}
          {surroundingsOf(gate)}
        </>
      ),
      below: <Risk of={gate} />,
      end: (
        <>
          {gate.expires_at !== null && !gate.expires_soon && (
            <>
              expires <Time at={gate.expires_at} /> ·{' '}
            </>
          )}
          {gate.approvals} of {gate.required_approvals}
          <span class="unseen"> approvals</span>
        </>
      ),
      actions: (
        <a class="button quiet" href={`/app/gates/${gate.id}`}>
          Review<span class="unseen"> {gate.name}</span>
        </a>
      ),
    }),
    review: (gate: OverriddenGate): RowParts => ({
      href: `/app/gates/${gate.id}`,
      what: gate.name,
      beside: placeOf(gate),
      below: line(gate.comment, 200),
      end: (
        <>
          {gate.person}, <Time at={gate.at} />
        </>
      ),
    }),
    deployment: (deployment: FailedDeployment): RowParts => ({
      state: <Outcome of={deployment} />,
      href: `/app/dispatches/${deployment.id}`,
      what: (
        <>
          {deployment.version !== null && (
            <>
              <bdi>{deployment.version}</bdi> to{' '}
            </>
          )}
          <bdi>{deployment.environment}</bdi>
        </>
      ),
      beside: scope(deployment.hook_name, placeOf(deployment)),
      end: <Time at={deployment.at} />,
    }),
    destination: (row: DisabledDestination): RowParts => ({
      state: <State of="disabled" />,
      href: row.kind === 'hook' ? `/app/deployment-hooks/${row.id}` : `/app/notification-channels/${row.id}`,
      what: row.name,
      beside: scope(row.kind === 'hook' ? 'Hook' : 'Channel', row.workspace_name, row.organization_name),
      below: row.disabled_reason,
    }),
    budget: ({ kind, id, name, organization_name, used_usd, limit_usd }: ExceededBudget): RowParts => ({
      state: used_usd >= limit_usd ? <State of="exhausted" /> : <State of="nearly used" tone="wait" />,
      href: `/app/${kind}s/${id}`,
      what: name,
      beside: kind === 'workspace' && organization_name,
      end: <MoneyOf usd={used_usd} limit={limit_usd} />,
    }),
  }
}

type ListProps<Item> = { title: string; live: string; of: Item[]; row: (item: Item) => RowParts }

function List<Item>({ title, live, of, row }: ListProps<Item>) {
  if (of.length === 0) return null
  return (
    <Section title={title} count={Math.min(of.length, MAX_ROWS)} live={live}>
      <Rows label={title} of={of.slice(0, MAX_ROWS)} row={row} />
      {of.length > MAX_ROWS && <p class="hint">There are more; they are shown when these are done.</p>}
    </Section>
  )
}

const Missing = () => (
  <Notice tone="warn">Some of your organizations cannot be reached at the moment. What needs you there is missing here.</Notice>
)

/** What is read of some organizations; null while a node of the cluster that has one of them is away. */
const ifReachable = <Read,>(read: PromiseLike<Read>): Promise<Read | null> =>
  Promise.resolve(read).catch((error) => {
    if (cluster() && isUnavailable(error)) return null
    throw error
  })

/** The unread notifications, and the failed deployments of which they tell. */
async function readUnreadAndFailed(caller: SignedIn, closed: Map<string, Lack>) {
  const unread = await readUnread(sql, caller.id, closed, { items: MAX_NOTIFICATIONS, failed: MAX_ROWS + 1 })
  return [unread, await ifReachable(listFailedDeployments(sql, caller, unread.failed))] as const
}

const overview = page(
  '/app',
  { signedIn: true },
  async ({ caller, frame }) => {
    const { organizations = [] } = (await frame()) ?? {}
    if (organizations.length === 0) {
      const [invitations, templates] = await Promise.all([
        listReceivedInvitations(sql, caller.id, { limit: MAX_ROWS }),
        ciTemplates(),
      ])
      // The reader may be in organizations that cannot be reached.
      return isPartial(invitations) ? { title: 'Needs you', main: <Missing /> } : welcome(invitations, templates)
    }
    const made = organizations.filter(({ shows_setup }) => shows_setup).map(({ id }) => id)
    // The newest of them has the greatest id.
    const newest = made.toSorted().at(-1)
    const closed = organizations.flatMap(({ id, requires_factor }): [string, Lack][] => {
      if (requires_factor && !caller.has_second_factor) return [[id, 'second factor']]
      return caller.unproven?.includes(id) ? [[id, 'sign-on']] : []
    })
    const [setup, gates, invitations, concerns, [{ items, unread_count }, deployments]] = await Promise.all([
      newest === undefined ? null : ifReachable(readSetup(sql, caller, newest)),
      listGates(sql, caller),
      listReceivedInvitations(sql, caller.id, { limit: MAX_ROWS }),
      listConcerns(sql, caller),
      readUnreadAndFailed(caller, new Map(closed)),
    ])
    const isMissing = deployments === null || [gates, invitations, concerns].some(isPartial)
    const rows = rowsFor(organizations.length)
    const waiting = gates.filter((gate) => gate.needs === 'decision')
    const overridden = gates.filter((gate) => gate.needs === 'review')
    const destinations = concerns.filter((concern) => concern.limit_usd === null)
    const budgets = concerns.filter((concern) => concern.limit_usd !== null)
    const listed = new Set([...gates, ...(deployments ?? [])].map(({ id }) => id))
    const others = items.filter(({ resource_id }) => !listed.has(resource_id))
    return {
      title: 'Needs you',
      main: (
        <>
          {isMissing && <Missing />}
          {setup && <Checklist of={setup} />}
          {waiting.length > 0 ? (
            <List title="Gates to decide" live="gates" of={waiting} row={rows.gate} />
          ) : (
            <Section title="Gates to decide" live="gates">
              <Empty>No gate waits for you. A gate of your workspaces appears here when you can decide it.</Empty>
            </Section>
          )}
          <List title="Overrides to review" live="reviews" of={overridden} row={rows.review} />
          <ReceivedInvitations invitations={invitations} />
          <List title="Deployments that failed" live="deployments" of={deployments ?? []} row={rows.deployment} />
          <List title="Switched off by Signalbox" live="destinations" of={destinations} row={rows.destination} />
          <List title="Budgets over their threshold" live="budgets" of={budgets} row={rows.budget} />
          <Section
            title="Unread notifications"
            count={unread_count}
            live="notifications"
            aside={<ReadAllButton items={items} from="app" />}
          >
            {others.length === 0 ? (
              <Empty>
                {items.length === 0 ? 'You have read everything.' : 'They are about what is listed above.'} The{' '}
                <a href="/app/notifications">inbox</a> keeps all of them.
              </Empty>
            ) : (
              <NotificationList items={others} />
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
