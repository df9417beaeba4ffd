/** What service accounts may do. That each scope suffices where it should, and nowhere else, is in scopes.slow.test.ts. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceScopes } from '../../api/credentials/scopes.ts'
import { type Machine, makeMachine } from '../support/service-accounts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { ABSENT, makeScene, pathOf, type Route, routesOf, scopesOf, send } from './every-route.ts'
import { REQUIRED_SCOPES } from './required-scopes.ts'

let box: Box
let owner: Actor
let site: Site
let ids: Record<string, string>
let oneScope: Map<string, Machine>
let routes: Route[]

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ;({ owner, site, ids, oneScope } = await makeScene(box))
  routes = routesOf(box)
})
afterAll(() => box.close())

test('every operation documents the scopes of which a service account needs one, as they are written by hand', () => {
  const documented: Record<string, string[]> = {}
  for (const { name, operation } of routes) {
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
  for (const route of routes) {
    const changesHook = /^(POST|PUT|DELETE) .*deployment-hooks(\/\{hook_id\}(\/(test|verify|preview))?)?$/.test(route.name)
    const isForbidden =
      changesHook || (forbidden.test(route.template) && !/\/(executions|gates)\/\{\w+\}\/cancel$/.test(route.template))
    if (isForbidden) expect([route.name, scopesOf(route)]).toEqual([route.name, []])
  }
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
  for (const route of routes) {
    const needed = scopesOf(route)
    // Organization-wide routes show an account of one workspace what is in it; see the tests of the audit log.
    if (needed.length === 0 || !route.template.includes('{') || route.template.includes('{org_id}')) continue
    for (const { caller, account } of outside) {
      if (!needed.some((scope) => account.scopes.includes(scope))) continue
      // The account of a sibling project sees nothing of their workspace, which holds other projects.
      const { status, body } = await send(caller, route, pathOf(route.template, ids))
      expect([route.name, account.name, status]).toEqual([route.name, account.name, 404])
      const absent = await send(caller, route, pathOf(route.template, ids, ABSENT))
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
