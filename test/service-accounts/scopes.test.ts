/** What service accounts may do: for every route of the OpenAPI document. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceScopes } from '../../api/credentials/scopes.ts'
import { makeResources } from '../api/resources.ts'
import type { Operation } from '../support/openapi.ts'
import { type Machine, makeMachine } from '../support/service-accounts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { REQUIRED_SCOPES } from './required-scopes.ts'

let box: Box
let owner: Actor
let site: Site
let ids: Record<string, string>
/** For each scope, an account that has all others that fit: no account has more than eight. */
let machines: Machine[]
const oneScope = new Map<string, Machine>()

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  const [ada, colleague, member] = await Promise.all([box.user('Ada'), box.user('Colleague'), box.user('Member')])
  owner = ada
  site = await box.site(owner)
  await box.join(colleague, site, 'member')
  await box.join(member, site, 'member', 'member')
  ids = await makeResources(site, owner, colleague, member)
  // No worker signs attestations here.
  await box.sql`
    insert into attestations (gate_id, organization_id, project_id, digest, key_id, envelope)
    values (${ids.gate_id ?? null}, ${site.organization.id}, ${site.project.id}, 'gitCommit:0', '0', ${box.sql.json({ payloadType: '', payload: '', signatures: [] })})
  `
  machines = [
    await makeMachine(box, owner, site, serviceScopes.slice(0, 8)),
    await makeMachine(box, owner, site, serviceScopes.slice(2)),
  ]
  for (const scope of serviceScopes) oneScope.set(scope, await makeMachine(box, owner, site, [scope], { name: scope }))
})
afterAll(() => box.close())

interface Route {
  name: string
  method: string
  template: string
  operation: Operation
}

const routes = (): Route[] =>
  Object.entries(box.contract.document.paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-signalbox-access']?.kind !== 'open')
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        template,
        operation,
      })),
  )

const scopesOf = ({ operation }: Route): string[] => {
  const { scopes = [] } = operation['x-signalbox-access'] ?? {}
  return scopes === 'any' ? serviceScopes : scopes
}

const ABSENT = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'

const withIds = (template: string, id?: string): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'environment' ? 'production' : (id ?? ids[name] ?? ABSENT)))

/** Sends a request that is refused for its access, or for its parameter. */
function send(caller: Actor, { method, operation }: Route, path: string) {
  const type = Object.keys(operation.requestBody?.content ?? {})[0] ?? 'application/json'
  const body = method === 'POST' || method === 'PUT' ? {} : undefined
  return caller.request(method, method === 'GET' ? path : `${path}?nonsense=1`, body, { 'Content-Type': type })
}

test('every operation documents the scopes of which a service account needs one, as they are written by hand', () => {
  const documented: Record<string, string[]> = {}
  for (const { name, operation } of routes()) {
    const { scopes = ['people'] } = operation['x-signalbox-access'] ?? {}
    const key = typeof scopes === 'string' ? scopes : scopes.join(' or ')
    documented[key] = [...(documented[key] ?? []), name]
  }
  const sorted = (groups: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(groups).map(([key, names]) => [key, names.toSorted()]))
  expect(sorted(documented)).toEqual(sorted(REQUIRED_SCOPES))
})

test('no scope decides a gate, or touches secrets, people, roles, hooks, channels, policies, budgets or accounts', async () => {
  const forbidden =
    /approve|reject|request-changes|challenge|override|review|revoke|secret|pull-token|members|roles?|join|invitations|tokens|sessions|passkeys|totp|recovery-codes|second-factors|identities|groups|policy|budget|channels|subscriptions|service-accounts|rotate|notifications|transfer-ownership|deployment-rollback|recover|redeliver|retry|cancel$/
  for (const route of routes()) {
    const changesHook = /^(POST|PUT|DELETE) .*deployment-hooks(\/\{hook_id\}(\/(test|verify|preview))?)?$/.test(route.name)
    const isForbidden =
      changesHook || (forbidden.test(route.template) && !/\/(executions|gates)\/\{\w+\}\/cancel$/.test(route.template))
    if (isForbidden) expect([route.name, scopesOf(route)]).toEqual([route.name, []])
  }
})

test('an account with all scopes is refused wherever none admits it, whatever the id', async () => {
  const closed = routes().filter((route) => scopesOf(route).length === 0)
  expect(closed.length).toBeGreaterThan(90)
  for (const route of closed) {
    for (const path of new Set([withIds(route.template), withIds(route.template, ABSENT), withIds(route.template, 'no-uuid')])) {
      for (const { caller } of machines) {
        const { status, body } = await send(caller, route, path)
        expect([route.name, path, status, body.code]).toEqual([route.name, path, 403, 'person_required'])
      }
    }
  }
})

test('an account with one scope passes where that scope suffices, and learns which it lacks elsewhere, whatever the id', async () => {
  let passed = 0
  for (const route of routes()) {
    const needed = scopesOf(route)
    if (needed.length === 0) continue
    for (const [scope, { caller }] of oneScope) {
      const { status, body, headers } = await send(caller, route, withIds(route.template))
      if (needed.includes(scope)) {
        expect([route.name, scope, status]).toEqual([route.name, scope, route.method === 'GET' ? 200 : 422])
        passed += 1
        continue
      }
      expect([route.name, scope, status, body.code]).toEqual([route.name, scope, 403, 'insufficient_scope'])
      for (const each of needed) expect(body.detail).toContain(each)
      expect(headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${needed[0]}"`)
    }
    if (!route.template.includes('{')) continue
    const lacking = [...oneScope].find(([scope]) => !needed.includes(scope))?.[1]
    for (const id of [ABSENT, 'no-uuid']) {
      const { status, body } = await send(lacking?.caller ?? owner, route, withIds(route.template, id))
      expect([route.name, id, status, body.code]).toEqual([route.name, id, 403, 'insufficient_scope'])
    }
  }
  expect(passed).toBeGreaterThan(50)
})

test('outside its place an account gets 404, as for what does not exist', async () => {
  const stranger = await box.user('Stranger')
  const elsewhere = await box.site(stranger, 'Elsewhere')
  const workspace = await owner.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Other' })
  const project = await owner.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Other' })
  const sibling = await owner.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Sibling' })
  const scopes = (all: typeof serviceScopes) => [all.slice(0, 8), all.slice(2)]
  const accounts = async (of: Actor, where: Pick<Site, 'organization'>, place: object) =>
    Promise.all(scopes(serviceScopes).map((some) => makeMachine(box, of, where, some, place)))
  const outside = [
    ...(await accounts(stranger, elsewhere, {})),
    ...(await accounts(owner, site, { workspace_id: workspace.id })),
    ...(await accounts(owner, site, { workspace_id: workspace.id, project_id: project.id })),
    ...(await accounts(owner, site, { project_id: sibling.id })),
  ]
  for (const route of routes()) {
    const needed = scopesOf(route)
    // Organization-wide routes show an account of one workspace what is in it; see the tests of the audit log.
    if (needed.length === 0 || !route.template.includes('{') || route.template.includes('{org_id}')) continue
    for (const { caller, account } of outside) {
      if (!needed.some((scope) => account.scopes.includes(scope))) continue
      // The account of a sibling project sees nothing of their workspace, which holds other projects.
      const { status, body } = await send(caller, route, withIds(route.template))
      expect([route.name, account.name, status]).toEqual([route.name, account.name, 404])
      const absent = await send(caller, route, withIds(route.template, ABSENT))
      expect(body.detail).toBe(absent.body.detail)
    }
  }
})

test('inside its place an account works', async () => {
  const requirement = `/api/v1/projects/${site.project.id}/requirements`
  for (const place of [{ workspace_id: site.workspace.id }, { project_id: site.project.id }]) {
    const { caller, account } = await makeMachine(box, owner, site, ['work:read', 'executions:write'], place)
    expect(account).toMatchObject({ workspace_id: site.workspace.id, ...place })
    expect((await caller.get(requirement)).status).toBe(200)
    const { status } = await caller.post(`/api/v1/requirements/${ids.requirement_id}/executions`, { agent: 'claude' })
    expect(status).toBe(201)
  }
  // A path that names the workspace of a resource must name its own.
  const { caller } = await makeMachine(box, owner, site, ['work:read'], { project_id: site.project.id })
  expect((await caller.get(`/api/v1/workspaces/${site.workspace.id}/projects`)).status).toBe(404)
})

test('the audit log shows an account of one workspace its entries, and one of a project none', async () => {
  const path = `/api/v1/organizations/${site.organization.id}/audit-logs`
  const all = (await oneScope.get('audit:read')?.caller.get(`${path}?page_size=100`))?.body
  expect(all.items.some(({ workspace_id }: { workspace_id: string | null }) => workspace_id === null)).toBe(true)
  const inWorkspace = await makeMachine(box, owner, site, ['audit:read'], { workspace_id: site.workspace.id })
  const some = (await inWorkspace.caller.get(`${path}?page_size=100`)).body
  expect(some.total).toBeLessThan(all.total)
  expect(some.total).toBeGreaterThan(3)
  const places = new Set(some.items.map(({ workspace_id }: { workspace_id: string | null }) => workspace_id))
  expect([...places]).toEqual([site.workspace.id])
  const exported = await inWorkspace.caller.get(`${path}/export`)
  expect(exported.headers.get('x-total-count')).toBe(String(some.total))
  expect((await inWorkspace.caller.get(`${path}/verify`)).status).toBe(404)
  const inProject = await makeMachine(box, owner, site, ['audit:read'], { project_id: site.project.id })
  for (const each of [path, `${path}/export`, `${path}/verify`]) expect((await inProject.caller.get(each)).status).toBe(404)
})

test('an account has at least one and at most eight scopes, each once and known', async () => {
  const path = `/api/v1/organizations/${site.organization.id}/service-accounts`
  for (const scopes of [[], serviceScopes.slice(0, 9), ['work:read', 'work:read'], ['gates:decide'], 'work:read', undefined]) {
    const { status, body } = await owner.post(path, { name: 'Refused', scopes })
    expect([scopes, status, body.errors?.[0]?.pointer.slice(0, 7)]).toEqual([scopes, 422, '/scopes'])
  }
  for (const scopes of [serviceScopes.slice(0, 8), ['work:read']]) {
    expect((await owner.make(path, { name: 'Accepted', scopes })).scopes).toEqual(scopes)
  }
})
