import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

test('the outcome of a dispatch is told and drained at once where nobody subscribes to it', async () => {
  const { project, hook } = await bench.hooked()
  await bench.approve(project)
  const { id, completed_at } = await bench.settled(hook)
  const [event] = await bench.box.sql`
    select name, data, drained_at from outbox where data -> 'dispatch' ->> 'id' = ${id}
  `
  const { response_body: _, payload: __, request_headers: ___, attempts: ____, ...dispatch } = await bench.dispatch(id)
  expect(event?.name).toBe('deployment.succeeded')
  expect(event?.data).toEqual({ dispatch })
  expect(event?.drained_at).toBe(completed_at)
})
