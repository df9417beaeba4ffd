import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
const FRIEND = 'https://app.example.com'

beforeAll(async () => {
  box = await signalbox({ environment: { CORS_ORIGINS: `${FRIEND}, http://localhost:3000` } })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

test('preflight requests from an allowed origin succeed without a token', async () => {
  const { status, headers } = await box.request('OPTIONS', '/api/v1/organizations', undefined, {
    Origin: FRIEND,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,idempotency-key',
  })
  expect(status).toBe(204)
  expect(headers.get('access-control-allow-origin')).toBe(FRIEND)
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) expect(headers.get('access-control-allow-methods')).toContain(method)
  for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'Last-Event-ID', 'Prefer']) {
    expect(headers.get('access-control-allow-headers')).toContain(name)
  }
})

test('responses and errors can be read from an allowed origin, with their headers', async () => {
  for (const origin of [FRIEND, `${FRIEND}.`, 'http://localhost:3000']) {
    for (const path of ['/api/v1/users/me', '/api/v1/nothing', '/api/v1/users/me?x=1']) {
      const { headers } = await ada.get(path, { Origin: origin })
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('vary')).toContain('Origin')
      for (const name of ['ETag', 'Link', 'Location', 'X-Request-Id', 'Retry-After']) {
        expect(headers.get('access-control-expose-headers')).toContain(name)
      }
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  }
})

test('a response that depends on Origin and Accept names both', async () => {
  const { project } = await box.site(ada)
  const path = `/api/v1/projects/${project.id}/deliverables/generate`
  const { id } = await ada.make(path, { deliverable_type: 'changelog' }, { Prefer: 'wait=25' })
  for (const type of ['application/json', 'text/markdown', 'text/html']) {
    const { status, headers } = await ada.get(`/api/v1/deliverables/${id}`, { Origin: FRIEND, Accept: type })
    expect([status, headers.get('content-type')?.split(';')[0], headers.get('vary')]).toEqual([200, type, 'Origin, Accept'])
  }
})

test('other origins get no permission', async () => {
  for (const origin of ['https://evil.example.com', 'null', `${FRIEND}.evil.com`, 'http://app.example.com']) {
    const preflight = await box.request('OPTIONS', '/api/v1/organizations', undefined, {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect((await ada.get('/api/v1/users/me', { Origin: origin })).headers.get('access-control-allow-origin')).toBeNull()
  }
})
