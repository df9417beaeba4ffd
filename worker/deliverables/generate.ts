/** generate_deliverable: generates a document from one snapshot of its project. */
import { emit } from '../../core/events/outbox.ts'
import type { EventDeliverable } from '../../core/events/subjects.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { DELIVERABLE_TITLES, type DeliverableType, deliverableColumns } from '../../core/records/deliverables.ts'
import { record } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { Json } from '../../sql/index.ts'
import { lockTenant } from '../model/model.ts'
import type { DocumentScope } from './data/project.ts'
import { apiDocs } from './documents/api-docs.ts'
import { changelog } from './documents/changelog.ts'
import { deploymentGuide } from './documents/deployment-guide.ts'
import type { Document, Generator } from './documents/document.ts'
import { projectSummary } from './documents/project-summary.ts'
import { userManual } from './documents/user-manual.ts'
import { type ProjectData, readProject } from './project-data.ts'
import { nameReleases } from './releases.ts'
import { render } from './render.tsx'

const DOCUMENTS: Record<DeliverableType, Generator> = {
  changelog,
  project_summary: projectSummary,
  deployment_guide: deploymentGuide,
  api_docs: apiDocs,
  user_manual: userManual,
}

const TEMPLATE = 'template/1'

interface PendingDeliverable extends DocumentScope {
  id: string
  title: string
  version: number
  request_id: string | null
}

/** Hashes one subject after another: as one text, the data of a large project would take much memory. */
function hashOf(data: object): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const [subject, rows] of Object.entries(data)) hasher.update(JSON.stringify([subject, rows]))
  return hasher.digest('hex')
}

/** The data a document was generated from. `as_of` is not part of the hash, so that the hash shows whether the data changed. */
function sourceOf({ as_of, ...data }: ProjectData, missing: string[]) {
  const { requirements, executions, gates, hooks, dispatches, members } = data
  const counted = { requirements, executions, gates, hooks, dispatches, members }
  return {
    as_of,
    counts: Object.fromEntries(Object.entries(counted).map(([name, rows]) => [name, rows.length])),
    requirement_ids: requirements.map(({ id }) => id),
    execution_ids: executions.map(({ id }) => id),
    // When names are stored says nothing about the data.
    data_hash: hashOf({ ...data, releases: data.releases.map(({ as_of, published_at }) => ({ as_of, published_at })) }),
    missing,
  }
}

type Failure = { error: string }

type GeneratedDocument = { content: string; parts: string[]; source: ReturnType<typeof sourceOf> }

/** Rows of a project from which on its garbage is collected at once: left to the runtime, memory grows to several times the data. */
const MANY_ROWS = 2_000

/** Frees what a step of a large document left, before the next step needs memory. It takes about 10 ms. */
function collectGarbage({ requirements, executions, api_description }: ProjectData): void {
  if (requirements.length + executions.length > MANY_ROWS || api_description !== null) Bun.gc(true)
}

/** Writes the document. An error makes the deliverable fail, because a retry would use the same data. */
async function write(pending: PendingDeliverable, data: ProjectData): Promise<(Document & { parts: string[] }) | Failure> {
  try {
    const document = DOCUMENTS[pending.deliverable_type](data)
    collectGarbage(data)
    return { ...document, parts: await render(document.markdown) }
  } catch (error) {
    log.error({ error, deliverable: pending.id, request_id: pending.request_id }, 'generating a document failed')
    return {
      error: `Internal error: the ${DELIVERABLE_TITLES[pending.deliverable_type]} could not be generated. Contact the operator and name the request ${pending.request_id ?? pending.id}.`,
    }
  }
}

const readSnapshot = (scope: DocumentScope) =>
  sql.begin('isolation level repeatable read read only', (tx) => readProject(tx, scope))

/** @returns null if the project or requirement is deleted */
async function generate(pending: PendingDeliverable): Promise<GeneratedDocument | Failure | null> {
  const data = await readSnapshot(pending)
  if (!data) return null
  collectGarbage(data)
  const written = await write(pending, data)
  collectGarbage(data)
  if ('error' in written) return written
  const source = sourceOf(data, written.missing)
  collectGarbage(data)
  return { content: written.markdown, parts: written.parts, source }
}

async function finish(pending: PendingDeliverable, generated: GeneratedDocument | Failure): Promise<void> {
  const document = 'error' in generated ? { content: null, parts: null, source: null } : generated
  const outcome = 'error' in generated ? 'failed' : 'generated'
  const by = { ...SYSTEM, request_id: pending.request_id }
  await transaction(async (tx) => {
    if (!(await lockTenant(tx, pending))) return
    const [deliverable] = await tx<EventDeliverable[]>`
      update deliverables
      set status    = ${outcome === 'generated' ? 'draft' : 'failed'},
          content   = ${document.content},
          parts     = ${document.parts},
          generator = ${TEMPLATE},
          source    = ${document.source && tx.json(document.source as Json)},
          error     = ${'error' in generated ? generated.error : null}
      where id = ${pending.id}
        and organization_id = ${pending.organization_id}
        and status = 'generating'
      returning ${deliverableColumns}
    `
    if (deliverable) {
      await record(tx, by, pending, {
        action: `deliverable.${outcome}`,
        resource_type: 'deliverable',
        resource_id: pending.id,
        detail: `Signalbox ${outcome === 'generated' ? 'generated' : 'failed to generate'} ${pending.title}, version ${pending.version}.`,
      })
      await emit(tx, by, pending, `deliverable.${outcome}`, { deliverable })
    }
  })
}

/** Keeps the names of published releases: what changes later, such as the kind of a requirement, does not rename them. */
async function keepNames(published: PendingDeliverable): Promise<void> {
  const data = await readSnapshot(published)
  if (!data) return
  const { named } = nameReleases(data)
  await sql`
    update deliverables
    set release_name = release.name
    from unnest(${named.map(({ id }) => id)}::uuid[], ${named.map(({ name }) => name)}::text[]) as release (id, name)
    where deliverables.id = release.id
      and deliverables.organization_id = ${published.organization_id}
      and deliverables.release_name is null
  `
}

/** Generates a document, unless it is already generated or deleted. Of a published changelog, keeps the name. */
export async function generateDeliverable({ organization_id, deliverable_id }: Tasks['generate_deliverable']): Promise<void> {
  const [pending] = await sql<(PendingDeliverable & { is_published: boolean })[]>`
    select
      id, organization_id, workspace_id, project_id, requirement_id, deliverable_type, title, version, request_id,
      published_at is not null as is_published
    from deliverables
    where id = ${deliverable_id}
      and organization_id = ${organization_id}
      and (status = 'generating' or published_at is not null)
  `
  if (pending?.is_published) return keepNames(pending)
  const generated = pending && (await generate(pending))
  if (generated) await finish(pending, generated)
}
