/** From which environment another one promotes: what a policy may say, and what a change of it sets free. */
import { lockLanes } from '../../core/delivery/lanes.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { wakeFrozen } from '../lanes/lanes.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import type { FieldError } from '../problems.ts'
import { type Before, chainTo, longestChain, readBefore } from './chains.ts'
import { listEnvironmentNames } from './environments.ts'
import type { EnvironmentPolicy, EnvironmentPolicyInput } from './schema.ts'

type PromotionRules = Pick<EnvironmentPolicy, 'promotes_from' | 'soak_seconds' | 'open_gate'>

/** Environments in a chain. */
const MAX_CHAIN = 10

/** Why an environment cannot promote from another one; null if it can. @param before of all others */
function circularText(environment: string, promotes_from: string, before: Before): string | null {
  const chain = chainTo(promotes_from, before)
  if (chain.includes(environment))
    return `must not make a circle: ${[...chain.slice(chain.indexOf(environment)), environment].join(' → ')}`
  const length = longestChain(environment, new Map([...before, [environment, promotes_from]]))
  return length > MAX_CHAIN ? `must not make a chain of more than ${MAX_CHAIN} environments; this would have ${length}` : null
}

/** The environments from which one can promote, by name: those that make no circle, and the one from which it does. */
export async function listSources(db: Queryable, project: ResourceKey<'project'>, environment: string): Promise<string[]> {
  const [names, all] = await Promise.all([listEnvironmentNames(db, project), readBefore(db, project)])
  const before = new Map(all)
  before.delete(environment)
  const others = names.filter((name) => circularText(environment, name, before) === null)
  const current = all.get(environment)
  return [...new Set([...others, ...(current === undefined ? [] : [current])])].sort()
}

/** Whether an environment has a hook, a rollout or a policy. */
async function isKnown(tx: Tx, { id, organization_id }: ResourceKey<'project'>, environment: string): Promise<boolean> {
  const [{ known } = { known: false }] = await tx<{ known: boolean }[]>`
    select
      exists (
        select 1
        from deployment_hooks
        where project_id = ${id} and organization_id = ${organization_id} and environment = ${environment}
      )
      or exists (
        select 1
        from environments
        where project_id = ${id}
          and organization_id = ${organization_id}
          and environment = ${environment}
          and rollout_count > 0
      )
      or exists (
        select 1
        from environment_policies
        where project_id = ${id} and organization_id = ${organization_id} and environment = ${environment}
      ) as known
  `
  return known
}

/** The rest of the rules if a change takes away the environment before, and does not set it. */
export const withoutBefore = ({ promotes_from, soak_seconds = 0, open_gate = false }: EnvironmentPolicyInput) =>
  promotes_from === null ? { soak_seconds, open_gate } : {}

/** What is wrong with the rules of a policy, which change one after the other in a project. @param former where it promotes from now */
export async function promotionErrors(
  tx: Tx,
  project: ResourceKey<'project'>,
  environment: string,
  former: string | null,
  { promotes_from, soak_seconds, open_gate }: PromotionRules,
): Promise<FieldError[]> {
  if (promotes_from === null) {
    const needs = (pointer: string): FieldError => ({ pointer, code: 'not_allowed', detail: 'needs promotes_from' })
    return [...(soak_seconds > 0 ? [needs('/soak_seconds')] : []), ...(open_gate ? [needs('/open_gate')] : [])]
  }
  // Its hooks may have been deleted meanwhile.
  if (promotes_from === former) return []
  const pointer = '/promotes_from'
  const before = new Map(await readBefore(tx, project))
  before.delete(environment)
  const circular = circularText(environment, promotes_from, before)
  if (circular !== null) return [{ pointer, code: 'circular', detail: circular }]
  if (await isKnown(tx, project, promotes_from)) return []
  return [
    { pointer, code: 'unknown', detail: 'is no environment of the project: none of its hooks, rollouts and policies names it' },
  ]
}

/** Has the sweep look at an environment that promotes, or forget one that does not. */
export async function storePromotion(tx: Tx, scope: ProjectScope, environment: string, { promotes_from }: PromotionRules) {
  const { organization_id, workspace_id, project_id } = scope
  if (promotes_from === null) {
    await tx`
      delete from promotions
      where project_id = ${project_id} and environment = ${environment} and organization_id = ${organization_id}
    `
    return
  }
  await tx`
    insert into promotions (organization_id, workspace_id, project_id, environment, due_at)
    values (${organization_id}, ${workspace_id}, ${project_id}, ${environment}, now())
    on conflict (project_id, environment, organization_id) do update
    set due_at = excluded.due_at
  `
}

/**
 * Sends what waits for an environment as soon as its policy lets it by now: sooner than when it was approved, and never later. Called after
 * the policy has changed: the drain reads it while it holds the lanes, so it sees the change, or is seen here.
 */
export async function freePromoted(
  tx: Tx,
  { organization_id, project_id }: ProjectScope,
  environment: string,
  hook_ids: string[],
  { promotes_from, soak_seconds }: Pick<PromotionRules, 'promotes_from' | 'soak_seconds'>,
): Promise<void> {
  await lockLanes(tx, [organization_id], hook_ids)
  const waits = tx`
    delivery.lane_id = any(${hook_ids}::uuid[])
    and delivery.organization_id = ${organization_id}
    and dispatch.id = delivery.id
    and dispatch.organization_id = ${organization_id}
    and dispatch.environment = ${environment}
    and dispatch.promoted_from is not null
  `
  if (promotes_from === null) {
    await tx`
      update dispatches as dispatch
      set promoted_from = null, promoted_digest = null, soak_until = null
      from deliveries as delivery
      where ${waits}
    `
  } else {
    await tx`
      update dispatches as dispatch
      set soak_until = seconds_after(run.since, ${soak_seconds})
      from deliveries as delivery, environment_runs as run
      where ${waits}
        and dispatch.promoted_from = ${promotes_from}
        and run.project_id = ${project_id}
        and run.environment = ${promotes_from}
        and run.digest = dispatch.promoted_digest
        and run.organization_id = ${organization_id}
        and dispatch.soak_until > seconds_after(run.since, ${soak_seconds})
    `
  }
  await wakeFrozen(tx, organization_id, hook_ids)
}
