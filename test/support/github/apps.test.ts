import { expect, test } from 'bun:test'
import { createPrivateKey } from 'node:crypto'
import { startGithub } from './github.ts'
import { createSite, manifestFor, send, webToken } from './plain-client.ts'

test('a person registers an app from a manifest, and its code is exchanged once', async () => {
  await using github = startGithub()
  const ada = github.createPerson('ada')
  github.createOrganization('acme', { owners: [ada] })
  const action = `${github.url}/organizations/acme/settings/apps/new?state=abc`
  const target = new URL(await github.createApp(ada, action, JSON.stringify(manifestFor())))
  expect(`${target.origin}${target.pathname}`).toBe('https://signalbox.example.com/github/app')
  expect(target.searchParams.get('state')).toBe('abc')
  const path = `/app-manifests/${target.searchParams.get('code')}/conversions`
  const { status, json } = await send(github, 'POST', path)
  expect(status).toBe(201)
  expect(json).toMatchObject({
    slug: 'signalbox',
    name: 'Signalbox',
    owner: { login: 'acme' },
    permissions: { deployments: 'write' },
  })
  expect(json.pem).toStartWith('-----BEGIN RSA PRIVATE KEY-----')
  expect(createPrivateKey(json.pem).asymmetricKeyType).toBe('rsa')
  expect([json.client_secret, json.webhook_secret].every((secret) => /^[0-9a-f]{40}$/.test(secret))).toBe(true)
  expect((await send(github, 'GET', '/app', webToken(json.pem, { iss: json.client_id }))).json.id).toBe(json.id)
  expect((await send(github, 'POST', path)).status).toBe(404)
})

test('the code of a manifest is void after an hour', async () => {
  await using github = startGithub()
  const ada = github.createPerson('ada')
  const target = await github.createApp(ada, `${github.url}/settings/apps/new`, JSON.stringify(manifestFor()))
  github.clock.advance({ hours: 1 })
  const { status, json } = await send(github, 'POST', `/app-manifests/${new URL(target).searchParams.get('code')}/conversions`)
  expect(status).toBe(404)
  expect(json.message).toBe('Not Found')
})

test('a manifest that GitHub does not take leads nowhere', async () => {
  await using github = startGithub({ flavor: 'github.com' })
  const ada = github.createPerson('ada')
  const acme = github.createOrganization('acme', { members: [ada] })
  const hook_attributes = { url: 'https://signalbox.example.com/github/webhooks' }
  const good = { ...manifestFor(), hook_attributes }
  const post = (manifest: object, path = '/settings/apps/new') =>
    github.createApp(ada, `${github.url}${path}`, JSON.stringify(manifest))
  const refused = async (manifest: object, why: string) => expect(post({ ...good, ...manifest })).rejects.toThrow(why)
  await refused({ hook_attributes: { url: 'http://127.0.0.1:3000/hooks' } }, 'reachable over the public Internet')
  await refused({ name: 'x'.repeat(35) }, 'Name is too long (maximum is 34 characters)')
  await refused({ url: undefined }, 'Url must be a valid URL')
  await refused({ webhook_secret: 'mine' }, 'webhook_secret is not a permitted key')
  await refused({ default_events: ['issues'] }, 'Default events unsupported: issues')
  await refused({ default_permissions: { actions: 'read' }, default_events: ['deployment_status'] }, 'Default events unsupported')
  await refused({ callback_urls: Array.from({ length: 11 }, () => 'https://a.example.com') }, 'Callback urls')
  // Only owners register apps of an organization.
  expect(post(good, `/organizations/${acme.login}/settings/apps/new`)).rejects.toThrow('Page not found')
  await post(good)
  expect(post(good)).rejects.toThrow('Name is already taken')
})

test('a new app is pinged, with a signature by a secret that it does not know yet', async () => {
  await using github = startGithub()
  const { app } = createSite(github)
  const [ping] = await github.delivered('ping')
  expect(JSON.parse(ping?.payload ?? '')).toMatchObject({ hook_id: app.hook?.id, hook: { type: 'App', app_id: app.id } })
})

test('a JSON web token names the app by id or client id, and lives for at most ten minutes', async () => {
  await using github = startGithub()
  const { app, pem } = createSite(github)
  const now = Math.floor(Date.now() / 1000)
  const get = (token: string) => send(github, 'GET', '/app', token)
  for (const iss of [app.id, String(app.id), app.clientId])
    expect((await get(webToken(pem, { iss }))).json.slug).toBe('signalbox')
  const refusals: [object, number, string][] = [
    [{ iss: app.id, exp: now + 660 }, 401, "'Expiration time' claim ('exp') is too far in the future"],
    [{ iss: app.id, exp: now - 1 }, 401, "'Expiration time' claim ('exp') must be a numeric value"],
    [{ iss: app.id, iat: now + 90 }, 401, "'Issued at' claim ('iat') must be an Integer"],
    [{ iss: app.id, iat: now - 0.5 }, 401, "'Issued at' claim ('iat') must be an Integer"],
    [{}, 401, "Missing 'issuer' claim ('iss') in assertion"],
    [{ iss: 1 }, 404, 'Integration not found'],
  ]
  for (const [claims, status, message] of refusals) {
    const got = await get(webToken(pem, claims))
    expect([got.status, got.json.message]).toEqual([status, expect.stringContaining(message)])
    expect(got.json.status).toBe(String(status))
  }
  const undecodable = [
    webToken(pem, { iss: app.id }, { alg: 'HS256' }),
    `${webToken(pem, { iss: app.id }).slice(0, -4)}AAAA`,
    'a.b.c',
  ]
  for (const token of undecodable) expect((await get(token)).json.message).toBe('A JSON web token could not be decoded')
})

test("a clock that GitHub does not share refuses the app's JSON web tokens", async () => {
  await using github = startGithub()
  const { asApp } = createSite(github)
  github.clock.drift(-120)
  expect((await asApp('GET', '/app')).status).toBe(401)
  github.clock.drift(0)
  // Time that a test lets pass does not.
  github.clock.advance({ days: 1 })
  expect((await asApp('GET', '/app')).status).toBe(200)
})

test('each private key of an app signs until it is deleted', async () => {
  await using github = startGithub()
  const { app, pem } = createSite(github)
  const other = github.addPrivateKey(app)
  expect(other).not.toBe(pem)
  const statusWith = async (key: string) => (await send(github, 'GET', '/app', webToken(key, { iss: app.id }))).status
  expect([await statusWith(pem), await statusWith(other)]).toEqual([200, 200])
  github.keepLatestKey(app)
  expect([await statusWith(pem), await statusWith(other)]).toEqual([401, 200])
})

test('only a JSON web token speaks for the app, and it speaks for nothing else', async () => {
  await using github = startGithub()
  const { asApp, call } = createSite(github)
  const got = await call('GET', '/app')
  expect([got.status, got.json.message]).toEqual([401, 'A JSON web token could not be decoded'])
  expect((await asApp('GET', '/repos/acme/shop')).status).toBe(401)
  expect((await asApp('GET', '/installation/repositories')).status).toBe(403)
  expect((await send(github, 'GET', '/app')).status).toBe(401)
})

test('the secret of the webhook can be changed, and is never shown', async () => {
  await using github = startGithub()
  const { app, asApp } = createSite(github)
  const { status, json } = await asApp('PATCH', '/app/hook/config', { secret: 'a new one' })
  expect([status, json.secret, app.webhookSecret]).toEqual([200, '********', 'a new one'])
  const refused = await asApp('PATCH', '/app/hook/config', { secret: 7, events: [] })
  expect(refused.status).toBe(422)
  expect(refused.json.message).toBe(
    `Invalid request.\n\nFor 'properties/secret', 7 is not a string.\n"events" is not a permitted key.`,
  )
  expect((await asApp('PATCH', '/app/hook/config', '{"secret"')).json.message).toBe('Problems parsing JSON')
  expect((await asApp('PATCH', '/app/hook/config', [])).json.message).toBe('Body should be a JSON object')
})
