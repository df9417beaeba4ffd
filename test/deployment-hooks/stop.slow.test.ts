import { afterAll, beforeAll, expect, test } from 'bun:test'
import { CHANGES_CHANNEL } from '../../core/tenants/changes.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
})
afterAll(() => bench.close())

test('a worker that stops announces to open pages what it recorded last', async () => {
  const { project, hook, receiver } = await bench.hooked()
  const answered = Promise.withResolvers<void>()
  receiver.answer = async () => {
    await answered.promise
    return new Response('ok')
  }
  await bench.approve(project)
  await receiver.waitFor(1)
  // What led to the request is announced by then.
  await Bun.sleep(500)
  const announced: string[] = []
  await bench.box.sql.listen(CHANGES_CHANNEL, (payload) => void announced.push(payload))
  const [worker] = bench.box.workers
  worker?.kill('SIGTERM')
  await worker?.said('worker stopping; finishing running work')
  answered.resolve()
  expect(await worker?.exited).toBe(0)
  await worker?.isRead
  expect((await bench.settled(hook)).status).toBe('succeeded')
  expect(worker?.lines.filter((line) => line.includes('"level":"warn"'))).toEqual([])
  expect(announced.filter((payload) => payload.includes(project.id))).toHaveLength(1)
})
