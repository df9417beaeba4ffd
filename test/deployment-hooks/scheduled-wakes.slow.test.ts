import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ environment: { HOOK_RETRY_SECONDS: '0.2,600' } })
})

afterAll(() => bench.close())

describe('the wake-up job of a hook', () => {
  test('is set for the next attempt, even when one was already set for a later attempt', async () => {
    const { hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('', { status: 500 })
    const { body: first } = await bench.ask(hook, 'trigger')
    await bench.once(first, ({ attempt_count }) => attempt_count === 2)
    await bench.box.until('the wake-up job is set', async () => {
      const [{ is_set }] = await bench.box.sql<[{ is_set: boolean }]>`
        select exists (
          select 1 from queue.waiting_jobs where key = ${`dispatch_hook:${hook.id}`} and run_at > now() + interval '5 minutes'
        ) as is_set
      `
      return is_set
    })
    const { body: second } = await bench.ask(hook, 'trigger')
    expect(await bench.once(second, ({ attempt_count }) => attempt_count === 2)).toMatchObject({ status: 'pending' })
  })
})
