/** Renders the documents that have no HTML: those of processes of an earlier version. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { isAmong } from '../../core/reachable-tenants.ts'
import { serveDue } from '../process/tenant-groups.ts'
import { render } from './html/render.ts'

/** Documents are large, and rendered one by one. */
const BATCH = 20

/** @returns the number of documents that were rendered */
function renderBatch(): Promise<number> {
  return serveDue(
    (among) => sql<{ organization_id: string }[]>`
      select organization_id
      from deliverables as unrendered
      where content is not null
        and html is null
        and ${isActiveOrganization(sql`unrendered.organization_id`, among)}
        and ${isAmong(sql`unrendered.organization_id`, among)}
      order by id
      limit ${BATCH}
    `,
    renderOf,
  )
}

/** What is stored of a document that cannot be rendered, so that it is not tried again, and delays no other. */
function unrenderable(deliverable: string, error: unknown): string[] {
  log.error({ error, deliverable }, 'rendering a document failed')
  return ['<p>This document cannot be shown as a page. Read it as Markdown.</p>\n']
}

/** Renders one document of some organizations. */
async function renderOf(tenants: string[]): Promise<number> {
  const [document] = await sql<{ id: string; organization_id: string; content: string }[]>`
    select id, organization_id, content
    from deliverables
    where content is not null
      and html is null
      and organization_id = any(${tenants}::uuid[])
    order by id
    limit 1
  `
  if (!document) return 0
  const { id, organization_id, content } = document
  await sql`
    update deliverables
    set html = ${await render(content).catch((error) => unrenderable(id, error))}
    where id = ${id}
      and organization_id = ${organization_id}
  `
  return 1
}

/** Renders what is not rendered. */
export async function renderMissing(): Promise<void> {
  while ((await renderBatch()) > 0);
}
