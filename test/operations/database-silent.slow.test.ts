import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../../bin/support/postgres.ts'
import { migrate } from '../../sql/migrate.ts'
import { WITHOUT_FSYNC } from '../support/postgres-without-fsync.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { signalServer } from '../support/stopped-server.ts'
import { within } from '../support/within.ts'

const LIMIT_MS = 10_000

let postgres: Postgres
let folder: string
let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-silent-'))
  postgres = await startPostgres({ dataDir: folder, settings: WITHOUT_FSYNC })
  await migrate(postgres.url)
  box = await signalbox({ url: postgres.url, workers: 1 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})

afterAll(async () => {
  await signalServer(folder, 'SIGCONT')
  await box.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const freeze = () => signalServer(folder, 'SIGSTOP')
const thaw = async () => {
  await signalServer(folder, 'SIGCONT')
  await box.until('the API is ready again', async () => (await box.request('GET', '/readyz')).status === 200, 30_000)
}

const inTime = (response: Promise<Answer>): Promise<Answer> => within(LIMIT_MS, 'a response', response)

const requirements = () => `/api/v1/projects/${site.project.id}/requirements`

function expectUnavailable(answers: Answer[]): void {
  for (const { status, body, headers } of answers)
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'database_unavailable', '2'])
}

describe('A database that accepts connections and does not respond', () => {
  test('leads to 503 within the limit, with more requests than connections, for reads and changes, repeatedly', async () => {
    await Promise.all(Array.from({ length: 8 }, () => ada.get('/api/v1/organizations')))
    await freeze()
    try {
      const ask = () =>
        Promise.all([
          inTime(box.request('GET', '/readyz')),
          ...Array.from({ length: 20 }, () => inTime(ada.get('/api/v1/organizations'))),
          ...Array.from({ length: 20 }, (_, index) =>
            inTime(ada.post(requirements(), { title: 'Unsure' }, { 'Idempotency-Key': `unsure-${index}` })),
          ),
        ])
      // Over existing connections first, then over new ones.
      expectUnavailable(await ask())
      expectUnavailable(await ask())
      expect((await box.request('GET', '/livez')).status).toBe(200)
    } finally {
      await thaw()
    }
    // The worker continues as well.
    await box.approval(ada, (await box.running(ada, site.project.id)).id)
    await box.settled()
  })

  test('a lost response is returned again for its Idempotency-Key, and nothing is created twice', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `lost-${index}`)
    const ask = (key: string) => ada.post(requirements(), { title: key }, { 'Idempotency-Key': key })
    const first = keys.map(ask)
    // Some requests are in progress by then, in any phase.
    await first[0]
    await freeze()
    try {
      const answers = await Promise.all(first)
      expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 503)).toEqual([])
    } finally {
      await thaw()
    }
    await box.until('each was created', async () => {
      const statuses = await Promise.all(keys.map(async (key) => (await ask(key)).status))
      return statuses.every((status) => status === 201)
    })
    const created = await box.sql<{ title: string }[]>`select title from requirements where title like 'lost-%'`
    expect(created.map(({ title }) => title).sort()).toEqual([...keys].sort())
  })

  test('does not include a slow statement: it is not interrupted while the server responds', async () => {
    const slow = await box.sql.reserve()
    await slow`begin`
    await slow`select from projects where id = ${site.project.id} for update`
    const blocked = ada.put(`/api/v1/projects/${site.project.id}`, { name: 'Patient' })
    await box.until(
      'it waits',
      async () => {
        const waiting =
          await box.sql`select from pg_stat_activity where wait_event_type = 'Lock' and now() - query_start > '11 s'`
        return waiting.length > 0
      },
      20_000,
    )
    await slow`commit`
    slow.release()
    expect((await blocked).status).toBe(200)
  })
})
