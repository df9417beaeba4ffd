import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { createClient, paginate, SignalboxError } from '../../sdk/index.js'
import { fill, inboxOf } from '../notifications/inbox.ts'
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
  const { dependencies = {}, bundleDependencies } = await Bun.file('sdk/package.json').json()
  expect([dependencies, bundleDependencies]).toEqual([{}, ['openapi-fetch']])
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

test('seconds may have a fraction, and what cannot be read is a second', async () => {
  const signalbox = createClient({ url: server.url, token: 't' })
  const after = async (value: string) => {
    server.requests.length = 0
    server.answer = (_, number) => Response.json({}, { status: number === 1 ? 503 : 200, headers: { 'Retry-After': value } })
    return (await signalbox.GET('/api/v1/organizations')).response.status
  }
  expect([await after('0.05'), await after('120.5'), await after('-1'), await after('soon')]).toEqual([200, 503, 200, 200])
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
  // Responses that a program has made itself have no address.
  const copying = createClient({
    url: box.base,
    token: ada.token,
    fetch: async (request) => {
      const { status, headers, body } = await fetch(request)
      return new Response(body, { status, headers })
    },
  })
  const gates = paginate(copying, '/api/v1/projects/{project_id}/gates', { params: { path, query: { limit: 2 } } })
  for await (const { name } of gates) names.push(name)
  expect(names).toEqual(['Three', 'Two', 'One'])

  const wrong = paginate(signalbox, '/api/v1/projects/{project_id}/gates', { params: { path: { project_id: 'none' } } })
  const error = await wrong.next().catch((thrown) => thrown)
  expect(error).toBeInstanceOf(SignalboxError)
  expect([error.status, error.problem.code, error.message]).toEqual([422, 'validation_failed', error.problem.detail])
})

/** Makes things one after the other. @returns their ids, newest first */
async function made(path: string, count: number, body: (number: number) => object): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= count; number++) ids.unshift((await ada.make(path, body(number))).id)
  return ids
}

describe('A loop over paginate that changes what it walks gets every item once', () => {
  const client = () => createClient({ url: box.base, token: ada.token })

  test('when it deletes each project', async () => {
    const path = { workspace_id: site.workspace.id as string }
    const ids = await made(`/api/v1/workspaces/${path.workspace_id}/projects`, 5, (number) => ({ name: `Old ${number}` }))
    const seen: string[] = []
    const query = { limit: 2 }
    for await (const { id } of paginate(client(), '/api/v1/workspaces/{workspace_id}/projects', { params: { path, query } })) {
      seen.push(id)
      if (ids.includes(id)) await ada.delete(`/api/v1/projects/${id}`)
    }
    expect(seen).toEqual([...ids, site.project.id])
  })

  test('when it cancels each queued execution, while others are added and removed', async () => {
    const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
    const path = `/api/v1/requirements/${requirement.id}/executions`
    const ids = await made(path, 7, () => ({ agent: 'claude' }))
    const seen: string[] = []
    const executions = paginate(client(), '/api/v1/requirements/{requirement_id}/executions', {
      params: { path: { requirement_id: requirement.id }, query: { status: 'queued', page: 1, page_size: 2 } },
    })
    for await (const { id } of executions) {
      seen.push(id)
      await ada.make(`/api/v1/executions/${id}/cancel`)
      if (seen.length < 4) await ada.make(path, { agent: 'codex' })
    }
    expect(seen).toEqual(ids)
  })

  test('when it marks each unread notification as read', async () => {
    const person = await box.user('Grace')
    await fill(box, person, site, 3)
    const ids = (await inboxOf(person)).items.map(({ id }: { id: string }) => id)
    const seen: string[] = []
    const query = { unread_only: true, page_size: 1 }
    const inbox = paginate(createClient({ url: box.base, token: person.token }), '/api/v1/notifications', { params: { query } })
    for await (const { id } of inbox) {
      seen.push(id)
      await person.make(`/api/v1/notifications/${id}/read`)
    }
    expect([ids.length, seen]).toEqual([3, ids])
  })
})
