/** Visits of every page, and posts to every action. */

import { byChain } from '../../api/environments/chains.ts'
import { BY_ID, BY_JOINING, cursorAfter, NEWEST_FIRST } from '../../api/plugins/lists.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Answer, PASSWORD } from '../support/signalbox.ts'
import { destinationPages } from './destination-pages.ts'
import { walkPlaces } from './every-place.ts'
import { gateOutcomePages } from './gate-pages.ts'
import { passkeyPages } from './passkey-routes.ts'
import { serviceAccountPages } from './service-account-routes.ts'
import { type Context, tokenFrom, type Walk } from './walk.ts'

/** The first key of any list but one by name. */
const FIRST = { id: crypto.randomUUID(), created_at: '2099-01-01T00:00:00.000Z' }

/** A cursor of a page, with the order that its list has. */
function cursorOf(url: URL, name: string): string {
  const list = url.pathname + name
  if (list.endsWith('environments_after'))
    return cursorAfter({ path: url.pathname, name }, byChain(new Map()), { environment: 'production' })
  if (/(sessions|identities)_after$|tokensafter$/.test(list)) return cursorAfter({ path: url.pathname, name }, BY_ID, FIRST)
  if (/members_after$|\/groups\/.*after$|members\/addafter$/.test(list))
    return cursorAfter({ path: url.pathname, name }, BY_JOINING, { user_id: FIRST.id, joined_at: FIRST.created_at })
  return cursorAfter({ path: url.pathname, name }, NEWEST_FIRST, FIRST)
}

/** A path with cursors of the page in place of any others. */
function withCursors(path: string): string {
  const url = new URL(path, 'http://localhost')
  for (const name of [...url.searchParams.keys()]) if (name.endsWith('after')) url.searchParams.set(name, cursorOf(url, name))
  return url.pathname + url.search
}

/** Visits pages in the name of the walk. */
export class PageWalk {
  constructor(
    private readonly walk: Walk,
    readonly visitor: PageClient,
  ) {}

  /** Opens a page or runs an action. @throws Error unless it answers 200, after redirects */
  async visit(route: string, fields: Record<string, string | string[]> = {}, query = ''): Promise<void> {
    const [method = '', template = ''] = route.split(' ')
    const path = withCursors(template.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.walk.ids[name] ?? '') + query)
    const page = method === 'POST' ? await this.visitor.post(path, fields) : await this.visitor.open(path)
    if (page.status !== 200) throw new Error(`${route} answered ${page.status}: ${page.text}`)
    this.walk.succeeded.add(route)
  }

  /** Posts a form with a file. @throws Error unless it redirects */
  async upload(route: string, form: FormData): Promise<void> {
    const { status } = await this.visitor.send('POST', route.split(' ')[1] ?? '', form)
    if (status !== 303) throw new Error(`${route} answered ${status}`)
    this.walk.succeeded.add(route)
  }

  /** The same walk in another browser. */
  as(visitor: PageClient): PageWalk {
    return new PageWalk(this.walk, visitor)
  }

  /** Opens a stream and waits for its first change. */
  async follow(route: string, query: string): Promise<void> {
    const path = route.split(' ')[1] ?? ''
    const stream = (await this.visitor.send('GET', path + query)).body?.getReader()
    let text = ''
    while (stream && !text.includes('event: change')) {
      const { value, done } = await stream.read()
      if (done) throw new Error(`${route} ended: ${text}`)
      text += new TextDecoder().decode(value)
    }
    await stream?.cancel()
    this.walk.succeeded.add(route)
  }
}

/** Pages for people without an account, and those behind mailed links. */
async function openPages(walk: Walk, context: Context, admin: Actor): Promise<void> {
  const { box } = context
  const pages = new PageWalk(walk, new PageClient(box, walk.newAddress()))
  const email = 'visitor@example.com'
  for (const path of ['/', '/sign-in', '/register', '/verify-email', '/restore-email', '/reset-password', '/unsubscribe']) {
    await pages.visit(`GET ${path}`)
  }
  await pages.visit('POST /register', { email, name: 'PageClient', password: PASSWORD })
  await pages.visit('POST /verify-email', {}, `?token=${await tokenFrom(context, email, 'verify-email')}`)
  await pages.visit('POST /reset-password/link', { email })
  const token = await tokenFrom(context, email, 'reset-password')
  await pages.visit('POST /reset-password', { password: PASSWORD }, `?token=${token}`)
  await pages.visit('POST /sign-in', { email, password: PASSWORD })
  const moved = await box.user('Moved')
  await moved.put('/api/v1/users/me', { email: 'elsewhere@example.com', current_password: PASSWORD })
  const reversal = await tokenFrom(context, moved.email, 'restore-email')
  await new PageWalk(walk, new PageClient(box, walk.newAddress())).visit('POST /restore-email', {}, `?token=${reversal}`)
  await pages.visit('GET /sign-out')
  await pages.visit('POST /sign-out')
  const unsubscribe = await tokenFrom(context, admin.email, 'unsubscribe')
  await pages.visit('POST /unsubscribe/confirm', {}, `?token=${unsubscribe}`)
  for (const account of ['new', 'old']) {
    const invited = account === 'old' ? (await box.register('Old')).email : 'invited@example.com'
    await admin.post(`/api/v1/organizations/${walk.ids.org_id}/members`, { email: invited })
    const invitation = await tokenFrom(context, invited, 'invitations')
    const guest = new PageWalk(walk, new PageClient(box, walk.newAddress()))
    await guest.visit('GET /invitations', {}, `?token=${invitation}`)
    await guest.visit('POST /invitations', { account, name: 'Guest', password: PASSWORD }, `?token=${invitation}`)
  }
  const late = await box.register('Late')
  const invitation = await admin.make(`/api/v1/organizations/${walk.ids.org_id}/members`, { email: late.email })
  await box.sql`update users set email_verified = true where id = ${late.id}`
  walk.ids.invitation_id = invitation.id
  const recipient = new PageWalk(walk, await PageClient.signedIn(box, late))
  await recipient.visit('GET /app/invitations/{invitation_id}')
  await recipient.visit('POST /app/invitations/{invitation_id}', { answer: 'accept' })
}

/** The pages of a project and of what is in it. */
async function projectPages(walk: Walk, pages: PageWalk, admin: Actor, execution_id: string): Promise<void> {
  const project = `/api/v1/projects/${walk.ids.project_id}`
  const requirement = await admin.make(`${project}/requirements`, { title: 'Two tracks' })
  const runs: Answer['body'][] = []
  for (const agent of ['alpha', 'beta']) {
    runs.push(await admin.make(`/api/v1/requirements/${requirement.id}/executions`, { agent }))
  }
  const [first, second] = runs
  const compareTracks = async () => {
    const tracks = { track_a_graph_id: first.graph_id, track_b_graph_id: second.graph_id }
    const agents = { track_a_agent: 'alpha', track_b_agent: 'beta' }
    walk.ids.comparison_id = (
      await admin.make(`${project}/dual-track`, { work_item_id: requirement.id, ...tracks, ...agents })
    ).id
  }
  await pages.visit('GET /app/projects/{project_id}')
  await pages.visit('GET /app/projects/{project_id}/connect')
  await pages.visit('GET /app/projects/{project_id}/charts')
  await pages.visit('GET /app/projects/{project_id}/gates')
  await pages.visit('GET /app/projects/{project_id}/gates', {}, '?status=approved&page=2')
  await pages.visit('GET /app/projects/{project_id}/requirements', {}, '?status=open&page=2')
  await pages.visit('GET /app/projects/{project_id}/environments', {}, '?environments_after=production')
  await pages.visit('GET /app/projects/{project_id}/deployment-hooks')
  await pages.visit('GET /app/projects/{project_id}/dual-track')
  await pages.visit('POST /app/projects/{project_id}/deliverables', { deliverable_type: 'changelog', requirement_id: '' })
  const [document] = (await admin.get(`${project}/deliverables?limit=1`)).body
  walk.ids.deliverable_id = document.id
  await pages.visit('GET /app/projects/{project_id}/deliverables', {}, `?deliverables_after=${document.id}`)
  await pages.visit('GET /app/projects/{project_id}/deliverables', {}, `?requirement_id=${requirement.id}`)
  await pages.visit('GET /app/deliverables/{deliverable_id}')
  await pages.visit('POST /app/deliverables/{deliverable_id}/publish')
  await pages.visit('POST /app/deliverables/{deliverable_id}/archive')
  await pages.visit('GET /app/deliverables/{deliverable_id}/download')
  await pages.visit('POST /app/deliverables/{deliverable_id}/download', { format: 'text/html' })
  const guide = { deliverable_type: 'deployment_guide' }
  walk.ids.deliverable_id = (await admin.make(`${project}/deliverables/generate`, guide)).id
  await pages.visit('POST /app/deliverables/{deliverable_id}/delete')
  walk.ids.deliverable_id = document.id
  await pages.visit('GET /app/projects/{project_id}/rollback')
  await pages.visit('POST /app/projects/{project_id}/rollback', { target_version: 'v1', reason: '', environment: '' })
  await pages.visit('GET /app/requirements/{requirement_id}')
  walk.ids.execution_id = execution_id
  await pages.visit('GET /app/executions/{execution_id}')
  walk.ids.execution_id = first.id
  await pages.visit('POST /app/executions/{execution_id}/cancel')
  await compareTracks()
  await pages.visit('GET /app/dual-track/{comparison_id}')
  await pages.visit('POST /app/dual-track/{comparison_id}/compare')
  await pages.visit('POST /app/dual-track/{comparison_id}/decide', { winner: 'tie' })
  await compareTracks()
  await pages.visit('POST /app/dual-track/{comparison_id}/cancel')
}

/** Visits every page. */
export async function walkPages(walk: Walk, context: Context, admin: Actor): Promise<void> {
  await openPages(walk, context, admin)
  const pages = new PageWalk(walk, await PageClient.signedIn(context.box, admin))
  const running = await context.box.running(admin, walk.ids.project_id ?? '')
  const openGate = async () => {
    const gate = await admin.make(`/api/v1/executions/${running.id}/gates`, { name: 'Page review' })
    walk.ids.gate_id = gate.id
  }
  await openGate()
  await pages.visit('GET /app')
  await pages.follow(
    'GET /app/live',
    `?pages=overview,account,in:${walk.ids.org_id},in:${walk.ids.org_id}/${walk.ids.workspace_id}`,
  )
  await pages.visit('GET /app/gates/{gate_id}')
  await passkeyPages(walk, pages, context.box, admin)
  await pages.visit('POST /app/gates/{gate_id}/approve', { comment: 'Fine' })
  await openGate()
  const link = `?token=${await tokenFrom(context, admin.email, 'decide', walk.ids.gate_id)}`
  const guest = new PageWalk(walk, new PageClient(context.box, walk.newAddress()))
  await guest.visit('GET /decide', {}, link)
  await guest.visit('POST /decide', { decision: 'approve' }, link)
  await gateOutcomePages(walk, pages, context, admin)
  await openGate()
  await pages.visit('POST /app/gates/{gate_id}/reject')
  await projectPages(walk, pages, admin, running.id)
  await serviceAccountPages(walk, pages, admin)
  await pages.visit('GET /app/search', {}, '?q=pay')
  await pages.visit('GET /app/notifications')
  await pages.visit('POST /app/notifications/{notification_id}/read')
  await pages.visit('POST /app/notifications/read-all')
  await destinationPages(pages, walk, context, admin)
  await walkPlaces(walk, context, pages, admin)
}
