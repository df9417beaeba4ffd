/** Who may decide a gate, and whether its approvals are enough. `has_enough_approvals` of the database says the same for every path. */
import type { Fragment, Queryable } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'

/** SQL: as a member of the workspace and of the gate's groups, or an admin if it names none. @param gates the name of the row */
export const mayApprove = (user_id: Fragment, gates: Fragment = sql`gates`): Fragment => sql`
  exists (
    select 1
    from organization_members as member
    left join workspace_members as inside
      on inside.workspace_id = ${gates}.workspace_id
      and inside.organization_id = ${gates}.organization_id
      and inside.user_id = member.user_id
    where member.organization_id = ${gates}.organization_id
      and member.user_id = ${user_id}
      and (
        member.role in ('owner', 'admin')
        or inside.role = 'admin'
        or (${gates}.approvers <> '[]' and inside.user_id is not null)
      )
      and (
        ${gates}.approvers = '[]'
        or exists (
          select 1
          from group_members as grouped
          where grouped.organization_id = ${gates}.organization_id
            and grouped.user_id = member.user_id
            and ${gates}.approvers @> jsonb_build_array(jsonb_build_object('group_id', grouped.group_id))
        )
      )
  )
`

/** SQL: whether a user may decide the gate of a row of `gates`: they may approve it, or reject it as an admin of the workspace. */
export const mayDecide = (user_id: Fragment): Fragment => sql`
  (
    ${mayApprove(user_id)}
    or exists (
      select 1
      from organization_members as member
      left join workspace_members as inside
        on inside.workspace_id = gates.workspace_id
        and inside.organization_id = gates.organization_id
        and inside.user_id = member.user_id
      where member.organization_id = gates.organization_id
        and member.user_id = ${user_id}
        and (member.role in ('owner', 'admin') or inside.role = 'admin')
    )
  )
`

/** So many members of a group have to approve. */
export type ApproverRule = { group_id: string; name: string; count: number }

export type GroupedApproval = { user_id: string; group_ids: string[] }

interface Fill {
  is_filled: boolean
  /** What is missing, in words. Empty if nothing is. */
  missing: string[]
}

/**
 * How many approvals each rule has, if as many as possible count: each person counts for one rule. A person in several groups moves
 * to another rule where that makes room (Kuhn's algorithm for bipartite matching).
 */
function countFilled(rules: ApproverRule[], approvals: GroupedApproval[]): number[] {
  const holders = rules.map((): GroupedApproval[] => [])
  const assign = (person: GroupedApproval, visited: Set<number>): boolean => {
    for (const [index, { group_id, count }] of rules.entries()) {
      if (visited.has(index) || !person.group_ids.includes(group_id)) continue
      visited.add(index)
      const held = holders[index] as GroupedApproval[]
      if (held.length < count) return held.push(person) > 0
      const moved = held.findIndex((other) => assign(other, visited))
      if (moved === -1) continue
      held[moved] = person
      return true
    }
    return false
  }
  for (const person of approvals) assign(person, new Set())
  return holders.map((held) => held.length)
}

const moreApprovals = (count: number): string => `${count} more approval${count === 1 ? '' : 's'}`

/**
 * Whether some assignment of approvals fills all rules, each person counting for one, and there are as many as required. With rules,
 * only members of their groups count.
 *
 * @param rules each group once; none: every approval counts
 */
export function fills(rules: ApproverRule[], required_approvals: number, approvals: GroupedApproval[]): Fill {
  const counting =
    rules.length === 0 ? approvals : approvals.filter((each) => rules.some(({ group_id }) => each.group_ids.includes(group_id)))
  const filled = countFilled(rules, counting)
  const open = rules.map(({ name, count }, index) => ({ name, count: count - (filled[index] as number) }))
  const inGroups = open.reduce((sum, { count }) => sum + count, 0)
  // A person who counts for an open rule also counts here.
  const others = Math.max(0, required_approvals - counting.length - inGroups)
  const missing = [
    ...open.filter(({ count }) => count > 0).map(({ name, count }) => `${moreApprovals(count)} by members of ${name}`),
    ...(others > 0 ? [inGroups > 0 ? `${moreApprovals(others)} besides` : moreApprovals(others)] : []),
  ]
  return { is_filled: missing.length === 0, missing }
}

interface StaffedRule extends ApproverRule {
  able: number
}

export interface ApprovalState {
  rules: StaffedRule[]
  required_approvals: number
  approvals: GroupedApproval[]
}

export const approvalState = ({ id, organization_id }: { id: string; organization_id: string }) => sql`
  select
    gates.required_approvals,
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'group_id', rule.value ->> 'group_id',
            'name', coalesce(named.name, 'a deleted group'),
            'count', rule.value -> 'count',
            'able', (
              select count(*)
              from group_members as candidate
              join organization_members as member
                on member.user_id = candidate.user_id
                and member.organization_id = ${organization_id}
              left join workspace_members as inside
                on inside.workspace_id = gates.workspace_id
                and inside.organization_id = ${organization_id}
                and inside.user_id = candidate.user_id
              where candidate.group_id = named.id
                and candidate.organization_id = ${organization_id}
                and (member.role in ('owner', 'admin') or inside.user_id is not null)
            )
          )
          order by rule.position
        )
        from jsonb_array_elements(gates.approvers) with ordinality as rule (value, position)
        left join groups as named
          on named.id = (rule.value ->> 'group_id')::uuid
          and named.organization_id = ${organization_id}
      ),
      '[]'
    ) as rules,
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'user_id', approval.user_id,
            'group_ids', array(
              select grouped.group_id
              from group_members as grouped
              where grouped.user_id = approval.user_id and grouped.organization_id = ${organization_id}
            )
          )
        )
        from gate_approvals as approval
        where approval.gate_id = gates.id
          and approval.organization_id = ${organization_id}
          and ${mayApprove(sql`approval.user_id`)}
      ),
      '[]'
    ) as approvals
  from gates
  where gates.id = ${id} and gates.organization_id = ${organization_id}
`

export async function readApprovalState(db: Queryable, gate: { id: string; organization_id: string }) {
  const [state] = await db<ApprovalState[]>`${approvalState(gate)}`
  return state
}

/** Whether the approvals that count are enough, and what is missing otherwise. */
export const filled = ({ rules, required_approvals, approvals }: ApprovalState): Fill =>
  fills(rules, required_approvals, approvals)

/** Why rules cannot be filled with the people of today, as sentences. */
export const shortStaffed = (rules: StaffedRule[]): string[] =>
  rules.flatMap(({ name, count, able }) =>
    able >= count
      ? []
      : `${able === 0 ? 'No one' : `Only ${able}`} in ${name} can approve: the group needs members with access to the workspace.`,
  )

/** The same for a gate, and who can help. */
export const understaffed = ({ rules }: Pick<ApprovalState, 'rules'>): string[] =>
  shortStaffed(rules).map((text) => `${text} An owner or admin of the organization can add people, or override the gate.`)

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

export const groupNames = (rules: ApproverRule[]): string => LIST.format(rules.map(({ name }) => name))
