/** Candidates: what may come next to an environment that promotes from another one, and who is asked about it. */

import { approved } from '../../core/gates/gates.ts'
import { instant, sql } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'
import { distinctNameOf } from '../members/namesakes.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/**
 * `soaking`: it has not run in the environment before long enough. `ready`: it has. `waiting`: and a gate for it is pending, or approved.
 * `failed`: it failed there, or was rolled back.
 */
export const CANDIDATE_STATES = ['soaking', 'ready', 'waiting', 'failed'] as const

/**
 * SQL: the candidate of an environment as JSON: the subject whose run in the environment before began last. Null if there is none, or it
 * runs in the environment already.
 *
 * @param environment the name of the environment
 * @param current_digest of what runs there
 */
export const candidateOf = (
  { id, organization_id }: ResourceKey<'project'>,
  environment: Fragment,
  current_digest: Fragment,
): Fragment => sql`
  (
    select jsonb_build_object(
      'subject', run.subject, 'since', ${instant(sql`run.since`)},
      'soak_until', ${instant(sql`seconds_after(run.since, policy.soak_seconds)`)}, 'gate_id', gate.id,
      'state', case
        when run.ended_at is not null then 'failed'
        when seconds_after(run.since, policy.soak_seconds) > now() then 'soaking'
        when gate.status = 'pending' or ${approved()} then 'waiting'
        else 'ready'
      end
    )
    from environment_policies as policy
    join environments as before
      on before.project_id = ${id}
      and before.environment = policy.promotes_from
      and before.organization_id = ${organization_id}
    join environment_runs as run
      on run.project_id = ${id}
      and run.environment = policy.promotes_from
      and run.digest = before.newest_digest
      and run.organization_id = ${organization_id}
    left join lateral (
      select gates.id, gates.status, gates.revoked_at
      from gates
      where gates.project_id = ${id}
        and gates.organization_id = ${organization_id}
        and gates.environment = ${environment}
        and gates.subject is not null
        and gates.subject -> 'digest' = run.subject -> 'digest'
      order by gates.status = 'pending' desc, gates.created_at desc, gates.id desc
      limit 1
    ) as gate on true
    where policy.project_id = ${id}
      and policy.environment = ${environment}
      and policy.organization_id = ${organization_id}
      and run.since is not null
      and run.digest is distinct from ${current_digest}
  )
`

/** Admins that are named. */
const MAX_NAMED = 5

/** The next gate of an environment, as its policy says. */
export interface NextGate {
  /** Whether Signalbox opens it. */
  opens_itself: boolean
  required_approvals: number
  /** Whose members approve it, and how many of each have to. */
  groups: { id: string; name: string; count: number }[]
  /** The names of admins of the workspace, who approve it if it names no group. At most `MAX_NAMED`. */
  admins: string[]
  admin_count: number
}

/** SQL: a `NextGate` as JSON; null if the environment promotes from no other one. @param environment the name of the environment */
export const nextGateOf = ({ id, organization_id }: ResourceKey<'project'>, environment: Fragment): Fragment => {
  const admins = sql`
    from organization_members as member
    join people as person on person.id = member.user_id
    left join workspace_members as inside
      on inside.workspace_id = policy.workspace_id
      and inside.organization_id = ${organization_id}
      and inside.user_id = member.user_id
    where member.organization_id = ${organization_id}
      and (member.role in ('owner', 'admin') or inside.role = 'admin')
  `
  return sql`
    (
      select jsonb_build_object(
        'opens_itself', policy.open_gate,
        'required_approvals', greatest(workspace.gate_required_approvals, coalesce(policy.required_approvals, 1)),
        'groups', (
          select coalesce(
            jsonb_agg(jsonb_build_object('id', named.id, 'name', named.name, 'count', approver.count) order by approver.position),
            '[]'
          )
          from environment_approvers as approver
          join groups as named on named.id = approver.group_id and named.organization_id = ${organization_id}
          where approver.policy_id = policy.id and approver.organization_id = ${organization_id}
        ),
        'admins', array(
          select ${distinctNameOf(organization_id, sql`person`)} ${admins} order by person.name, person.id limit ${MAX_NAMED}
        ),
        'admin_count', (select count(*) ${admins})
      )
      from environment_policies as policy
      join workspaces as workspace on workspace.id = policy.workspace_id and workspace.organization_id = ${organization_id}
      where policy.project_id = ${id}
        and policy.environment = ${environment}
        and policy.organization_id = ${organization_id}
        and policy.promotes_from is not null
    )
  `
}
