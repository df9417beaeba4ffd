/** The pages of a project and its requirements, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { comparison } from '../dual-track/tracks.ts'
import { PageClient } from '../support/page-client.ts'
import { rowsOf } from '../support/page-parts.ts'
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

/** The tabs of a project, by the end of their paths. */
const TABS = ['', '/gates', '/requirements', '/environments', '/deployment-hooks', '/deliverables', '/dual-track', '/settings']

describe('The pages of a project', () => {
  test('are tabs, each with an address of its own, and the pages below lead back to theirs', async () => {
    const [page, project] = await newProject()
    const { id } = await hook(project, { environment: 'staging' })
    const tabs = [...(await visitor.open(page)).document.querySelectorAll('nav[aria-label=Project] a')]
    expect(tabs.map((tab) => tab.getAttribute('href'))).toEqual(TABS.map((tab) => page + tab))
    for (const tab of tabs) {
      const { status, document } = await reader.open(tab.getAttribute('href') ?? '')
      expect([status, document.querySelector('nav[aria-label=Project] [aria-current=page]')?.textContent]).toEqual([
        200,
        tab.textContent,
      ])
    }
    for (const [path, tab] of [
      [`/app/deployment-hooks/${id}`, '/deployment-hooks'],
      [`${page}/deployment-hooks/new`, '/deployment-hooks'],
      [`${page}/environment/policy?name=staging`, '/environments'],
      [`${page}/charts`, '/environments'],
      [`${page}/gates/new`, '/gates'],
      [`${page}/attestations`, '/gates'],
      [`${page}/api-description`, '/deliverables'],
      [`${page}/workflow-template`, '/settings'],
    ] as const) {
      const crumbs = [...(await visitor.open(path)).document.querySelectorAll('.crumbs a')]
      expect([path, crumbs.at(-1)?.getAttribute('href')]).toEqual([path, page + tab])
    }
  })

  test('say in every empty list what to do next, and the first one how to start', async () => {
    const [page] = await newProject()
    const start = await visitor.open(page)
    const steps = [...start.document.querySelectorAll('ul[aria-label="First steps"] a')].map((link) => link.getAttribute('href'))
    expect(steps).toEqual([`${page}/requirements/new`, `${page}/connect`, `${page}/deployment-hooks/new`])
    expect(start.document.querySelector('.track')).toBeNull()
    for (const [tab, advice] of [
      ['/gates', 'No gates yet. An agent opens one before something is deployed'],
      ['/requirements', 'No requirements yet. A requirement says what an agent is to do'],
      ['/environments', 'It is not known what runs where.'],
      ['/deployment-hooks', 'Nothing is deployed from here yet. A hook calls your CI'],
      ['/deliverables', 'No documents yet. Generate the first one'],
      ['/dual-track', 'No comparisons yet.'],
    ] as const) {
      expect((await visitor.open(page + tab)).document.querySelector('.empty')?.textContent).toContain(advice)
    }
  })

  test('count requirements by status, and list those of one', async () => {
    const [project, records] = await newProject()
    const page = `${project}/requirements`
    for (const title of ['First', 'Second', 'Third']) await requirement(records, { title })
    const done = await requirement(records, { title: 'Finished' })
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

  test('list all gates, the pending ones first, and those of a status', async () => {
    const [page, project] = await newProject()
    const open = (name: string, input: object = {}) => owner.make(`${project}/gates`, { name, ...input })
    const old = await open('Old', { environment: 'production', required_approvals: 2 })
    for (const name of ['First', 'Second', 'Third']) {
      const { id } = await open(name)
      await owner.make(`/api/v1/gates/${id}/approve`)
    }
    const rows = async (query = '') => rowsOf(await visitor.open(`${page}/gates${query}`), 'Gates').map((row) => row.slice(0, 3))
    expect(await rows()).toEqual([
      ['Old', 'needs you', 'production'],
      ['Third', 'approved', ''],
      ['Second', 'approved', ''],
      ['First', 'approved', ''],
    ])
    expect(await rows('?page=2&page_size=3')).toEqual([['First', 'approved', '']])
    expect(await rows('?status=approved&page_size=2')).toEqual([
      ['Third', 'approved', ''],
      ['Second', 'approved', ''],
    ])
    await owner.make(`/api/v1/gates/${old.id}/approve`)
    const pending = await visitor.open(`${page}/gates?status=pending`)
    expect(rowsOf(pending, 'Gates')).toEqual([['Old', 'pending', 'production', '', '1 of 2 · just now']])
    expect([...pending.document.querySelectorAll('.choices a')].map((link) => link.textContent).slice(0, 3)).toEqual([
      'all 4',
      'pending 1',
      'approved 3',
    ])
    expect((await visitor.open(`${page}/gates?status=rejected`)).text).toContain('No gate is in this state.')
  })

  test('show running executions, hooks with their states, and comparisons with their verdict', async () => {
    const [page, project] = await newProject({ description: 'Where people pay.', repository_url: 'https://git.example.com/a' })
    const { id } = await requirement(project)
    const execution = await owner.make(`/api/v1/requirements/${id}/executions`, { agent: 'claude' })
    await owner.make(`/api/v1/executions/${execution.id}/start`)
    await hook(project, { name: 'Paused hook', paused: true, environment: 'staging' })
    await hook(project, { name: 'Disabled hook', enabled: false })
    const compared = await comparison(owner, project.split('/').at(-1) ?? '')
    await owner.make(`/api/v1/dual-track/${compared.id}/decide`, { winner: 'b' })
    const list = async (tab: string, label: string) =>
      (await visitor.open(page + tab)).document.querySelector(`[aria-label="${label}"]`)?.textContent ?? ''
    expect(await list('', 'Agents at work')).toContain('claude')
    expect(await list('', 'Agents at work')).toContain('running')
    const hooks = await list('/deployment-hooks', 'Hooks')
    for (const part of ['Paused hook', 'staging', 'paused', 'disabled', 'ci.example.com']) expect(hooks).toContain(part)
    const comparisons = await list('/dual-track', 'Comparisons')
    for (const part of ['alpha-coder and beta-coder', 'decided', 'beta-coder is better', 'Pay by invoice'])
      expect(comparisons).toContain(part)
    const { document } = await visitor.open(page)
    const link = document.querySelector('a[href="https://git.example.com/a"]')
    expect(link?.getAttribute('rel')).toBe('noopener noreferrer')
    expect(document.body.textContent).toContain('Where people pay.')
  })

  test('show members the settings, and admins also a form', async () => {
    const support = 'https://help.example.com/'
    const [page] = await newProject({ repository_url: 'https://git.example.com/a', support, version_scheme: 'semver' })
    const shown = await reader.open(`${page}/settings`)
    expect([shown.status, shown.document.querySelector('main form')]).toEqual([200, null])
    for (const part of ['https://git.example.com/a', support, 'semantic versions', 'Created']) expect(shown.text).toContain(part)
    const links = ['connect', 'workflow-template', 'api-description', 'attestations']
    for (const link of links) expect(shown.document.querySelector(`main a[href="${page}/${link}"]`)).not.toBeNull()
    expect((await reader.post(`${page}/settings`, { name: 'Mine' })).status).toBe(403)
    expect((await visitor.open(`${page}/settings`)).document.querySelector('main form')).not.toBeNull()
  })

  test('escape markup in every name', async () => {
    const [page, project] = await newProject({ name: MARKUP, description: MARKUP })
    const { id } = await requirement(project, { title: MARKUP, description: MARKUP, acceptance_criteria: [MARKUP] })
    await owner.make(`/api/v1/requirements/${id}/executions`, { agent: MARKUP })
    await hook(project, { name: MARKUP, environment: MARKUP.slice(0, 60) })
    const pages = ['', '/requirements', '/deployment-hooks', '/deliverables', '/rollback'].map((tab) => page + tab)
    for (const each of [...pages, `/app/requirements/${id}`]) {
      const { html, document, status } = await visitor.open(each)
      expect([status, html.includes('<img'), document.querySelector('img')]).toEqual([200, false, null])
      expect(html).toContain('&lt;img')
    }
  })

  test('are hidden from others: 404 does not say whether they exist', async () => {
    const stranger = await PageClient.signedIn(box, await box.user('Stranger'))
    const absent = await stranger.open(`/app/projects/${crypto.randomUUID()}`)
    const foreign = await stranger.open(path)
    expect([foreign.status, absent.status]).toEqual([404, 404])
    expect(foreign.text).toBe(absent.text)
    for (const tab of TABS) expect((await stranger.open(path + tab)).status).toBe(404)
    expect((await stranger.post(`${path}/rollback`, { target_version: 'v1' })).status).toBe(404)
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
    expect(crumbs).toEqual(['Platform', 'Checkout', 'Requirements'])
  })

  test('says what to do while nothing was done', async () => {
    const { id } = await requirement(api)
    const { text } = await reader.open(`/app/requirements/${id}`)
    for (const advice of ['None were written.', 'No agent has worked on this yet.', 'No execution has asked for a decision.'])
      expect(text).toContain(advice)
  })
})
