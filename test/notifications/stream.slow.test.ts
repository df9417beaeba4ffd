import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { freePort } from '../../bin/support/ports.ts'
import { type Actor, type Box, Process, type Site, signalbox } from '../support/signalbox.ts'
import { within } from '../support/within.ts'
import { fill, inboxOf, StreamClient, type StreamEvent } from './inbox.ts'

let box: Box
let owner: Actor
let ada: Actor
let site: Site
let client: StreamClient
/** A second API process of the same service. */
let other: Process
let otherBase: string

const PATH = '/api/v1/notifications'

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  const port = await freePort('0.0.0.0')
  otherBase = `http://127.0.0.1:${port}`
  other = new Process('api/server.ts', { ...box.environment, PORT: String(port) })
  await other.said('API listening')
  owner = await box.user('Owner')
  site = await box.site(owner)
})
afterAll(async () => {
  other.kill('SIGKILL')
  await box.close()
})

beforeEach(async () => {
  ada = await box.user('Ada')
  await box.join(ada, site, 'member', 'admin')
  client = new StreamClient(box.base, ada.token)
})

/** Opens a gate, which notifies Ada. */
const gate = async (name: string) => {
  const execution = await box.running(owner, site.project.id)
  return owner.make(`/api/v1/executions/${execution.id}/gates`, { name })
}
const title = (name: string) => `The gate “${name}” awaits your review`

/** Checks that every notification arrived once and in order. */
function expectOrder(events: StreamEvent[], count: number): void {
  const places = events.filter(({ event }) => event === 'notification').map(({ id }) => Number(id))
  expect(places).toEqual(Array.from({ length: count }, (_, index) => index + 1))
}

describe('A stream', () => {
  test('sends the unread count, then every notification as in the list', async () => {
    await fill(box, ada, site, 3, 'Before')
    const { status, headers } = await client.connect()
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream',
      'no-store, no-transform',
    ])
    expect(headers.get('x-request-id')).toBeTruthy()
    await client.until('the count arrived', () => client.events.length === 1)
    expect(client.events).toEqual([{ id: '3', event: 'unread_count', data: { unread_count: 3 } }])
    await gate('Release')
    await client.until('it arrived', () => client.events.length === 3)
    const [newest] = (await inboxOf(ada)).items
    expect(client.events.slice(1)).toEqual([
      { id: '4', event: 'notification', data: newest },
      { id: '4', event: 'unread_count', data: { unread_count: 4 } },
    ])
    client.disconnect()
  })

  test('sends every change of the unread count, whatever its origin', async () => {
    await fill(box, ada, site, 3)
    await client.connect()
    await client.until('the count arrived', () => client.counts().length === 1)
    const [newest] = (await inboxOf(ada)).items
    await ada.make(`${PATH}/${newest.id}/read`)
    await client.until('one less', () => client.counts().at(-1) === 2)
    // Reading it again is no change.
    await ada.make(`${PATH}/${newest.id}/read`)
    await ada.make(`${PATH}/read-all`)
    await client.until('none', () => client.counts().at(-1) === 0)
    expect(client.counts()).toEqual([3, 2, 0])
    expect(client.titles()).toEqual([])
    client.disconnect()
  })

  test('has no notifications of other users', async () => {
    const eve = await box.user('Eve')
    const otherClient = new StreamClient(box.base, eve.token)
    await Promise.all([client.connect(), otherClient.connect()])
    await gate('Secret')
    await client.until('it arrived', () => client.titles().length === 1)
    await fill(box, eve, site, 1, 'Theirs')
    await otherClient.until('the other one arrived', () => otherClient.titles().length === 1)
    expect(client.titles()).toEqual([expect.stringContaining(title('Secret'))])
    expect(otherClient.titles()).toEqual(['Theirs 1'])
    client.disconnect()
    otherClient.disconnect()
  })

  test('marks notifications for the desktop if the user wants that', async () => {
    await ada.put(`${PATH}/preferences`, { desktop_enabled: true })
    await client.connect()
    await client.until('the count arrived', () => client.counts().length === 1)
    await gate('Marked')
    await client.until('it arrived', () => client.titles().length === 1)
    const [newest] = (await inboxOf(ada)).items
    expect(client.events.find(({ event }) => event === 'notification')?.data).toEqual({ ...newest, desktop: true })
    await ada.put(`${PATH}/preferences`, { desktop_enabled: false })
    await gate('Plain')
    await client.until('the other one arrived', () => client.titles().length === 2)
    expect(client.events.findLast(({ event }) => event === 'notification')?.data).not.toHaveProperty('desktop')
    client.disconnect()
  })

  test('sends comments as heartbeats', async () => {
    await client.connect()
    await client.until('a heartbeat arrived', () => client.comments === 1, 25_000)
    client.disconnect()
  })

  test('works with the documented client, which reconnects, and stops after signing out', async () => {
    const { description = '' } = box.contract.document.paths['/api/v1/notifications/stream']?.get ?? {}
    const [, program = ''] = /```js\n([\s\S]+?)```/.exec(description) ?? []
    const shown: [string, { title?: string }][] = []
    const Program = (async () => {}).constructor as new (...text: string[]) => (...values: unknown[]) => Promise<void>
    const run = new Program('accessToken', 'fetch', 'show', program)
    let connection = new AbortController()
    const connect = (path: string, options: object) => fetch(box.base + path, { ...options, signal: connection.signal })
    const running = run(ada.token, connect, (event: string, data: object) => shown.push([event, data]))
    await box.until('the count is shown', async () => shown.length === 1)
    await gate('First')
    await box.until('it is shown', async () => shown.some(([, { title: said }]) => said?.startsWith(title('First'))))
    connection.abort()
    connection = new AbortController()
    await gate('Second')
    await box.until('the other is shown', async () => shown.some(([, { title: said }]) => said?.startsWith(title('Second'))))
    expect(shown.filter(([event]) => event === 'notification')).toHaveLength(2)
    await ada.make('/api/v1/auth/logout')
    await running
  })

  for (const id of ['x', '-1', '1.5', '9'.repeat(16), '999', '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d']) {
    test(`ignores the unknown id ${id} and starts with new notifications`, async () => {
      await fill(box, ada, site, 2, 'Before')
      client.lastId = id
      expect((await client.connect()).status).toBe(200)
      await client.until('the count arrived', () => client.counts().length === 1)
      expect(client.events).toEqual([{ id: '2', event: 'unread_count', data: { unread_count: 2 } }])
      await gate('After')
      await client.until('it arrived', () => client.titles().length === 1)
      expect(client.titles()).toEqual([expect.stringContaining(title('After'))])
      client.disconnect()
    })
  }

  test('needs a token', async () => {
    expect((await box.request('GET', `${PATH}/stream`)).status).toBe(401)
    const head = await ada.request('HEAD', `${PATH}/stream`)
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  })
})

describe('A client that reconnects', () => {
  test('gets what it missed, once and in order', async () => {
    await client.connect()
    await client.until('the count arrived', () => client.counts().length === 1)
    client.disconnect()
    for (let round = 0; round < 3; round++) await fill(box, ada, site, 40, `Round ${round}`)
    await client.connect()
    await client.until('all arrived', () => client.titles().length === 120)
    await client.until('the count arrived', () => client.counts().at(-1) === 120)
    expectOrder(client.events, 120)
    client.disconnect()
  })

  test('repeatedly under load, to any process, loses nothing and gets nothing twice', async () => {
    await client.connect()
    await client.until('the count arrived', () => client.counts().length === 1)
    client.disconnect()
    let pouring = true
    const pour = (async () => {
      for (let round = 0; round < 60; round++) {
        await Promise.all([fill(box, ada, site, 3, `A ${round}`), fill(box, ada, site, 2, `B ${round}`)])
        // As the service does after its commits.
        await box.sql`select pg_notify('signalbox_changes', ${`0 user/${ada.id}`})`
      }
      pouring = false
    })()
    for (let round = 0; pouring; round++) {
      const { ended } = await client.connect(round % 2 ? otherBase : box.base)
      const before = client.titles().length
      await client.until('something arrived', () => !pouring || client.titles().length > before + 5)
      client.disconnect()
      await ended
    }
    await pour
    await client.connect()
    await client.until('all arrived', () => client.titles().length >= 300)
    await client.until('the count arrived', () => client.counts().at(-1) === 300)
    expectOrder(client.events, 300)
    client.disconnect()
  })

  test('with an unknown position continues with new notifications', async () => {
    await fill(box, ada, site, 2)
    client.lastId = '999999'
    await client.connect()
    await client.until('the count arrived', () => client.counts().length === 1)
    await gate('After')
    await client.until('it arrived', () => client.titles().length === 1)
    expect(client.lastId).toBe('3')
    client.disconnect()
  })
})

test('two connections of a user at two processes get the same events', async () => {
  const second = new StreamClient(otherBase, ada.token)
  await Promise.all([client.connect(), second.connect()])
  await Promise.all([client, second].map((each) => each.until('the number came', () => each.counts().length === 1)))
  await Promise.all(['One', 'Two', 'Three'].map(gate))
  await Promise.all([client, second].map((each) => each.until('all came', () => each.titles().length === 3)))
  const namedFirst = client.titles().map((each) => each.split(':')[0] ?? '')
  expect(namedFirst.toSorted()).toEqual(['One', 'Two', 'Three'].map(title).toSorted())
  expect(second.titles()).toEqual(client.titles())
  // Reading at one process updates the other.
  const answer = await fetch(`${otherBase}${PATH}/read-all`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ada.token}` },
  })
  expect(await answer.json()).toEqual({ updated: 3 })
  await client.until('none is unread', () => client.counts().at(-1) === 0)
  client.disconnect()
  second.disconnect()
})

describe('A stream ends', () => {
  test('with the session of its token, and not before', async () => {
    const { body: session } = await box.request('POST', '/api/v1/auth/login', {
      email: ada.email,
      password: 'correct horse battery staple',
    })
    const ending = new StreamClient(box.base, session.access_token)
    const [{ ended }] = await Promise.all([ending.connect(), client.connect()])
    await Promise.all([client, ending].map((each) => each.until('the number came', () => each.counts().length === 1)))
    await box.request('POST', '/api/v1/auth/logout', {}, { Authorization: `Bearer ${session.access_token}` })
    await gate('After')
    await ended
    await client.until('the other one continues', () => client.titles().length === 1)
    // Nothing was sent for the ended session.
    expect(ending.titles()).toEqual([])
    expect((await ending.connect()).status).toBe(401)
    client.disconnect()
  })

  test('with its personal token; a token for one organization has no inbox', async () => {
    const token = await ada.make('/api/v1/auth/tokens', { name: 'Reader', scope: 'read' })
    const tokenClient = new StreamClient(box.base, token.token)
    const { ended } = await tokenClient.connect()
    await tokenClient.until('the count arrived', () => tokenClient.counts().length === 1)
    await gate('Read')
    await tokenClient.until('it arrived', () => tokenClient.titles().length === 1)
    await ada.delete(`/api/v1/auth/tokens/${token.id}`)
    await ended
    expect((await tokenClient.connect()).status).toBe(401)
    const bound = await ada.make('/api/v1/auth/tokens', { name: 'Bound', organization_id: site.organization.id })
    expect((await new StreamClient(box.base, bound.token).connect()).status).toBe(404)
  })

  test('with its user', async () => {
    const gone = await box.user('Gone')
    const tokenClient = new StreamClient(box.base, gone.token)
    const { ended } = await tokenClient.connect()
    await tokenClient.until('the count arrived', () => tokenClient.counts().length === 1)
    await box.sql`delete from users where id = ${gone.id}`
    await ended
  })

  test('with its process, which does not wait for it; the client continues elsewhere', async () => {
    const port = await freePort('0.0.0.0')
    const third = new Process('api/server.ts', { ...box.environment, PORT: String(port) })
    await third.said('API listening')
    const { ended } = await client.connect(`http://127.0.0.1:${port}`)
    await client.until('the count arrived', () => client.counts().length === 1)
    third.kill('SIGTERM')
    await ended
    expect(await within(10_000, 'the process ended', third.exited)).toBe(0)
    await gate('Meanwhile')
    await client.connect()
    await client.until('it arrived', () => client.titles().length === 1)
    client.disconnect()
  })
})
