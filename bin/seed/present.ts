/** Spreads what still waits, and notifications, over the last hours and days. */
import type { Tx } from '../../sql/index.ts'

export async function spreadPresent(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    update requirements
    set created_at = created_at - ranked.rank * interval '29 hours'
    from (
      select id, row_number() over (order by created_at desc, id desc) as rank
      from requirements
      where organization_id = ${organization_id}
        and status in ('open', 'in_progress')
        and created_at > now() - interval '1 hour'
    ) as ranked
    where requirements.id = ranked.id
      and requirements.organization_id = ${organization_id}
  `
  await tx`
    update executions
    set created_at = created_at - ranked.age, started_at = started_at - ranked.age
    from (
      select id, interval '35 minutes' + row_number() over (order by created_at desc, id desc) * interval '130 minutes' as age
      from executions
      where organization_id = ${organization_id}
        and finished_at is null
    ) as ranked
    where executions.id = ranked.id
      and executions.organization_id = ${organization_id}
  `
  await tx`
    update gates
    set created_at = execution.started_at + interval '25 minutes'
    from executions as execution
    where execution.id = gates.execution_id
      and execution.organization_id = ${organization_id}
      and gates.organization_id = ${organization_id}
      and gates.status = 'pending'
  `
  // In the order in which they came, the newest a few minutes ago.
  await tx`
    update notifications
    set created_at = now() - (4 + 9 * ranked.rank + 4 * ranked.rank * ranked.rank) * interval '1 minute'
    from (
      select id, row_number() over (partition by user_id order by sequence desc) as rank
      from notifications
      where organization_id = ${organization_id}
    ) as ranked
    where notifications.id = ranked.id
  `
}
