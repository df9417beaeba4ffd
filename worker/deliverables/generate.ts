/** generate_deliverable: makes a document from one snapshot of its project. */
import { SYSTEM } from '../../core/actors.ts'
import { chargeModel } from '../../core/budgets.ts'
import { DELIVERABLE_TITLES, type DeliverableType, deliverableColumns } from '../../core/deliverables.ts'
import { emit } from '../../core/events/outbox.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { record } from '../../core/security/audit.ts'
import type { Json } from '../../sql/index.ts'
import { modelName } from '../model/model.ts'
import { lockTenant } from '../model/tenant.ts'
import { DOCUMENTS } from './documents/index.ts'
import { type Polish, polished } from './polish/polish.ts'
import { type ProjectData, readProject } from './project-data.ts'

/** What writes a document without a model. */
const TEMPLATE = 'template/1'

interface Wanted {
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

/** What a document was made from; `as_of` is no part of the hash, so that it tells whether anything changed. */
function sourceOf({ as_of, ...data }: ProjectData) {
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
    data_hash: new Bun.CryptoHasher('sha256').update(JSON.stringify(data)).digest('hex'),
  }
}

interface Made {
  content: string
  generator: string
  source: ReturnType<typeof sourceOf> & { polish?: Polish }
}

/** Writes the document; one that cannot be written is an outcome, too, as another try would meet the same data. */
function write(wanted: Wanted, data: ProjectData): string | { error: string } {
  try {
    return DOCUMENTS[wanted.deliverable_type](data)
  } catch (error) {
    log.error({ error, deliverable: wanted.id, request_id: wanted.request_id }, 'a document could not be made')
    return {
      error: `The ${DELIVERABLE_TITLES[wanted.deliverable_type]} could not be made from this project's data. Tell the operator: request ${wanted.request_id ?? wanted.id}.`,
    }
  }
}

/** @returns null where what it is about is gone */
async function make(wanted: Wanted): Promise<Made | { error: string } | null> {
  const data = await sql.begin('isolation level repeatable read read only', (tx) => readProject(tx, wanted))
  if (!data) return null
  const written = write(wanted, data)
  if (typeof written !== 'string') return written
  const source = sourceOf(data)
  const better = await polished(wanted, written, data)
  if (!better) return { content: written, generator: TEMPLATE, source }
  const { content, polish } = better
  return { content, generator: polish.polished > 0 ? `model:${polish.model}` : TEMPLATE, source: { ...source, polish } }
}

/** Writes down what came of it, and charges it: a document that was deleted meanwhile costs what it has cost. */
async function finish(wanted: Wanted, made: Made | { error: string }): Promise<void> {
  const document = 'error' in made ? { content: null, generator: TEMPLATE, source: null } : made
  const outcome = 'error' in made ? 'failed' : 'generated'
  const cost_usd = document.source?.polish?.cost_usd ?? 0
  const by = { ...SYSTEM, request_id: wanted.request_id }
  await transaction(async (tx) => {
    if (!(await lockTenant(tx, wanted))) return
    const [deliverable] = await tx<Record<string, unknown>[]>`
      update deliverables
      set status    = ${outcome === 'generated' ? 'draft' : 'failed'},
          content   = ${document.content},
          generator = ${document.generator},
          source    = ${document.source && tx.json(document.source as unknown as Json)},
          error     = ${'error' in made ? made.error : null}
      where id = ${wanted.id}
        and organization_id = ${wanted.organization_id}
        and status = 'generating'
      returning ${deliverableColumns}
    `
    if (deliverable) {
      await record(tx, by, wanted, {
        action: `deliverable.${outcome}`,
        resource_type: 'deliverable',
        resource_id: wanted.id,
        detail: `Signalbox ${outcome === 'generated' ? 'made' : 'failed to make'} ${wanted.title}, version ${wanted.version}.`,
      })
      await emit(tx, by, wanted, `deliverable.${outcome}`, { deliverable })
    }
    await chargeModel(tx, by, wanted, modelName, cost_usd)
  })
}

/** Makes a document, unless it is made or deleted already. */
export async function generateDeliverable({ organization_id, deliverable_id }: Tasks['generate_deliverable']): Promise<void> {
  const [wanted] = await sql<Wanted[]>`
    select id, organization_id, workspace_id, project_id, requirement_id, deliverable_type, title, version, request_id
    from deliverables
    where id = ${deliverable_id}
      and organization_id = ${organization_id}
      and status = 'generating'
  `
  const made = wanted && (await make(wanted))
  if (made) await finish(wanted, made)
}
