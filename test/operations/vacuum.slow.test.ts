import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Box, signalbox } from '../support/signalbox.ts'

let box: Box

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0 })
})
afterAll(() => box.close())

const health = async () => (await box.sql`select status, detail, hint from ops.health_detail where "check" = 'vacuum'`)[0]

test('a transaction that has held up vacuum for too long is a warning that names its session', async () => {
  const well = { status: 'ok', detail: 'no transaction holds it up', hint: null }
  expect(await health()).toEqual(well)
  await box.sql.begin('isolation level repeatable read', async (tx) => {
    const [session] = await tx`select pg_backend_pid() as pid, current_setting('application_name') as application`
    // For five minutes it is no problem.
    expect(await health()).toEqual(well)
    const [{ definition }] = await box.sql<[{ definition: string }]>`
      select pg_get_functiondef('ops.vacuum_holders()'::regprocedure) as definition
    `
    await box.sql.unsafe(definition.replace("'5 minutes'", "'0 seconds'"))
    expect(await health()).toEqual({
      status: 'warning',
      detail: expect.stringContaining(`process ${session?.pid} (${session?.application}) for `),
      hint: expect.stringContaining('pg_terminate_backend'),
    })
  })
  await box.until('nothing holds it up', async () => (await health())?.status === 'ok')
})
