import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../bin/support/postgres.ts'
import { version } from '../package.json'
import { migrate } from '../sql/migrate.ts'
import { inboxOf, StreamClient } from '../test/notifications/inbox.ts'
import { type Actor, type Box, type Site, signalbox } from '../test/support/signalbox.ts'
import { retryUntilFinal, waitUntilIdle } from './support.ts'

let postgres: Postgres
let folder: string
let box: Box
let ada: Actor
let site: Site
let client: StreamClient
let opened = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-fault-'))
  postgres = await startPostgres({ dataDir: folder })
  await migrate(postgres.url)
  box = await signalbox({ url: postgres.url })
  ada = await box.user('Ada Lovelace')
  site = await box.site(ada)
  client = new StreamClient(box.base, ada.token)
  await client.connect()
  await client.until('the count arrived', () => client.counts().length === 1)
})

afterAll(async () => {
  client.disconnect()
  await box.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const restartDatabase = async () => {
  postgres = await startPostgres({ dataDir: folder, port: postgres.port })
}

/** Opens a gate, which notifies Ada, waiting for the database as long as necessary. */
async function openGate(): Promise<void> {
  const execution = await box.running(ada, site.project.id)
  await retryUntilFinal(
    [],
    () => ada.post(`/api/v1/executions/${execution.id}/gates`, { name: 'Release' }),
    ({ status }) => status === 201,
  )
  opened += 1
}

/** Every notification arrived once, in order, on the connection that was opened at the start. */
async function expectAll(): Promise<void> {
  await waitUntilIdle(box)
  await client.until('all notifications arrived', () => client.titles().length >= opened, 30_000)
  await client.until('the count arrived', () => client.counts().at(-1) === opened)
  const places = client.events.filter(({ event }) => event === 'notification').map(({ id }) => Number(id))
  expect(places).toEqual(Array.from({ length: opened }, (_, index) => index + 1))
  expect((await inboxOf(ada)).unread_count).toBe(opened)
}

/** LISTEN works again: by the sweep alone, eight notifications, one after another, would take at least two heartbeats. */
async function expectListening(): Promise<void> {
  const execution = await box.running(ada, site.project.id)
  const heartbeats = client.comments
  for (let round = 0; round < 8; round++) {
    const before = client.titles().length
    await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Heard' })
    opened += 1
    await client.until('it arrived', () => client.titles().length > before)
  }
  expect(client.comments - heartbeats).toBeLessThan(2)
}

describe('A stream stays connected and loses nothing', () => {
  test('when the database is shut down and started again', async () => {
    await openGate()
    await postgres.stop()
    await Bun.sleep(3_000)
    await restartDatabase()
    await openGate()
    await expectAll()
    await expectListening()
  })

  test('when the database crashes', async () => {
    postgres.kill()
    await postgres.exited
    await restartDatabase()
    await openGate()
    await expectAll()
    await expectListening()
  })

  test('when the database is away for long', async () => {
    await postgres.stop()
    await Bun.sleep(25_000)
    await restartDatabase()
    await openGate()
    await expectAll()
    await expectListening()
  })

  test('when all connections are terminated repeatedly, including the one that listens', async () => {
    for (let cut = 0; cut < 10; cut++) {
      await box.sql`
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where pid <> pg_backend_pid()
          and backend_type = 'client backend'
          and datname = current_database()
      `.catch(() => {})
      await Bun.sleep(200)
    }
    await openGate()
    await expectAll()
    await expectListening()
    const listening = await box.sql`
        select pid
        from pg_stat_activity
        where query like 'listen %'
          and application_name = ${`signalbox server ${version}`}
          and datname = current_database()
      `
    expect(listening).toHaveLength(1)
  })
})
