import { reconsiderRequests } from '../../core/github/requests.ts'
import { sql } from '../../core/platform/database.ts'
import { VERSION_SCHEMES } from '../../core/records/deliverables.ts'
import { record } from '../../core/security/audit.ts'
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import {
  ActorShape,
  Instant,
  isWebUrl,
  Maybe,
  Name,
  Nullable,
  OneOf,
  Shape,
  type Static,
  Text,
  Type,
  Uuid,
  WebUrl,
} from '../../core/values/schema.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { changedFields, fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { pendingGates, readGone } from '../notifications/withdrawn.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound } from '../problems.ts'
import { inheritTemplate } from '../workflow-templates/workflow-templates.ts'

const Support = Type.Refine(
  Name(200, {
    description: 'Where users of the project get help: an http(s) URL or an e-mail address. Documents name it.',
    examples: ['https://help.example.com/'],
  }),
  (text) => isWebUrl(text) || canonicalAddress(text) !== null,
  () => 'must be an http or https URL, or an e-mail address',
)

const VersionScheme = OneOf(VERSION_SCHEMES, {
  description:
    'How the releases in changelogs are named. `numbered`: 1, 2, 3. `calver`: the date of publication, such as `2026.11.22`; a second one on that day is `2026.11.22.2`. `semver`: from 0.1.0; from 1.0.0 on a `removal` raises the first number, before that the second; a `feature`, `change` or `deprecation` raises the second, anything else the third. It counts from the latest version that was reported, which is written as it was reported, such as `v1.4.2`; what is reported after the publication does not change a name.',
  examples: ['semver'],
})

export const ProjectInput = Shape({
  name: Name(200, { examples: ['Checkout'] }),
  description: Maybe(Nullable(Text(10_000))),
  repository_url: Maybe(Nullable(WebUrl())),
  support: Maybe(Nullable(Support)),
  version_scheme: Maybe(VersionScheme),
})
export type ProjectInput = Static<typeof ProjectInput>

export const ProjectUpdate = Shape({ ...ProjectInput.properties, name: Maybe(Name(200)) })
export type ProjectUpdate = Static<typeof ProjectUpdate>

export const Project = Shape('Project', {
  id: Uuid,
  organization_id: Uuid,
  workspace_id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  repository_url: Nullable(Type.String()),
  support: Nullable(Type.String({ description: 'A URL or an e-mail address.' })),
  version_scheme: VersionScheme,
  created_by: Uuid,
  actor: ActorShape,
  created_at: Instant,
  updated_at: Instant,
})
export type Project = Static<typeof Project>

export const projectColumns = sql`
  id, organization_id, workspace_id, name, description, repository_url, support, version_scheme, created_by,
  actor_of(created_by, organization_id) as actor, created_at, updated_at
`

/** @param lock `for …` */
export async function getProject(db: Queryable, { id, organization_id }: ResourceKey<'project'>, lock = sql``): Promise<Project> {
  const [project] = await db<Project[]>`
    select ${projectColumns} from projects where id = ${id} and organization_id = ${organization_id} ${lock}
  `
  if (!project) throw notFound('project')
  return project
}

export const listProjects = (db: Queryable, workspace: ResourceKey<'workspace'>, { limit, after }: Slice) => db<Project[]>`
  select ${projectColumns}
  from projects
  where workspace_id = ${workspace.id} and organization_id = ${workspace.organization_id}
    ${following(sql`created_at, id`, after)}
  order by created_at desc, id desc
  limit ${limit}
`

export async function createProject(tx: Tx, by: Caller, workspace: Resource<'workspace'>, input: ProjectInput): Promise<Project> {
  const [project] = await tx<[Project]>`
    insert into projects (
      organization_id, workspace_id, name, description, repository_url, support, version_scheme, created_by
    )
    values (
      ${workspace.organization_id}, ${workspace.workspace_id}, ${input.name}, ${input.description ?? null},
      ${input.repository_url ?? null}, ${input.support ?? null}, ${input.version_scheme ?? 'numbered'}, ${by.id}
    )
    returning ${projectColumns}
  `
  const scope = { ...workspace, project_id: project.id }
  await inheritTemplate(tx, scope)
  const detail = `${by.name} created the project ${project.name}.`
  await record(tx, by, scope, { action: 'project.created', resource_type: 'project', resource_id: project.id, detail })
  return project
}

export async function updateProject(tx: Tx, by: Caller, project: Resource<'project'>, input: ProjectUpdate, request: Request) {
  const before = await getProject(tx, project, sql`for no key update`)
  requireMatch(request, before.updated_at)
  const changed = changedFields(before, input)
  if (!changed) return before
  const [updated] = await tx<[Project]>`
    update projects
    set ${tx(changed)}
    where id = ${project.id} and organization_id = ${project.organization_id}
    returning ${projectColumns}
  `
  const about = { resource_type: 'project', resource_id: project.id, what: `the project ${before.name}` }
  await recordUpdate(tx, by, project, about, fieldChanges(before, changed))
  return updated
}

export async function deleteProject(tx: Tx, by: Caller, project: Resource<'project'>, request: Request): Promise<null> {
  const before = await getProject(tx, project, sql`for no key update`)
  requireMatch(request, before.updated_at)
  const detail = `${by.name} deleted the project ${before.name} and everything in it.`
  await record(tx, by, project, { action: 'project.deleted', resource_type: 'project', resource_id: project.id, detail })
  const asked = await pendingGates(tx, project.organization_id, sql`gates.project_id = ${project.id}`)
  await tx`delete from projects where id = ${project.id} and organization_id = ${project.organization_id}`
  await readGone(tx, asked)
  await reconsiderRequests(tx, project.organization_id, sql`request.project_id = ${project.id}`)
  return null
}
