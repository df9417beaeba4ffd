import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as client from 'openid-client'
import { newServiceAccountKey } from '../../api/credentials/token-formats.ts'
import type { Answer } from '../support/signalbox.ts'
import { Issuer, makeKey } from './issuer.ts'
import { Machines } from './machine.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const TYPE = 'urn:ietf:params:oauth:token-type'

let machines: Machines
let issuer: Issuer
let account: string

beforeAll(async () => {
  machines = await Machines.open({ RATE_LIMIT: '1000', TRUST_PROXY: '1' })
  issuer = new Issuer()
  issuer.keys = [await makeKey('ES256', 'one')]
  account = await machines.account([{ issuer: issuer.url, claims: { sub: ['job'] } }])
})
afterAll(async () => {
  await machines.box.close()
  await issuer.stop()
})

const assertion = (claims: object = {}) => issuer.sign({ aud: machines.audience, sub: 'job', ...claims })
const me = (token: string) => fetch(`${machines.box.base}/api/v1/users/me`, { headers: { Authorization: `Bearer ${token}` } })

/** A key of an account, as the API would make it. */
async function keyOf(id: string): Promise<string> {
  const { organization } = machines.site
  const key = newServiceAccountKey(organization.id)
  await machines.box.sql`
    insert into service_account_keys (organization_id, service_account_id, name, hash, expires_at, created_by)
    values (
      ${organization.id}, ${id}, 'Build server', sha256(convert_to(${key}, 'UTF8')), now() + interval '1 day', ${machines.ada.id}
    )
  `
  return key
}

describe('A service account signs in', () => {
  test('with a token that works for the API, is recorded, and ends with the trust', async () => {
    const { body } = await machines.signIn(account, await assertion())
    expect(JSON.parse(Buffer.from(body.access_token.split('.')[0], 'base64url').toString()).typ).toBe('at+jwt')
    const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ sub: account, client_id: account, iss: machines.audience, aud: machines.audience })
    expect(claims.exp - claims.iat).toBe(900)
    expect((await me(body.access_token)).status).toBe(200)
    const [entry] = await machines.box.sql<Record<string, string>[]>`
      select actor_type, actor_id, detail from audit_log_entries where action = 'service_account.signed_in' order by id desc
    `
    expect(entry).toEqual({
      actor_type: 'service_account',
      actor_id: account,
      detail: `Release pipeline signed in with a token of ${issuer.url}, in which sub is “job”.`,
    })
    await machines.box.until('the use is recorded', async () => {
      const [used] = await machines.box.sql`select from service_accounts where id = ${account} and last_used_at is not null`
      return used !== undefined
    })
  })

  test('by an OAuth client: with jwt-bearer, a token exchange, and a key in the form or the header', async () => {
    const configure = (id: string, secret: string | undefined, authentication: client.ClientAuth) =>
      client.discovery(new URL(machines.audience), id, secret, authentication, {
        algorithm: 'oauth2',
        execute: [client.allowInsecureRequests],
      })
    const anyone = await configure('anyone', undefined, client.None())
    const bearer = { assertion: await assertion(), service_account: account }
    expect((await client.genericGrantRequest(anyone, 'urn:ietf:params:oauth:grant-type:jwt-bearer', bearer)).expires_in).toBe(900)
    const exchange = {
      subject_token: await assertion(),
      subject_token_type: `${TYPE}:id_token`,
      service_account: account,
      resource: machines.audience,
      scope: 'gates:read',
    }
    const exchanged = await client.genericGrantRequest(anyone, EXCHANGE, exchange)
    expect([exchanged.issued_token_type, exchanged.scope]).toEqual([`${TYPE}:access_token`, 'gates:read'])
    const key = await keyOf(account)
    for (const authentication of [client.ClientSecretPost(key), client.ClientSecretBasic(key)]) {
      const configuration = await configure(account, key, authentication)
      const { access_token, scope } = await client.clientCredentialsGrant(configuration, { scope: 'work:read' })
      expect(scope).toBe('work:read')
      expect((await me(access_token)).status).toBe(200)
    }
  })

  test('for as long as its trust says', async () => {
    const id = await machines.account([{ issuer: issuer.url, claims: { sub: ['job'] }, max_ttl_seconds: 60 }])
    expect((await machines.signIn(id, await assertion())).body.expires_in).toBe(60)
  })

  test('by the trust that matches, of several in the same issuer, for an audience of its own', async () => {
    const id = await machines.account([
      { issuer: issuer.url, claims: { sub: ['other'] } },
      { issuer: issuer.url, claims: { sub: ['job'] }, audience: 'https://deploy.example', max_ttl_seconds: 120 },
    ])
    expect((await machines.signIn(id, await assertion())).body.error).toBe('invalid_grant')
    expect((await machines.refusals(id))[0]).toContain('not “https://deploy.example”')
    expect((await machines.signIn(id, await assertion({ aud: 'https://deploy.example/' }))).body.error).toBe('invalid_grant')
    expect((await machines.signIn(id, await assertion({ aud: 'https://deploy.example' }))).body.expires_in).toBe(120)
  })
})

describe('A sign-in is refused', () => {
  const refusal = ({ status, body }: Answer) => [status, body.error]

  test('without what the grant needs, or with what it does not have', async () => {
    const subject = { grant_type: EXCHANGE, subject_token: 'x', subject_token_type: `${TYPE}:jwt`, service_account: account }
    const cases: [Record<string, string>, string][] = [
      [{ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'x' }, 'invalid_request'],
      [{ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', service_account: account }, 'invalid_request'],
      [{ ...subject, subject_token: '' }, 'invalid_request'],
      [{ ...subject, subject_token_type: `${TYPE}:access_token` }, 'invalid_request'],
      [{ ...subject, actor_token: 'x' }, 'invalid_request'],
      [{ ...subject, requested_token_type: `${TYPE}:refresh_token` }, 'invalid_request'],
      [{ ...subject, resource: 'https://other.example' }, 'invalid_target'],
      [{ ...subject, audience: 'https://other.example' }, 'invalid_target'],
      [subject, 'invalid_grant'],
    ]
    for (const [fields, error] of cases) expect(refusal(await machines.send(fields))).toEqual([400, error])
  })

  test('with a scope that the account does not have', async () => {
    for (const scope of ['gates:open', 'work:read gates:open', 'WORK:READ', 'decide', ' ']) {
      expect([scope, ...refusal(await machines.signIn(account, await assertion(), { scope }))]).toEqual([
        scope,
        400,
        'invalid_scope',
      ])
    }
  })

  test('for accounts that do not exist, are disabled or deleted, in the same words as for all other reasons', async () => {
    const gone = await machines.account([{ issuer: issuer.url, claims: { sub: ['job'] } }])
    const disabled = await machines.account([{ issuer: issuer.url, claims: { sub: ['job'] } }])
    await machines.box.sql`update service_accounts set deleted_at = now() where id = ${gone}`
    await machines.box.sql`update service_accounts set enabled = false where id = ${disabled}`
    const answers = await Promise.all(
      ['nothing', crypto.randomUUID(), gone, disabled, account].map(async (id) =>
        machines.signIn(id, id === account ? await assertion({ sub: 'x' }) : await assertion()),
      ),
    )
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1)
    expect(await machines.refusals(disabled)).toEqual(['The account is disabled.'])
    const log = `/api/v1/organizations/${machines.site.organization.id}/audit-logs?action=service_account.sign_in_refused`
    const [entry] = (await machines.ada.get(log)).body.items
    expect(entry.actor).toEqual({ type: 'system', id: null, name: 'Signalbox' })
  })

  test('with a key that is wrong, of another account, revoked or expired: 401 with a challenge', async () => {
    const other = await machines.account([])
    const [key, foreign] = [await keyOf(account), await keyOf(other)]
    const send = (client_secret: string, client_id = account) =>
      machines.send({ grant_type: 'client_credentials', client_id, client_secret })
    for (const secret of [foreign, `${key}x`, 'sbx_svc_', newServiceAccountKey(machines.site.organization.id)]) {
      expect(refusal(await send(secret))).toEqual([401, 'invalid_client'])
    }
    expect(refusal(await send(key, 'nothing'))).toEqual([401, 'invalid_client'])
    const basic = Buffer.from(`${account}:wrong`).toString('base64')
    const { status, headers } = await machines.send({ grant_type: 'client_credentials' }, { Authorization: `Basic ${basic}` })
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Basic realm="signalbox"'])
    const both = { grant_type: 'client_credentials', client_id: account, client_secret: key }
    expect(refusal(await machines.send(both, { Authorization: `Basic ${basic}` }))).toEqual([400, 'invalid_request'])
    await machines.box.sql`
      update service_account_keys
      set created_at = now() - interval '2 days', expires_at = now() - interval '1 day'
      where service_account_id = ${account}
    `
    expect(refusal(await send(key))).toEqual([401, 'invalid_client'])
    expect((await machines.refusals(account))[0]).toBe('The key is unknown, revoked or expired, or the account is disabled.')
  })

  test('and recorded at most ten times a minute for a reason, which hides no other reason', async () => {
    const id = await machines.account([{ issuer: issuer.url, claims: { repository_id: ['74'], ref: ['main'] } }])
    const job = (claims: object) => assertion({ repository_id: '74', ref: 'main', ...claims })
    // What anybody can send, and what those can who have tokens of the same issuer for their own repository.
    const strangers: [() => Promise<string>, string][] = [
      [async () => 'x', 'The assertion is not a JSON Web Token.'],
      [() => assertion({ iss: 'https://evil.example' }), 'No trust names the issuer “https://evil.example”.'],
      [async () => `${(await assertion()).slice(0, -8)}AAAAAAAA`, 'The assertion has no valid signature of its issuer.'],
      [() => job({ repository_id: '99' }), 'The claim “repository_id” is “99”, which the trust does not list.'],
      [() => job({ repository_id: '99', ref: 'x' }), 'The claim “ref” is “x”, which the trust does not list.'],
    ]
    // All together fewer than the refusals after which an address is slowed down.
    for (const [make] of strangers)
      for (let count = 0; count < 11; count++) expect((await machines.signIn(id, await make())).status).toBe(400)
    expect(await machines.refusals(id)).toEqual(strangers.flatMap(([, reason]) => Array(10).fill(reason)).reverse())
    const own: [claims: object, reason: string][] = [
      [{ ref: 'develop' }, 'The claim “ref” is “develop”, which the trust does not list.'],
      [{ aud: 'https://wrong.example' }, `The audience is “https://wrong.example”, not “${machines.audience}”.`],
      [{ iat: 1, exp: 2 }, 'The assertion has expired.'],
    ]
    for (const [claims, reason] of own) {
      await machines.signIn(id, await job(claims))
      expect((await machines.refusals(id))[0]).toBe(reason)
    }
  })
})

test('an assertion stays used for as long as it could be accepted', async () => {
  const id = await machines.account([{ issuer: issuer.url, claims: { sub: ['job'] } }])
  const iat = Math.floor(Date.now() / 1000)
  for (const [lasts, until] of [
    [300, 360],
    [7 * 86_400, 86_460],
  ] as const) {
    await machines.box.sql`delete from used_assertions`
    expect((await machines.signIn(id, await assertion({ iat, exp: iat + lasts }))).status).toBe(200)
    const [{ seconds }] = await machines.box.sql<[{ seconds: number }]>`
      select extract(epoch from expires_at)::integer - ${iat} as seconds from used_assertions
    `
    expect(seconds).toBeGreaterThanOrEqual(until)
  }
})

test('a token has the scopes that it was given for, and of these only what its account still has', async () => {
  const id = await machines.account([{ issuer: issuer.url, claims: { sub: ['job'] } }])
  const tokenFor = async (scope?: string): Promise<string> =>
    (await machines.signIn(id, await assertion(), scope === undefined ? {} : { scope })).body.access_token
  const reads = async (token: string) =>
    (await machines.ada.as(token).get(`/api/v1/projects/${machines.site.project.id}/requirements`)).body.code ?? 'reads'
  const [narrow, whole] = [await tokenFor('gates:read'), await tokenFor()]
  expect([await reads(narrow), await reads(whole)]).toEqual(['insufficient_scope', 'reads'])
  await machines.box.sql`update service_accounts set scopes = '{gates:read}' where id = ${id}`
  expect(await reads(whole)).toBe('insufficient_scope')
})

test('a token ends when the key that it was given for has expired, or is revoked', async () => {
  for (const end of [
    (id: string) => machines.box.sql`
      update service_account_keys
      set created_at = now() - interval '2 days', expires_at = now() - interval '1 day'
      where service_account_id = ${id}
    `,
    (id: string) => machines.box.sql`delete from service_account_keys where service_account_id = ${id}`,
  ]) {
    const id = await machines.account([])
    const key = await keyOf(id)
    const { body } = await machines.send({ grant_type: 'client_credentials', client_id: id, client_secret: key })
    expect((await me(body.access_token)).status).toBe(200)
    await end(id)
    expect((await me(body.access_token)).status).toBe(401)
  }
})

test('a token ends when its trust is deleted, or its account is disabled', async () => {
  const id = await machines.account([{ issuer: issuer.url, claims: { sub: ['job'] } }])
  const { access_token } = (await machines.signIn(id, await assertion())).body
  expect((await me(access_token)).status).toBe(200)
  await machines.box.sql`update service_accounts set enabled = false where id = ${id}`
  expect((await me(access_token)).status).toBe(401)
  await machines.box.sql`update service_accounts set enabled = true where id = ${id}`
  await machines.box.sql`delete from service_account_trusts where service_account_id = ${id}`
  expect((await me(access_token)).status).toBe(401)
})

test('a build that signs in too often is slowed down; others behind its address, and others of its account, are not', async () => {
  const [flood, quiet] = await Promise.all([
    machines.account([{ issuer: issuer.url, claims: { sub: ['job'] } }]),
    machines.account([{ issuer: issuer.url, claims: { sub: ['job'] } }]),
  ])
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const answers = await Promise.all(Array.from({ length: 200 }, () => machines.signIn(flood, 'x', {}, from('203.0.113.1'))))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(60)
  expect(refused[0]?.body.error).toBe('temporarily_unavailable')
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await machines.signIn(quiet, await assertion(), {}, from('203.0.113.1'))).status).toBe(200)
  expect((await machines.signIn(flood, await assertion(), {}, from('203.0.113.2'))).status).toBe(200)
})
