import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { distinctName } from '../members/namesakes.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import type { RequirementName } from '../requirements/link.tsx'
import { requirementName } from '../requirements/names.ts'

/** What the page of an execution shows beside it and its gates. */
interface ExecutionContext {
  requirement: RequirementName
  runtime_name: string | null
  /** The names of those who queued and started it, and opened or decided its gates, by id. */
  names: Record<string, string>
}

/** The context of an execution. @throws Problem `not_found` */
export async function getExecutionContext(
  db: Queryable,
  { id, organization_id }: ResourceKey<'execution'>,
): Promise<ExecutionContext> {
  const [context] = await db<ExecutionContext[]>`
    select
      ${requirementName(sql`execution.requirement_id`, organization_id)} as requirement,
      (
        select name from runtimes where id = execution.runtime_id and organization_id = ${organization_id}
      ) as runtime_name,
      (
        select coalesce(jsonb_object_agg(mentioned.id, ${distinctName(organization_id, sql`mentioned.id`)}), '{}')
        from (
          select unnest(array[execution.created_by, execution.started_by]) as id
          union
          select unnest(array[gate.created_by, gate.decided_by, gate.reviewed_by, gate.revoked_by])
          from gates as gate
          where gate.execution_id = execution.id
            and gate.organization_id = ${organization_id}
        ) as mentioned
        where mentioned.id is not null
      ) as names
    from executions as execution
    where execution.id = ${id}
      and execution.organization_id = ${organization_id}
  `
  if (!context) throw notFound('execution')
  return context
}
