/** The gates of a project as its pages list them: with how far each is, and whether it waits for the reader. */
import { mayApprove } from '../../core/gates/approval.ts'
import { type GateStatus, gateState, type Subject } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { distinctName } from '../members/namesakes.ts'
import { type PageQuery, paged, pageLimit } from '../plugins/lists.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import type { RequirementName } from '../requirements/list.tsx'
import { requirementName } from '../requirements/requirements.ts'

/** SQL: whether `gate` is pending, and not past its expiry. */
export const isOpen = sql`(gate.status = 'pending' and (gate.expires_at is null or gate.expires_at > now()))`

/** SQL: how many approvals `gate` needs. Each member of a group counts for one of its rules. */
export const needed = sql`
  greatest(
    gate.required_approvals,
    (select sum((rule ->> 'count')::integer) from jsonb_array_elements(gate.approvers) as rule)
  )::integer
`

/** SQL: how many of the approvals of `gate` count. */
export const given = sql`
  (
    select count(*)
    from gate_approvals as approval
    where approval.gate_id = gate.id
      and approval.organization_id = gate.organization_id
      and ${mayApprove(sql`approval.user_id`, sql`gate`)}
  )
`

/** SQL: whether a user may approve the open `gate`, and has not: neither opened it nor started its execution, and it is not their work, where that matters. */
export const waitsFor = (user_id: string): Fragment => sql`
  (
    ${mayApprove(sql`${user_id}::uuid`, sql`gate`)}
    and not exists (
      select 1
      from gate_approvals as approval
      where approval.gate_id = gate.id
        and approval.organization_id = gate.organization_id
        and approval.user_id = ${user_id}
    )
    and not (
      gate.prevent_self_approval
      and (
        gate.created_by is not distinct from ${user_id}::uuid
        or ${user_id}::uuid = any(gate.asked_by)
        or exists (
          select 1
          from executions as execution
          where execution.id = gate.execution_id
            and execution.organization_id = gate.organization_id
            and execution.started_by = ${user_id}
        )
      )
    )
  )
`

export interface ListedGate {
  id: string
  name: string
  environment: string | null
  subject: Subject | null
  /** In a word: also `superseded`, `revoked`, and `expired` before a worker has recorded it. */
  state: string
  approvals: number
  required_approvals: number
  waits_for_reader: boolean
  expires_at: string | null
  decided_at: string | null
  /** Who decided it, or approved it last; null also for a decision of the system. */
  decided_by_name: string | null
  created_at: string
  /** Null for a gate without an execution. */
  requirement: RequirementName | null
}

type ListedPage = ListedGate & { counts: Partial<Record<GateStatus, number>>; is_item: true | null }

/** A page of the gates of a project, the pending ones first and then the newest, with how many have each status. One statement. */
export async function listShownGates(
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  reader: SignedIn,
  { status, ...query }: PageQuery & { status?: GateStatus },
) {
  const newest = (condition: Fragment) => sql`
    (
      select id, organization_id, status, created_at
      from gates
      where project_id = ${id}
        and organization_id = ${organization_id}
        and ${condition}
      order by created_at desc, id desc
      limit ${query.page * query.page_size + 1}::bigint
    )
  `
  const wanted = status
    ? newest(sql`status = ${status}`)
    : sql`${newest(sql`status = 'pending'`)} union all ${newest(sql`status <> 'pending'`)}`
  const rows = await db<ListedPage[]>`
    select counted.counts, listed.*
    from (
      select coalesce(jsonb_object_agg(each.status, each.count), '{}') as counts
      from (
        select status, count(*) as count
        from gates
        where project_id = ${id} and organization_id = ${organization_id}
        group by status
      ) as each
    ) as counted
    left join lateral (
      select
        true as is_item, gate.id, gate.name, gate.environment, gate.subject,
        case when gate.status = 'pending' and not ${isOpen} then 'expired' else ${gateState(sql`gate`)} end as state,
        ${given} as approvals, ${needed} as required_approvals,
        ${isOpen} and ${waitsFor(reader.id)} as waits_for_reader,
        gate.expires_at, gate.decided_at, ${distinctName(organization_id, sql`gate.decided_by`)} as decided_by_name,
        gate.created_at,
        case when gate.execution_id is not null then (
          select ${requirementName(sql`execution.requirement_id`, organization_id)}
          from executions as execution
          where execution.id = gate.execution_id and execution.organization_id = ${organization_id}
        ) end as requirement
      from (
        select id, organization_id
        from (${wanted}) as found
        order by (status = 'pending') desc, created_at desc, id desc
        ${pageLimit(query)}
      ) as key
      join gates as gate on gate.id = key.id and gate.organization_id = ${organization_id}
      order by (gate.status = 'pending') desc, gate.created_at desc, gate.id desc
    ) as listed on true
  `
  const counts = rows[0]?.counts ?? {}
  const total = status ? (counts[status] ?? 0) : Object.values(counts).reduce((sum, count) => sum + count, 0)
  const items = rows.flatMap(({ counts: _, is_item, ...gate }) => (is_item ? [gate as ListedGate] : []))
  return { ...paged(query, total, items), counts }
}
