import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SlackWorkbench } from './workbench.ts'

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
})
afterAll(() => bench.close())

test('a click that the database is too slow for gets 503 with Retry-After, in time for Slack', async () => {
  const room = await bench.room('gate.pending')
  const { message } = await bench.gateIn(room)
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = bench.box.sql.begin(async (tx) => {
    await tx`lock table user_identities`
    locked.resolve()
    await end.promise
  })
  await locked.promise
  const { status, headers } = await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
  end.resolve()
  await transaction
  expect([status, headers.get('retry-after')]).toEqual([503, '2'])
})
