import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0, environment: { RUNTIME_OFFLINE_SECONDS: '60' } })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const path = () => `/api/v1/organizations/${site.organization.id}/runtimes`
const register = () => ada.make(path(), { name: 'Farm', hostname: 'farm' })
const heartbeat = (id: string) => ada.post(`/api/v1/runtimes/${id}/heartbeat`)
const setSilentFor = (seconds: number) => box.sql`
  update runtimes set last_heartbeat = now() - ${seconds} * interval '1 second' where organization_id = ${site.organization.id}
`
const eventsOf = (id: string) =>
  box.sql<{ name: string; status: string; workspace_id: string | null }[]>`
    select name, data -> 'runtime' ->> 'status' as status, workspace_id
    from outbox
    where data -> 'runtime' ->> 'id' = ${id}
    order by id
  `
const eventNames = async (id: string) => (await eventsOf(id)).map(({ name, status }) => `${name} ${status}`)

test('the status follows the clock, and a silence that no worker noticed is reported with the next heartbeat', async () => {
  const { id } = await register()
  await setSilentFor(59)
  expect((await ada.get(path())).body[0].status).toBe('online')
  await setSilentFor(61)
  expect((await ada.get(path())).body[0].status).toBe('offline')
  expect(await eventNames(id)).toEqual(['runtime.online online'])
  expect((await heartbeat(id)).body.status).toBe('online')
  expect(await eventNames(id)).toEqual(['runtime.online online', 'runtime.offline offline', 'runtime.online online'])
  await heartbeat(id)
  expect(await eventNames(id)).toHaveLength(3)
})

describe('Workers', () => {
  test('report each silence and each return once, however many they are', async () => {
    const runtimes = await Promise.all(Array.from({ length: 40 }, register))
    await setSilentFor(61)
    await Promise.all([box.startWorker(), box.startWorker(), box.startWorker()])
    const offline = async () => {
      const [{ count }] = await box.sql<[{ count: number }]>`
        select count(*) as count
        from outbox
        where name = 'runtime.offline'
          and data -> 'runtime' ->> 'id' = any(${runtimes.map(({ id }) => id)}::text[])
      `
      return count
    }
    await box.until('all are offline', async () => (await offline()) === 40)
    const [first] = runtimes
    await Promise.all([heartbeat(first.id), heartbeat(first.id), heartbeat(first.id)])
    expect(await eventNames(first.id)).toEqual(['runtime.online online', 'runtime.offline offline', 'runtime.online online'])
    await setSilentFor(61)
    await box.until('it is offline again', async () => (await eventNames(first.id)).length === 4)
    // Further checks find nothing to report about the others.
    expect(await offline()).toBe(41)
    expect((await eventsOf(first.id)).map(({ workspace_id }) => workspace_id)).toEqual([null, null, null, null])
    await box.settled()
  })
})
