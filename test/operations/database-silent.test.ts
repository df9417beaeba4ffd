import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../../bin/support/postgres.ts'
import { migrate } from '../../sql/migrate.ts'
import { QUICK } from '../support/quick.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { signalServer } from '../support/stopped-server.ts'

const LIMIT_MS = 10_000

let postgres: Postgres
let folder: string
let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-silent-'))
  postgres = await startPostgres({ dataDir: folder, settings: QUICK })
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

const stop = () => signalServer(folder, 'SIGSTOP')
const goOn = async () => {
  await signalServer(folder, 'SIGCONT')
  await box.until('it answers again', async () => (await box.request('GET', '/readyz')).status === 200, 30_000)
}

interface Timed extends Answer {
  ms: number
}

async function timed(ask: () => Promise<Answer>): Promise<Timed> {
  const begun = performance.now()
  const answer = await ask()
  return { ...answer, ms: performance.now() - begun }
}

const requirements = () => `/api/v1/projects/${site.project.id}/requirements`

function expectUnavailable(answers: Timed[]): void {
  for (const { status, body, headers, ms } of answers) {
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'database_unavailable', '2'])
    expect(ms).toBeLessThan(LIMIT_MS)
  }
}

describe('A database that is stopped, and not refused', () => {
  test('is told with 503 in time: to more requests than there are connections, reads and changes, again and again', async () => {
    await Promise.all(Array.from({ length: 8 }, () => ada.get('/api/v1/organizations')))
    await stop()
    try {
      const ask = () =>
        Promise.all([
          timed(() => box.request('GET', '/readyz')),
          ...Array.from({ length: 20 }, () => timed(() => ada.get('/api/v1/organizations'))),
          ...Array.from({ length: 20 }, (_, index) =>
            timed(() => ada.post(requirements(), { title: 'Unsure' }, { 'Idempotency-Key': `unsure-${index}` })),
          ),
        ])
      // Over connections that were there, then over those that have to be made.
      expectUnavailable(await ask())
      expectUnavailable(await ask())
      expect((await box.request('GET', '/livez')).status).toBe(200)
    } finally {
      await goOn()
    }
    // The worker goes on as well.
    await box.approval(ada, (await box.running(ada, site.project.id)).id)
    await box.settled()
  }, 90_000)

  test('an answer that was lost comes under the same Idempotency-Key, and nothing is made twice', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `lost-${index}`)
    const ask = (key: string) => timed(() => ada.post(requirements(), { title: key }, { 'Idempotency-Key': key }))
    const first = keys.map(ask)
    // Some are under way by then, in whatever phase.
    await first[0]
    await stop()
    try {
      const answers = await Promise.all(first)
      expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 503)).toEqual([])
    } finally {
      await goOn()
    }
    await box.until('each is made', async () => {
      const statuses = await Promise.all(keys.map(async (key) => (await ask(key)).status))
      return statuses.every((status) => status === 201)
    })
    const made = await box.sql<{ title: string }[]>`select title from requirements where title like 'lost-%'`
    expect(made.map(({ title }) => title).sort()).toEqual([...keys].sort())
  }, 60_000)

  test('a slow statement is not cut while the server lives', async () => {
    const slow = await box.sql.reserve()
    await slow`begin`
    await slow`select from projects where id = ${site.project.id} for update`
    const held = timed(() => ada.put(`/api/v1/projects/${site.project.id}`, { name: 'Patient' }))
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
    expect((await held).status).toBe(200)
  }, 60_000)
})
