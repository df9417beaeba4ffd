/** How a client stays signed in, and how that ends. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { tokenHash } from '../../core/security/tokens.ts'
import type { PageClient } from '../support/page-client.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { type ClientFlow, callbackIn, GONE, openFlow, refusal } from './client-flow.ts'

let flow: ClientFlow
let ada: Actor
let browser: PageClient

beforeAll(async () => {
  ;({ flow, ada, browser } = await openFlow())
})
afterAll(() => flow.close())

const listed = async (person = ada) => (await person.get('/api/v1/auth/tokens')).body
const log = async (person = ada) => (await person.get('/api/v1/users/me/security-log')).body.items

/** As if all uses of refresh tokens had been longer ago. */
const backdateUses = (seconds: number) => flow.box.sql`
  update client_tokens set used_at = used_at - make_interval(secs => ${seconds}) where used_at is not null
`

describe('A refresh token', () => {
  test('gives the next tokens, while those before stay valid', async () => {
    const first = await flow.tokens(browser)
    const { status, body: second } = await flow.refresh(first.refresh_token)
    expect([status, second]).toEqual([200, { ...first, access_token: expect.any(String), refresh_token: expect.any(String) }])
    expect(second.refresh_token).not.toBe(first.refresh_token)
    for (const { access_token } of [first, second]) expect(await flow.toolsStatus(access_token)).toBe(200)
  })

  test('that is used again ends all access that it gave', async () => {
    const first = await flow.tokens(browser)
    const { body: second } = await flow.refresh(first.refresh_token)
    const { body: third } = await flow.refresh(second.refresh_token)
    await backdateUses(11)
    expect(await refusal(flow.refresh(first.refresh_token))).toEqual(GONE)
    for (const { access_token, refresh_token } of [first, second, third]) {
      expect(await flow.toolsStatus(access_token)).toBe(401)
      expect(await refusal(flow.refresh(refresh_token))).toEqual(GONE)
    }
    expect((await log())[0]).toMatchObject({
      action: 'token.revoked',
      detail: expect.stringMatching(/^A refresh token was used twice, which indicates theft/),
    })
  })

  test('that two windows use at once gives both their tokens, with which both go on', async () => {
    const { refresh_token } = await flow.tokens(browser)
    const windows = await Promise.all([flow.refresh(refresh_token), flow.refresh(refresh_token)])
    await backdateUses(8)
    windows.push(await flow.refresh(refresh_token))
    await backdateUses(60)
    const later = await Promise.all(windows.map(({ body }) => flow.refresh(body.refresh_token)))
    for (const { status, body } of [...windows, ...later]) {
      expect([status, await flow.toolsStatus(body.access_token)]).toEqual([200, 200])
    }
    expect(new Set([...windows, ...later].map(({ body }) => body.refresh_token)).size).toBe(6)
  })

  test('of each of five windows is a chain of its own, however late they go on; a token of any chain that was used before ends all', async () => {
    const { refresh_token } = await flow.tokens(browser)
    const windows = await Promise.all(Array.from({ length: 5 }, () => flow.refresh(refresh_token)))
    const chains = windows.map(({ body }) => [body.refresh_token as string])
    let access = ''
    // One after another, 15 minutes apart, twice.
    for (const chain of [...chains, ...chains]) {
      await backdateUses(900)
      const { status, body } = await flow.refresh(chain.at(-1) as string)
      expect([status, await flow.toolsStatus(body.access_token)]).toEqual([200, 200])
      chain.push(body.refresh_token)
      access = body.access_token
    }
    await backdateUses(11)
    expect(await refusal(flow.refresh(chains[3]?.[1] as string))).toEqual(GONE)
    expect(await flow.toolsStatus(access)).toBe(401)
    for (const chain of chains) expect(await refusal(flow.refresh(chain.at(-1) as string))).toEqual(GONE)
    expect((await log())[0].detail).toStartWith('A refresh token was used twice, which indicates theft')
  })

  test('that was just used is of no use once the client has signed out, or the person has revoked it', async () => {
    const revoke = (token: string) => flow.send('/oauth/revoke', { token, client_id: flow.client_id })
    for (const end of [revoke, async () => ada.delete(`/api/v1/auth/tokens/${(await listed())[0].id}`)]) {
      const { refresh_token } = await flow.tokens(browser)
      const [first, second] = [await flow.refresh(refresh_token), await flow.refresh(refresh_token)]
      await end(first.body.refresh_token)
      for (const token of [refresh_token, second.body.refresh_token]) expect(await refusal(flow.refresh(token))).toEqual(GONE)
      expect(await flow.toolsStatus(second.body.access_token)).toBe(401)
    }
  })

  test('that was just used is of no use to another client or for another resource either', async () => {
    const { refresh_token } = await flow.tokens(browser)
    const { body } = await flow.refresh(refresh_token)
    expect(await refusal(flow.refresh(refresh_token, { client_id: flow.host.client() }))).toEqual(GONE)
    expect(await refusal(flow.refresh(refresh_token, { resource: flow.issuer }))).toEqual([400, 'invalid_target'])
    expect(await flow.toolsStatus(body.access_token)).toBe(200)
  })

  test('is of no use to another client, for another resource, or as another token', async () => {
    const { refresh_token, access_token } = await flow.tokens(browser)
    expect(await refusal(flow.refresh(refresh_token, { client_id: flow.host.client() }))).toEqual(GONE)
    expect(await refusal(flow.refresh(refresh_token, { resource: flow.issuer }))).toEqual([400, 'invalid_target'])
    expect(await refusal(flow.refresh(refresh_token, { resource: 'https://evil.example' }))).toEqual([400, 'invalid_target'])
    expect(await refusal(flow.refresh(refresh_token, { client_secret: 'x' }))).toEqual([401, 'invalid_client'])
    expect(await refusal(flow.refresh(access_token))).toEqual(GONE)
    expect(await flow.toolsStatus(refresh_token)).toBe(401)
    expect((await flow.refresh(refresh_token, { resource: undefined })).status).toBe(200)
  })

  test('gives less if the client asks for less, and never more', async () => {
    const { refresh_token } = await flow.tokens(browser, { resource: undefined })
    const { body } = await flow.refresh(refresh_token, { resource: undefined, scope: 'read' })
    expect(body.scope).toBe('read')
    expect((await ada.as(body.access_token).post('/api/v1/organizations', { name: 'No' })).body.code).toBe('read_only_token')
    // The next one may be as wide as what was allowed.
    const { body: next } = await flow.refresh(body.refresh_token, { resource: undefined })
    expect(next.scope).toBe('read write')
    let reading = await flow.tokens(browser, { scope: 'read' })
    for (const scope of ['write', 'decide', 'offline_access', 'gates:open write'])
      expect([scope, await refusal(flow.refresh(reading.refresh_token, { scope }))]).toEqual([scope, [400, 'invalid_scope']])
    // Clients ask again for all that they asked for at first, whatever the person has allowed.
    for (const scope of ['read write', 'read decide', ' offline_access  read gates:open', ' ', undefined]) {
      const { status, body } = await flow.refresh(reading.refresh_token, { scope })
      expect([scope, status, body.scope]).toEqual([scope, 200, 'read'])
      reading = body
    }
  })

  test('works for 30 days after the last use', async () => {
    const { refresh_token } = await flow.tokens(browser)
    const [token] = await listed()
    expect(Date.parse(token.expires_at) - Date.now()).toBeGreaterThan(29 * 86_400_000)
    await flow.box.sql`update client_tokens set expires_at = now() where token_id = ${token.id}`
    expect(await refusal(flow.refresh(refresh_token))).toEqual(GONE)
  })
})

describe('A code', () => {
  test('needs no redirect_uri and no resource: both were sent with the request', async () => {
    const { code } = await flow.allow(browser)
    const { status, body } = await flow.exchange(code, { redirect_uri: undefined, resource: undefined })
    expect([status, await flow.toolsStatus(body.access_token)]).toEqual([200, 200])
    // For the tools alone, as it was allowed.
    expect((await ada.as(body.access_token).get('/api/v1/users/me')).status).not.toBe(200)
  })

  test('for the whole API may be exchanged for the tools alone, with which the client goes on', async () => {
    const { code } = await flow.allow(browser, { resource: undefined })
    const { status, body } = await flow.exchange(code)
    expect([status, await flow.toolsStatus(body.access_token)]).toEqual([200, 200])
    expect((await ada.as(body.access_token).get('/api/v1/users/me')).status).not.toBe(200)
    expect((await flow.refresh(body.refresh_token)).status).toBe(200)
  })

  test('may be for several resources, of which each must be one of this service', async () => {
    const both = `&resource=${encodeURIComponent(flow.issuer)}`
    const allow = async (path: string) =>
      callbackIn((await browser.press(await browser.open(path), 'Allow', { organization_id: 'all' })).path)
    const { code } = await allow(`${flow.path()}${both}`)
    const { body } = await flow.exchange(code, { resource: undefined })
    expect((await ada.as(body.access_token).get('/api/v1/users/me')).status).toBe(200)
    const tool = `&resource=${encodeURIComponent(flow.tools)}`
    const { code: narrow } = await allow(`${flow.path()}${tool}`)
    const { body: tools } = await flow.exchange(narrow)
    expect((await ada.as(tools.access_token).get('/api/v1/users/me')).status).not.toBe(200)
    const fields = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: tools.refresh_token,
      client_id: flow.client_id,
    })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': flow.newAddress() }
    const send = (more: string) => flow.box.request('POST', '/oauth/token', `${fields}${more}`, headers)
    expect(await refusal(send(`${tool}&resource=https%3A%2F%2Fevil.example`))).toEqual([400, 'invalid_target'])
    expect(await refusal(send(`${tool}${both}`))).toEqual([400, 'invalid_target'])
    expect(await refusal(send(`${tool}&scope=read&scope=read`))).toEqual([400, 'invalid_request'])
    expect((await send(`${tool}${tool}&resource=`)).status).toBe(200)
  })

  test('is exchanged by a client whose library sends its id in the header, with an empty secret', async () => {
    const basic = (secret: string) => ({
      Authorization: `Basic ${Buffer.from(`${encodeURIComponent(flow.client_id)}:${secret}`).toString('base64')}`,
    })
    const { code } = await flow.allow(browser)
    const fields = { grant_type: 'authorization_code', code, code_verifier: flow.verifier }
    const send = (more: object, headers: Record<string, string>) => flow.send('/oauth/token', { ...fields, ...more }, headers)
    expect(await refusal(send({}, basic('secret')))).toEqual([401, 'invalid_client'])
    expect(await refusal(send({ client_id: flow.host.client() }, basic('')))).toEqual([401, 'invalid_client'])
    const { status, body } = await send({}, basic(''))
    expect(status).toBe(200)
    const refreshed = await flow.refresh(body.refresh_token, { client_id: undefined, client_secret: '' })
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_request'])
  })
})

describe('What a client has', () => {
  test('is in the list of tokens, named after the client and its host, and revoked like others', async () => {
    const { access_token, refresh_token } = await flow.tokens(browser)
    const [token] = await listed()
    expect(token).toMatchObject({
      name: `Example Agent (${flow.host.host})`,
      scope: 'write',
      organization_id: null,
      client_id: flow.client_id,
    })
    const created = (await log()).find(({ action }: { action: string }) => action === 'token.created')
    expect(created.detail).toBe(`${ada.name} allowed ${token.name} to read and write with the tools of agents.`)
    const page = await browser.open('/app/account/tokens')
    expect(page.text).toContain(token.name)
    await browser.post(`/app/account/tokens/${token.id}/revoke`)
    expect(await flow.toolsStatus(access_token)).toBe(401)
    expect(await refusal(flow.refresh(refresh_token))).toEqual(GONE)
  })

  test('is seen and revoked by the admins of the organization that the person chose, whose audit log has both', async () => {
    const { organization } = await flow.box.site(ada)
    const { access_token } = await flow.tokens(browser, {}, { organization_id: organization.id })
    const path = `/api/v1/organizations/${organization.id}`
    const [token] = (await ada.get(`${path}/tokens`)).body
    expect(token).toMatchObject({ user_id: ada.id, client_id: flow.client_id, scope: 'write' })
    expect((await ada.delete(`${path}/tokens/${token.id}`)).status).toBe(204)
    expect(await flow.toolsStatus(access_token)).toBe(401)
    const again = await flow.tokens(browser, {}, { organization_id: organization.id })
    const { status } = await flow.send('/oauth/revoke', { token: again.refresh_token, client_id: flow.client_id })
    expect(status).toBe(200)
    const { items } = (await ada.get(`${path}/audit-logs`)).body
    expect(items.slice(0, 4).map(({ action, actor_type }: Record<string, string>) => [action, actor_type])).toEqual([
      ['token.revoked', 'token'],
      ['token.created', 'human'],
      ['token.revoked', 'human'],
      ['token.created', 'human'],
    ])
    expect(items[0].detail).toBe(`The client signed out. The access of ${token.name} was ended.`)
  })

  test('ends by a password reset, and so does a code that waits', async () => {
    const person = await flow.box.user('Forgetful')
    const page = await flow.browser(person)
    const { access_token, refresh_token } = await flow.tokens(page)
    const { code } = await flow.allow(page)
    const token = crypto.randomUUID()
    await flow.box.sql`
      insert into password_resets (email, user_id, hash, device, ip_address)
      values (${person.email}, ${person.id}, ${tokenHash(token)}, 'a browser', '198.18.0.1')
    `
    const reset = { token, password: 'a new password to keep' }
    expect((await flow.box.request('POST', '/api/v1/auth/password-reset/confirm', reset)).status).toBe(204)
    expect(await flow.toolsStatus(access_token)).toBe(401)
    expect(await refusal(flow.refresh(refresh_token))).toEqual(GONE)
    expect(await refusal(flow.exchange(code))).toEqual(GONE)
  })

  test('ends with the membership, and with the account', async () => {
    const [member, owner] = [await flow.box.user('Member'), await flow.box.user('Owner')]
    const site = await flow.box.site(owner)
    const { organization } = site
    await flow.box.join(member, site, 'member')
    const page = await flow.browser(member)
    const bound = await flow.tokens(page, {}, { organization_id: organization.id })
    const free = await flow.tokens(page)
    await flow.box.leave(member, organization.id)
    expect([await flow.toolsStatus(bound.access_token), await flow.toolsStatus(free.access_token)]).toEqual([401, 200])
    expect(await refusal(flow.refresh(bound.refresh_token))).toEqual(GONE)
    expect((await member.request('DELETE', '/api/v1/users/me', { current_password: PASSWORD })).status).toBe(204)
    expect(await flow.toolsStatus(free.access_token)).toBe(401)
    expect(await refusal(flow.refresh(free.refresh_token))).toEqual(GONE)
  })

  test('is given back by the client, with either token, and by no other client', async () => {
    for (const kind of ['access_token', 'refresh_token']) {
      const tokens = await flow.tokens(browser)
      const revoke = (more: object = {}) =>
        flow.send('/oauth/revoke', { token: tokens[kind], client_id: flow.client_id, ...more })
      expect((await revoke({ client_id: flow.host.client() })).status).toBe(200)
      expect(await flow.toolsStatus(tokens.access_token)).toBe(200)
      const { status, body } = await revoke()
      expect([status, body]).toEqual([200, {}])
      expect(await flow.toolsStatus(tokens.access_token)).toBe(401)
      expect(await refusal(flow.refresh(tokens.refresh_token))).toEqual(GONE)
      expect((await revoke()).status).toBe(200)
    }
  })

  test('is all that is revoked there: other tokens are refused, invented ones are none', async () => {
    const { token } = await ada.make('/api/v1/auth/tokens', { name: 'Own' })
    const revoke = (given: string) => flow.send('/oauth/revoke', { token: given, client_id: flow.client_id })
    expect(await refusal(revoke(token))).toEqual([400, 'unsupported_token_type'])
    expect(await refusal(revoke(ada.token))).toEqual([400, 'unsupported_token_type'])
    expect((await revoke('invented')).status).toBe(200)
    expect((await ada.as(token).get('/api/v1/users/me')).status).toBe(200)
    expect(await refusal(flow.send('/oauth/revoke', { token }))).toEqual([400, 'invalid_request'])
  })
})
