/** The pages of a project and its requirements, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { comparison } from '../dual-track/tracks.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

/** Markup in the names that people and agents choose. */
const MARKUP = '<img src=x onerror=alert(1)>"\'&'

let box: Box
let owner: Actor
let member: Actor
let site: Site
let visitor: PageClient
let reader: PageClient
let path: string
let api: string

beforeAll(async () => {
  box = await signalbox()
  owner = await box.user('Owner')
  member = await box.user('Member')
  site = await box.site(owner)
  await box.join(member, site, 'member', 'member')
  visitor = await PageClient.signedIn(box, owner)
  reader = await PageClient.signedIn(box, member)
  path = `/app/projects/${site.project.id}`
  api = `/api/v1/projects/${site.project.id}`
})
afterAll(() => box.close())

/** A project of its own, and its path. */
async function newProject(input: object = {}): Promise<[path: string, api: string]> {
  const { id } = await owner.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Checkout', ...input })
  return [`/app/projects/${id}`, `/api/v1/projects/${id}`]
}

const requirement = (project: string, input: object = {}): Promise<Answer['body']> =>
  owner.make(`${project}/requirements`, { title: 'Pay by invoice', ...input })

const hook = (project: string, input: object = {}): Promise<Answer['body']> =>
  owner.make(`${project}/deployment-hooks`, {
    name: 'Deploy',
    url: 'https://ci.example.com/hook',
    trigger_on: 'workflow_done',
    ...input,
  })

describe('The page of a project', () => {
  test('says in every empty list what to do next', async () => {
    const [page] = await newProject()
    const { text, status } = await visitor.open(page)
    expect(status).toBe(200)
    for (const advice of [
      'No requirements yet. A requirement says what an agent is to do',
      'No execution is queued or running.',
      'Nothing is deployed from here yet. A hook calls your CI',
      'No documents yet. Generate the first one',
      'No comparisons yet.',
    ])
      expect(text).toContain(advice)
  })

  test('counts requirements by status, and lists those of one', async () => {
    const [page, project] = await newProject()
    for (const title of ['First', 'Second', 'Third']) await requirement(project, { title })
    const done = await requirement(project, { title: 'Finished' })
    await owner.put(`/api/v1/requirements/${done.id}`, { status: 'done' })
    const all = await visitor.open(page)
    const filters = [...all.document.querySelectorAll('.choices a')].map((link) => link.textContent)
    expect(filters).toEqual(['all 4', 'open 3', 'in progress 0', 'done 1', 'cancelled 0'])
    const shown = await visitor.open(`${page}?status=done`)
    expect(shown.document.querySelector('.choices [aria-current]')?.textContent).toBe('done 1')
    const rows = [...shown.document.querySelectorAll('ul[aria-label=Requirements] > li')]
    expect(rows.map((row) => row.querySelector('.what > a')?.textContent)).toEqual([`#${done.number} Finished`])
    expect((await visitor.open(`${page}?status=cancelled`)).text).toContain('No requirement is in this state.')
    expect((await visitor.open(`${page}?page=2&page_size=3`)).text).toContain('Page 2 of 2')
    expect((await visitor.open(`${page}?status=unknown`)).status).toBe(422)
  })

  test('shows running executions, hooks with their states, and comparisons with their verdict', async () => {
    const [page, project] = await newProject({ description: 'Where people pay.', repository_url: 'https://git.example.com/a' })
    const { id } = await requirement(project)
    const execution = await owner.make(`/api/v1/requirements/${id}/executions`, { agent: 'claude' })
    await owner.make(`/api/v1/executions/${execution.id}/start`)
    await hook(project, { name: 'Paused hook', paused: true, environment: 'staging' })
    await hook(project, { name: 'Disabled hook', enabled: false })
    const compared = await comparison(owner, project.split('/').at(-1) ?? '')
    await owner.make(`/api/v1/dual-track/${compared.id}/decide`, { winner: 'b' })
    const { document } = await visitor.open(page)
    const table = (label: string) => document.querySelector(`[aria-label="${label}"]`)?.textContent ?? ''
    expect(table('Agents at work')).toContain('claude')
    expect(table('Agents at work')).toContain('running')
    for (const part of ['Paused hook', 'staging', 'paused', 'disabled', 'ci.example.com']) expect(table('Hooks')).toContain(part)
    for (const part of ['alpha-coder and beta-coder', 'decided', 'beta-coder', 'Pay by invoice'])
      expect(table('Comparisons')).toContain(part)
    const link = document.querySelector('a[href="https://git.example.com/a"]')
    expect(link?.getAttribute('rel')).toBe('noopener noreferrer')
    expect(document.body.textContent).toContain('Where people pay.')
  })

  test('escapes markup in every name', async () => {
    const [page, project] = await newProject({ name: MARKUP, description: MARKUP })
    const { id } = await requirement(project, { title: MARKUP, description: MARKUP, acceptance_criteria: [MARKUP] })
    await owner.make(`/api/v1/requirements/${id}/executions`, { agent: MARKUP })
    await hook(project, { name: MARKUP, environment: MARKUP.slice(0, 60) })
    for (const each of [page, `/app/requirements/${id}`, `${page}/rollback`]) {
      const { html, document, status } = await visitor.open(each)
      expect([status, html.includes('<img'), document.querySelector('img')]).toEqual([200, false, null])
      expect(html).toContain('&lt;img')
    }
  })

  test('is hidden from others: 404 does not say whether it exists', async () => {
    const stranger = await PageClient.signedIn(box, await box.user('Stranger'))
    const absent = await stranger.open(`/app/projects/${crypto.randomUUID()}`)
    const foreign = await stranger.open(path)
    expect([foreign.status, absent.status]).toEqual([404, 404])
    expect(foreign.text).toBe(absent.text)
    expect((await stranger.post(`${path}/rollback`, { target_version: 'v1' })).status).toBe(404)
  })
})

describe('Generating a document', () => {
  test('leads to the finished document, and names it in the list', async () => {
    const [page, project] = await newProject()
    await requirement(project)
    const done = await reader.press(await reader.open(page), 'Generate', { deliverable_type: 'project_summary' })
    expect(done.path).toStartWith('/app/deliverables/')
    const [document] = (await owner.get(`${project}/deliverables`)).body
    expect(document).toMatchObject({ deliverable_type: 'project_summary', requirement_id: null, created_by: member.id })
    expect(done.path).toBe(`/app/deliverables/${document.id}`)
    const list = (await visitor.open(page)).document.querySelector('table[aria-label=Deliverables]')
    expect(list?.textContent).toContain('Summary')
  })

  test('can be about one requirement, whose page lists it', async () => {
    const [page, project] = await newProject()
    const { id } = await requirement(project)
    await visitor.press(await visitor.open(page), 'Generate', { requirement_id: id })
    expect((await owner.get(`${project}/deliverables`)).body[0].requirement_id).toBe(id)
    const list = (await visitor.open(`/app/requirements/${id}`)).document.querySelector('table[aria-label=Deliverables]')
    expect(list?.textContent).toContain('Changelog')
  })

  test('of an unknown requirement is refused next to the field, with the values kept', async () => {
    const [page] = await newProject()
    const refused = await visitor.post(`${page}/deliverables`, {
      deliverable_type: 'user_manual',
      requirement_id: crypto.randomUUID(),
    })
    expect([refused.status, refused.path]).toEqual([422, `${page}/deliverables`])
    const field = refused.document.querySelector('#requirement_id')
    expect(field?.getAttribute('aria-describedby')).toContain('requirement_id-error')
    expect(refused.document.querySelector('#requirement_id-error')?.textContent).toContain('is not a requirement of this project')
    expect(refused.document.querySelector('#deliverable_type [selected]')?.getAttribute('value')).toBe('user_manual')
    // Links of the page lead to the page, not to the action.
    const links = [...refused.document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))
    expect(links).not.toBeEmpty()
    expect(links.filter((href) => href?.includes('/deliverables'))).toEqual([])
  })

  test('lists older documents on request', async () => {
    const [page, project] = await newProject()
    for (let number = 0; number < 12; number++) {
      await owner.post(`${project}/deliverables/generate`, { deliverable_type: 'changelog' })
    }
    const links = async (at: string) =>
      [...(await visitor.open(at)).document.querySelectorAll('table[aria-label=Deliverables] td.main a')].length
    const older = (await visitor.open(page)).document.querySelector('[aria-label="Pages of deliverables"] a[rel=next]')
    expect([await links(page), await links(older?.getAttribute('href') ?? '')]).toEqual([10, 2])
  })
})

describe('A rollback', () => {
  test('is confirmed on a page that names the hooks, and sent to the enabled ones', async () => {
    const [page, project] = await newProject()
    await hook(project, { name: 'Production' })
    await hook(project, { name: 'Switched off', enabled: false })
    const link = (await visitor.open(page)).document.querySelector(`a[href="${page}/rollback"]`)
    expect(link?.textContent).toBe('Roll back…')
    const confirmation = await visitor.open(`${page}/rollback?target_version=v1.4.2`)
    const hooks = confirmation.document.querySelector('[aria-label=Hooks]')?.textContent
    expect(hooks).toContain('Production')
    expect(hooks).not.toContain('Switched off')
    expect(confirmation.document.querySelector('#target_version')?.getAttribute('value')).toBe('v1.4.2')
    const done = await visitor.press(confirmation, 'Roll back through 1 hook', { reason: 'Cards\r\nfail' })
    expect([done.status, done.path]).toEqual([200, page])
    expect(done.text).toContain('A rollback to v1.4.2 was requested. Sent to 1 hook.')
    const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=deployment.rollback`)
    expect(body.items[0]).toMatchObject({ resource_id: project.split('/').at(-1), actor_id: owner.id, actor_type: 'human' })
    const [event] = await box.sql`select data from outbox where name = 'deployment.rollback' order by id desc limit 1`
    expect(event?.data).toEqual({ target_version: 'v1.4.2', reason: 'Cards\nfail', environment: null })
  })

  test('without a version is refused, and keeps the reason', async () => {
    const refused = await visitor.post(`${path}/rollback`, { target_version: '', reason: 'Cards fail', environment: '' })
    expect(refused.status).toBe(422)
    expect(refused.document.querySelector('#target_version-error')?.textContent).toBe('Version to return to is required.')
    expect(refused.document.querySelector('#target_version')?.getAttribute('aria-invalid')).toBe('true')
    expect(refused.document.querySelector('#reason')?.textContent).toBe('Cards fail')
    expect((await visitor.open(`${path}/rollback`)).text).toContain('No hook is enabled')
  })

  test('is for admins: members see no link, and are refused', async () => {
    const page = await reader.open(path)
    expect([page.status, page.text.includes('Roll back')]).toEqual([200, false])
    expect((await reader.open(`${path}/rollback`)).status).toBe(403)
    const forced = await reader.post(`${path}/rollback`, { target_version: 'v1' })
    expect(forced.status).toBe(403)
    expect(forced.text).toContain('You cannot do this')
  })
})

describe('The page of a requirement', () => {
  test('shows criteria, executions and gates', async () => {
    const { id, number } = await requirement(api, {
      description: 'Two\nlines',
      acceptance_criteria: ['It has a due date.', 'It has a number.'],
      kind: 'fix',
    })
    const execution = await owner.make(`/api/v1/requirements/${id}/executions`, { agent: 'claude' })
    await owner.make(`/api/v1/executions/${execution.id}/start`)
    const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
    const { status, document, text } = await reader.open(`/app/requirements/${id}`)
    expect(status).toBe(200)
    expect(document.querySelector('h1')?.textContent).toBe(`#${number} Pay by invoice`)
    expect([...document.querySelectorAll('ol.prose li')].map((item) => item.textContent)).toEqual([
      'It has a due date.',
      'It has a number.',
    ])
    expect(document.querySelector(`a[href="/app/executions/${execution.id}"]`)?.textContent).toBe('claude')
    expect(document.querySelector(`a[href="/app/gates/${gate.id}"]`)?.textContent).toBe('Release review')
    for (const part of ['awaiting gate', 'fix', 'by Owner']) expect(text).toContain(part)
    const crumbs = [...document.querySelectorAll('.crumbs a')].map((link) => link.textContent)
    expect(crumbs).toEqual(['Platform', 'Checkout'])
  })

  test('says what to do while nothing was done', async () => {
    const { id } = await requirement(api)
    const { text } = await reader.open(`/app/requirements/${id}`)
    for (const advice of ['None were written.', 'No agent has worked on this yet.', 'No execution has asked for a decision.'])
      expect(text).toContain(advice)
  })
})
