import { sql } from '../../core/platform/database.ts'
import { withRollout } from '../../core/rollouts.ts'
import { MAX_SENT } from '../deployment-hooks/sent.tsx'
import { mayReview, memberWorkspaces, unreviewedGates, waitingGates } from './overview.ts'

/** An open page: of what needs its user, or of one gate. */
interface Watched {
  user_id: string
  session_id: string
  gate: { id: string; organization_id: string } | null
}

/** The users of pages who have no second factor. In a statement of its own: on a cluster, users are not on the nodes of their organizations. */
async function withoutSecondFactor(pages: Watched[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id
    from users
    where id = any(${pages.map(({ user_id }) => user_id)}::uuid[])
      and second_factors = 0
  `
  return new Set(rows.map(({ id }) => id))
}

/**
 * The versions of what open pages show, all in one statement.
 *
 * @returns the version of each, in order; null if its user may no longer see it, undefined if their session has ended
 */
export async function readVersions(pages: Watched[]): Promise<(string | null | undefined)[]> {
  const lacking = await withoutSecondFactor(pages)
  const parameters = pages.map(({ user_id, session_id, gate }, index) => ({
    index,
    user_id,
    session_id,
    factorless_id: lacking.has(user_id) ? user_id : null,
    gate_id: gate?.id ?? null,
    organization_id: gate?.organization_id ?? null,
  }))
  const rows = await sql<{ index: number; version: string | null }[]>`
    select page.index, coalesce(gate.version, overview.version) as version
    from jsonb_to_recordset(${sql.json(parameters)}) as page (
      index integer, user_id uuid, session_id uuid, factorless_id uuid, gate_id uuid, organization_id uuid
    )
    left join lateral (
      -- Nothing for people who have lost access since they opened the page.
      select concat_ws(' ', gate.status, gate.updated_at, sent.outcomes) as version
      from gates as gate
      left join lateral (
        select
          string_agg(
            concat_ws(' ', dispatch.id, dispatch.status, rollout.state, rollout.version),
            ' ' order by dispatch.id
          ) as outcomes
        from (
          select id, organization_id, status, report_within_seconds
          from dispatches
          where gate_id = gate.id
            and organization_id = gate.organization_id
          order by created_at desc, id desc
          limit ${MAX_SENT}
        ) as dispatch
        ${withRollout}
      ) as sent on gate.status = 'approved'
      join organization_members as member
        on member.organization_id = gate.organization_id
        and member.user_id = page.user_id
      left join workspace_members as workspace_member
        on workspace_member.workspace_id = gate.workspace_id
        and workspace_member.organization_id = gate.organization_id
        and workspace_member.user_id = page.user_id
      where gate.id = page.gate_id
        and gate.organization_id = page.organization_id
        and (member.role in ('owner', 'admin') or workspace_member.user_id is not null)
        and (page.factorless_id is null or not member.second_factor_required)
    ) as gate on page.gate_id is not null
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
            and (page.factorless_id is null or not member.second_factor_required)
        ),
        (
          select concat_ws(' ', count(*), max(gate.id::text))
          from ${unreviewedGates}
          where member.user_id = page.user_id
            and (page.factorless_id is null or not member.second_factor_required)
            and ${mayReview}
        )
      ) as version
    ) as overview on page.gate_id is null
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
