import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
})

afterAll(() => bench.close())

test('an attempt that cannot be recorded does not delay others', async () => {
  await bench.box.sql`alter table repeated_attempts add constraint no_teapots check (response_status <> 418)`
  const { hook, receiver } = await bench.hooked()
  receiver.answer = () => new Response('', { status: 418 })
  const { body: stuck } = await bench.ask(hook, 'trigger')
  await receiver.waitFor(1)
  const others = await Promise.all(Array.from({ length: 8 }, () => bench.hooked()))
  for (const { hook } of others) await bench.ask(hook, 'trigger')
  for (const { hook } of others) expect(await bench.settled(hook)).toMatchObject({ status: 'succeeded' })

  // It is recorded as soon as the database accepts it; the request was not repeated.
  await bench.box.sql`alter table repeated_attempts drop constraint no_teapots`
  receiver.answer = () => new Response('ok')
  const { attempts } = await bench.once(stuck, ({ status }) => status === 'succeeded')
  expect(attempts).toMatchObject([{ response_status: 418 }, { response_status: 200 }])
  expect(receiver.requests).toHaveLength(2)
})
