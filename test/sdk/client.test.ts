import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { createClient, paginate, SignalboxError } from '../../sdk/index.js'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let server: Receiver

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  server = new Receiver()
})

afterAll(async () => {
  await box.close()
  await server.stop()
})

test('the client and its dependency have at most 15,360 bytes, minified and gzipped', async () => {
  const { outputs } = await Bun.build({ entrypoints: ['sdk/index.js'], minify: true, target: 'node' })
  const bytes = await Promise.all(outputs.map(async (output) => gzipSync(await output.arrayBuffer(), { level: 9 }).length))
  expect(bytes[0]).toBeWithin(1_000, 15_361)
  const { dependencies } = await Bun.file('sdk/package.json').json()
  const { devDependencies } = await Bun.file('package.json').json()
  expect(dependencies).toEqual({ 'openapi-fetch': devDependencies['openapi-fetch'] })
})

test('requests of the client are typed, signed in, and made once', async () => {
  const tokens: string[] = []
  const token = async () => {
    tokens.push(ada.token)
    return ada.token
  }
  const signalbox = createClient({ url: `${box.base}/`, token })
  const made = await signalbox.POST('/api/v1/organizations', { body: { name: 'Engines' } })
  expect([made.response.status, made.data?.slug]).toEqual([201, 'engines'])
  const refused = await signalbox.POST('/api/v1/organizations', { body: { name: '' } })
  expect([refused.error?.status, refused.error?.code]).toEqual([422, 'validation_failed'])
  expect(tokens).toHaveLength(2)
})

test('429 and 503 are sent again with the same key, after the time in Retry-After', async () => {
  const answers = [429, 503, 503, 201]
  server.answer = (_, number) => Response.json({}, { status: answers[number - 1] as number, headers: { 'Retry-After': '0' } })
  const signalbox = createClient({ url: server.url, token: 't' })
  const { response } = await signalbox.POST('/api/v1/organizations', { body: { name: 'Engines' } })
  expect([response.status, server.requests.length]).toEqual([201, 4])
  expect(new Set(server.requests.map(({ body }) => body))).toEqual(new Set(['{"name":"Engines"}']))
  const keys = new Set(server.requests.map(({ headers }) => headers['idempotency-key']))
  expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
})

test('a client gives up after five tries, and does not wait for longer than two minutes', async () => {
  const signalbox = createClient({ url: server.url, token: 't' })
  server.requests.length = 0
  server.answer = () => Response.json({}, { status: 503, headers: { 'Retry-After': new Date(0).toUTCString() } })
  expect([(await signalbox.GET('/api/v1/organizations')).response.status, server.requests.length]).toEqual([503, 5])
  server.answer = () => Response.json({}, { status: 429, headers: { 'Retry-After': '3600' } })
  expect([(await signalbox.GET('/api/v1/organizations')).response.status, server.requests.length]).toEqual([429, 6])
})

test('a wait for the next try ends with the signal of the request', async () => {
  const signalbox = createClient({ url: server.url, token: 't' })
  const stopping = new AbortController()
  server.answer = () => {
    setTimeout(() => stopping.abort(), 100)
    return Response.json({}, { status: 503, headers: { 'Retry-After': '100' } })
  }
  await expect(signalbox.GET('/api/v1/organizations', { signal: stopping.signal })).rejects.toThrow('abort')
})

test('paginate follows pages and links, and throws what the API answers', async () => {
  const signalbox = createClient({ url: box.base, token: ada.token })
  const path = { project_id: site.project.id as string }
  for (const title of ['One', 'Two', 'Three']) await ada.make(`/api/v1/projects/${path.project_id}/requirements`, { title })
  const titles: string[] = []
  const requirements = paginate(signalbox, '/api/v1/projects/{project_id}/requirements', {
    params: { path, query: { page_size: 1 } },
  })
  for await (const { title } of requirements) titles.push(title)
  expect(titles).toEqual(['Three', 'Two', 'One'])

  for (const name of ['One', 'Two', 'Three']) await ada.make(`/api/v1/projects/${path.project_id}/gates`, { name })
  const names: string[] = []
  const gates = paginate(signalbox, '/api/v1/projects/{project_id}/gates', { params: { path, query: { limit: 2 } } })
  for await (const { name } of gates) names.push(name)
  expect(names).toEqual(['Three', 'Two', 'One'])

  const wrong = paginate(signalbox, '/api/v1/projects/{project_id}/gates', { params: { path: { project_id: 'none' } } })
  const error = await wrong.next().catch((thrown) => thrown)
  expect(error).toBeInstanceOf(SignalboxError)
  expect([error.status, error.problem.code, error.message]).toEqual([422, 'validation_failed', error.problem.detail])
})
