/** Whom documents name: people are distinguished by who they are, and no address is printed that was not entered for readers. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const generate = async (project: string, deliverable_type: string): Promise<string> =>
  (await ada.post(`/api/v1/projects/${project}/deliverables/generate`, { deliverable_type }, { Prefer: 'wait=20' })).body.content

const newProject = async (): Promise<string> =>
  (await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Shop' })).id

/** Makes a user a member who asks for a requirement, which is done. */
async function asks(name: string, project: string): Promise<void> {
  const actor = await box.user(name)
  await box.join(actor, site, 'member', 'member')
  const { id } = await actor.make(`/api/v1/projects/${project}/requirements`, { title: 'Pay' })
  await actor.put(`/api/v1/requirements/${id}`, { status: 'done' })
}

test('two people of one name are two contributors', async () => {
  const project = await newProject()
  await asks('Grace', project)
  await asks('Grace', project)
  expect(await generate(project, 'changelog')).toContain('- People: Grace (1 change), Grace (1)\n')
})

test('a name that is an e-mail address is printed in no document', async () => {
  const project = await newProject()
  await asks('grace@private.example.com', project)
  await asks('Grace Hopper <grace@private.example.com>', project)
  const documents = await Promise.all(
    ['changelog', 'project_summary', 'deployment_guide', 'user_manual'].map((type) => generate(project, type)),
  )
  expect(documents.join('\n')).not.toContain('private')
  expect(documents[0]).toContain('- People: Grace Hopper (1 change), Unnamed user (1)\n')
})

test('a section with the name `top` is reached by its link, which browsers take for the top of the page', async () => {
  const project = await newProject()
  const order = { $ref: '#/components/schemas/Top' }
  await ada.put(`/api/v1/projects/${project}/api-description`, {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/a': { get: { responses: { 200: { description: 'Done.', content: { 'application/json': { schema: order } } } } } },
    },
    components: { schemas: { Top: { type: 'object', properties: { id: { type: 'string' } } } } },
  })
  const input = { deliverable_type: 'api_docs' }
  const { body } = await ada.post(`/api/v1/projects/${project}/deliverables/generate`, input, { Prefer: 'wait=20' })
  expect(body.content).toContain('[Top](<#top-1>)')
  const { body: html } = await ada.get(`/api/v1/deliverables/${body.id}`, { Accept: 'text/html' })
  expect(html).toContain('<h3 id="top-1">Top</h3>')
})
