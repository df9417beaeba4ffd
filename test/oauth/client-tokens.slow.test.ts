/** What a client gets for the code of a person who allowed it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { PageClient } from '../support/page-client.ts'
import { whereIs } from '../support/secrecy.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { type ClientFlow, challengeOf, GONE, openFlow, refusal } from './client-flow.ts'

let flow: ClientFlow
let ada: Actor
let browser: PageClient

beforeAll(async () => {
  ;({ flow, ada, browser } = await openFlow())
})
afterAll(() => flow.close())

describe('A code', () => {
  test('gives an access token and a refresh token, which are stored nowhere', async () => {
    const { code, parameters } = await flow.allow(browser)
    expect(parameters).toEqual({ code, state: 'a state', iss: flow.issuer })
    const { status, body, headers } = await flow.exchange(code)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      access_token: expect.stringMatching(/^sbx_oat_\w{36}$/),
      refresh_token: expect.stringMatching(/^sbx_ort_\w{36}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read write',
    })
    expect(await flow.toolsStatus(body.access_token)).toBe(200)
    for (const secret of [code, body.access_token, body.refresh_token, flow.verifier])
      expect(await whereIs(flow.box, secret)).toEqual([])
  })

  test('is of no use to anyone else, and stays good for its client', async () => {
    const { code } = await flow.allow(browser)
    const wrong: Record<string, string | undefined>[] = [
      { client_id: flow.host.client() },
      { redirect_uri: flow.redirect_uri.replace('callback', 'other') },
      { redirect_uri: 'http://127.0.0.1/callback' },
      { code_verifier: randomBytes(32).toString('base64url') },
      // What a client sends that believes in the method plain.
      { code_verifier: challengeOf(flow.verifier) },
      { code_verifier: 'short' },
      { code: `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}` },
      { code: code.toLowerCase() },
    ]
    for (const fields of wrong) expect([fields, await refusal(flow.exchange(code, fields))]).toEqual([fields, GONE])
    const missing = ['client_id', 'code_verifier', 'code']
    for (const name of missing) {
      expect([name, await refusal(flow.exchange(code, { [name]: undefined }))]).toEqual([name, [400, 'invalid_request']])
    }
    expect(await refusal(flow.exchange(code, { client_secret: 'secret' }))).toEqual([401, 'invalid_client'])
    expect(await refusal(flow.exchange(code, { resource: flow.issuer }))).toEqual([400, 'invalid_target'])
    expect(await refusal(flow.exchange(code, { resource: 'https://other.example.com/mcp' }))).toEqual([400, 'invalid_target'])
    expect((await flow.exchange(code)).status).toBe(200)
  })

  test('that is used a second time ends what the first gave, however late and by whomever', async () => {
    const { code } = await flow.allow(browser)
    const { body } = await flow.exchange(code)
    await flow.box.sql`update authorization_codes set expires_at = now() - interval '1 hour' where token_id is not null`
    expect(await refusal(flow.exchange(code, { client_id: flow.host.client() }))).toEqual(GONE)
    expect(await flow.toolsStatus(body.access_token)).toBe(401)
    expect(await refusal(flow.refresh(body.refresh_token))).toEqual(GONE)
    const [entry] = (await ada.get('/api/v1/users/me/security-log')).body.items
    expect(entry).toMatchObject({
      action: 'token.revoked',
      detail: expect.stringMatching(/^An authorization code was used twice/),
    })
  })

  test('that is used twice at once gives tokens once, and they end', async () => {
    const { code } = await flow.allow(browser)
    const answers = await Promise.all([flow.exchange(code), flow.exchange(code), flow.exchange(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const { body } = answers.find(({ status }) => status === 200) ?? answers[0]
    expect(await flow.toolsStatus(body.access_token)).toBe(401)
  })

  test('works for a minute', async () => {
    const { code } = await flow.allow(browser)
    const [{ seconds }] = await flow.box.sql<[{ seconds: number }]>`
      select extract(epoch from expires_at - now())::float8 as seconds from authorization_codes where token_id is null
    `
    expect([seconds > 0, seconds <= 60]).toEqual([true, true])
    await flow.box.sql`update authorization_codes set expires_at = now() where token_id is null`
    expect(await refusal(flow.exchange(code))).toEqual(GONE)
  })

  test('ends with the session in which it was given', async () => {
    const other = await flow.browser(ada)
    const { code } = await flow.allow(other)
    await other.post('/sign-out')
    expect(await refusal(flow.exchange(code))).toEqual(GONE)
  })

  test('ends when the password is changed elsewhere, which ends all other sessions', async () => {
    const person = await flow.box.user('Changes')
    const { code } = await flow.allow(await flow.browser(person))
    const changed = await person.put('/api/v1/users/me', { password: `${PASSWORD}!`, current_password: PASSWORD })
    expect(changed.status).toBe(200)
    expect(await refusal(flow.exchange(code))).toEqual(GONE)
  })

  test('ends with the account, and with the membership that it was given for', async () => {
    const [leaver, owner] = [await flow.box.user('Leaver'), await flow.box.user('Owner')]
    const site = await flow.box.site(owner)
    const { organization } = site
    await flow.box.join(leaver, site, 'member')
    const page = await flow.browser(leaver)
    const { code } = await flow.allow(page, {}, { organization_id: organization.id })
    const { code: later } = await flow.allow(page)
    await flow.box.leave(leaver, organization.id)
    expect(await refusal(flow.exchange(code))).toEqual(GONE)
    expect((await leaver.request('DELETE', '/api/v1/users/me', { current_password: PASSWORD })).status).toBe(204)
    expect(await refusal(flow.exchange(later))).toEqual(GONE)
  })
})

describe('An access token', () => {
  test('for the tools of agents is refused by the rest of the API', async () => {
    const { access_token } = await flow.tokens(browser)
    expect(await flow.toolsStatus(access_token)).toBe(200)
    const { status, body } = await ada.as(access_token).get('/api/v1/users/me')
    expect([status, body.code, body.detail]).toEqual([401, 'unauthenticated', expect.stringContaining('only for /mcp')])
  })

  test('for the whole service is accepted by both', async () => {
    for (const resource of [undefined, flow.issuer, `${flow.issuer}/`]) {
      const { access_token } = await flow.tokens(browser, { resource })
      expect((await ada.as(access_token).get('/api/v1/users/me')).body.id).toBe(ada.id)
      expect(await flow.toolsStatus(access_token)).toBe(200)
    }
  })

  test('of one organization works there alone', async () => {
    const [here, there] = [await flow.box.site(ada), await flow.box.site(ada)]
    const { access_token } = await flow.tokens(browser, { resource: undefined }, { organization_id: here.organization.id })
    const client = ada.as(access_token)
    expect((await client.get(`/api/v1/projects/${here.project.id}`)).status).toBe(200)
    expect((await client.get(`/api/v1/projects/${there.project.id}`)).status).toBe(404)
  })

  test('never decides a gate, makes no tokens, and reads only if nothing else was allowed', async () => {
    const { project } = await flow.box.site(ada)
    const requirement = await ada.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Decide' })
    const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'a' })
    await ada.make(`/api/v1/executions/${execution.id}/start`)
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Deploy' })
    const writer = ada.as((await flow.tokens(browser, { resource: undefined })).access_token)
    const codeOf = async (actor: Actor, path: string, body: object) => (await actor.post(path, body)).body.code
    expect(await codeOf(writer, `/api/v1/gates/${gate.id}/approve`, {})).toBe('person_required')
    expect(await codeOf(writer, '/api/v1/auth/tokens', { name: 'More' })).toBe('session_required')
    const choice = { organization_id: 'all', scope: 'read' }
    const reading = await flow.tokens(browser, { resource: undefined }, choice)
    expect(reading.scope).toBe('read')
    expect(await codeOf(ada.as(reading.access_token), '/api/v1/organizations', { name: 'No' })).toBe('read_only_token')
  })

  test('works for an hour', async () => {
    const { access_token, refresh_token } = await flow.tokens(browser)
    await flow.box.sql`update client_tokens set expires_at = now() where kind = 'access'`
    expect(await flow.toolsStatus(access_token)).toBe(401)
    expect(await flow.toolsStatus((await flow.refresh(refresh_token)).body.access_token)).toBe(200)
  })
})
