import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

const TOKENS = '/api/v1/auth/tokens'

let box: Box
let ada: Actor
let site: Site
let other: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  other = await box.site(ada, 'Elsewhere')
})
afterAll(() => box.close())

const makeToken = async (input: object) => ada.as((await ada.make(TOKENS, { name: 'Reaching', ...input })).token)

const ABSENT = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'

/** Every operation, with ids that do not exist. */
const operations = () =>
  Object.entries(box.contract.document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: template.replaceAll(/\{\w+\}/g, ABSENT),
      kind: operation['x-signalbox-access']?.kind ?? '',
      only_reads: operation['x-signalbox-access']?.only_reads,
    })),
  )

test('a read-only token gets 403 for every change, before anything is looked up', async () => {
  const reader = await makeToken({ scope: 'read' })
  let refused = 0
  for (const { method, path, kind, only_reads } of operations()) {
    if (kind === 'open' || method === 'GET' || only_reads) continue
    const { status, body } = await reader.request(method, path, '{')
    expect([method, path, status, body.code]).toEqual([method, path, 403, 'read_only_token'])
    refused += 1
  }
  expect(refused).toBeGreaterThan(20)
  for (const path of ['/api/v1/organizations', `/api/v1/projects/${site.project.id}`, TOKENS, '/api/v1/auth/sessions']) {
    expect((await reader.get(path)).status).toBe(200)
  }
  expect((await reader.request('HEAD', '/api/v1/organizations')).status).toBe(200)
})

test('a token decides gates only with the scope decide, and opens them without it', async () => {
  const execution = await box.running(ada, site.project.id)
  const open = (by: Actor) => by.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  const writer = await makeToken({})
  const gate = await open(writer)
  // A caller who may open a gate may cancel it.
  const decisions = operations().filter(
    ({ method, kind, path }) => kind === 'gate' && method !== 'GET' && !path.endsWith('/cancel'),
  )
  expect(decisions.length).toBeGreaterThan(1)
  for (const { method, path } of decisions) {
    for (const url of [path, path.replace(ABSENT, gate.id), path.replace(ABSENT, 'no-uuid')]) {
      const { status, body } = await writer.request(method, url, '{')
      expect([url, status, body.code]).toEqual([url, 403, 'person_required'])
      expect(body.detail).toContain('a personal token with the scope decide')
    }
  }
  const decider = await makeToken({ scope: 'decide' })
  expect((await decider.post(`/api/v1/gates/${gate.id}/approve`)).body).toMatchObject({ status: 'approved', decided_via: 'api' })
  const next = await open(decider)
  expect((await decider.post(`/api/v1/gates/${next.id}/reject`)).body).toMatchObject({ status: 'rejected', decided_by: ada.id })
  const { items } = (await ada.get('/api/v1/users/me/security-log')).body
  expect(items.map(({ detail }: { detail: string }) => detail)).toContain(
    'The personal token Reaching was created, which can read, write and decide gates.',
  )
})

test('no token can create tokens, end sessions, or change the account and its second factors', async () => {
  const writer = await makeToken({})
  const bound = await makeToken({ organization_id: site.organization.id })
  const closed = operations().filter(({ kind }) => kind === 'inSession')
  expect(closed.map(({ method, path }) => `${method} ${path.split('/').slice(3, 5).join('/')}`).sort()).toEqual([
    'DELETE auth/passkeys',
    'DELETE auth/sessions',
    'DELETE auth/tokens',
    'DELETE auth/totp',
    'DELETE users/me',
    // A linked identity.
    'DELETE users/me',
    'POST auth/logout',
    'POST auth/passkeys',
    // Its options.
    'POST auth/passkeys',
    'POST auth/recovery-codes',
    'POST auth/tokens',
    'POST auth/totp',
    // Its confirmation.
    'POST auth/totp',
    'PUT users/me',
  ])
  for (const { method, path } of closed) {
    for (const token of [writer, bound]) {
      const { status, body } = await token.request(method, path, '{')
      expect([method, path, status, body.code]).toEqual([method, path, 403, 'session_required'])
    }
  }
})

describe('A token for one organization', () => {
  let bound: Actor

  beforeAll(async () => {
    bound = await makeToken({ organization_id: site.organization.id })
  })

  test('works in that organization', async () => {
    const paths = ['organizations', 'workspaces', 'projects'] as const
    const ids = [site.organization.id, site.workspace.id, site.project.id]
    for (const [index, path] of paths.entries()) expect((await bound.get(`/api/v1/${path}/${ids[index]}`)).status).toBe(200)
    expect((await bound.post(`/api/v1/projects/${site.project.id}/requirements`, { title: 'By token' })).status).toBe(201)
  })

  test('gets 404 elsewhere, even if its user is the owner there', async () => {
    const absent = await ada.get(`/api/v1/organizations/${crypto.randomUUID()}`)
    const answers = [
      await bound.get(`/api/v1/organizations/${other.organization.id}`),
      await bound.get(`/api/v1/workspaces/${other.workspace.id}`),
      await bound.get(`/api/v1/projects/${other.project.id}`),
      await bound.post(`/api/v1/projects/${other.project.id}/requirements`, { title: 'By token' }),
      await bound.post(`/api/v1/organizations/${other.organization.id}/workspaces`, '{'),
    ]
    for (const { status } of answers) expect(status).toBe(404)
    expect(answers[0]?.body.detail).toBe(absent.body.detail)
    expect((await ada.get(`/api/v1/projects/${other.project.id}`)).status).toBe(200)
  })

  test('can read its user and that organization, and nothing else of its user', async () => {
    expect((await bound.get('/api/v1/users/me')).body.id).toBe(ada.id)
    expect((await bound.get('/api/v1/organizations')).body.map(({ id }: { id: string }) => id)).toEqual([site.organization.id])
    expect((await ada.get('/api/v1/organizations')).body).toHaveLength(2)
    const elsewhere = [
      await bound.post('/api/v1/organizations', { name: 'One more' }),
      await bound.get(TOKENS),
      await bound.get('/api/v1/auth/sessions'),
      await bound.get('/api/v1/users/me/security-log'),
    ]
    for (const { status, body } of elsewhere) expect([status, body.code]).toEqual([404, 'not_found'])
  })

  test('has the role of its user, and is deleted when the user leaves', async () => {
    const member = await box.user('Member')
    await box.join(member, site, 'member', 'member')
    const { token } = await member.make(TOKENS, { name: 'Members', organization_id: site.organization.id })
    const script = member.as(token)
    expect((await script.get(`/api/v1/projects/${site.project.id}`)).status).toBe(200)
    expect((await script.delete(`/api/v1/projects/${site.project.id}`)).status).toBe(403)
    await box.leave(member, site.organization.id)
    expect((await script.get('/api/v1/users/me')).status).toBe(401)
    expect((await member.get(TOKENS)).body).toEqual([])
  })
})

test('a token without an organization has the access of its user', async () => {
  const everywhere = await makeToken({})
  for (const { organization } of [site, other]) {
    expect((await everywhere.get(`/api/v1/organizations/${organization.id}`)).status).toBe(200)
  }
  const foreign = await box.site(await box.user('Stranger'), 'Foreign')
  expect((await everywhere.get(`/api/v1/organizations/${foreign.organization.id}`)).status).toBe(404)
})
