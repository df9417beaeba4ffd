import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Entrance, type Mode } from '../support/entrance.ts'
import { freshDatabase } from '../support/server.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { within } from '../support/within.ts'

const LIMIT_MS = 10_000
const BACK_MS = 2_000
/** Of the API and of the worker. */
const POOL = 8

let entrance: Entrance
let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  const database = await freshDatabase()
  entrance = await Entrance.before(database)
  box = await signalbox({
    url: database,
    workers: 1,
    environment: { DATABASE_URL: entrance.url, DATABASE_POOL: String(POOL) },
  })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(async () => {
  await box.close()
  await entrance[Symbol.asyncDispose]()
})

async function expectUnavailable(response: Promise<Answer>): Promise<void> {
  const { status, body, headers } = await within(LIMIT_MS, 'a response', response)
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'database_unavailable', '2'])
}

const isReady = async () => (await box.request('GET', '/readyz')).status === 200

const REFUSALS: [string, Mode][] = [
  ['that its database does not exist', { error: '3D000' }],
  ['that it is recovering from a crash', { error: '57P03' }],
  ['nothing, and closes the connection', 'closing'],
  ['nothing', 'silent'],
]

describe.each(REFUSALS)('Connections are lost while statements wait, and the server then answers %s', (_, mode) => {
  test('requests get 503, and succeed soon after the server is back', async () => {
    const holder = await box.sql.reserve()
    await holder`begin`
    await holder`lock table organizations in access exclusive mode`
    const path = `/api/v1/organizations/${site.organization.id}`
    const changes = Array.from({ length: POOL }, () => ada.put(path, { name: 'Acme' }))
    await box.until('all connections wait', async () => {
      const waiting = await box.sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
      `
      return waiting.length >= POOL
    })
    await entrance.set(mode)
    entrance.lose()
    for (const { status } of await Promise.all(changes)) expect(status).toBe(503)
    await holder`rollback`
    holder.release()

    await Promise.all([
      expectUnavailable(box.request('GET', '/readyz')),
      ...Array.from({ length: 20 }, () => expectUnavailable(ada.get('/api/v1/organizations'))),
      ...Array.from({ length: 20 }, () => expectUnavailable(ada.post('/api/v1/organizations', { name: 'Acme' }))),
    ])
    expect((await box.request('GET', '/livez')).status).toBe(200)

    await entrance.set('open')
    entrance.lose()
    await box.until('the API is ready', isReady, BACK_MS)
    // The worker continues as well.
    await box.approval(ada, (await box.running(ada, site.project.id)).id)
    await box.settled()
  })
})
