/** The executions of a project, and what they made. */
import type { Tx } from '../../../sql/index.ts'
import { personName } from './people.ts'
import type { DocumentScope } from './scope.ts'

export interface Execution {
  id: string
  requirement_id: string
  agent: string
  status: 'queued' | 'running' | 'awaiting_gate' | 'completed' | 'failed' | 'cancelled'
  summary: string | null
  error: string | null
  cost_usd: number | null
  seconds: number | null
  started_by: string | null
  started_by_id: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
}

/** What the newest completed execution of a done requirement made. */
export interface Artifact {
  requirement_id: string
  name: string
  kind: string | null
  url: string | null
  /** The first characters of its content. */
  content: string | null
}

/** Characters that are kept of a summary or an error. */
const SUMMARY_LENGTH = 600
/** The newest requirements whose artifacts are read, the artifacts of each, and the characters of each. */
const MAX_REQUIREMENTS = 500
const MAX_ARTIFACTS = 10
const CONTENT_LENGTH = 2_000

/** Oldest first. */
export const readExecutions = (tx: Tx, { organization_id, project_id, requirement_id }: DocumentScope) => tx<Execution[]>`
  select
    execution.id, execution.requirement_id, execution.agent, execution.status,
    left(execution.summary, ${SUMMARY_LENGTH}) as summary, left(execution.error, ${SUMMARY_LENGTH}) as error,
    execution.cost_usd,
    extract(epoch from execution.finished_at - execution.started_at)::double precision as seconds,
    coalesce(account.name, ${personName(tx)}) as started_by, people.id as started_by_id, execution.created_at,
    execution.started_at,
    execution.finished_at
  from executions as execution
  left join people on people.id = execution.started_by
  left join service_accounts as account
    on account.id = execution.started_by
    and account.organization_id = execution.organization_id
  where execution.project_id = ${project_id}
    and execution.organization_id = ${organization_id}
    and (${requirement_id}::uuid is null or execution.requirement_id = ${requirement_id})
  order by execution.id
`

/** Artifacts of the requirements that were completed last. */
export const readArtifacts = (tx: Tx, { organization_id, project_id, requirement_id }: DocumentScope) => tx<Artifact[]>`
  select
    requirement.id as requirement_id, artifact.item ->> 'name' as name, artifact.item ->> 'kind' as kind,
    artifact.item ->> 'url' as url, left(artifact.item ->> 'content', ${CONTENT_LENGTH}) as content
  from (
    select id, organization_id, number
    from requirements
    where project_id = ${project_id}
      and organization_id = ${organization_id}
      and status = 'done'
      ${requirement_id === null ? tx`` : tx`and id = ${requirement_id}`}
    order by completed_at desc, number desc
    limit ${MAX_REQUIREMENTS}
  ) as requirement
  cross join lateral (
    select artifacts
    from executions
    where requirement_id = requirement.id
      and organization_id = ${organization_id}
      and status = 'completed'
    order by created_at desc, id desc
    limit 1
  ) as execution
  cross join lateral (
    select item, position
    from jsonb_array_elements(execution.artifacts) with ordinality as element (item, position)
    order by position
    limit ${MAX_ARTIFACTS}
  ) as artifact
  order by requirement.number, artifact.position
`
