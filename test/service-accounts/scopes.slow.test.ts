/** What service accounts may do: for every route of the OpenAPI document, and every scope. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceScopes } from '../../api/credentials/scopes.ts'
import { type Machine, makeMachine } from '../support/service-accounts.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { ABSENT, makeScene, pathOf, type Route, routesOf, scopesOf, send } from './every-route.ts'

let box: Box
let owner: Actor
let ids: Record<string, string>
/** For each scope, an account that has all others that fit: no account has more than eight. */
let machines: Machine[]
let oneScope: Map<string, Machine>
let routes: Route[]

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  const scene = await makeScene(box)
  ;({ owner, ids, oneScope } = scene)
  machines = [
    await makeMachine(box, owner, scene.site, serviceScopes.slice(0, 8)),
    await makeMachine(box, owner, scene.site, serviceScopes.slice(2)),
  ]
  routes = routesOf(box)
})
afterAll(() => box.close())

test('an account with all scopes is refused wherever none admits it, whatever the id', async () => {
  const closed = routes.filter((route) => scopesOf(route).length === 0)
  expect(closed.length).toBeGreaterThan(90)
  for (const route of closed) {
    for (const path of new Set([
      pathOf(route.template, ids),
      pathOf(route.template, ids, ABSENT),
      pathOf(route.template, ids, 'no-uuid'),
    ])) {
      for (const { caller } of machines) {
        const { status, body } = await send(caller, route, path)
        expect([route.name, path, status, body.code]).toEqual([route.name, path, 403, 'person_required'])
      }
    }
  }
})

test('an account with one scope passes where that scope suffices, and learns which it lacks elsewhere, whatever the id', async () => {
  let passed = 0
  for (const route of routes) {
    const needed = scopesOf(route)
    if (needed.length === 0) continue
    for (const [scope, { caller }] of oneScope) {
      const { status, body, headers } = await send(caller, route, pathOf(route.template, ids))
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
      const { status, body } = await send(lacking?.caller ?? owner, route, pathOf(route.template, ids, id))
      expect([route.name, id, status, body.code]).toEqual([route.name, id, 403, 'insufficient_scope'])
    }
  }
  expect(passed).toBeGreaterThan(50)
})
