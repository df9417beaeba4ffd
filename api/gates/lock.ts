/** Gates under the lock of their execution: decisions on an execution happen one after the other until the commit. */

import { type ApprovalState, approvalState, type Standing, standing } from '../../core/gates/approval.ts'
import { fullGateColumns, type Gate } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { type ShortExecution, shortExecutionColumns } from '../../core/records/executions.ts'
import type { Fragment, Tx } from '../../sql/index.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { type OrganizationRole, roleInWorkspace, type WorkspaceRole } from '../roles.ts'

export interface LockedGate {
  gate: Gate
  is_open: boolean
  /** Whether other gates of the execution are pending. */
  waits_for_others: boolean
  /** Null if nothing waits for the gate. */
  execution: ShortExecution | null
  /** Of a gate that Signalbox opened: the people whose work it is about. */
  asked_by: string[]
}

/** What a person is to a gate. It cannot change until the commit. */
interface Decider {
  standing: Standing
  role: WorkspaceRole
  /** Their groups in the organization. */
  group_ids: string[]
}

export interface LockedToDecide extends LockedGate {
  by: Decider
  approval: ApprovalState
}

/** Locks the execution of a gate, or the gate if nothing waits for it. */
async function lockExecutionOf(tx: Tx, { id, organization_id }: Resource<'gate'>): Promise<ShortExecution | null> {
  const [execution] = await tx<ShortExecution[]>`
    select ${shortExecutionColumns}
    from executions
    where organization_id = ${organization_id}
      and id = (select execution_id from gates where gates.id = ${id} and gates.organization_id = ${organization_id})
    for no key update
  `
  if (!execution) await tx`select from gates where id = ${id} and organization_id = ${organization_id} for no key update`
  return execution ?? null
}

/** @param more further columns */
async function readLocked<Row extends LockedGate>(tx: Tx, { id, organization_id }: Resource<'gate'>, more: Fragment) {
  const [found] = await tx<(Gate & Omit<Row, 'gate' | 'execution'>)[]>`
    select
      ${fullGateColumns}, gate_is_open(gates.status, gates.expires_at) as is_open, gates.asked_by,
      exists (
        select 1
        from gates as other
        where other.execution_id = gates.execution_id
          and other.organization_id = gates.organization_id
          and other.id <> gates.id
          and other.status = 'pending'
      ) as waits_for_others
      ${more}
    from gates
    where gates.id = ${id} and gates.organization_id = ${organization_id}
  `
  if (!found) throw notFound('gate')
  return found
}

/** @throws Problem `not_found` */
export async function lockGate(tx: Tx, key: Resource<'gate'>): Promise<LockedGate> {
  const execution = await lockExecutionOf(tx, key)
  const { is_open, waits_for_others, asked_by, ...gate } = await readLocked<LockedGate>(tx, key, tx``)
  return { gate, is_open, waits_for_others, execution, asked_by }
}

/**
 * Locks what makes people approvers of a gate: of the caller and of those who have approved. In the order in which removing a member does.
 * The gate is locked, so these people and its groups are fixed.
 */
const lockMembers = (tx: Tx, { id, organization_id, workspace_id }: Resource<'gate'>, user_id: string) => tx`
  with people as (
    select ${user_id}::uuid as user_id
    union
    select user_id from gate_approvals where gate_id = ${id} and organization_id = ${organization_id}
  ),
  members as (
    select 1
    from organization_members
    where organization_id = ${organization_id} and user_id in (select user_id from people)
    order by user_id
    for share
  ),
  insiders as (
    select 1
    from workspace_members
    where workspace_id = ${workspace_id}
      and organization_id = ${organization_id}
      and user_id in (select user_id from people)
    order by user_id
    for share
  ),
  grouped as (
    select 1
    from group_members
    where organization_id = ${organization_id}
      and user_id in (select user_id from people)
      and group_id in (
        select (rule ->> 'group_id')::uuid
        from gates, jsonb_array_elements(approvers) as rule
        where gates.id = ${id} and gates.organization_id = ${organization_id}
      )
    order by group_id, user_id
    for share
  )
  select (select count(*) from members), (select count(*) from insiders), (select count(*) from grouped)
`

type DecidableRow = Omit<LockedToDecide, 'by'> &
  Omit<Decider, 'role'> & { organization_role: OrganizationRole | null; workspace_role: WorkspaceRole | null }

/**
 * Locks a gate and the roles and groups of those who decide it, and reads all that a decision of the caller depends on.
 * @throws Problem `not_found`, also if the caller is no member any more
 */
export async function lockToDecide(tx: Tx, { id: user_id }: Caller, key: Resource<'gate'>): Promise<LockedToDecide> {
  const execution = await lockExecutionOf(tx, key)
  const user = sql`${user_id}::uuid`
  // One after the other in one round trip: what is read is as it is once the members are locked.
  const [, row] = await Promise.all([
    lockMembers(tx, key, user_id).execute(),
    readLocked<DecidableRow>(
      tx,
      key,
      tx`,
        (${approvalState}) as approval,
        ${standing(user)} as standing,
        (
          select role from organization_members where organization_id = gates.organization_id and user_id = ${user}
        ) as organization_role,
        (
          select role
          from workspace_members
          where workspace_id = gates.workspace_id
            and organization_id = gates.organization_id
            and user_id = ${user}
        ) as workspace_role,
        array(
          select group_id from group_members where organization_id = gates.organization_id and user_id = ${user}
        ) as group_ids
      `,
    ),
  ])
  const {
    is_open,
    waits_for_others,
    asked_by,
    approval,
    standing: may,
    organization_role,
    workspace_role,
    group_ids,
    ...gate
  } = row
  const role = organization_role && roleInWorkspace(organization_role, workspace_role)
  if (role === null) throw notFound('gate')
  return { gate, is_open, waits_for_others, execution, asked_by, approval, by: { standing: may, role, group_ids } }
}
