/** What exporters send again, however late. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { apiRequest, sendLogs, sendTraces, span } from './otlp.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
})
afterAll(() => box.close())

test('what is sent again after everything else is forgotten counts once', async () => {
  const { project } = await box.site(ada)
  const { id } = await box.running(ada, project.id, { cost_from: 'telemetry' })
  const [inference, request] = [span(), apiRequest()]
  const send = async () => {
    const report = { cost_usd: 1, model: 'gpt-5', dedupe_key: 'once' }
    await Promise.all([
      sendTraces(ada, id, inference),
      sendLogs(ada, id, request),
      ada.make(`/api/v1/executions/${id}/usage`, report),
    ])
    return (await ada.get(`/api/v1/executions/${id}`)).body
  }
  const first = await send()
  expect([first.cost_usd, first.usage.length]).toEqual([1.0123, 3])
  await box.sql`
    update usage_records
    set created_at = created_at - interval '10 years', used_at = used_at - interval '10 years'
    where execution_id = ${id}
  `
  await box.sql`select graphile_worker.add_job('forget_expired', '{}')`
  await box.until('the nightly job is done', async () => {
    return (await box.sql`select from graphile_worker.jobs where task_identifier = 'forget_expired'`).length === 0
  })
  expect(await send()).toEqual(first)
})
