/** The documents of a project, and the form that generates one. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { rowsOf } from '../support/page-parts.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let member: Actor
let site: Site
let visitor: PageClient
let reader: PageClient

beforeAll(async () => {
  box = await signalbox()
  owner = await box.user('Owner')
  member = await box.user('Member')
  site = await box.site(owner)
  await box.join(member, site, 'member', 'member')
  visitor = await PageClient.signedIn(box, owner)
  reader = await PageClient.signedIn(box, member)
})
afterAll(() => box.close())

/** A project of its own, and its path. */
async function newProject(): Promise<[path: string, api: string]> {
  const { id } = await owner.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Checkout' })
  return [`/app/projects/${id}`, `/api/v1/projects/${id}`]
}

const requirement = (project: string): Promise<Answer['body']> =>
  owner.make(`${project}/requirements`, { title: 'Pay by invoice' })

describe('Generating a document', () => {
  test('leads to the finished document, and names it in the list', async () => {
    const [page, project] = await newProject()
    await requirement(project)
    const documents = `${page}/deliverables`
    const done = await reader.press(await reader.open(documents), 'Generate', { deliverable_type: 'project_summary' })
    expect(done.path).toStartWith('/app/deliverables/')
    const [document] = (await owner.get(`${project}/deliverables`)).body
    expect(document).toMatchObject({ deliverable_type: 'project_summary', requirement_id: null, created_by: member.id })
    expect(done.path).toBe(`/app/deliverables/${document.id}`)
    expect(rowsOf(await visitor.open(documents), 'Documents')[0]?.slice(0, 3)).toEqual([
      'Summary',
      'draft',
      'version 1, about the whole project',
    ])
  })

  test('can be about one requirement, whose page lists it and leads to the form, however old it is', async () => {
    const [page, project] = await newProject()
    const { id } = await requirement(project)
    for (let number = 0; number < 21; number++) await requirement(project)
    const offered = async (path: string) =>
      [...(await visitor.open(path)).document.querySelectorAll('#requirement_id option')].map((each) =>
        each.getAttribute('value'),
      )
    expect(await offered(`${page}/deliverables`)).not.toContain(id)
    const link = (await visitor.open(`/app/requirements/${id}`)).document.querySelector(`a[href^="${page}/deliverables?"]`)
    const form = await visitor.open(link?.getAttribute('href') ?? '')
    expect(form.document.querySelector('#requirement_id [selected]')?.getAttribute('value')).toBe(id)
    await visitor.press(form, 'Generate')
    expect((await owner.get(`${project}/deliverables`)).body[0].requirement_id).toBe(id)
    expect(rowsOf(await visitor.open(`/app/requirements/${id}`), 'Documents')[0]?.[0]).toBe('Changelog')
    const foreign = await requirement((await newProject())[1])
    expect(await offered(`${page}/deliverables?requirement_id=${foreign.id}`)).not.toContain(foreign.id)
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
  })

  test('lists older documents on request', async () => {
    const [page, project] = await newProject()
    for (let number = 0; number < 12; number++) {
      await owner.post(`${project}/deliverables/generate`, { deliverable_type: 'changelog' })
    }
    const links = async (at: string) => rowsOf(await visitor.open(at), 'Documents').length
    const documents = `${page}/deliverables`
    const older = (await visitor.open(documents)).document.querySelector('[aria-label="Parts of documents"] a[rel=next]')
    expect([await links(documents), await links(older?.getAttribute('href') ?? '')]).toEqual([10, 2])
  })
})
