/** Visits of the pages that make, change and delete organizations, workspaces, projects and requirements. */
import { PageClient } from '../support/page-client.ts'
import type { Actor } from '../support/signalbox.ts'
import { PageWalk } from './every-page.ts'
import type { Context, Walk } from './walk.ts'

const ORGANIZATION = '/app/organizations/{org_id}'
const WORKSPACE = '/app/workspaces/{workspace_id}'
const PROJECT = '/app/projects/{project_id}'
const REQUIREMENT = '/app/requirements/{requirement_id}'

/** The organization is deleted with everything else: what its purge runs is not to be planned before. */
export async function walkPageDeletions(walk: Walk, { box }: Context, owner: Actor): Promise<void> {
  const { id } = await owner.make('/api/v1/organizations', { name: 'Deleted on a page' })
  const pages = new PageWalk(walk, await PageClient.signedIn(box, owner))
  const ids = { ...walk.ids }
  walk.ids.org_id = id
  await pages.visit(`POST ${ORGANIZATION}/settings/delete`, { confirm_name: 'Deleted on a page' })
  Object.assign(walk.ids, ids)
}

/** Opens a gate by hand, and compares what two executions of the requirement have done. */
async function walkWork(walk: Walk, pages: PageWalk, admin: Actor): Promise<void> {
  const requirement = `/api/v1/requirements/${walk.ids.requirement_id}`
  const [first, second] = [
    await admin.make(`${requirement}/executions`, { agent: 'alpha' }),
    await admin.make(`${requirement}/executions`, { agent: 'beta' }),
  ]
  await admin.make(`/api/v1/executions/${first.id}/start`)
  walk.ids.execution_id = first.id
  await pages.visit('GET /app/executions/{execution_id}/gates/new')
  await pages.visit('POST /app/executions/{execution_id}/gates/new', { name: 'By hand', ...NO_SUBJECT })
  await pages.visit(`GET ${PROJECT}/gates/new`)
  await pages.visit(`POST ${PROJECT}/gates/new`, { name: 'By hand', ...NO_SUBJECT })
  const [gate] = (await admin.get(`/api/v1/executions/${first.id}/gates`)).body
  walk.ids.gate_id = gate.id
  await pages.visit('GET /app/gates/{gate_id}/cancel')
  await pages.visit('POST /app/gates/{gate_id}/cancel')
  await pages.visit(`GET ${REQUIREMENT}/comparisons/new`)
  const tracks = { track_a_graph_id: first.graph_id, track_b_graph_id: second.graph_id }
  await pages.visit(`POST ${REQUIREMENT}/comparisons/new`, tracks)
  const [comparison] = (await admin.get(`/api/v1/projects/${walk.ids.project_id}/dual-track`)).body.items
  walk.ids.comparison_id = comparison.id
  await pages.visit('POST /app/dual-track/{comparison_id}/delete')
}

const NO_SUBJECT = { subject_uri: '', subject_digest: '', subject_version: '', summary: '' }

/** What is set with a text: workflow templates, and the description of an API. */
async function walkTemplates(walk: Walk, pages: PageWalk): Promise<void> {
  for (const place of [ORGANIZATION, WORKSPACE, PROJECT]) {
    await pages.visit(`GET ${place}/workflow-template`)
    await pages.visit(`POST ${place}/workflow-template`, { template: `of: ${walk.ids.org_id}` })
  }
  await pages.visit(`GET ${PROJECT}/api-description`)
  const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'Made on a page', version: '1' }, paths: {} })
  await pages.visit(`POST ${PROJECT}/api-description`, { document })
  await pages.visit(`GET ${PROJECT}/attestations`)
  const digest = `sha256:${'b'.repeat(64)}`
  await pages.visit(`GET ${PROJECT}/attestations`, {}, `?digest=${digest}`)
  await pages.visit(`POST ${PROJECT}/attestations/verify`, { environment: 'production', digest })
}

export async function walkSettings(walk: Walk, { box }: Context, pages: PageWalk, admin: Actor): Promise<void> {
  const ids = { ...walk.ids }
  await pages.visit('GET /app/organizations/new')
  await pages.visit('POST /app/organizations/new', { name: 'Made on a page' })
  const newest = async (path: string): Promise<string> => (await admin.get(`/api/v1${path}?limit=1`)).body[0].id
  walk.ids.org_id = await newest('/organizations')
  await pages.visit(`GET ${ORGANIZATION}/settings`, {}, '?query=a')
  await pages.visit('GET /app')
  await pages.visit(`POST ${ORGANIZATION}/setup/dismiss`)
  await pages.visit(`POST ${ORGANIZATION}/settings`, { name: 'Made on a page', registration_mode: 'open', description: 'Open' })
  const heir = await box.user('Heir')
  const guest = pages.as(await PageClient.signedIn(box, heir))
  await guest.visit(`GET ${ORGANIZATION}/join`)
  await guest.visit(`POST ${ORGANIZATION}/join`)
  const founder = pages.as(await PageClient.signedIn(box, await box.user('Founder')))
  await founder.visit('GET /app')
  await founder.visit('POST /app/setup', { name: 'Set up on a page', project: 'First', invited: heir.email })
  await pages.visit(`GET ${ORGANIZATION}/workspaces/new`)
  await pages.visit(`POST ${ORGANIZATION}/workspaces/new`, { name: 'Made on a page', budget_monthly_limit_usd: '10' })
  walk.ids.workspace_id = await newest(`/organizations/${walk.ids.org_id}/workspaces`)
  await pages.visit(`GET ${WORKSPACE}/settings`)
  await pages.visit(`POST ${WORKSPACE}/settings`, { name: 'Changed on a page', budget_monthly_limit_usd: '' })
  await pages.visit(`GET ${WORKSPACE}/projects/new`)
  await pages.visit(`POST ${WORKSPACE}/projects/new`, { name: 'Made on a page' })
  walk.ids.project_id = await newest(`/workspaces/${walk.ids.workspace_id}/projects`)
  await pages.visit(`GET ${PROJECT}/settings`)
  await pages.visit(`POST ${PROJECT}/settings`, { name: 'Changed on a page' })
  await pages.visit(`GET ${PROJECT}/requirements/new`)
  await pages.visit(`POST ${PROJECT}/requirements/new`, { title: 'Made on a page', acceptance_criteria: ['One', ''] })
  const requirements = await admin.get(`/api/v1/projects/${walk.ids.project_id}/requirements`)
  walk.ids.requirement_id = requirements.body.items[0].id
  await pages.visit(`GET ${REQUIREMENT}/edit`)
  await pages.visit(`POST ${REQUIREMENT}/edit`, { title: 'Changed on a page', status: 'done' })
  await pages.visit(`POST ${REQUIREMENT}/executions`, { agent: 'claude' })
  await walkWork(walk, pages, admin)
  await pages.visit(`POST ${REQUIREMENT}/edit/delete`)
  await walkTemplates(walk, pages)
  await pages.visit(`POST ${PROJECT}/settings/delete`, { confirm_name: 'Changed on a page' })
  await pages.visit(`POST ${WORKSPACE}/settings/delete`, { confirm_name: 'Changed on a page' })
  const fields = { confirm_name: 'Made on a page', new_owner_id: heir.id }
  await pages.visit(`POST ${ORGANIZATION}/settings/transfer`, fields)
  Object.assign(walk.ids, ids)
}
