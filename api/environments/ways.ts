/** The ways in which gates for environments can be approved: what both policies allow, and with a passkey through the API or in the app. */

import { type ApproverRule, shortStaffed } from '../../core/gates/approval.ts'
import type { Way } from '../../core/gates/gates.ts'
import type { WorkspaceScope } from '../../core/tenants/scopes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { Resource } from '../plugins/resources.ts'
import { type FieldError, invalidField } from '../problems.ts'
import type { EnvironmentPolicy } from './schema.ts'

const WITH_PASSKEY: Way[] = ['api', 'app']

/** What is wrong with a policy whose gates could not be approved. @param ways those of the workspace */
export function passkeyErrors(
  { require_passkey, decide_via }: Pick<EnvironmentPolicy, 'require_passkey' | 'decide_via'>,
  ways: Way[],
): FieldError[] {
  if (!require_passkey || (decide_via ?? ways).some((way) => WITH_PASSKEY.includes(way))) return []
  const [pointer, detail] =
    decide_via === null
      ? ['/require_passkey', 'needs a decide_via that includes api or app; the decide_via of the workspace has neither']
      : ['/decide_via', 'must include api or app, because require_passkey is true: no one could approve otherwise']
  return [{ pointer, code: 'not_allowed', detail }]
}

/**
 * Requires that the gates of each environment of a workspace can still be approved. The workspace is locked, as it is when a policy
 * of an environment changes.
 * @throws Problem `validation_failed`
 */
export async function requireWaysLeft(tx: Tx, { organization_id, workspace_id }: WorkspaceScope, ways: Way[]): Promise<void> {
  const [stuck] = await tx<{ environment: string; project: string }[]>`
    select policy.environment, project.name as project
    from environment_policies as policy
    join projects as project on project.id = policy.project_id and project.organization_id = policy.organization_id
    where policy.workspace_id = ${workspace_id}
      and policy.organization_id = ${organization_id}
      and not exists (
        select from unnest(${ways}::text[]) as way
        where (policy.decide_via is null or way = any(policy.decide_via))
          and (not policy.require_passkey or way = any(${WITH_PASSKEY}::text[]))
      )
    order by project.name, policy.environment
    limit 1
  `
  if (!stuck) return
  const detail = `would leave no way to approve gates for the environment ${stuck.environment} of the project ${stuck.project}: change its policy first`
  throw invalidField('/gate_policy/decide_via', 'not_allowed', detail)
}

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
    join organization_members as member on member.user_id = candidate.user_id and member.organization_id = ${organization_id}
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
