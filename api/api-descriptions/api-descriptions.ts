import { Count, Instant, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { type Caller, contextOf } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { entityTag, matchesEntityTag, requireMatch, SECURITY_HEADERS } from '../plugins/responses.ts'
import { Thread } from '../plugins/thread.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import type { DescriptionType } from './openapi.ts'
import type { Read, Source } from './thread.ts'

export const ApiDescription = Shape('ApiDescription', {
  project_id: Uuid,
  title: Type.String({ examples: ['Checkout API'] }),
  version: Type.String({ examples: ['1.4.2'] }),
  operation_count: Count,
  updated_at: Instant,
})
export type ApiDescription = Static<typeof ApiDescription>

type ReceivedDescription = Source & Read

const MAX_SECONDS = 10

const thread = new Thread<Source, Read>(new URL('./thread.ts', import.meta.url), MAX_SECONDS * 1000, () =>
  invalidField('', 'too_complex', `takes longer than ${MAX_SECONDS} seconds to check: make the document smaller`),
)

/**
 * Parses and validates the body, before a transaction is opened, since large documents take time.
 * @throws Problem `malformed_encoding`, `too_busy`, or `validation_failed` with pointers into the document
 */
export async function receiveDescription(request: Request): Promise<ReceivedDescription> {
  const { bytes, mediaType, caller, address } = contextOf(request)
  const content_type: DescriptionType = mediaType === 'application/json' ? 'application/json' : 'application/yaml'
  let source: string
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('malformed_encoding', 'The body is not valid UTF-8.')
  }
  return readDescription(source, content_type, caller?.id ?? address)
}

/**
 * Validates a description, in a thread.
 * @param by whose documents are read one after the other
 * @throws Problem `too_busy`, or `validation_failed` with pointers into the document
 */
export async function readDescription(source: string, content_type: DescriptionType, by: string): Promise<ReceivedDescription> {
  const read = await thread.run(by, { source, content_type })
  return { ...read, content_type, source }
}

export async function findDescription(db: Queryable, { id, organization_id }: ResourceKey<'project'>) {
  const [found] = await db<(ApiDescription & Pick<ReceivedDescription, 'content_type' | 'source'>)[]>`
    select project_id, title, version, operation_count, updated_at, content_type, source
    from api_descriptions
    where project_id = ${id} and organization_id = ${organization_id}
  `
  return found ?? null
}

/** Stores the description of a project's API, replacing the previous one. */
export async function putDescription(
  tx: Tx,
  by: Caller,
  project: Resource<'project'>,
  { document, title, version, operation_count, content_type, source }: ReceivedDescription,
  request: Request,
): Promise<ApiDescription> {
  // Locks the project, since the description may not have a row yet.
  const [found] = await tx<{ name: string }[]>`
    select name from projects where id = ${project.project_id} and organization_id = ${project.organization_id} for no key update
  `
  if (!found) throw notFound('project')
  const before = await findDescription(tx, project)
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
      ${project.project_id}, ${project.organization_id}, ${project.workspace_id}, ${content_type}, ${source},
      ${document}, ${title}, ${version}, ${operation_count}
    )
    on conflict (project_id, organization_id) do update
      set content_type = excluded.content_type, source = excluded.source, document = excluded.document,
          title = excluded.title, version = excluded.version, operation_count = excluded.operation_count
    returning project_id, title, version, operation_count, updated_at
  `
  const what = `the API description of the project ${found.name}`
  await recordUpdate(tx, by, project, { resource_type: 'api_description', resource_id: project.project_id, what }, changes)
  return description
}

/** The stored description in its original form. @throws Problem `not_found` if there is none */
export async function respondWithDescription(db: Queryable, project: ResourceKey<'project'>, request: Request) {
  const found = await findDescription(db, project)
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
