import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let projects: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  projects = `/api/v1/workspaces/${site.workspace.id}/projects`
})
afterAll(() => box.close())

test('a new project has its fields and location', async () => {
  const { status, headers, body } = await ada.post(projects, {
    name: 'Billing',
    description: 'Invoices',
    repository_url: 'https://git.example.com/acme/billing',
  })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/projects/${body.id}`])
  expect(body).toEqual({
    id: expect.any(String),
    organization_id: site.organization.id,
    workspace_id: site.workspace.id,
    name: 'Billing',
    description: 'Invoices',
    repository_url: 'https://git.example.com/acme/billing',
    support: null,
    version_scheme: 'numbered',
    created_by: ada.id,
    actor: { type: 'user', id: ada.id, name: ada.name },
    created_at: expect.any(String),
    updated_at: body.created_at,
  })
  expect((await ada.get(`/api/v1/projects/${body.id}`)).body).toEqual(body)
  expect((await ada.get(projects)).body[0]).toEqual(body)
})

test('only the name is required, with at most 200 characters', async () => {
  expect((await ada.post(projects, { name: 'n'.repeat(200) })).body).toMatchObject({ description: null, repository_url: null })
  expect((await ada.post(projects, { name: 'n'.repeat(201) })).status).toBe(422)
  expect((await ada.post(projects, { description: 'no name' })).body.errors[0]).toMatchObject({
    pointer: '/name',
    code: 'required',
  })
  expect((await ada.post(projects, { name: 'Long', description: 'd'.repeat(10_000) })).status).toBe(201)
  expect((await ada.post(projects, { name: 'Long', description: 'd'.repeat(10_001) })).status).toBe(422)
})

test('a repository must be an http or https URL', async () => {
  for (const repository_url of ['git@github.com:a/b', 'javascript:alert(1)', 'ftp://x', 'nonsense', '', 'https://']) {
    const { status, body } = await ada.post(projects, { name: 'Repository', repository_url })
    expect([repository_url, status, body.errors?.[0].pointer]).toEqual([repository_url, 422, '/repository_url'])
  }
})

test('support is a URL or an e-mail address of at most 200 characters', async () => {
  const long = `https://help.example.com/${'a'.repeat(200)}`
  for (const support of ['call us', 'javascript:alert(1)', 'mailto:help@example.com', 'a@b@c', '', ' ', long]) {
    const { status, body } = await ada.post(projects, { name: 'Support', support })
    expect([support, status, body.errors?.[0].pointer]).toEqual([support, 422, '/support'])
  }
  const project = await ada.make(projects, { name: 'Support', support: ' help@example.com ' })
  expect(project.support).toBe('help@example.com')
  const path = `/api/v1/projects/${project.id}`
  const { body } = await ada.put(path, { support: 'https://help.example.com/' })
  expect(body).toEqual({ ...project, support: 'https://help.example.com/', updated_at: expect.any(String) })
  expect(body.updated_at).not.toBe(project.updated_at)
  expect((await ada.put(path, { support: null })).body.support).toBeNull()
})

test('the version scheme is one of three', async () => {
  const project = await ada.make(projects, { name: 'Versions', version_scheme: 'calver' })
  expect(project.version_scheme).toBe('calver')
  const path = `/api/v1/projects/${project.id}`
  for (const version_scheme of ['numbered', 'semver']) {
    expect((await ada.put(path, { version_scheme })).body.version_scheme).toBe(version_scheme)
  }
  for (const version_scheme of ['roman', null, 1]) {
    const { status, body } = await ada.put(path, { version_scheme })
    expect([status, body.errors?.[0].pointer]).toEqual([422, '/version_scheme'])
  }
})

test('an update sets the given fields, null clears, and {} changes nothing', async () => {
  const made = await ada.make(projects, { name: 'Changing', description: 'Old', repository_url: 'https://example.com/' })
  const path = `/api/v1/projects/${made.id}`
  const { body: renamed } = await ada.put(path, { name: 'Changed' })
  expect(renamed).toEqual({ ...made, name: 'Changed', updated_at: expect.any(String) })
  const { body: cleared } = await ada.put(path, { repository_url: null })
  expect(cleared).toMatchObject({ name: 'Changed', description: 'Old', repository_url: null })
  expect((await ada.put(path, {})).body).toEqual(cleared)
  expect((await ada.put(path, { workspace_id: made.workspace_id })).status).toBe(422)
})

test('a new requirement does not change the ETag version of its project for If-Match', async () => {
  const made = await ada.make(projects, { name: 'Counting' })
  const tag = (await ada.get(`/api/v1/projects/${made.id}`)).headers.get('etag') ?? ''
  await ada.make(`/api/v1/projects/${made.id}/requirements`, { title: 'First' })
  expect((await ada.put(`/api/v1/projects/${made.id}`, { description: 'x' }, { 'If-Match': tag })).status).toBe(200)
})

test('deleting a project deletes everything in it, and is audited', async () => {
  const made = await ada.make(projects, { name: 'Deleted' })
  const execution = await box.running(ada, made.id)
  const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Gate' })
  expect((await ada.delete(`/api/v1/projects/${made.id}`)).status).toBe(204)
  for (const path of [
    `projects/${made.id}`,
    `requirements/${execution.requirement_id}`,
    `executions/${execution.id}`,
    `gates/${gate.id}`,
  ]) {
    expect((await ada.get(`/api/v1/${path}`)).status).toBe(404)
  }
  expect((await ada.delete(`/api/v1/projects/${made.id}`)).status).toBe(404)
  const entries = await box.sql`select action from audit_log_entries where resource_id = ${made.id} order by id`
  expect(entries.map(({ action }) => action)).toEqual(['project.created', 'project.deleted'])
})
