/**
 * Live pages: streams that say that an open page has changed. The page then reads itself again.
 *
 * All streams of this process are checked together: at most once a second after a change anywhere, those in whose scopes something has
 * changed; and all of them every few seconds. A browser has one stream for all its windows, which holds only the versions of what they show.
 */
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { isLiveSession } from '../credentials/live-sessions.ts'
import { type Admitted, admit } from '../pages/access.ts'
import { PAGE_HEADERS } from '../pages/headers.ts'
import { idsIn, keysOf, type LivePage, LiveQuery, livePagesIn, observePages, versionOf } from '../pages/live-pages.ts'
import type { Route } from '../pages/page.tsx'
import { queryReader } from '../pages/urls.ts'
import { type EventStream, Streams } from '../plugins/event-streams.ts'
import { everyWorkspace, mayReview, unreviewedGates, waitingGates } from './overview.ts'

const MIN_INTERVAL_MS = 1_000
/** Streams per statement. */
const BATCH_SIZE = 500

/** The version is an opaque word: a client sees whether it has changed since the page was rendered. */
const changed = (page: LivePage, version: string): string => `event: change\ndata: ${page} ${version}\n\n`
/** The reader has no access to a page any more. */
const lost = (page: LivePage): string => `event: lost\ndata: ${page}\n\n`
/** The last event of a stream, with why it ends; the page then says so. */
const ended = (why: 'session' | 'access'): string => `event: ended\ndata: ${why}\n\n`

interface Reader {
  user_id: string
  session_id: string
  /** The version of each page; null until it was first read: the page may have changed since it was rendered. */
  pages: Map<LivePage, string | null>
}

type Stream = EventStream<Reader>

/** Whether the next check looks at all pages. */
let sweepDue = false

const streams = new Streams<Reader>((_, isSweep) => {
  sweepDue ||= isSweep
  void requestCheck()
})

let checking = false
let checkAgain = false

/** Checks all streams now, or when a second has passed since the last check. */
async function requestCheck(): Promise<void> {
  checkAgain = true
  if (checking) return
  checking = true
  try {
    while (checkAgain && streams.all().size > 0) {
      checkAgain = false
      await checkAll()
      await Bun.sleep(MIN_INTERVAL_MS)
    }
  } catch (error) {
    // The next sweep tries again.
    log.debug({ error }, 'could not check live pages')
  } finally {
    checking = false
  }
}

/** A page of a stream, with the version of what it shows as far as announcements tell. */
type Watched = { stream: Stream; page: LivePage; version: string }

/** The pages that may have changed; all of them when the access to them is to be checked as well. */
const watchedPages = (all: boolean): Watched[] =>
  [...streams.all()].flatMap((stream) =>
    [...stream.reader.pages].flatMap(([page, known]) => {
      const version = versionOf(keysOf(page, stream.reader.user_id))
      return all || page === 'overview' || version !== known ? { stream, page, version } : []
    }),
  )

async function checkAll(): Promise<void> {
  const watched = watchedPages(sweepDue)
  sweepDue = false
  for (let from = 0; from < watched.length; from += BATCH_SIZE) await checkBatch(watched.slice(from, from + BATCH_SIZE))
}

async function checkBatch(watched: Watched[]): Promise<void> {
  const found = await readVersions(
    watched.map(({ stream, page }) => {
      const { user_id, session_id } = stream.reader
      const [organization_id = null, workspace_id = null] = idsIn(page)
      return { user_id, session_id, is_overview: page === 'overview', organization_id, workspace_id }
    }),
  )
  for (const [index, { stream, page, version }] of watched.entries()) {
    if (!streams.all().has(stream)) continue
    const read = found[index]
    tell(stream, page, read && page === 'overview' ? overviewVersion(read) : read === '' ? version : read)
  }
}

/** The version of what needs a person, and of what is in the organizations that they set up. */
function overviewVersion(read: string): string {
  const ids = read.split(' ').flatMap((word) => idsIn(word as LivePage))
  return Bun.hash(ids.length > 0 ? `${read} ${versionOf(ids)}` : read).toString(36)
}

function tell(stream: Stream, page: LivePage, version: string | null | undefined): void {
  const { pages } = stream.reader
  if (version === undefined) {
    end(stream, 'session')
  } else if (version === null) {
    pages.delete(page)
    stream.send(lost(page))
    if (pages.size === 0) end(stream, 'access')
  } else if (version !== pages.get(page) && stream.hasRoom()) {
    stream.send(changed(page, version))
    pages.set(page, version)
  }
}

function end(stream: Stream, why: 'session' | 'access'): void {
  stream.send(ended(why))
  streams.end(stream)
}

const readQuery = queryReader(LiveQuery)

/** The stream of the pages that a browser shows. Each check looks at the session and at the access to each page. */
export const liveStream: Route = {
  method: 'GET',
  path: '/app/live',
  access: { signedIn: true },
  async answer(request, params, server) {
    const {
      caller: { id: user_id, session_id },
    } = (await admit(request, params, { signedIn: true })) as Admitted<{ signedIn: true }>
    const { pages } = readQuery(new URL(request.url))
    observePages(requestCheck)
    const reader = { user_id, session_id, pages: new Map(livePagesIn(pages).map((page) => [page, null])) }
    const response = streams.open(request, server, reader)
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.headers.set(name, value)
    return response
  },
}

/** An open page: of what needs its user, of what belongs to them, or of something in an organization or workspace. */
interface OpenPage {
  user_id: string
  session_id: string
  is_overview: boolean
  organization_id: string | null
  workspace_id: string | null
}

/** Whether a member has the second factor that their organization may require. */
const hasFactor = sql`
  (not member.second_factor_required or (select has_second_factor from people where id = member.user_id))
`

/** The sessions that have not ended, how many notifications their users have, and the organizations that require a sign-on which they lack. */
const readSessions = (ids: string[]) => sql<{ id: string; inbox: string; unproven: string[] }[]>`
  select
    session.id, concat_ws(' ', inbox.sequence, inbox.unread) as inbox,
    array(
      select member.organization_id
      from member_organizations as member
      where member.user_id = session.user_id
        and member.sso_connection_id is not null
        and lacks_sign_on(
          member.organization_id, member.sso_connection_id, member.sso_required, session.user_id, session.id, null
        )
    ) as unproven
  from sessions as session
  left join notification_inboxes as inbox on inbox.user_id = session.user_id
  where session.id = any(${ids}::uuid[])
    and ${isLiveSession}
    -- The end of a cookie.
    and session.last_used_at > now() - interval '30 days'
`

/** The pages of what is in an organization that their users may still see. */
const readAccess = (pages: (OpenPage & { index: number })[]) => sql<{ index: number }[]>`
  select page.index
  from jsonb_to_recordset(${sql.json(pages as never)}) as page (
    index integer, user_id uuid, organization_id uuid, workspace_id uuid
  )
  join organization_members as member on member.organization_id = page.organization_id and member.user_id = page.user_id
  left join workspace_members as workspace_member
    on workspace_member.workspace_id = page.workspace_id
    and workspace_member.organization_id = member.organization_id
    and workspace_member.user_id = member.user_id
  where (page.workspace_id is null or member.role in ('owner', 'admin') or workspace_member.user_id is not null)
    and ${hasFactor}
`

type OfUser = { user_id: string; version: string }

/** What needs these users, over all their organizations. */
const readNeeds = (users: string[]) =>
  Promise.all([
    acrossTenants(sql<OfUser[]>`
      select member.user_id, concat_ws(' ', count(*), max(gate.updated_at), max(gate.id::text)) as version
      from ${everyWorkspace}
      cross join ${waitingGates}
      where member.user_id = any(${users}::uuid[])
        and ${hasFactor}
        and ${isActiveOrganization(sql`member.organization_id`)}
      group by member.user_id
    `),
    acrossTenants(sql<OfUser[]>`
      select member.user_id, concat_ws(' ', count(*), max(gate.id::text)) as version
      from ${unreviewedGates}
      where member.user_id = any(${users}::uuid[]) and ${hasFactor} and ${mayReview}
      group by member.user_id
    `),
    // Those that they are setting up, by the names of their pages: anything there may complete a step.
    sql<OfUser[]>`
      select member.user_id, string_agg('in:' || member.organization_id, ' ' order by member.organization_id) as version
      from member_organizations as member
      where member.user_id = any(${users}::uuid[]) and member.setup_until > now() and ${hasFactor}
      group by member.user_id
    `,
  ])

/**
 * The versions of what needs the users of open pages, and whether they may still see the others.
 * @returns the version of each, in order; null if its user may no longer see it, undefined if their session has ended
 */
async function readVersions(pages: OpenPage[]): Promise<(string | null | undefined)[]> {
  const inside = pages.flatMap((page, index) => (page.organization_id === null ? [] : [{ ...page, index }]))
  const users = [...new Set(pages.flatMap(({ is_overview, user_id }) => (is_overview ? [user_id] : [])))]
  const [sessions, seen, needs] = await Promise.all([
    readSessions([...new Set(pages.map(({ session_id }) => session_id))]),
    inside.length > 0 ? readAccess(inside) : [],
    users.length > 0 ? readNeeds(users) : [],
  ])
  const live = new Map(sessions.map((session) => [session.id, session]))
  const visible = new Set(seen.map(({ index }) => index))
  const needed = needs.map((rows) => new Map(rows.map(({ user_id, version }) => [user_id, version])))
  return pages.map(({ session_id, user_id, is_overview, organization_id }, index) => {
    const session = live.get(session_id)
    if (session === undefined) return undefined
    if (is_overview) return [session.inbox, ...needed.map((versions) => versions.get(user_id) ?? '')].join(' ')
    return organization_id === null || (visible.has(index) && !session.unproven.includes(organization_id)) ? '' : null
  })
}
