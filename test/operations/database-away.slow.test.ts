import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../../bin/support/postgres.ts'
import { migrate } from '../../sql/migrate.ts'
import { WITHOUT_FSYNC } from '../support/postgres-without-fsync.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { readMetrics, sumOf } from './text-format.ts'

/** A separate server, because this test stops it. */
let postgres: Postgres
let folder: string
let box: Box

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-away-'))
  postgres = await startPostgres({ dataDir: folder, settings: WITHOUT_FSYNC })
  await migrate(postgres.url)
  box = await signalbox({ url: postgres.url, workers: 0 })
})

afterAll(async () => {
  await box.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const metrics = async () => {
  const response = await fetch(`${box.base}/metrics`)
  expect(response.status).toBe(200)
  return readMetrics(await response.text())
}

const status = async (path: string) => (await fetch(box.base + path)).status

const count = 'http_server_request_duration_seconds_count'

test('While the database is away, metrics report that, and no total starts over afterwards', async () => {
  await box.request('GET', '/livez')
  await box.until('requests are counted', async () => sumOf(await metrics(), count) > 0, 30_000)
  const before = sumOf(await metrics(), count)
  await postgres.stop()

  await box.until('the metrics report it', async () => sumOf(await metrics(), 'signalbox_database_up') === 0, 30_000)
  const alone = await metrics()
  expect([...alone.keys()].filter((name) => name.startsWith('http_server_request'))).toEqual([])
  expect(sumOf(alone, 'process_resident_memory_bytes', { process: 'api' })).toBeGreaterThan(1e7)
  expect([await status('/readyz'), await status('/livez')]).toEqual([503, 200])

  postgres = await startPostgres({ dataDir: folder, settings: WITHOUT_FSYNC, port: postgres.port })
  await box.until('the database is back', async () => sumOf(await metrics(), 'signalbox_database_up') === 1, 30_000)
  await box.until(
    'responses during the outage are counted',
    async () => sumOf(await metrics(), count, { http_route: '/readyz', error_type: 'database_unavailable' }) > 0,
    30_000,
  )
  expect(sumOf(await metrics(), count)).toBeGreaterThan(before)
  expect(await status('/readyz')).toBe(200)
})
