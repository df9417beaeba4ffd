import { Name, Shape, type Static, Type, Usd, UsdOutput } from '../../core/values/schema.ts'
import type { Json, Queryable, Tx } from '../../sql/index.ts'
import { entryChanges, recordUpdate } from '../audit-logs/changes.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { type FieldError, invalidField, invalidFields } from '../problems.ts'

export const AgentLimitInput = Shape({
  agent: Name(120, { description: 'The name of an agent, as executions have it.', examples: ['claude-code'] }),
  max_cost_usd: Usd,
})

const MAX_LIMITS = 200

export const AgentLimitsInput = Type.Array(AgentLimitInput, { maxItems: MAX_LIMITS })
export type AgentLimitsInput = Static<typeof AgentLimitsInput>

export const AgentLimit = Shape('AgentLimit', { agent: Type.String({ examples: ['claude-code'] }), max_cost_usd: UsdOutput })
export type AgentLimit = Static<typeof AgentLimit>

export const AgentLimitKey = Shape({ agent: Type.String() })

export const listAgentLimits = (db: Queryable, organization_id: string) => db<AgentLimit[]>`
  select agent, max_cost_usd
  from agent_limits
  where organization_id = ${organization_id}
  order by agent collate "C"
`

/** @throws Problem `validation_failed` if an agent has two limits */
function requireDistinct(agents: string[]): void {
  const faults = agents.flatMap((agent, at): FieldError[] =>
    agents.indexOf(agent) === at ? [] : [{ pointer: `/${at}/agent`, code: 'duplicate', detail: 'is listed before' }],
  )
  if (faults.length > 0) throw invalidFields(faults)
}

/** Lets one change of the limits follow the other. */
const lock = (tx: Tx, organization_id: string) => tx`
  select from organizations where id = ${organization_id} for no key update
`

/** Replaces the limits of agents. @returns them as they are stored */
export async function setAgentLimits(
  tx: Tx,
  by: Caller,
  { id: organization_id, ...scope }: Resource<'organization'>,
  request: Request,
  input: AgentLimitsInput,
): Promise<AgentLimit[]> {
  const given = input.map(({ agent, max_cost_usd }) => ({ agent: agent.trim(), max_cost_usd }))
  requireDistinct(given.map(({ agent }) => agent))
  // A list has no entity tag.
  requireMatch(request, null)
  await lock(tx, organization_id)
  const before = await listAgentLimits(tx, organization_id)
  await tx`delete from agent_limits where organization_id = ${organization_id}`
  await tx`
    insert into agent_limits (organization_id, agent, max_cost_usd)
    select ${organization_id}::uuid, agent, max_cost_usd
    from jsonb_to_recordset(${tx.json(given as unknown as Json)}) as given (agent text, max_cost_usd numeric)
  `
  const after = await listAgentLimits(tx, organization_id)
  const limits = (of: AgentLimit[]) => Object.fromEntries(of.map(({ agent, max_cost_usd }) => [agent, max_cost_usd]))
  const changes = entryChanges(limits(before), limits(after))
  const updated = { resource_type: 'agent_limit', resource_id: organization_id, what: 'the monthly limits of agents' }
  if (changes.length > 0) await recordUpdate(tx, by, scope, updated, changes)
  return after
}

/** Sets or removes the limit of one agent. @param max_cost_usd null for none */
export async function setAgentLimit(
  tx: Tx,
  by: Caller,
  organization: Resource<'organization'>,
  request: Request,
  { agent, max_cost_usd }: { agent: string; max_cost_usd: number | null },
): Promise<void> {
  await lock(tx, organization.id)
  const others = (await listAgentLimits(tx, organization.id)).filter((limit) => limit.agent !== agent)
  if (max_cost_usd !== null && others.length >= MAX_LIMITS)
    throw invalidField('/agent', 'too_many', `is one more than the ${MAX_LIMITS} limits that there can be: remove one first`)
  const own = max_cost_usd === null ? [] : [{ agent, max_cost_usd }]
  await setAgentLimits(tx, by, organization, request, [...others, ...own])
}
