import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const paths = ({ organization, workspace, project }: Site) => ({
  organization: `/api/v1/organizations/${organization.id}/workflow-template`,
  workspace: `/api/v1/workspaces/${workspace.id}/workflow-template`,
  project: `/api/v1/projects/${project.id}/workflow-template`,
})

const read = async (path: string) => (await ada.get(path)).body.template

test('the default template is a complete workflow definition, the same everywhere', async () => {
  const path = paths(await box.site(ada))
  const { status, body } = await ada.get(path.organization)
  expect([status, Object.keys(body)]).toEqual([200, ['template']])
  const workflow = Bun.YAML.parse(body.template) as { steps: Record<string, { needs?: string[] }> }
  const needed = Object.values(workflow.steps).flatMap(({ needs = [] }) => needs)
  expect(needed).not.toBeEmpty()
  for (const name of needed) expect(Object.keys(workflow.steps)).toContain(name)
  expect([await read(path.workspace), await read(path.project)]).toEqual([body.template, body.template])
})

test('a new workspace copies the template of its organization, and a new project that of its workspace', async () => {
  const site = await box.site(ada)
  const old = paths(site)
  const builtIn = await read(old.organization)
  expect((await ada.put(old.organization, { template: 'ours: 1\n' })).body).toEqual({ template: 'ours: 1\n' })
  const workspace = await ada.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'New' })
  const projects = `/api/v1/workspaces/${workspace.id}/projects`
  const first = await ada.make(projects, { name: 'First' })
  const inWorkspace = `/api/v1/workspaces/${workspace.id}/workflow-template`
  await ada.put(inWorkspace, { template: 'theirs: 2\n' })
  await ada.put(old.organization, { template: 'ours: 3\n' })
  const second = await ada.make(projects, { name: 'Second' })
  const ofProject = (id: string) => read(`/api/v1/projects/${id}/workflow-template`)
  expect([await ofProject(first.id), await ofProject(second.id)]).toEqual(['ours: 1\n', 'theirs: 2\n'])
  await ada.put(`/api/v1/projects/${first.id}/workflow-template`, { template: 'mine: 4\n' })
  expect([await ofProject(first.id), await read(inWorkspace), await read(old.organization)]).toEqual([
    'mine: 4\n',
    'theirs: 2\n',
    'ours: 3\n',
  ])
  expect([await read(old.workspace), await read(old.project)]).toEqual([builtIn, builtIn])
})

describe('Setting a template', () => {
  test('refuses empty, oversized and non-string values', async () => {
    const path = paths(await box.site(ada)).workspace
    for (const body of [{}, { template: '' }, { template: null }, { template: 7 }, { template: 'ä'.repeat(131_073) }]) {
      const { status, body: problem } = await ada.put(path, body)
      expect([status, problem.errors[0].pointer]).toEqual([422, '/template'])
    }
    const largest = 'ä'.repeat(131_072)
    expect((await ada.put(path, { template: largest })).status).toBe(200)
    expect(await read(path)).toBe(largest)
  })

  test('stores the text unchanged', async () => {
    const path = paths(await box.site(ada)).project
    const template = '\n  # spaces \t\r\n{{ "not": parsed }}\n\n'
    await ada.put(path, { template })
    expect(await read(path)).toBe(template)
  })

  test('is audited, with the workspace if there is one', async () => {
    const site = await box.site(ada)
    for (const path of Object.values(paths(site))) await ada.put(path, { template: 'a: 1' })
    const entries = await box.sql`
      select workspace_id, resource_type, resource_id
      from audit_log_entries
      where organization_id = ${site.organization.id}
        and action = 'workflow_template.updated'
      order by id
    `
    const [organization_id, workspace_id, project_id] = [site.organization.id, site.workspace.id, site.project.id]
    expect(entries.map(Object.values)).toEqual([
      [null, 'workflow_template', organization_id],
      [workspace_id, 'workflow_template', workspace_id],
      [workspace_id, 'workflow_template', project_id],
    ])
  })

  test('is refused with a stale ETag, also for the first one', async () => {
    const path = paths(await box.site(ada)).organization
    const unset = (await ada.get(path)).headers.get('etag') ?? ''
    const answers = await Promise.all(
      [1, 2, 3, 4].map((number) => ada.put(path, { template: `n: ${number}` }, { 'If-Match': unset })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    const seen = (await ada.get(path)).headers.get('etag') ?? ''
    expect((await ada.get(path, { 'If-None-Match': seen })).status).toBe(304)
    expect((await ada.put(path, { template: 'n: 5' }, { 'If-Match': seen })).status).toBe(200)
    expect((await ada.put(path, { template: 'n: 6' }, { 'If-Match': seen })).status).toBe(412)
    expect(await read(path)).toBe('n: 5')
  })

  test('does not change the ETag version of its workspace', async () => {
    const site = await box.site(ada)
    const path = `/api/v1/workspaces/${site.workspace.id}`
    const { headers } = await ada.get(path)
    await ada.put(paths(site).workspace, { template: 'a: 1' })
    expect((await ada.put(path, { name: 'Still' }, { 'If-Match': headers.get('etag') ?? '' })).status).toBe(200)
  })
})

test('members can read but not set templates, strangers see nothing, and templates are deleted with their scope', async () => {
  const site = await box.site(ada)
  const path = paths(site)
  const [member, stranger] = [await box.user('Member'), await box.user('Stranger')]
  await box.join(member, site, 'member', 'member')
  for (const each of Object.values(path)) {
    await ada.put(each, { template: 'a: 1' })
    expect((await member.get(each)).body).toEqual({ template: 'a: 1' })
    expect((await member.put(each, { template: 'b: 2' })).status).toBe(403)
    expect((await stranger.get(each)).status).toBe(404)
    expect((await stranger.put(each, { template: 'b: 2' })).status).toBe(404)
  }
  await ada.delete(`/api/v1/workspaces/${site.workspace.id}`)
  const left = await box.sql`select scope_id from workflow_templates where organization_id = ${site.organization.id}`
  expect(left.map(({ scope_id }) => scope_id)).toEqual([site.organization.id])
})
