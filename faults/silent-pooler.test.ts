import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../bin/support/postgres.ts'
import { migrate } from '../sql/migrate.ts'
import { hasPooler, Pooler } from '../test/support/pooler.ts'
import { WITHOUT_FSYNC } from '../test/support/postgres-without-fsync.ts'
import { type Actor, type Box, signalbox } from '../test/support/signalbox.ts'
import { signalServer } from '../test/support/stopped-server.ts'
import { within } from '../test/support/within.ts'

const LIMIT_MS = 10_000

describe.skipIf(!hasPooler)('Behind a pooler', () => {
  let folder: string
  let postgres: Postgres
  let pooler: Pooler
  let box: Box
  let ada: Actor

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-silent-'))
    postgres = await startPostgres({ dataDir: folder, settings: WITHOUT_FSYNC })
    await migrate(postgres.url)
    pooler = await Pooler.before(new URL(postgres.url))
    const environment = { DATABASE_URL: pooler.url.href, DATABASE_DIRECT_URL: postgres.url }
    box = await signalbox({ url: postgres.url, workers: 0, environment })
    ada = await box.user('Ada')
  })
  afterAll(async () => {
    await box.close()
    await pooler.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** More requests than connections, three times: the pooler fails some, and lets others wait. */
  async function expectUnavailable(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => within(LIMIT_MS, 'a response', ada.get('/api/v1/organizations'))),
      )
      expect(answers.filter(({ status }) => status !== 503)).toEqual([])
    }
  }

  const isBack = async () => (await ada.get('/api/v1/organizations')).status === 200

  test('requests get 503 within the limit while the server is stopped', async () => {
    await signalServer(folder, 'SIGSTOP')
    try {
      await expectUnavailable()
    } finally {
      await signalServer(folder, 'SIGCONT')
    }
    await box.until('requests succeed', isBack, 60_000)
  })

  test('requests get 503 within the limit while the pooler is stopped', async () => {
    pooler.kill('SIGSTOP')
    try {
      await expectUnavailable()
    } finally {
      pooler.kill('SIGCONT')
    }
    await box.until('requests succeed', isBack, 60_000)
  })
})
