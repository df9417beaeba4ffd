/** What follows when the cost of executions grows: the spend of this month, and the event when one exceeds its limit. */

import type { Tx } from '../../sql/index.ts'
import type { Actor } from '../actors.ts'
import { addSpend, type ModelSpend } from '../budgets.ts'
import { emitAll } from '../events/outbox.ts'
import type { ProjectScope } from '../scopes.ts'
import { type Execution, executionColumns, withoutArtifacts } from './records.ts'

/** Emits `execution.over_budget` for each of the executions that exceeds its `max_cost_usd` and has not done so before. */
export async function emitOverBudget(tx: Tx, by: Actor, organization_id: string, execution_ids: string[]): Promise<void> {
  const exceeded = await tx<Execution[]>`
    update executions
    set over_budget_at = now()
    where id = any(${execution_ids})
      and organization_id = ${organization_id}
      and over_budget_at is null
      and cost_usd > max_cost_usd
    returning ${executionColumns}
  `
  const events = exceeded.map((execution) => ({
    scope: execution,
    name: 'execution.over_budget' as const,
    data: { execution: withoutArtifacts(execution) },
    references: { requirement_id: execution.requirement_id },
  }))
  await emitAll(tx, by, events)
}

/** Adds what was added to the cost of a locked execution to the spend. Must come last in its transaction, like `addSpend`. */
export async function addCost(
  tx: Tx,
  by: Actor,
  scope: ProjectScope,
  { id, agent, organization_id }: Execution,
  amounts: ModelSpend[],
): Promise<void> {
  if (amounts.every(({ usd }) => usd === 0)) return
  await emitOverBudget(tx, by, organization_id, [id])
  await addSpend(
    tx,
    by,
    organization_id,
    amounts.map((amount) => ({ ...amount, scope, agent })),
  )
}
