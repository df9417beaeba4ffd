import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Box, signalbox } from '../support/signalbox.ts'

const ID = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'

let box: Box
/** Every documented path with its allowed methods. */
let paths: [path: string, allowed: string][]

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  paths = Object.entries(box.contract.document.paths).map(([template, operations]) => {
    const methods = Object.keys(operations).map((method) => method.toUpperCase())
    // An HTML page that is not documented.
    if (template === '/unsubscribe') methods.push('GET')
    if (methods.includes('GET')) methods.push('HEAD')
    return [template.replaceAll(/\{\w+\}/g, ID), [...methods, 'OPTIONS'].sort().join(', ')]
  })
})
afterAll(() => box.close())

test('an unsupported method is a 405 with an Allow header, before the token is checked', async () => {
  expect(paths.length).toBeGreaterThan(60)
  for (const [path, allowed] of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      if (allowed.split(', ').includes(method)) continue
      // The router matches "me" as a user id here, so GET of this path is the avatar of a user "me".
      if (path === '/api/v1/users/me/avatar' && ['GET', 'HEAD'].includes(method)) continue
      // And "options" as the id of a passkey.
      if (path === '/api/v1/auth/passkeys/options' && method === 'DELETE') continue
      for (const form of [path, `${path}/`]) {
        const { status, headers, body } = await box.request(method, form)
        expect([method, form, status, headers.get('allow')]).toEqual([method, form, 405, allowed])
        if (method === 'HEAD') expect(body).toBeNull()
        else expect([body.code, body.instance]).toEqual(['method_not_allowed', form])
      }
    }
  }
})

test('a supported method is never a 405, or a 404 for a missing route', async () => {
  for (const [path, allowed] of paths) {
    for (const method of allowed.split(', ')) {
      const { status, headers, body } = await box.request(method, path)
      expect([method, path, status]).not.toEqual([method, path, 405])
      expect(String(body?.detail)).not.toStartWith('No endpoint at')
      if (method === 'OPTIONS') expect([path, status, headers.get('allow'), body]).toEqual([path, 204, allowed, null])
    }
  }
})

test('OPTIONS of an unknown path is a 404', async () => {
  expect((await box.request('OPTIONS', '/api/v1/nothing')).status).toBe(404)
})
