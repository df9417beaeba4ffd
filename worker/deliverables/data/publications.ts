/** What the project published before, and the texts that are stored for it. */
import type { Tx } from '../../../sql/index.ts'
import type { DocumentScope } from './scope.ts'

/** A published changelog. */
export interface Release {
  /** The data that it contains. */
  as_of: string
  published_at: string
}

interface StoredDescription {
  title: string
  version: string
  document: string
}

/** The API description of the API documentation that was published last. */
export interface PublishedDescription {
  published_at: string
  document: Record<string, unknown>
}

/** Published changelogs of the whole project, oldest first. */
export const readReleases = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<Release[]>`
  select source ->> 'as_of' as as_of, published_at
  from deliverables
  where project_id = ${project_id}
    and organization_id = ${organization_id}
    and deliverable_type = 'changelog'
    and requirement_id is null
    and published_at is not null
  order by source ->> 'as_of', version
`

/** The workflow template of the project; none if it uses the built-in one. */
export const readWorkflow = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<{ template: string }[]>`
  select template from workflow_templates where scope_id = ${project_id} and organization_id = ${organization_id}
`

/** The API description of the project; none if it has none. */
export const readApiDescription = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<StoredDescription[]>`
  select title, version, document
  from api_descriptions
  where project_id = ${project_id}
    and organization_id = ${organization_id}
`

/** The API description that was published last; none if none is, and for other documents, which do not use it. */
export const readPublishedDescription = (tx: Tx, { organization_id, project_id, deliverable_type }: DocumentScope) => tx<
  { published_at: string; document: string }[]
>`
  select published_at, api_description as document
  from deliverables
  where project_id = ${project_id}
    and organization_id = ${organization_id}
    and deliverable_type = 'api_docs'
    and ${deliverable_type} = 'api_docs'
    and published_at is not null
    and api_description is not null
  order by published_at desc, id desc
  limit 1
`
