import { sql } from '../../core/platform/database.ts'
import { mayReview, memberWorkspaces, unreviewedGates, waitingGates } from './overview.ts'

/** An open page: of what needs its user, of what belongs to them, or of something in an organization or workspace. */
interface Watched {
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

/**
 * The versions of what needs the users of open pages, and whether they may still see the others, all in one statement.
 *
 * @returns the version of each, in order; null if its user may no longer see it, undefined if their session has ended
 */
export async function readVersions(pages: Watched[]): Promise<(string | null | undefined)[]> {
  const parameters = pages.map((page, index) => ({ ...page, index }))
  const rows = await sql<{ index: number; version: string | null }[]>`
    select page.index, coalesce(inside.version, overview.version, case when page.organization_id is null then '' end) as version
    from jsonb_to_recordset(${sql.json(parameters)}) as page (
      index integer, user_id uuid, session_id uuid, is_overview boolean, organization_id uuid, workspace_id uuid
    )
    left join lateral (
      -- Nothing for people who have lost access since they opened the page.
      select '' as version
      from organization_members as member
      left join workspace_members as workspace_member
        on workspace_member.workspace_id = page.workspace_id
        and workspace_member.organization_id = member.organization_id
        and workspace_member.user_id = member.user_id
      where member.organization_id = page.organization_id
        and member.user_id = page.user_id
        and (page.workspace_id is null or member.role in ('owner', 'admin') or workspace_member.user_id is not null)
        and ${hasFactor}
    ) as inside on page.organization_id is not null
    left join lateral (
      select concat_ws(
        ' ',
        (
          select concat_ws(' ', inbox.sequence, inbox.unread)
          from notification_inboxes as inbox
          where inbox.user_id = page.user_id
        ),
        (
          select concat_ws(' ', count(*), max(gate.updated_at), max(gate.id::text))
          from ${memberWorkspaces}
          cross join ${waitingGates}
          where member.user_id = page.user_id
            and ${hasFactor}
        ),
        (
          select concat_ws(' ', count(*), max(gate.id::text))
          from ${unreviewedGates}
          where member.user_id = page.user_id
            and ${hasFactor}
            and ${mayReview}
        ),
        -- Those that the user is setting up, by the names of their pages: anything there may complete a step.
        (
          select string_agg('in:' || member.organization_id, ' ')
          from organization_members as member
          where member.user_id = page.user_id
            and member.setup_until > now()
            and ${hasFactor}
        )
      ) as version
    ) as overview on page.is_overview
    -- Not exists(): PostgreSQL may read all sessions for that while they are few, and keep the plan.
    where (
      select true
      from sessions
      where id = page.session_id
        and ended_at is null
        -- The end of a cookie.
        and last_used_at > now() - interval '30 days'
    )
  `
  const versions: (string | null | undefined)[] = pages.map(() => undefined)
  for (const { index, version } of rows) versions[index] = version
  return versions
}
