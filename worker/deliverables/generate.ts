/** generate_deliverable: makes a document from one snapshot of its project. */
import { SYSTEM } from '../../core/actors.ts'
import { record } from '../../core/audit.ts'
import { sql } from '../../core/database.ts'
import { DELIVERABLE_TITLES, type DeliverableType, deliverableColumns } from '../../core/deliverables.ts'
import { log } from '../../core/log.ts'
import { commit, emit } from '../../core/outbox.ts'
import type { Json } from '../../sql/index.ts'
import { DOCUMENTS } from './documents/index.ts'
import { type ProjectData, readProject } from './project-data.ts'

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
  content: string | null
  source: object | null
  error: string | null
}

/** Makes the document; one that cannot be made is an outcome, too, as another try would meet the same data. */
async function make(wanted: Wanted): Promise<Made | null> {
  const data = await sql.begin('isolation level repeatable read read only', (tx) => readProject(tx, wanted))
  if (!data) return null
  try {
    return { content: DOCUMENTS[wanted.deliverable_type](data), source: sourceOf(data), error: null }
  } catch (error) {
    log.error({ error, deliverable: wanted.id, request_id: wanted.request_id }, 'a document could not be made')
    return {
      content: null,
      source: null,
      error: `The ${DELIVERABLE_TITLES[wanted.deliverable_type]} could not be made from this project's data. Tell the operator: request ${wanted.request_id ?? wanted.id}.`,
    }
  }
}

/** Makes a document, unless it is made or deleted already. */
export async function generateDeliverable(deliverable_id: string): Promise<void> {
  const [wanted] = await sql<Wanted[]>`
    select id, organization_id, workspace_id, project_id, requirement_id, deliverable_type, title, version, request_id
    from deliverables
    where id = ${deliverable_id}
      and status = 'generating'
  `
  const made = wanted && (await make(wanted))
  if (!made) return
  await commit(async (tx) => {
    const [deliverable] = await tx<Record<string, unknown>[]>`
      update deliverables
      set status  = ${made.error === null ? 'draft' : 'failed'},
          content = ${made.content},
          source  = ${made.source && tx.json(made.source as Json)},
          error   = ${made.error}
      where id = ${deliverable_id}
        and status = 'generating'
      returning ${deliverableColumns}
    `
    if (!deliverable) return
    const by = { ...SYSTEM, request_id: wanted.request_id }
    const outcome = made.error === null ? 'generated' : 'failed'
    await record(tx, by, wanted, {
      action: `deliverable.${outcome}`,
      resource_type: 'deliverable',
      resource_id: deliverable_id,
      detail: `Signalbox ${made.error === null ? 'made' : 'failed to make'} ${wanted.title}, version ${wanted.version}.`,
    })
    await emit(tx, by, wanted, `deliverable.${outcome}`, { deliverable })
  })
}
