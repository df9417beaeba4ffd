/** generate_deliverable: generates a document from one snapshot of its project. */
import { SYSTEM } from '../../core/actors.ts'
import { DELIVERABLE_TITLES, type DeliverableType, deliverableColumns } from '../../core/deliverables.ts'
import { emit } from '../../core/events/outbox.ts'
import type { EventDeliverable } from '../../core/events/subjects.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { record } from '../../core/security/audit.ts'
import type { Json } from '../../sql/index.ts'
import { lockTenant } from '../model/tenant.ts'
import type { Document } from './documents/document.ts'
import { DOCUMENTS } from './documents/index.ts'
import { render } from './html/render.tsx'
import { type ProjectData, readProject } from './project-data.ts'

/** The generator of all documents. */
const TEMPLATE = 'template/1'

interface PendingDeliverable {
  id: string
  organization_id: string
  workspace_id: string
  project_id: string
  requirement_id: string | null
  deliverable_type: DeliverableType
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
  return {
    as_of,
    counts: {
      requirements: requirements.length,
      executions: executions.length,
      gates: gates.length,
      hooks: hooks.length,
      dispatches: dispatches.length,
      members: members.length,
    },
    requirement_ids: requirements.map(({ id }) => id),
    execution_ids: executions.map(({ id }) => id),
    data_hash: hashOf(data),
    missing,
  }
}

interface GeneratedDocument {
  content: string
  parts: string[]
  /** What API documentation was generated from: later ones are compared with it. */
  api_description: string | null
  source: ReturnType<typeof sourceOf>
}

/** Rows of a project from which on its garbage is collected at once: left to the runtime, memory grows to several times the data. */
const MANY_ROWS = 2_000

/** Frees what a step of a large document left, before the next step needs memory. It takes about 10 ms. */
function collectGarbage({ requirements, executions, api_description }: ProjectData): void {
  if (requirements.length + executions.length > MANY_ROWS || api_description !== null) Bun.gc(true)
}

/** Writes the document. An error makes the deliverable fail, because a retry would use the same data. */
async function write(
  pending: PendingDeliverable,
  data: ProjectData,
): Promise<(Document & { parts: string[] }) | { error: string }> {
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

/** @returns null if the project or requirement is deleted */
async function generate(pending: PendingDeliverable): Promise<GeneratedDocument | { error: string } | null> {
  const data = await sql.begin('isolation level repeatable read read only', (tx) => readProject(tx, pending))
  if (!data) return null
  collectGarbage(data)
  const written = await write(pending, data)
  collectGarbage(data)
  if ('error' in written) return written
  const source = sourceOf(data, written.missing)
  collectGarbage(data)
  const described = pending.deliverable_type === 'api_docs' ? data.api_description : null
  const api_description = described && JSON.stringify(described.document)
  return { content: written.markdown, parts: written.parts, api_description, source }
}

/** Stores the outcome, unless the deliverable was deleted meanwhile. */
async function finish(pending: PendingDeliverable, generated: GeneratedDocument | { error: string }): Promise<void> {
  const document = 'error' in generated ? { content: null, parts: null, api_description: null, source: null } : generated
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
          error     = ${'error' in generated ? generated.error : null},
          api_description = ${document.api_description}
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

/** Generates a document, unless it is already generated or deleted. */
export async function generateDeliverable({ organization_id, deliverable_id }: Tasks['generate_deliverable']): Promise<void> {
  const [pending] = await sql<PendingDeliverable[]>`
    select id, organization_id, workspace_id, project_id, requirement_id, deliverable_type, title, version, request_id
    from deliverables
    where id = ${deliverable_id}
      and organization_id = ${organization_id}
      and status = 'generating'
  `
  const generated = pending && (await generate(pending))
  if (generated) await finish(pending, generated)
}
