/** Who can fill the rules of a policy today. */
import { type ApproverRule, shortStaffed } from '../../core/gate-rules.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Resource } from '../plugins/resources.ts'

/** Which groups have too few members who can approve, as sentences. */
export async function findUnderstaffed(
  db: Queryable,
  { organization_id, workspace_id }: Pick<Resource<'project'>, 'organization_id' | 'workspace_id'>,
  rules: ApproverRule[],
): Promise<string[]> {
  if (rules.length === 0) return []
  const found = await db<{ group_id: string; able: number }[]>`
    select candidate.group_id, count(*)::integer as able
    from group_members as candidate
    join organization_members as member
      on member.user_id = candidate.user_id
      and member.organization_id = ${organization_id}
    left join workspace_members as inside
      on inside.workspace_id = ${workspace_id}
      and inside.organization_id = ${organization_id}
      and inside.user_id = candidate.user_id
    where candidate.group_id = any(${rules.map(({ group_id }) => group_id)}::uuid[])
      and candidate.organization_id = ${organization_id}
      and (member.role in ('owner', 'admin') or inside.user_id is not null)
    group by candidate.group_id
  `
  const able = new Map(found.map((each) => [each.group_id, each.able]))
  return shortStaffed(rules.map((rule) => ({ ...rule, able: able.get(rule.group_id) ?? 0 })))
}
