/**
 * Who may decide a gate, which of its approvals count, what is missing, and whether they are enough. All code that needs this uses this module; the check of the
 * database, `has_enough_approvals`, repeats it, and a test compares the two.
 */
import type { Fragment, Queryable } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'

type GateKey = { id: string; organization_id: string }

/** The names of rows in a statement: of a gate, of a member of its organization and, with null if they are none, of its workspace. */
interface Rows {
  gate: Fragment
  member: Fragment
  inside: Fragment
}

const hasAccess = ({ member, inside }: Omit<Rows, 'gate'>): Fragment =>
  sql`(${member}.role in ('owner', 'admin') or ${inside}.user_id is not null)`

const isAdmin = ({ member, inside }: Rows): Fragment => sql`(${member}.role in ('owner', 'admin') or ${inside}.role = 'admin')`

const isInGroup = (rows: Rows): Fragment => sql`
  (
    ${rows.gate}.approvers <> '[]'
    and ${hasAccess(rows)}
    and exists (
      select 1
      from group_members as grouped
      where grouped.organization_id = ${rows.gate}.organization_id
        and grouped.user_id = ${rows.member}.user_id
        and ${rows.gate}.approvers @> jsonb_build_array(jsonb_build_object('group_id', grouped.group_id))
    )
  )
`

/** SQL: whether a member may approve a gate: in one of its groups or, if it names none, as an admin of its workspace. */
export const approves = (rows: Rows): Fragment => sql`(${rows.gate}.approvers = '[]' and ${isAdmin(rows)} or ${isInGroup(rows)})`

/** SQL: whether a member may decide a gate: approve it or, as an admin, reject it. */
export const decides = (rows: Rows): Fragment => sql`(${isAdmin(rows)} or ${isInGroup(rows)})`

const isMember = (user_id: Fragment, gate: Fragment, may: (rows: Rows) => Fragment): Fragment => sql`
  exists (
    select 1
    from organization_members as member
    left join workspace_members as inside
      on inside.workspace_id = ${gate}.workspace_id
      and inside.organization_id = ${gate}.organization_id
      and inside.user_id = member.user_id
    where member.organization_id = ${gate}.organization_id
      and member.user_id = ${user_id}
      and ${may({ gate, member: sql`member`, inside: sql`inside` })}
  )
`

/** SQL: whether a user may approve a gate. @param gate the name of the row */
export const mayApprove = (user_id: Fragment, gate: Fragment = sql`gates`): Fragment => isMember(user_id, gate, approves)

/** SQL: whether a user may decide the gate of a row of `gates`. */
export const mayDecide = (user_id: Fragment): Fragment => isMember(user_id, sql`gates`, decides)

/** What a person may do with a gate; null: nothing. */
export type Standing = 'approve' | 'reject' | null

/** SQL: the standing of a user at the gate of a row of `gates`. */
export const standing = (user_id: Fragment): Fragment =>
  sql`case when ${mayApprove(user_id)} then 'approve' when ${mayDecide(user_id)} then 'reject' end`

/** Whether a user may decide a gate that names groups; null if it names none. */
export async function decidesByGroup(db: Queryable, { id, organization_id }: GateKey, user_id: string): Promise<boolean | null> {
  const [gate] = await db<{ may_decide: boolean | null }[]>`
    select case when approvers <> '[]' then ${mayDecide(sql`${user_id}::uuid`)} end as may_decide
    from gates
    where gates.id = ${id} and gates.organization_id = ${organization_id}
  `
  return gate?.may_decide ?? null
}

/** So many members of a group have to approve. */
export type ApproverRule = { group_id: string; name: string; count: number }

export type GroupedApproval = { user_id: string; group_ids: string[] }

interface Fill {
  is_filled: boolean
  /** What is missing, in words. Empty if nothing is. */
  missing: string[]
}

/**
 * How many approvals the rules lack together. Hall's theorem: people can be assigned to all rules, each to one, if and only if no set of rules
 * needs more people than there are who fit one of them. There are at most 6 rules, so at most 63 sets.
 */
function countMissing(rules: ApproverRule[], approvals: GroupedApproval[]): number {
  const fitting = approvals.map(({ group_ids }) =>
    rules.reduce((bits, { group_id }, index) => (group_ids.includes(group_id) ? bits | (1 << index) : bits), 0),
  )
  const lacks = (set: number): number =>
    rules.reduce((sum, { count }, index) => (set & (1 << index) ? sum + count : sum), 0) -
    fitting.filter((bits) => bits & set).length
  return Math.max(...Array.from({ length: 1 << rules.length }, (_, set) => lacks(set)))
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
  const lacking = rules.map((_, index) => countMissing(rules.slice(0, index + 1), counting))
  // What the rules up to this one lack, and those before it do not.
  const open = rules.map(({ name }, index) => ({ name, count: (lacking[index] ?? 0) - (lacking[index - 1] ?? 0) }))
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

/** SQL: the `ApprovalState` of a row of `gates`. */
export const approvalState: Fragment = sql`
  jsonb_build_object(
    'required_approvals', gates.required_approvals,
    'rules', coalesce(
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
                and member.organization_id = gates.organization_id
              left join workspace_members as inside
                on inside.workspace_id = gates.workspace_id
                and inside.organization_id = gates.organization_id
                and inside.user_id = candidate.user_id
              where candidate.group_id = named.id
                and candidate.organization_id = gates.organization_id
                and ${hasAccess({ member: sql`member`, inside: sql`inside` })}
            )
          )
          order by rule.position
        )
        from jsonb_array_elements(gates.approvers) with ordinality as rule (value, position)
        left join groups as named
          on named.id = (rule.value ->> 'group_id')::uuid
          and named.organization_id = gates.organization_id
      ),
      '[]'
    ),
    'approvals', coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'user_id', approval.user_id,
            'group_ids', array(
              select grouped.group_id
              from group_members as grouped
              where grouped.user_id = approval.user_id and grouped.organization_id = gates.organization_id
            )
          )
        )
        from gate_approvals as approval
        where approval.gate_id = gates.id
          and approval.organization_id = gates.organization_id
          and ${mayApprove(sql`approval.user_id`)}
      ),
      '[]'
    )
  )
`

export async function readApprovalState(db: Queryable, { id, organization_id }: GateKey): Promise<ApprovalState | undefined> {
  const [found] = await db<{ state: ApprovalState }[]>`
    select ${approvalState} as state from gates where gates.id = ${id} and gates.organization_id = ${organization_id}
  `
  return found?.state
}

/** The state once a person who may approve has approved. */
export const withApproval = ({ approvals, ...rest }: ApprovalState, own: GroupedApproval): ApprovalState => ({
  ...rest,
  approvals: [...approvals.filter(({ user_id }) => user_id !== own.user_id), own],
})

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
