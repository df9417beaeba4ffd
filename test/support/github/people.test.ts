import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { type Github, startGithub } from './github.ts'
import { createSite, type Site, send } from './plain-client.ts'

const CALLBACK = 'https://signalbox.example.com/github/callback'
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-for-pkce'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

const authorizeUrl = (github: Github, { app }: Site, more: Record<string, string> = {}) =>
  `${github.url}/login/oauth/authorize?${new URLSearchParams({ client_id: app.clientId, redirect_uri: CALLBACK, state: 'st', ...more })}`

/** Posts to the token endpoint, as JSON or as a form is answered. */
async function exchange(
  github: Github,
  { app, clientSecret }: Site,
  fields: Record<string, string>,
  accept = 'application/json',
) {
  const body = new URLSearchParams({ client_id: app.clientId, client_secret: clientSecret, ...fields })
  const response = await fetch(`${github.url}/login/oauth/access_token`, { method: 'POST', body, headers: { Accept: accept } })
  expect(response.status).toBe(200)
  const text = await response.text()
  return accept === 'application/json' ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
}

test('a person authorizes an app, which then knows who they are', async () => {
  await using github = startGithub()
  const site = createSite(github)
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const target = new URL(await github.authorize(site.ada, authorizeUrl(github, site, pkce)))
  expect([`${target.origin}${target.pathname}`, target.searchParams.get('state')]).toEqual([CALLBACK, 'st'])
  const code = target.searchParams.get('code') ?? ''
  expect(await exchange(github, site, { code })).toMatchObject({ error: 'bad_verification_code' })
  expect(await exchange(github, site, { code, code_verifier: 'wrong' })).toMatchObject({ error: 'bad_verification_code' })
  const given = await exchange(github, site, { code, code_verifier: VERIFIER, redirect_uri: CALLBACK })
  expect(given).toMatchObject({ token_type: 'bearer', scope: '', expires_in: 28_800 })
  expect(given.access_token).toStartWith('ghu_')
  expect((await send(github, 'GET', '/user', given.access_token)).json).toMatchObject({
    id: site.ada.id,
    login: 'ada',
    type: 'User',
  })
  // A code is exchanged once.
  expect(await exchange(github, site, { code, code_verifier: VERIFIER })).toEqual({
    error: 'bad_verification_code',
    error_description: 'The code passed is incorrect or expired.',
    error_uri: expect.any(String),
  })
})

test('without asking for JSON the token endpoint answers with a form', async () => {
  await using github = startGithub()
  const site = createSite(github)
  const code = new URL(await github.authorize(site.ada, authorizeUrl(github, site))).searchParams.get('code') ?? ''
  expect(await exchange(github, site, { code }, '*/*')).toMatchObject({
    token_type: 'bearer',
    access_token: expect.stringMatching(/^ghu_/),
  })
})

test('what does not fit the app is refused, on the way and at the exchange', async () => {
  await using github = startGithub()
  const site = createSite(github)
  const errorOf = async (href: string, isAllowed = true) =>
    new URL(await github.authorize(site.ada, href, isAllowed)).searchParams.get('error')
  expect(await errorOf(authorizeUrl(github, site, { redirect_uri: 'https://evil.example.com/' }))).toBe('redirect_uri_mismatch')
  expect(await errorOf(authorizeUrl(github, site, { redirect_uri: `${CALLBACK}/more` }))).toBe('redirect_uri_mismatch')
  expect(await errorOf(authorizeUrl(github, site, { code_challenge: CHALLENGE, code_challenge_method: 'plain' }))).toBe(
    'invalid_request',
  )
  expect(await errorOf(authorizeUrl(github, site), false)).toBe('access_denied')
  const code = new URL(await github.authorize(site.ada, authorizeUrl(github, site))).searchParams.get('code') ?? ''
  expect(await exchange(github, site, { code, client_secret: 'x' })).toMatchObject({ error: 'incorrect_client_credentials' })
  expect(await exchange(github, site, { code, redirect_uri: 'https://evil.example.com/' })).toMatchObject({
    error: 'redirect_uri_mismatch',
  })
  github.clock.advance({ minutes: 10 })
  expect(await exchange(github, site, { code })).toMatchObject({ error: 'bad_verification_code' })
})

test('a token of a person ends after eight hours, and is renewed once by its refresh token', async () => {
  await using github = startGithub()
  const site = createSite(github)
  const first = github.oauth.issueToken(site.app, site.ada)
  github.clock.advance({ hours: 8 })
  expect((await send(github, 'GET', '/user', first.access_token)).json.message).toBe('Bad credentials')
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  const second = await exchange(github, site, refresh)
  expect((await send(github, 'GET', '/user', second.access_token)).status).toBe(200)
  expect(await exchange(github, site, refresh)).toMatchObject({ error: 'bad_refresh_token' })
})

test('a person who revokes their authorization ends its tokens, and the app is told', async () => {
  await using github = startGithub()
  const site = createSite(github)
  const { access_token: token } = github.oauth.issueToken(site.app, site.ada)
  github.revokeAuthorization(site.app, site.ada)
  expect((await send(github, 'GET', '/user', token)).status).toBe(401)
  const [told] = await github.delivered('github_app_authorization', 'revoked')
  expect(JSON.parse(told?.payload ?? '')).toMatchObject({ action: 'revoked', sender: { id: site.ada.id } })
})

test('installations are listed to everyone who reads one of their repositories; who owns them is told by the membership', async () => {
  await using github = startGithub()
  const site = createSite(github)
  const [bo, cy, eve] = [github.createPerson('bo'), github.createPerson('cy'), github.createPerson('eve')]
  site.acme.members.set(bo, 'member')
  site.shop.collaborators.add(cy)
  const as = (person: typeof bo, path: string) =>
    send(github, 'GET', path, github.oauth.issueToken(site.app, person).access_token)
  for (const [person, count] of [
    [site.ada, 1],
    [bo, 1],
    [cy, 1],
    [eve, 0],
  ] as const)
    expect((await as(person, '/user/installations')).json.total_count).toBe(count)
  const path = '/user/memberships/orgs/acme'
  expect((await as(site.ada, path)).json).toMatchObject({ role: 'admin', state: 'active' })
  expect((await as(bo, path)).json).toMatchObject({ role: 'member', state: 'active' })
  expect((await as(cy, path)).status).toBe(404)
  // The app reads memberships only where it is installed.
  github.createOrganization('other', { owners: [bo] })
  expect((await as(bo, '/user/memberships/orgs/other')).status).toBe(403)
  const { json } = await as(cy, `/user/installations/${site.installation.id}/repositories`)
  expect(json).toMatchObject({
    total_count: 1,
    repositories: [{ full_name: 'acme/shop', permissions: { push: true, admin: false } }],
  })
  expect((await site.call('GET', '/user')).status).toBe(403)
})

test('owners install an app from its page, members ask them to, and strangers do not see a private app', async () => {
  await using github = startGithub()
  const site = createSite(github)
  github.uninstall(site.installation)
  const [bo, eve] = [github.createPerson('bo'), github.createPerson('eve')]
  site.acme.members.set(bo, 'member')
  // An Enterprise Server has it below /github-apps, github.com below /apps.
  const href = `${(await site.asApp('GET', '/app')).json.html_url}/installations/new?state=st`
  expect(href).toStartWith(`${github.url}/github-apps/signalbox/`)
  expect(await github.installInBrowser(bo, href, site.acme)).toBe(
    'https://signalbox.example.com/github/installed?setup_action=request&state=st',
  )
  expect(github.installInBrowser(eve, href, eve)).rejects.toThrow('Page not found')
  const target = new URL(await github.installInBrowser(site.ada, href, site.acme, [site.shop]))
  expect(Object.fromEntries(target.searchParams)).toEqual({
    installation_id: expect.any(String),
    setup_action: 'install',
    state: 'st',
  })
  const { json } = await site.asApp('GET', `/app/installations/${target.searchParams.get('installation_id')}`)
  expect(json).toMatchObject({ account: { login: 'acme', type: 'Organization' }, repository_selection: 'selected' })
})

test('a person without a session signs in first', async () => {
  await using github = startGithub()
  const site = createSite(github)
  const shown = await fetch(authorizeUrl(github, site), { redirect: 'manual' })
  expect([shown.status, shown.headers.get('location')]).toEqual([302, expect.stringContaining('/login?return_to=')])
  const login = await fetch(`${github.url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ login: 'ada' }),
    redirect: 'manual',
  })
  expect(login.headers.get('set-cookie')).toStartWith('user_session=ada;')
})
