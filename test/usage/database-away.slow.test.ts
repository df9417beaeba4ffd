import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../../bin/support/postgres.ts'
import { migrate } from '../../sql/migrate.ts'
import { WITHOUT_FSYNC } from '../support/postgres-without-fsync.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { sendTraces, span } from './otlp.ts'

/** A separate server, because this test stops it. */
let postgres: Postgres
let folder: string
let box: Box
let ada: Actor

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-usage-'))
  postgres = await startPostgres({ dataDir: folder, settings: WITHOUT_FSYNC })
  await migrate(postgres.url)
  box = await signalbox({ url: postgres.url, workers: 0 })
  ada = await box.user('Ada')
})
afterAll(async () => {
  await box.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

test('exporters that try again while the database is away lose nothing, and nothing counts twice', async () => {
  const { id } = await box.running(ada, (await box.site(ada)).project.id, { cost_from: 'telemetry' })
  const exports = Array.from({ length: 40 }, () => [span(), span()])
  const answers: { status: number; retryAfter: string | null }[] = []
  /** As exporters do: until it is accepted. */
  const deliver = async (spans: object[]) => {
    for (;;) {
      const { status, headers } = await sendTraces(ada, id, ...spans)
      answers.push({ status, retryAfter: headers.get('retry-after') })
      if (status === 200) return
      expect(status).toBe(503)
    }
  }
  const delivered = Promise.all(exports.map(deliver))
  await box.until('the first export is accepted', async () => answers.length > 0)
  await postgres.stop()
  await box.until('exports are refused', async () => answers.some(({ status }) => status === 503))
  postgres = await startPostgres({ dataDir: folder, settings: WITHOUT_FSYNC, port: postgres.port })
  await delivered
  // Once more, as an exporter does whose answer was lost.
  await Promise.all(exports.map((spans) => sendTraces(ada, id, ...spans)))
  expect(answers.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([])
  expect((await ada.get(`/api/v1/executions/${id}`)).body.usage).toMatchObject([{ input_tokens: 80_000, output_tokens: 8_000 }])
})
