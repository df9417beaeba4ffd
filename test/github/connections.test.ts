import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import type { Actor } from '../support/signalbox.ts'
import { GithubBench, OPERATOR } from './workbench.ts'

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.connected()
})
afterAll(() => bench.close())

const installations = async (organization_id = bench.site.organization.id) =>
  (await bench.admin.get(`/api/v1/organizations/${organization_id}/github-installations`)).body

const pageOf = (organization_id: string) => `/app/organizations/${organization_id}/github`

/** What GitHub offers a person. */
async function offered(person = bench.octocat, organization_id = bench.site.organization.id) {
  const away = await bench.leave(await bench.browser.open(pageOf(organization_id)), 'Connect an installation')
  return bench.browser.open(bench.pathOf(await bench.github.authorize(person, away)))
}

describe('An installation', () => {
  test('is connected by an owner of its account', async () => {
    expect(await installations()).toEqual([
      {
        id: expect.any(String),
        installation_id: bench.installation.id,
        account: { id: bench.acme.id, login: 'acme', type: 'Organization' },
        status: 'active',
        missing_permissions: [],
        created_by: bench.admin.id,
        created_at: expect.any(String),
      },
    ])
    const page = await bench.browser.open(pageOf(bench.site.organization.id))
    expect(page.text).toContain('acme')
    expect(page.html).toContain(`${bench.github.url}/github-apps/${bench.app.slug}/installations/new`)
    const { body: log } = await bench.admin.get(`/api/v1/organizations/${bench.site.organization.id}/audit-logs`)
    expect(log.items.map(({ action }: { action: string }) => action)).toContain('github_installation.bound')
  })

  test('is not offered to members and readers of the organization at GitHub', async () => {
    const mallory = bench.github.createPerson('mallory')
    bench.acme.members.set(mallory, 'member')
    bench.github.createRepository(bench.acme, 'readable')
    const page = await offered(mallory)
    expect(page.text).toContain('You own no account at GitHub where the app is installed')
    expect(page.document.querySelector('main form')).toBeNull()
  })

  test('belongs to one organization', async () => {
    const other = await bench.box.site(bench.admin, 'Umbrella')
    const page = await bench.browser.press(await offered(bench.octocat, other.organization.id), 'Connect')
    expect(page.status).toBe(409)
    expect(page.text).toContain('is connected to another organization')
    expect(await installations(other.organization.id)).toEqual([])
  })

  test('connecting it again changes nothing', async () => {
    const before = await installations()
    expect((await bench.browser.press(await offered(), 'Connect')).text).toContain('is connected')
    expect(await installations()).toEqual(before)
  })

  test('a state is good once, and for the session that asked', async () => {
    const away = await bench.leave(await bench.browser.open(pageOf(bench.site.organization.id)), 'Connect an installation')
    const query = new URL(away).searchParams
    expect(query.get('code_challenge_method')).toBe('S256')
    const back = bench.pathOf(await bench.github.authorize(bench.octocat, away))
    const other = await PageClient.signedIn(bench.box, { ...bench.admin, email: OPERATOR } as Actor)
    expect((await other.open(back)).status).toBe(400)
    expect((await bench.browser.open(back)).status).toBe(200)
    expect((await bench.browser.open(back)).text).toContain('This was used before')
    const denied = await bench.leave(await bench.browser.open(pageOf(bench.site.organization.id)), 'Connect an installation')
    expect((await bench.browser.open(bench.pathOf(await bench.github.authorize(bench.octocat, denied, false)))).status).toBe(400)
  })

  test('a choice that was offered to another session binds nothing', async () => {
    const page = await offered()
    const choice = page.document.querySelector('input[name="choice"]')?.getAttribute('value') ?? ''
    const other = await PageClient.signedIn(bench.box, { ...bench.admin, email: OPERATOR } as Actor)
    const path = `${pageOf(bench.site.organization.id)}/choose`
    expect((await other.post(path, { choice })).text).toContain('was offered in another session')
  })

  test('the page after installing trusts no parameter, and says what an owner must do', async () => {
    const asked = await bench.browser.open('/github/installed?setup_action=request')
    expect(asked.text).toContain('Once one of them has installed the app')
    const installed = await bench.browser.open(`/github/installed?installation_id=${bench.installation.id}&setup_action=install`)
    expect(installed.text).toContain('counts once you connect it')
    expect(installed.html).toContain(pageOf(bench.site.organization.id))
  })

  test('says which permissions are missing, and what is not possible without', async () => {
    const { github } = bench
    github.changePermissions(bench.app, { ...bench.app.permissions, issues: 'read' } as never)
    bench.installation.permissions = { ...bench.installation.permissions, statuses: 'read' }
    github.acceptPermissions(bench.installation)
    bench.installation.permissions = { ...bench.installation.permissions, statuses: 'read' }
    github.events.installation(bench.installation, 'new_permissions_accepted', bench.octocat)
    await bench.box.until('the permission is missing', async () => (await installations())[0].missing_permissions.length > 0)
    expect((await installations())[0].missing_permissions).toEqual(['statuses'])
    const page = await bench.browser.open(pageOf(bench.site.organization.id))
    expect(page.text).toContain('statuses (commits do not show the state of their gates')
    github.acceptPermissions(bench.installation)
    await bench.box.until('it is not missing', async () => (await installations())[0].missing_permissions.length === 0)
  })
})

describe('A link', () => {
  test('is made for a repository that an installation reaches', async () => {
    const project = await bench.project()
    const path = `/api/v1/projects/${project.id}/github`
    const repository = bench.github.createRepository(bench.acme, 'Checkout', { isPrivate: true })
    expect((await bench.admin.get(path)).status).toBe(404)
    const linked = await bench.admin.put(path, { repository: 'ACME/checkout' })
    expect(linked).toMatchObject({
      status: 200,
      body: {
        repository: { id: repository.id, full_name: 'acme/Checkout', private: true },
        installation_id: bench.installation.id,
        status: 'active',
        commit_statuses: true,
      },
    })
    expect((await bench.admin.put(path, { repository: 'acme/checkout', commit_statuses: false })).body.commit_statuses).toBe(
      false,
    )
    expect((await bench.admin.put(path, { repository: 'acme/checkout' })).body.commit_statuses).toBe(false)
    const other = await bench.project('Other')
    expect(await bench.admin.put(`/api/v1/projects/${other.id}/github`, { repository: 'acme/Checkout' })).toMatchObject({
      status: 409,
      body: { code: 'repository_linked' },
    })
    expect((await bench.admin.delete(path)).status).toBe(204)
    expect((await bench.admin.get(path)).status).toBe(404)
    const { body: log } = await bench.admin.get(`/api/v1/organizations/${bench.site.organization.id}/audit-logs`)
    const actions = log.items.map(({ action }: { action: string }) => action)
    expect(actions).toContain('github_repository.linked')
    expect(actions).toContain('github_repository.unlinked')
  })

  test('is refused for what no installation reaches, also if it is public', async () => {
    const project = await bench.project()
    const globex = bench.github.createOrganization('globex', { owners: [bench.octocat] })
    bench.github.createRepository(globex, 'open')
    for (const repository of ['globex/open', 'acme/none'])
      expect(await bench.admin.put(`/api/v1/projects/${project.id}/github`, { repository })).toMatchObject({
        status: 422,
        body: { code: 'repository_not_accessible' },
      })
    expect((await bench.admin.put(`/api/v1/projects/${project.id}/github`, { repository: 'nonsense' })).body.code).toBe(
      'validation_failed',
    )
  })

  test('is an affair of admins of the organization', async () => {
    const lead = await bench.box.user('Lead')
    await bench.box.join(lead, bench.site, 'member', 'admin')
    const { project, repository } = await bench.linked()
    const path = `/api/v1/projects/${project.id}/github`
    expect((await lead.get(path)).status).toBe(200)
    expect(await lead.put(path, { repository: `acme/${repository.name}` })).toMatchObject({ status: 403 })
    expect((await lead.delete(path)).status).toBe(204)
  })

  test('is made on the page of the project, from a list with a search', async () => {
    const project = await bench.project()
    bench.github.createRepository(bench.acme, 'needle')
    const path = `/app/projects/${project.id}/github`
    expect((await bench.browser.open(`/app/projects/${project.id}/settings`)).html).toContain(path)
    const page = await bench.browser.open(`${path}?query=NEEDLE`)
    expect(page.text).toContain('acme/needle')
    const done = await bench.browser.press(page, 'Link')
    expect(done.text).toContain('The project is linked to acme/needle')
    expect(done.html).toContain('/acme/needle/settings/environments')
    const fault = bench.github.failFor()
    expect((await bench.browser.open(`${path}?query=x`)).text).toContain('GitHub did not list its repositories')
    fault.end()
    expect((await bench.browser.press(done, 'Unlink')).text).toContain('The repository was unlinked')
  })

  test('follows the names that GitHub gives a repository', async () => {
    const { project, repository } = await bench.linked()
    bench.github.renameRepository(repository, 'renamed')
    await bench.box.until('the name', async () => {
      const { body } = await bench.admin.get(`/api/v1/projects/${project.id}/github`)
      return body.repository.full_name === 'acme/renamed'
    })
  })
})

test('A person links a GitHub account, which belongs to no one else', async () => {
  const away = await bench.leave(await bench.browser.open('/app/account'), 'Link a GitHub account')
  const page = await bench.browser.open(bench.pathOf(await bench.github.authorize(bench.octocat, away)))
  expect(page.text).toContain('Your GitHub account octocat is linked')
  const { body } = await bench.admin.get('/api/v1/users/me/identities')
  expect(body[0]).toMatchObject({
    provider: 'github',
    team_id: new URL(bench.github.url).host,
    external_id: String(bench.octocat.id),
  })
  const grace = await bench.box.user('Grace')
  const visitor = await PageClient.signedIn(bench.box, grace)
  const [own, mine] = [bench.browser, visitor]
  bench.browser = mine
  const again = await bench.leave(await bench.browser.open('/app/account'), 'Link a GitHub account')
  const refused = await bench.browser.open(bench.pathOf(await bench.github.authorize(bench.octocat, again)))
  bench.browser = own
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('This GitHub account is linked to another Signalbox account')
  await bench.admin.delete(`/api/v1/users/me/identities/${body[0].id}`)
})

test('Disconnecting an installation unlinks its repositories, and the app can be removed then', async () => {
  const { project } = await bench.linked()
  expect(await bench.admin.delete('/api/v1/github-app')).toMatchObject({ status: 409, body: { code: 'github_app_in_use' } })
  const [{ id }] = await installations()
  const page = await bench.browser.open(pageOf(bench.site.organization.id))
  expect((await bench.browser.press(page, 'Disconnect')).text).toContain('The installation was disconnected')
  expect(await installations()).toEqual([])
  expect((await bench.admin.get(`/api/v1/projects/${project.id}/github`)).status).toBe(404)
  const path = `/api/v1/organizations/${bench.site.organization.id}/github-installations/${id}`
  expect((await bench.admin.delete(path)).status).toBe(404)
  expect((await bench.admin.delete('/api/v1/github-app')).status).toBe(204)
})
