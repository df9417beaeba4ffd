/** Receives OTLP exports: what they report about the use of models becomes usage of the executions that their resources name. */

import { addSpend } from '../../core/budgets/budgets.ts'
import { sql } from '../../core/platform/database.ts'
import { lockExecutions, recordUsage, type UsedExecution } from '../executions/usage.ts'
import type { UsageBatch } from '../executions/usage-values.ts'
import { recordActivity } from '../mcp/activity.ts'
import { organizationScope } from '../members/membership.ts'
import { transactionWith } from '../plugins/confirm-access.ts'
import type { Caller, RequestContext } from '../plugins/request-context.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import type { ServiceAccess } from '../plugins/scopes.ts'
import { Thread } from '../plugins/thread.ts'
import { Problem } from '../problems.ts'
import { type OrganizationRole, roleInWorkspace, type WorkspaceRole } from '../roles.ts'
import { type Export, inflated, readExport, type Source } from './export.ts'
import type { Signal } from './records.ts'
import { delimited, varint } from './wire.ts'

const MAX_SECONDS = 5

const thread = new Thread<Source, Export>(
  new URL('./thread.ts', import.meta.url),
  MAX_SECONDS * 1000,
  () => new Problem('too_busy', `The export took longer than ${MAX_SECONDS} seconds to read. Send less in one export.`),
)

/** Above, an export is inflated and read by the thread, so that other requests do not wait. */
const LARGE_BYTES = 65_536
/** Above, it is read by the thread. */
const LARGE_INFLATED_BYTES = 262_144

function read({ id }: Caller, source: Source): Export | Promise<Export> {
  if (source.bytes.length > LARGE_BYTES) return thread.run(id, source)
  const plain = inflated(source)
  return plain.bytes.length > LARGE_INFLATED_BYTES ? thread.run(id, plain) : readExport(plain)
}

type FoundExecution = { id: string; organization_id: string }

/** The executions among `ids` that a service account may report usage of: those where it works. */
const findForAccount = (organization_id: string | null, access: ServiceAccess, ids: string[]) => sql<FoundExecution[]>`
  select id, organization_id
  from executions
  where id = any(${ids}::uuid[])
    and organization_id = ${organization_id}
    and (${access.workspace_id}::uuid is null or workspace_id = ${access.workspace_id})
    and (${access.project_id}::uuid is null or project_id = ${access.project_id})
`

/** The same for a user: those in their workspaces. */
async function findForUser(
  { id: user_id, bound_to, has_second_factor, unproven }: Caller,
  ids: string[],
): Promise<FoundExecution[]> {
  const memberships = await sql<{ organization_id: string; role: OrganizationRole; second_factor_required: boolean }[]>`
    select organization_id, role, second_factor_required from member_organizations where user_id = ${user_id}
  `
  const roles = new Map(
    memberships
      .filter(({ organization_id }) => bound_to === null || bound_to === organization_id)
      .filter(({ second_factor_required }) => has_second_factor || !second_factor_required)
      .filter(({ organization_id }) => !unproven?.includes(organization_id))
      .map(({ organization_id, role }) => [organization_id, role]),
  )
  const found = await sql<(FoundExecution & { workspace_role: WorkspaceRole | null })[]>`
    select execution.id, execution.organization_id, member.role as workspace_role
    from executions as execution
    left join workspace_members as member
      on member.workspace_id = execution.workspace_id
      and member.organization_id = execution.organization_id
      and member.user_id = ${user_id}
    where execution.id = any(${ids}::uuid[]) and execution.organization_id = any(${[...roles.keys()]}::uuid[])
  `
  return found.filter(({ organization_id, workspace_role }) => {
    const role = roles.get(organization_id)
    return role !== undefined && roleInWorkspace(role, workspace_role) !== null
  })
}

async function findExecutions(caller: Caller, ids: string[]): Promise<FoundExecution[]> {
  if (ids.length === 0) return []
  const account = caller.service_account
  return account ? findForAccount(caller.bound_to, account, ids) : findForUser(caller, ids)
}

const sentence = (by: Caller) => (execution: UsedExecution) =>
  `${by.name} began to send telemetry of the execution by ${execution.agent}.`

/**
 * Records the usage of executions of one organization.
 * @returns the executions, by the numbers that the rows have; null for those that are of another organization, deleted, or not started
 */
const recordIn = (caller: Caller, organization_id: string, ids: (string | null)[], batch: UsageBatch) =>
  transactionWith(
    { caller, resource: organizationScope(organization_id), required_role: 'member', scopes: ['usage:write'] },
    async (tx): Promise<(UsedExecution | null)[]> => {
      const named = ids.filter((id) => id !== null)
      const locked = await lockExecutions(tx, organization_id, named)
      const executions = ids.map((id) => locked.find((each) => each.id === id && each.started_at !== null) ?? null)
      const spent = await recordUsage(tx, caller, organization_id, executions, batch, sentence(caller))
      await addSpend(tx, caller, organization_id, spent, 'cap')
      return executions
    },
  )

const because = (count: number, reason: string): string[] => (count === 0 ? [] : [`${count} ${reason}`])

/** @param unknown how many records name an execution that the caller cannot report usage of */
function partialSuccess({ rejected: { unnamed, invalid, excess } }: Export, unknown: number): PartialSuccess {
  const reasons = [
    ...because(unknown, 'name an execution that does not exist, has not started, or that you have no access to'),
    ...because(unnamed, 'name no execution: set the resource attribute signalbox.execution_id'),
    ...because(invalid, 'have counts, costs, names or ids that are not valid'),
    ...because(excess, 'are too many for one export'),
  ]
  const rejected = unknown + unnamed + invalid + excess
  return { rejected, message: rejected === 0 ? '' : `Of the uses of models that were sent, ${reasons.join('; ')}.` }
}

/** Records the usage in an export. @throws Problem `body_too_large`, `malformed_export`, `too_busy` */
export async function ingest(caller: Caller, source: Source): Promise<PartialSuccess> {
  const given = await read(caller, source)
  const named = given.executions.map(({ id }) => id)
  const ids = named.filter((id) => id !== '')
  const found = await findExecutions(caller, ids)
  const counted = new Set<string>()
  // Mostly one: a machine works for one organization.
  for (const organization_id of new Set(found.map((execution) => execution.organization_id))) {
    const own = new Set(found.filter((execution) => execution.organization_id === organization_id).map(({ id }) => id))
    const numbered = named.map((id) => (own.has(id) ? id : null))
    const { models, rows, hasLinks } = given
    const batch = { source: 'telemetry' as const, models, rows, hasLinks }
    const executions = (await recordIn(caller, organization_id, numbered, batch)).filter((execution) => execution !== null)
    for (const { id } of executions) counted.add(id)
    recordActivity('telemetry', organization_id, executions)
  }
  const unknown = given.executions.reduce((sum, { id, records }) => sum + (counted.has(id) ? 0 : records), 0)
  return partialSuccess(given, unknown)
}

export const PROTOBUF = 'application/x-protobuf'
export const JSON_TYPE = 'application/json'

const REJECTED = { traces: 'rejectedSpans', logs: 'rejectedLogRecords' } as const

type PartialSuccess = { rejected: number; message: string }

/** Field 1 of the response is `partial_success`; of that, field 1 is how many were rejected, and field 2 why. */
function encode({ rejected, message }: PartialSuccess): Uint8Array {
  if (rejected === 0) return new Uint8Array()
  const partial = Buffer.concat([new Uint8Array([8, ...varint(rejected)]), delimited(2, new TextEncoder().encode(message))])
  return delimited(1, partial)
}

/** @param partial what was rejected; for metrics, which are not counted, nothing */
export function exportResponse(context: RequestContext, signal: Signal | 'metrics', partial: PartialSuccess): Response {
  const isJson = context.mediaType === JSON_TYPE
  const { rejected, message } = partial
  const object = rejected === 0 || signal === 'metrics' ? {} : { [REJECTED[signal]]: String(rejected), errorMessage: message }
  const body = isJson ? JSON.stringify(rejected === 0 ? {} : { partialSuccess: object }) : Buffer.from(encode(partial))
  return new Response(body, {
    headers: {
      ...SECURITY_HEADERS,
      ...context.headers,
      'Content-Type': isJson ? JSON_TYPE : PROTOBUF,
      'Cache-Control': 'no-store',
    },
  })
}
