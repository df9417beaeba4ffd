/** Dispatches of a drain, which leases the queues of their hooks. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ environment: { HOOK_RETRY_SECONDS: '600,600' } })
})

afterAll(() => bench.close())

const jobsOf = async (organization_id: string): Promise<number> =>
  (
    await bench.box.sql`
      select from ops.job_runs where task = 'dispatch_hook' and organization_id = ${organization_id}
    `
  ).length

test('a hook that is busy sends each dispatch without a job of its lane', async () => {
  const { project, receiver, hook } = await bench.hooked()
  const execution = await bench.box.running(bench.admin, project.id)
  await bench.box.approval(bench.admin, execution.id)
  await bench.box.settled()
  const before = await jobsOf(bench.site.organization.id)
  const gates: { id: string }[] = []
  for (let count = 1; count <= 30; count++) {
    gates.push(await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: `Review ${count}` }))
  }
  await Promise.all(gates.map(({ id }) => bench.admin.make(`/api/v1/gates/${id}/approve`)))
  await receiver.waitFor(31)
  await bench.box.settled()
  expect(receiver.requests).toHaveLength(31)
  expect((await bench.listed(hook, '?status=succeeded')).total).toBe(31)
  expect(await jobsOf(bench.site.organization.id)).toBe(before)
})

test('what is sent is what is stored, and what a redelivery sends', async () => {
  const { project, receiver, hook } = await bench.hooked()
  const execution = await bench.box.running(bench.admin, project.id)
  for (let count = 1; count <= 3; count++) {
    await bench.box.approval(bench.admin, execution.id)
    const request = (await receiver.waitFor(1, ({ headers }) => headers['x-signalbox-sequence'] === String(count)))[0]
    const dispatch = request && (await bench.recorded(request))
    const [stored] = await bench.box.sql<{ body: string }[]>`select body from dispatches where id = ${dispatch?.id}`
    expect(stored?.body).toBe(request?.body ?? '')
    await bench.act(dispatch, 'redeliver', { Prefer: 'wait=10' })
  }
  await bench.box.settled()
  expect((await bench.listed(hook, '?status=succeeded')).total).toBe(6)
  const bodies = new Set(receiver.requests.map(({ body }) => body))
  expect(bodies.size).toBe(3)
})

test('a dispatch that a hook gets behind a retry is sent at once', async () => {
  const { project, receiver } = await bench.hooked()
  const execution = await bench.box.running(bench.admin, project.id)
  receiver.answer = () => new Response(null, { status: 503 })
  await bench.box.approval(bench.admin, execution.id)
  await receiver.waitFor(1)
  receiver.answer = () => new Response('ok')
  await bench.box.approval(bench.admin, execution.id)
  await receiver.waitFor(2)
  expect(receiver.requests.map(({ headers }) => headers['x-signalbox-sequence'])).toEqual(['1', '2'])
})
