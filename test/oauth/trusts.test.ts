import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Issuer, makeKey } from './issuer.ts'
import { Machines } from './machine.ts'

const GITHUB = 'https://token.actions.githubusercontent.com'
const GITLAB = 'https://gitlab.com'
const OTHER = 'https://agent.buildkite.com'

let machines: Machines
let path: string

beforeAll(async () => {
  machines = await Machines.open({ OUTBOUND_ALLOW: '127.0.0.1/32' })
  path = `/api/v1/service-accounts/${await machines.account([])}/trusts`
})
afterAll(() => machines.box.close())

const valued = (names: string[]) => Object.fromEntries(names.map((name) => [name, ['x']]))

const CLAIMS: [issuer: string, names: string[], missing: string | null][] = [
  [GITHUB, ['repository_id', 'ref'], null],
  [GITHUB, ['repository_id', 'environment'], null],
  [GITHUB, ['repository_id', 'job_workflow_ref'], null],
  [GITHUB, ['repository', 'ref'], 'must name repository_id: the name of a repository can be taken over, its id cannot'],
  [GITHUB, ['sub'], 'must name repository_id'],
  [GITHUB, ['repository_id'], 'must name one of ref, environment, job_workflow_ref'],
  [GITHUB, ['repository_id', 'Ref'], 'must name one of ref, environment, job_workflow_ref'],
  [`${GITHUB}/acme`, ['sub'], 'must name repository_id'],
  ['https://TOKEN.actions.githubusercontent.com', ['sub'], 'must name repository_id'],
  ['https://token.actions.acme.ghe.com', ['sub'], 'must name repository_id'],
  [GITLAB, ['project_id', 'ref'], null],
  [GITLAB, ['project_id', 'ref_protected'], null],
  [GITLAB, ['project_id', 'environment'], null],
  [GITLAB, ['project_path', 'ref'], 'must name project_id: the path of a project can be taken over, its id cannot'],
  [GITLAB, ['sub'], 'must name project_id'],
  [GITLAB, ['project_id', 'user_login'], 'must name one of ref, ref_protected, environment'],
  [OTHER, ['sub'], null],
  [OTHER, ['pipeline_slug', 'build_branch'], null],
  [OTHER, ['pipeline_slug'], 'must name sub, or at least two other claims'],
  [OTHER, ['iss', 'aud'], 'does not say who has the token'],
  [OTHER, ['pipeline_slug', 'jti'], 'does not say who has the token'],
]

test.each(CLAIMS)('a trust in %s with %j: %p', async (issuer, names, missing) => {
  const { status, body } = await machines.ada.post(path, { issuer, claims: valued(names) })
  if (missing === null) {
    expect([status, body.claims]).toEqual([201, valued(names)])
    expect((await machines.ada.delete(`${path}/${body.id}`)).status).toBe(204)
  } else expect([status, body.detail]).toEqual([422, expect.stringContaining(missing)])
})

const claims = { sub: ['job'] }

const WRONG: [name: string, input: object, pointer: string][] = [
  ['no issuer', { claims }, '/issuer'],
  ['an issuer that is no URL', { issuer: 'github', claims }, '/issuer'],
  ['an issuer without TLS', { issuer: 'http://ci.example.com', claims }, '/issuer'],
  ['an issuer with a password', { issuer: 'https://a:b@ci.example.com', claims }, '/issuer'],
  ['an issuer with a query', { issuer: 'https://ci.example.com?x=1', claims }, '/issuer'],
  ['an issuer with a fragment', { issuer: 'https://ci.example.com#x', claims }, '/issuer'],
  ['an issuer at a private address', { issuer: 'https://10.0.0.1', claims }, '/issuer'],
  ['an issuer at the address of metadata', { issuer: 'https://169.254.169.254', claims }, '/issuer'],
  ['an issuer on a loopback address that is not allowed', { issuer: 'http://127.0.0.2', claims }, '/issuer'],
  ['an issuer with a letter of another alphabet', { issuer: 'https://ci.ex\u0430mple.com', claims }, '/issuer'],
  ['no claims', { issuer: OTHER }, '/claims'],
  ['empty claims', { issuer: OTHER, claims: {} }, '/claims'],
  ['a claim without values', { issuer: OTHER, claims: { sub: [] } }, '/claims/sub'],
  ['a claim that is no list', { issuer: OTHER, claims: { sub: 'job' } }, '/claims/sub'],
  ['a value that is no text', { issuer: OTHER, claims: { sub: [74] } }, '/claims/sub/0'],
  ['an empty value', { issuer: OTHER, claims: { sub: [''] } }, '/claims/sub/0'],
  ['more than 20 values', { issuer: OTHER, claims: { sub: Array.from({ length: 21 }, String) } }, '/claims/sub'],
  ['more than 10 claims', { issuer: OTHER, claims: valued(Array.from({ length: 11 }, (_, n) => `c${n}`)) }, '/claims'],
  ['tokens of less than a minute', { issuer: OTHER, claims, max_ttl_seconds: 59 }, '/max_ttl_seconds'],
  ['tokens of more than an hour', { issuer: OTHER, claims, max_ttl_seconds: 3601 }, '/max_ttl_seconds'],
  ['an unknown field', { issuer: OTHER, claims, secret: 'x' }, '/secret'],
]

test.each(WRONG)('a trust with %s is refused at its field', async (_, input, pointer) => {
  const { status, body } = await machines.ada.post(path, input)
  expect([status, body.errors?.[0]?.pointer]).toEqual([422, pointer])
})

describe('A trust', () => {
  const make = (input: object = {}): Promise<Answer['body']> => machines.ada.make(path, { issuer: OTHER, claims, ...input })

  test('has the public URL as audience, and 15 minutes, unless it says more', async () => {
    const made = await make()
    const actor = { type: 'user', id: machines.ada.id, name: 'Ada' }
    expect(made).toMatchObject({ issuer: OTHER, audience: machines.audience, claims, max_ttl_seconds: 900, actor })
    const more = await make({ audience: 'https://deploy.example', max_ttl_seconds: 60 })
    expect(more).toMatchObject({ audience: 'https://deploy.example', max_ttl_seconds: 60 })
    const { body: all } = await machines.ada.get(path)
    expect(all.map(({ id }: { id: string }) => id)).toEqual([more.id, made.id])
    for (const { id } of all) expect((await machines.ada.delete(`${path}/${id}`)).status).toBe(204)
  })

  test('is changed field by field, keeps its rules, and is in the audit log', async () => {
    const { id } = await make()
    const one = `${path}/${id}`
    expect((await machines.ada.put(one, { claims: { pipeline_slug: ['shop'] } })).status).toBe(422)
    expect((await machines.ada.put(one, { issuer: GITHUB })).status).toBe(422)
    const { body: same, headers } = await machines.ada.put(one, {})
    expect(same.claims).toEqual(claims)
    const { body } = await machines.ada.put(one, { claims: { sub: ['a', 'b'] }, audience: 'https://deploy.example' })
    expect(body).toMatchObject({ claims: { sub: ['a', 'b'] }, audience: 'https://deploy.example', issuer: OTHER })
    expect((await machines.ada.put(one, { audience: null })).body.audience).toBe(machines.audience)
    expect((await machines.ada.delete(one, { 'If-Match': headers.get('etag') ?? '' })).status).toBe(412)
    expect((await machines.ada.delete(one)).status).toBe(204)
    expect((await machines.ada.delete(one)).status).toBe(404)
    const entries = await machines.ada.get(
      `/api/v1/organizations/${machines.site.organization.id}/audit-logs?action=service_account_trust.*`,
    )
    const [deleted, , updated, created] = entries.body.items
    expect(created.detail).toBe(`Ada let the service account Release pipeline sign in with tokens of ${OTHER} (sub: job).`)
    expect(updated.detail).toContain('Ada changed audience, claims of a trust')
    expect(deleted.detail).toBe(`Ada deleted the trust of the service account Release pipeline in ${OTHER}.`)
  })

  test('is one of at most 20', async () => {
    const full = await machines.account(Array.from({ length: 20 }, () => ({ issuer: OTHER, claims })))
    const { status, body } = await machines.ada.post(`/api/v1/service-accounts/${full}/trusts`, { issuer: OTHER, claims })
    expect([status, body.code]).toEqual([409, 'trust_limit_reached'])
  })

  test('of another account is not found', async () => {
    const { id } = await make()
    const other = `/api/v1/service-accounts/${await machines.account([])}/trusts/${id}`
    expect((await machines.ada.put(other, { max_ttl_seconds: 60 })).status).toBe(404)
    expect((await machines.ada.delete(other)).status).toBe(404)
    expect((await machines.ada.delete(`${path}/${id}`)).status).toBe(204)
  })

  test('lets tokens of its issuer in at once, and ends those that were given for it when it is deleted', async () => {
    const issuer = new Issuer()
    issuer.keys = [await makeKey('ES256', 'one')]
    const { id } = await make({ issuer: issuer.url })
    const account = path.split('/')[4] ?? ''
    const { body } = await machines.signIn(account, await issuer.sign({ aud: machines.audience, sub: 'job' }))
    const machine = machines.ada.as(body.access_token)
    expect((await machine.get('/api/v1/users/me')).body).toMatchObject({ type: 'service_account', id: account })
    expect((await machines.ada.delete(`${path}/${id}`)).status).toBe(204)
    expect((await machine.get('/api/v1/users/me')).status).toBe(401)
    await issuer.stop()
  })
})
