import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

const MARKUP = '<b>Bold</b>'

let box: Box
let owner: Actor
let site: Site
let other: { id: string }
let path: string
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
  site = await box.site(owner)
  const workspaces = `/api/v1/organizations/${site.organization.id}/workspaces`
  other = await owner.make(workspaces, { name: MARKUP })
  for (let index = 0; index < 21; index++) await owner.put(`/api/v1/workspaces/${other.id}`, { name: `${MARKUP} ${index}` })
  path = `/app/organizations/${site.organization.id}/audit-log`
  visitor = await PageClient.signedIn(box, owner)
})
afterAll(() => box.close())

const rowsOf = ({ document }: Visit) =>
  [...document.querySelectorAll('ul[aria-label="Entries of the audit log"] > li')].map((row) => row.textContent ?? '')
const nextOf = ({ document }: Visit) => document.querySelector('a[rel="next"]')?.getAttribute('href') ?? ''

describe('The audit log', () => {
  test('is shown page by page, as the API lists it, with names as text', async () => {
    const first = await visitor.open(path)
    expect([first.status, rowsOf(first).length]).toEqual([200, 20])
    expect(first.text).toContain(`${MARKUP} 20`)
    expect(first.document.querySelector('main b')).toBeNull()
    const second = await visitor.open(nextOf(first))
    const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?page=2`)
    expect(rowsOf(second)).toHaveLength(body.items.length)
    expect(rowsOf(second)[0]).toContain(body.items[0].detail)
  })

  test('is filtered by action, actor, days and workspace, and paging keeps the filter', async () => {
    const updates = await visitor.open(`${path}?action=workspace.updated&actor_id=${owner.id}`)
    expect(rowsOf(updates)).toHaveLength(20)
    expect(nextOf(updates)).toContain('action=workspace.updated')
    expect(rowsOf(await visitor.open(nextOf(updates)))).toHaveLength(1)
    expect(updates.document.querySelector('#filter-action')?.getAttribute('value')).toBe('workspace.updated')
    const today = new Date().toISOString().slice(0, 10)
    expect(rowsOf(await visitor.open(`${path}?start_date=${today}`)).length).toBeGreaterThan(0)
    // The last day belongs to the period.
    expect(rowsOf(await visitor.open(`${path}?start_date=${today}&end_date=${today}`)).length).toBeGreaterThan(0)
    expect((await visitor.open(`${path}?start_date=2026-02-02&end_date=2026-02-01`)).status).toBe(422)
    expect((await visitor.open(`${path}?end_date=9999-12-31`)).status).toBe(200)
    expect((await visitor.open(`${path}?end_date=2020-01-01`)).text).toContain('No entry matches.')
    expect(rowsOf(await visitor.open(`${path}?actor_id=${crypto.randomUUID()}`))).toEqual([])
    const platform = await visitor.open(`${path}?workspace_id=${site.workspace.id}`)
    expect(rowsOf(platform).every((row) => row.includes('Platform'))).toBe(true)
    const actions = ['workspace created', 'project created']
    for (const action of actions) expect(platform.text).toContain(action)
    expect(platform.document.querySelector('.count')?.textContent).toBe('2')
  })

  test('is filtered by names: of actions in words, of people and of workspaces', async () => {
    const updated = await visitor.open(
      `${path}?action=Workspace+updated&actor_id=owner&workspace_id=${encodeURIComponent('Platform')}`,
    )
    expect([updated.status, rowsOf(updated)]).toEqual([200, []])
    const created = await visitor.open(`${path}?action=workspace+created&actor_id=${owner.email}&workspace_id=platform`)
    expect(rowsOf(created)).toHaveLength(1)
    expect(rowsOf(await visitor.open(`${path}?action=workspace`))).toHaveLength(20)
    const narrowed = await visitor.open(`${path}?actor_id=${owner.id}&workspace_id=${site.workspace.id}`)
    const shownBy = (name: string) => narrowed.document.querySelector(`#filter-${name}`)?.getAttribute('value')
    expect([shownBy('actor_id'), shownBy('workspace_id')]).toEqual(['Owner', 'Platform'])
  })

  test('leads to what its entries are about', async () => {
    const page = await visitor.open(`${path}?action=project.created`)
    const link = page.document.querySelector('.what > a')?.getAttribute('href') ?? ''
    expect(link).toBe(`/app/projects/${site.project.id}`)
    expect((await visitor.open(link)).status).toBe(200)
  })

  test('tells two people of one name apart by their addresses', async () => {
    const twin = await box.user('Owner')
    await box.join(twin, site, 'admin', 'admin')
    await twin.put(`/api/v1/workspaces/${other.id}`, { name: `${MARKUP} of the twin` })
    const page = await visitor.open(`${path}?action=workspace.updated`)
    expect(rowsOf(page)[0]).toContain(`Owner (${twin.email})`)
    expect(rowsOf(page)[1]).toContain(`Owner (${owner.email})`)
    const ambiguous = await visitor.open(`${path}?actor_id=Owner`)
    expect([ambiguous.status, ambiguous.text.includes('is the name of 2')]).toEqual([422, true])
    const one = await visitor.open(`${path}?actor_id=${twin.id}`)
    expect(one.document.querySelector('#filter-actor_id')?.getAttribute('value')).toBe(twin.email)
    await owner.delete(`/api/v1/organizations/${site.organization.id}/members/${twin.id}`)
  })

  test('shows what is wrong with a filter next to it: 422, with the value', async () => {
    const page = await visitor.open(`${path}?action=member.*&actor_id=nobody`)
    expect(page.status).toBe(422)
    const field = page.document.querySelector('#filter-actor_id')
    expect([field?.getAttribute('value'), field?.getAttribute('aria-invalid')]).toEqual(['nobody', 'true'])
    expect(page.document.querySelector('#filter-actor_id-error')?.textContent).toBe(
      'Person must be the name or the e-mail address of a person here.',
    )
    expect(page.document.querySelector('#filter-action')?.getAttribute('value')).toBe('member.*')
    const inverted = await visitor.open(`${path}?start_date=2026-02-01&end_date=2026-01-01`)
    expect([inverted.status, inverted.document.querySelector('#filter-start_date-error')?.textContent]).toEqual([
      422,
      'From (UTC) must not be after end_date.',
    ])
    expect((await visitor.open(`${path}?start_date=2026-02-31`)).text).toContain('From (UTC) must be a day as YYYY-MM-DD.')
    expect((await visitor.open(`${path}?page=no`)).status).toBe(422)
  })

  test('of another organization is not reached through a workspace of it', async () => {
    const stranger = await box.user('Stranger')
    const theirs = await box.site(stranger, 'Theirs')
    expect(rowsOf(await visitor.open(`${path}?workspace_id=${theirs.workspace.id}`))).toEqual([])
    expect((await (await PageClient.signedIn(box, stranger)).open(path)).status).toBe(404)
  })

  test('is exported by a POST, with the filter of the page, which is recorded', async () => {
    const page = await visitor.open(`${path}?action=workspace.*&workspace_id=${site.workspace.id}`)
    const form = page.document.querySelector(`form[action="${path}/export"]`)
    expect(
      [...(form?.querySelectorAll('input') ?? [])].map((input) => [input.getAttribute('name'), input.getAttribute('value')]),
    ).toEqual([
      ['account_id', expect.any(String)],
      ['action', 'workspace.*'],
      ['workspace_id', site.workspace.id],
    ])
    const body = new URLSearchParams({ action: 'workspace.*', workspace_id: site.workspace.id, format: 'csv' }).toString()
    const response = await visitor.send('POST', `${path}/export`, body)
    expect([response.status, response.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="audit-log.csv"'])
    const lines = (await response.text()).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('workspace.created')
    const recorded = await visitor.open(`${path}?action=audit_log.exported`)
    expect(rowsOf(recorded)[0]).toContain('Owner exported 1 entries of the audit log as csv')
    expect((await visitor.open(`${path}/export`)).status).toBe(405)
  })
})
