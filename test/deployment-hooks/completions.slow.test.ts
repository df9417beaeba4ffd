/** A workflow that is completed more than once: each completion needs an approval of its own. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Body, guardedHooks, YES } from './guarded-hooks.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})
afterAll(() => bench.close())

const { guarded, gates, outcomes } = guardedHooks(() => bench)

/** A hook for completed workflows whose environment requires a gate, and executions of one graph. */
async function workflow(input: object = {}) {
  const { project, hook } = await guarded({ trigger_on: 'workflow_done', ...input })
  const graph_id = Bun.randomUUIDv7()
  const requirement = () => bench.admin.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Pay by invoice' })
  const first = await requirement()
  const start = async ({ id }: Body = first): Promise<Body> => {
    const execution = await bench.admin.make(`/api/v1/requirements/${id}/executions`, { agent: 'coder', graph_id })
    return bench.admin.make(`/api/v1/executions/${execution.id}/start`, {})
  }
  return { hook, requirement, start }
}

const end = ({ id }: Body, how = 'complete'): Promise<Body> => bench.admin.make(`/api/v1/executions/${id}/${how}`, {})

test('the approval of one completion does not allow the next', async () => {
  const { hook, requirement, start } = await workflow()
  const approved = await start()
  await gates(approved, YES)
  await end(approved)
  await end(await start())
  await end(await start(await requirement()))
  await end(await start(), 'cancel')
  expect(await outcomes(hook)).toEqual(['succeeded', 'not_approved', 'not_approved', 'not_approved'])
  const again = await start()
  await gates(again, YES)
  await end(again)
  expect((await outcomes(hook)).at(-1)).toBe('succeeded')
})

test('an approval counts for all executions that end with it, also for those that end later', async () => {
  const { hook, requirement, start } = await workflow()
  const [approved, other] = [await start(), await start(await requirement())]
  await gates(approved, YES)
  await end(approved)
  await end(await start())
  await end(other)
  expect(await outcomes(hook)).toEqual(['succeeded'])
})

test('the approval of an execution that failed or was cancelled does not count for what replaced it', async () => {
  for (const how of ['fail', 'cancel']) {
    const { hook, start } = await workflow()
    const approved = await start()
    await gates(approved, YES)
    await end(approved, how)
    await end(await start())
    expect(await outcomes(hook)).toEqual(['not_approved'])
  }
})

test('executions that are added later change nothing about what waits, or is sent again', async () => {
  const { hook, start } = await workflow({ paused: true })
  const approved = await start()
  await gates(approved, YES)
  await end(approved)
  expect(await outcomes(hook)).toEqual(['pending'])
  const later = await start()
  const [, rejected] = (await gates(later, { ...YES, name: 'Yes, later' }, { ...YES, name: 'No' })) as [Body, Body]
  await bench.admin.make(`/api/v1/gates/${rejected.id}/reject`, {})
  await end(await start())
  await bench.change(hook, { paused: false })
  expect(await outcomes(hook)).toEqual(['succeeded', 'not_approved'])
  const { items } = await bench.listed(hook)
  expect((await bench.act(items[1], 'redeliver')).status).toBe(202)
  expect((await bench.act(items[0], 'redeliver')).status).toBe(409)
})

test('an execution that ended before keeps its version when its workflow is completed', async () => {
  const { requirement, start } = await workflow()
  const [first, last] = [await start(), await start(await requirement())]
  await end(first)
  const versionOf = async () => (await bench.admin.get(`/api/v1/executions/${first.id}`)).headers.get('etag')
  const before = await versionOf()
  await end(last)
  expect(before).not.toBeNull()
  expect(await versionOf()).toBe(before)
})
