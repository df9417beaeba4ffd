import { expect, test } from 'bun:test'
import { startGithub } from './github.ts'
import { createSite, send } from './plain-client.ts'

test('a token of an installation ends after an hour', async () => {
  await using github = startGithub()
  const { asApp, installation } = createSite(github)
  const { json } = await asApp('POST', `/app/installations/${installation.id}/access_tokens`)
  const left = Date.parse(json.expires_at) - github.clock.now()
  expect(Math.abs(left - 3_600_000)).toBeLessThan(60_000)
  expect(json).toMatchObject({ repository_selection: 'all', permissions: { deployments: 'write', metadata: 'read' } })
  // Long, since it holds a JSON web token.
  expect(json.token).toMatch(new RegExp(`^ghs_${installation.app.id}_`))
  expect(json.token.length).toBeGreaterThan(400)
  github.clock.advance({ minutes: 59 })
  expect((await send(github, 'GET', '/repos/acme/shop', json.token)).status).toBe(200)
  github.clock.advance({ minutes: 1 })
  const late = await send(github, 'GET', '/repos/acme/shop', json.token)
  expect([late.status, late.json.message]).toEqual([401, 'Bad credentials'])
})

test('a token is narrowed to repositories and permissions, and not widened', async () => {
  await using github = startGithub()
  const { acme, shop, token, asApp, installation } = createSite(github)
  github.createRepository(acme, 'site', { isPrivate: true })
  const narrow = await token({ repository_ids: [shop.id], permissions: { deployments: 'read' } })
  expect((await send(github, 'GET', '/installation/repositories', narrow)).json).toMatchObject({ total_count: 1 })
  expect((await send(github, 'GET', '/repos/acme/shop/deployments', narrow)).status).toBe(200)
  expect((await send(github, 'GET', '/repos/acme/site', narrow)).status).toBe(404)
  const lacking = await send(github, 'GET', '/repos/acme/shop/environments', narrow)
  expect([lacking.status, lacking.json.message]).toEqual([403, 'Resource not accessible by integration'])
  expect(lacking.headers.get('x-accepted-github-permissions')).toBe('actions=read')
  const refused = async (body: object, message: string) => {
    const got = await asApp('POST', `/app/installations/${installation.id}/access_tokens`, body)
    expect([got.status, got.json.message]).toEqual([422, message])
  }
  const unknown = 'There is at least one repository that does not exist or is not accessible to the parent installation.'
  await refused({ repository_ids: [1] }, unknown)
  await refused({ repositories: ['elsewhere'] }, unknown)
  await refused(
    { permissions: { deployments: 'write', issues: 'read' } },
    'The permissions requested are not granted to this installation.',
  )
  await refused({ permissions: { actions: 'write' } }, 'The permissions requested are not granted to this installation.')
  await refused({ repository_id: 7 }, 'Invalid request.\n\n"repository_id" is not a permitted key.')
})

test('a suspended installation refuses new tokens and those that it gave', async () => {
  await using github = startGithub()
  const { installation, asApp, call, ada } = createSite(github)
  expect((await call('GET', '/repos/acme/shop')).status).toBe(200)
  github.suspend(installation)
  const got = await asApp('POST', `/app/installations/${installation.id}/access_tokens`)
  expect([got.status, got.json.message]).toEqual([403, 'This installation has been suspended'])
  expect((await call('GET', '/repos/acme/shop')).status).toBe(403)
  expect((await asApp('GET', `/app/installations/${installation.id}`)).json.suspended_by.login).toBe(ada.login)
  github.unsuspend(installation)
  expect((await call('GET', '/repos/acme/shop')).status).toBe(200)
  expect((await asApp('GET', `/app/installations/${installation.id}`)).json.suspended_at).toBeNull()
})

test('a removed installation is gone, and so are its tokens', async () => {
  await using github = startGithub()
  const { installation, asApp, call } = createSite(github)
  await call('GET', '/repos/acme/shop')
  github.uninstall(installation)
  expect((await asApp('GET', `/app/installations/${installation.id}`)).status).toBe(404)
  expect((await asApp('POST', `/app/installations/${installation.id}/access_tokens`)).status).toBe(404)
  expect((await call('GET', '/repos/acme/shop')).status).toBe(401)
  expect((await asApp('GET', '/repos/acme/shop/installation')).status).toBe(404)
})

test('the repositories of an installation come in pages that link to each other', async () => {
  await using github = startGithub()
  const { acme, call } = createSite(github)
  for (let number = 1; number < 45; number += 1) github.createRepository(acme, `service-${number}`, { isPrivate: true })
  const first = await call('GET', '/installation/repositories?per_page=20')
  expect([first.json.total_count, first.json.repositories.length]).toEqual([45, 20])
  const links = first.headers.get('link') ?? ''
  expect(links).toBe(
    `<${github.api}/installation/repositories?per_page=20&page=2>; rel="next", ` +
      `<${github.api}/installation/repositories?per_page=20&page=3>; rel="last"`,
  )
  const last = await call('GET', '/installation/repositories?per_page=20&page=3')
  expect(last.json.repositories).toHaveLength(5)
  expect(last.headers.get('link')).toContain('rel="prev"')
  expect(last.headers.get('link')).toContain('rel="first"')
  expect(last.headers.get('link')).not.toContain('rel="next"')
  expect((await call('GET', '/installation/repositories')).json.repositories).toHaveLength(30)
  expect((await call('GET', '/installation/repositories?per_page=1000')).json.repositories).toHaveLength(45)
})

test('a private repository of others does not exist, a public one can be read by every token', async () => {
  await using github = startGithub()
  const { call } = createSite(github)
  const other = github.createOrganization('other', { owners: [github.createPerson('eve')] })
  const open = github.createRepository(other, 'open')
  github.createRepository(other, 'hidden', { isPrivate: true })
  expect((await call('GET', '/repos/other/hidden')).json.message).toBe('Not Found')
  expect((await call('GET', '/repos/other/open')).json.id).toBe(open.id)
  expect((await send(github, 'GET', '/repos/other/open')).status).toBe(200)
  const sha = open.branches.get('main')
  expect((await call('POST', `/repos/other/open/statuses/${sha}`, { state: 'success' })).status).toBe(403)
})

test('a renamed repository answers a read with 301, and anything else with 307', async () => {
  await using github = startGithub()
  const { shop, call, token, asApp, acme } = createSite(github)
  github.renameRepository(shop, 'store')
  const target = `${github.api}/repositories/${shop.id}`
  const read = await call('GET', '/repos/acme/shop/environments?per_page=5')
  expect([read.status, read.headers.get('location')]).toEqual([301, `${target}/environments?per_page=5`])
  expect(read.json).toMatchObject({ message: 'Moved Permanently', url: `${target}/environments?per_page=5` })
  const sha = shop.branches.get('main')
  const write = await call('POST', `/repos/acme/shop/statuses/${sha}`, { state: 'success' })
  expect([write.status, write.headers.get('location')]).toEqual([307, `${target}/statuses/${sha}`])
  expect((await send(github, 'POST', `${target}/statuses/${sha}`, await token(), { state: 'success' })).status).toBe(201)
  expect((await asApp('GET', '/repos/acme/shop/installation')).status).toBe(301)
  // A new repository of the former name ends the redirect.
  const next = github.createRepository(acme, 'shop', { isPrivate: true })
  expect((await call('GET', '/repos/acme/shop')).json.id).toBe(next.id)
})

test('an installation on chosen repositories reaches no others', async () => {
  await using github = startGithub()
  const { acme, shop, installation, call } = createSite(github)
  const site = github.createRepository(acme, 'site', { isPrivate: true })
  github.selectRepositories(installation, [site])
  expect((await call('GET', '/repos/acme/shop')).status).toBe(404)
  expect((await call('GET', '/repos/acme/site')).status).toBe(200)
  await github.settled()
  const removed = JSON.parse(github.webhooks.of('installation_repositories', 'removed')[0]?.payload ?? '')
  expect(removed).toMatchObject({
    repository_selection: 'selected',
    repositories_removed: [{ id: shop.id }],
    repositories_added: [],
  })
})

test('an app that asks for more gets it when an owner accepts', async () => {
  await using github = startGithub()
  const { app, installation, asApp } = createSite(github)
  github.changePermissions(app, { ...app.permissions, issues: 'write' })
  const path = `/app/installations/${installation.id}`
  expect((await asApp('GET', '/app')).json.permissions.issues).toBe('write')
  expect((await asApp('GET', path)).json.permissions.issues).toBeUndefined()
  expect((await asApp('POST', `${path}/access_tokens`, { permissions: { issues: 'read' } })).status).toBe(422)
  github.acceptPermissions(installation)
  expect((await asApp('GET', path)).json.permissions.issues).toBe('write')
  expect(await github.delivered('installation', 'new_permissions_accepted')).toHaveLength(1)
})
