import type { Queryable, Tx } from '../../sql/index.ts'
import { fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { type Caller, contextOf, type ProjectResource, type ResourceKey } from '../plugins/request-context.ts'
import { entityTag, matchesEntityTag, requireMatch, SECURITY_HEADERS } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import type { Description, DescriptionType } from './openapi.ts'
import type { ApiDescription } from './schema.ts'

/** A description that was read and found good, with the text that it came as. */
export interface Received extends Description {
  content_type: DescriptionType
  source: string
}

/**
 * Reads what came, before any transaction is opened: a large document takes its time.
 *
 * @throws Problem `malformed_encoding`, or `validation_failed` with pointers into the document
 */
export async function receiveDescription(request: Request): Promise<Received> {
  const { bytes, media_type } = contextOf(request)
  const content_type: DescriptionType = media_type === 'application/json' ? 'application/json' : 'application/yaml'
  let source: string
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('malformed_encoding', 'The body is not UTF-8.')
  }
  // The validator is loaded by the first who sends a document: a tenth of a start is its.
  const { readDescription } = await import('./openapi.ts')
  return { ...(await readDescription(source, content_type)), content_type, source }
}

/** A description as it is stored. */
type Stored = ApiDescription & Pick<Received, 'content_type' | 'source'>

/** Keeps the description of a project's API, in the place of the one before. */
export async function putDescription(
  tx: Tx,
  by: Caller,
  place: ProjectResource,
  { document, title, version, operation_count, content_type, source }: Received,
  request: Request,
): Promise<ApiDescription> {
  // The project is locked, because the description itself may have no row yet: two first ones take turns.
  const [project] = await tx<{ name: string }[]>`
    select name from projects where id = ${place.project_id} and organization_id = ${place.organization_id} for no key update
  `
  if (!project) throw notFound('project')
  const [before] = await tx<Stored[]>`
    select project_id, title, version, operation_count, updated_at, content_type, source
    from api_descriptions
    where project_id = ${place.project_id}
      and organization_id = ${place.organization_id}
  `
  requireMatch(request, before?.updated_at ?? null)
  const changes = fieldChanges(before ?? {}, { title, version, operation_count, content_type, source })
  if (before && changes.length === 0) {
    const { content_type: _, source: __, ...shown } = before
    return shown
  }
  const [description] = await tx<[ApiDescription]>`
    insert into api_descriptions (
      project_id, organization_id, workspace_id, content_type, source, document, title, version, operation_count
    )
    values (
      ${place.project_id}, ${place.organization_id}, ${place.workspace_id}, ${content_type}, ${source},
      ${JSON.stringify(document)}, ${title}, ${version}, ${operation_count}
    )
    on conflict (project_id, organization_id) do update
      set content_type = excluded.content_type, source = excluded.source, document = excluded.document,
          title = excluded.title, version = excluded.version, operation_count = excluded.operation_count
    returning project_id, title, version, operation_count, updated_at
  `
  const what = `the API description of the project ${project.name}`
  await recordUpdate(tx, by, place, { resource_type: 'api_description', resource_id: place.project_id, what }, changes)
  return description
}

/**
 * The description as it came, with its type.
 *
 * @throws Problem `not_found` before there is any
 */
export async function answerDescription(
  db: Queryable,
  { id, organization_id }: ResourceKey,
  request: Request,
): Promise<Response> {
  const [found] = await db<{ content_type: string; source: string; updated_at: string }[]>`
    select content_type, source, updated_at
    from api_descriptions
    where project_id = ${id}
      and organization_id = ${organization_id}
  `
  if (!found) throw notFound('API description')
  const tag = entityTag(found.updated_at, found.source)
  const headers = {
    ...SECURITY_HEADERS,
    ...contextOf(request).headers,
    'Content-Type': `${found.content_type}; charset=utf-8`,
    'Cache-Control': 'private, no-cache',
    ETag: tag,
  }
  return matchesEntityTag(request, tag) ? new Response(null, { status: 304, headers }) : new Response(found.source, { headers })
}
